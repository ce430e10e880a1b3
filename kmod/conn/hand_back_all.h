/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_CONN_HAND_BACK_ALL_H
#define ABT_CONN_HAND_BACK_ALL_H

struct abt_net;

void abt_records_hand_back(struct abt_net *an);

#endif /* ABT_CONN_HAND_BACK_ALL_H */
