// SPDX-License-Identifier: GPL-2.0
/* Records out of the module's messages: see record.h. */
#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <string.h>

#include "record.h"

static uint32_t u32(const struct nlattr *attr)
{
	return mnl_attr_get_payload_len(attr) >= sizeof(uint32_t) ? mnl_attr_get_u32(attr) : 0;
}

static uint64_t u64(const struct nlattr *attr)
{
	return mnl_attr_get_payload_len(attr) >= sizeof(uint64_t) ? mnl_attr_get_u64(attr) : 0;
}

static void read_address(const struct nlattr *attr, struct end *end)
{
	uint16_t length = mnl_attr_get_payload_len(attr);

	if (length != sizeof(struct in_addr) && length != sizeof(struct in6_addr))
		return;
	end->length = length;
	memcpy(end->address, mnl_attr_get_payload(attr), length);
}

static void read_buffer(const struct nlattr *nest, struct buffer *buffer)
{
	const struct nlattr *attr;

	buffer->told = true;
	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case TCP_ABT_A_BUFFER_POLICY: buffer->policy = u32(attr); break;
		case TCP_ABT_A_BUFFER_REASON: buffer->reason = u32(attr); break;
		case TCP_ABT_A_BUFFER_DEMAND: buffer->demand = u32(attr); break;
		case TCP_ABT_A_BUFFER_GRANT: buffer->grant = u32(attr); break;
		case TCP_ABT_A_BUFFER_CHARGED: buffer->charged = u32(attr); break;
		case TCP_ABT_A_BUFFER_APPLIED: buffer->applied = u32(attr); break;
		case TCP_ABT_A_BUFFER_USED: buffer->used = u32(attr); break;
		case TCP_ABT_A_BUFFER_IDLE: buffer->idle = true; break;
		case TCP_ABT_A_BUFFER_DRAINS: buffer->drains = true; break;
		}
	}
}

void read_conn(const struct nlmsghdr *message, struct conn *conn)
{
	const struct nlattr *attr;

	*conn = (struct conn) { 0 };
	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case TCP_ABT_A_CONN_LOCAL_ADDR: read_address(attr, &conn->local); break;
		case TCP_ABT_A_CONN_LOCAL_PORT: conn->local.port = mnl_attr_get_u16(attr); break;
		case TCP_ABT_A_CONN_REMOTE_ADDR: read_address(attr, &conn->remote); break;
		case TCP_ABT_A_CONN_REMOTE_PORT: conn->remote.port = mnl_attr_get_u16(attr); break;
		case TCP_ABT_A_CONN_IFINDEX: conn->ifindex = u32(attr); break;
		case TCP_ABT_A_CONN_CWND: conn->cwnd = u32(attr); break;
		case TCP_ABT_A_CONN_MSS: conn->mss = u32(attr); break;
		case TCP_ABT_A_CONN_SRTT_US: conn->srtt_us = u32(attr); break;
		case TCP_ABT_A_CONN_MIN_RTT_US: conn->min_rtt_us = u32(attr); break;
		case TCP_ABT_A_CONN_RCV_RTT_US: conn->rcv_rtt_us = u32(attr); break;
		case TCP_ABT_A_CONN_ALPHA: conn->alpha = u32(attr); break;
		case TCP_ABT_A_CONN_SEND:
			read_buffer(attr, &conn->buffer[TCP_ABT_DIRECTION_SEND]);
			break;
		case TCP_ABT_A_CONN_RECEIVE:
			read_buffer(attr, &conn->buffer[TCP_ABT_DIRECTION_RECEIVE]);
			break;
		case TCP_ABT_A_CONN_DIRECTION: conn->direction = u32(attr); break;
		case TCP_ABT_A_CONN_OLD: conn->old = u32(attr); break;
		case TCP_ABT_A_CONN_LOST: conn->lost = u64(attr); break;
		}
	}
}

static void read_figure(const struct nlattr *attr, struct pool *pool)
{
	switch (mnl_attr_get_type(attr)) {
	case TCP_ABT_A_POOL_DIRECTION: pool->direction = u32(attr); break;
	case TCP_ABT_A_POOL_SCOPE: pool->scope = u32(attr); break;
	case TCP_ABT_A_POOL_SIZE: pool->size = u64(attr); break;
	case TCP_ABT_A_POOL_CHARGED: pool->charged = u64(attr); break;
	case TCP_ABT_A_POOL_DEMAND: pool->demand = u64(attr); break;
	case TCP_ABT_A_POOL_LEVEL:
		pool->has_level = true;
		pool->level = u32(attr);
		break;
	case TCP_ABT_A_POOL_SLOPE: pool->slope = u32(attr); break;
	case TCP_ABT_A_POOL_CONNS: pool->conns = u32(attr); break;
	case TCP_ABT_A_POOL_GRANTS: pool->grants = u64(attr); break;
	case TCP_ABT_A_POOL_SHRINKS: pool->shrinks = u64(attr); break;
	case TCP_ABT_A_POOL_REFUSED: pool->refused = u64(attr); break;
	}
}

void read_pool(const struct nlmsghdr *message, struct pool *pool)
{
	const struct nlattr *attr;

	*pool = (struct pool) { 0 };
	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr))
		read_figure(attr, pool);
}

void read_path(const struct nlmsghdr *message, struct path *path)
{
	const struct nlattr *attr;

	*path = (struct path) { 0 };
	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case TCP_ABT_A_PATH_REMOTE_ADDR: read_address(attr, &path->remote); break;
		case TCP_ABT_A_PATH_LOCAL_ADDR: read_address(attr, &path->local); break;
		case TCP_ABT_A_PATH_STATE: path->state = u32(attr); break;
		case TCP_ABT_A_PATH_BASE_US: path->base_us = u32(attr); break;
		case TCP_ABT_A_PATH_RTT_US: path->rtt_us = u32(attr); break;
		case TCP_ABT_A_PATH_HELD: path->held = u32(attr); break;
		case TCP_ABT_A_PATH_LEVEL:
			path->has_level = true;
			path->level = u32(attr);
			break;
		case TCP_ABT_A_PATH_MEMBERS: path->members = u32(attr); break;
		case TCP_ABT_A_PATH_CONNS: path->conns = u32(attr); break;
		case TCP_ABT_A_PATH_PATH_ID: path->id = u32(attr); break;
		case TCP_ABT_A_PATH_PEERS: path->peers = u32(attr); break;
		}
	}
}

void read_adapter(const struct nlmsghdr *message, struct adapter *adapter)
{
	const struct nlattr *attr, *figure;

	*adapter = (struct adapter) { 0 };
	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case TCP_ABT_A_OFFLOAD_IFINDEX: adapter->ifindex = u32(attr); break;
		case TCP_ABT_A_OFFLOAD_FUNCTIONS: adapter->functions = u32(attr); break;
		case TCP_ABT_A_OFFLOAD_MAX_CONNS: adapter->max_conns = u32(attr); break;
		case TCP_ABT_A_OFFLOAD_CONNS: adapter->conns = u32(attr); break;
		case TCP_ABT_A_OFFLOAD_WAITING: adapter->waiting = u32(attr); break;
		case TCP_ABT_A_OFFLOAD_ADDS: adapter->adds = u64(attr); break;
		case TCP_ABT_A_OFFLOAD_UPDATES: adapter->updates = u64(attr); break;
		case TCP_ABT_A_OFFLOAD_REFUSED: adapter->refused = u64(attr); break;
		case TCP_ABT_A_OFFLOAD_GONE: adapter->gone = u64(attr); break;
		case TCP_ABT_A_OFFLOAD_REROUTED: adapter->rerouted = u64(attr); break;
		case TCP_ABT_A_OFFLOAD_EVICTED: adapter->evicted = u64(attr); break;
		case TCP_ABT_A_OFFLOAD_FLOOR: adapter->floor = u32(attr); break;
		case TCP_ABT_A_OFFLOAD_MEMORY:
			mnl_attr_for_each_nested(figure, attr)
				read_figure(figure, &adapter->memory);
			break;
		}
	}
}

const char *address_text(const struct end *end, char text[END_TEXT])
{
	int family = end->length == sizeof(struct in_addr) ? AF_INET : AF_INET6;

	if (!end->length || !inet_ntop(family, end->address, text, END_TEXT))
		return "-";
	return text;
}

const char *end_text(const struct end *end, char text[END_TEXT])
{
	char address[END_TEXT];

	snprintf(text, END_TEXT, end->length == sizeof(struct in6_addr) ? "[%.45s]:%u" : "%.45s:%u",
		 address_text(end, address), end->port);
	return text;
}
