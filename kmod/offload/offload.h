/* SPDX-License-Identifier: GPL-2.0 */
/* The offload hook: it hears of connections by conn/hooks.h, and tells drivers. */
#ifndef ABT_OFFLOAD_OFFLOAD_H
#define ABT_OFFLOAD_OFFLOAD_H

int abt_offload_init(void);
void abt_offload_exit(void);

#endif /* ABT_OFFLOAD_OFFLOAD_H */
