/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_RECLAIM_H
#define ABT_CONN_RECLAIM_H

void abt_reclaim_init(void);
void abt_reclaim_stop(void);

#endif /* ABT_CONN_RECLAIM_H */
