/* SPDX-License-Identifier: GPL-2.0 */
/* Every line in the kernel's log begins with the name of our module. */
#ifndef ABT_LOG_H
#define ABT_LOG_H

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#endif /* ABT_LOG_H */
