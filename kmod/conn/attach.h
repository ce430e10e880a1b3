/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_ATTACH_H
#define ABT_CONN_ATTACH_H

int abt_events_get(void);
void abt_events_put(void);

#endif /* ABT_CONN_ATTACH_H */
