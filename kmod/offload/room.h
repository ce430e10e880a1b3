/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ABT_OFFLOAD_ROOM_H
#define ABT_OFFLOAD_ROOM_H

#include "offload/tcp_abt_offload.h"

struct abt_member;
struct abt_port;

void abt_room_limits(struct abt_port *port);
void abt_room_changed(struct abt_port *port);
void abt_room_unwait(struct abt_member *m);
void abt_room_settle(struct abt_member *m);
void abt_room_leave(struct abt_member *m, enum tcp_abt_offload_why why);

#endif /* ABT_OFFLOAD_ROOM_H */
