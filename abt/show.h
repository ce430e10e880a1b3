/* SPDX-License-Identifier: GPL-2.0 */
/* A connection, on a screen or as JSON. */
#ifndef ABT_SHOW_H
#define ABT_SHOW_H

#include <net/if.h>

#include "record.h"

/* A device by its name; by its number, where it is gone or of another namespace. */
const char *device_text(uint32_t ifindex, char text[IF_NAMESIZE]);

void show_conn(const struct conn *conn);
void show_ends(const struct conn *conn);
void json_ends(const struct conn *conn);
void json_inputs(const struct conn *conn);
void json_buffer(const char *name, const struct buffer *buffer);

#endif /* ABT_SHOW_H */
