/* SPDX-License-Identifier: GPL-2.0 */
/* Every line in the kernel's log begins with our name. */
#ifndef ABT_LOG_H
#define ABT_LOG_H

#define pr_fmt(fmt) "tcp_abt: " fmt

#endif /* ABT_LOG_H */
