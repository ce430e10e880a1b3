/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	kmod/control/tcp_abt.yaml */
/* YNL-GEN uapi header */
/* To regenerate run: tools/net/ynl/ynl-regen.sh */

#ifndef _UAPI_LINUX_TCP_ABT_H
#define _UAPI_LINUX_TCP_ABT_H

#define TCP_ABT_FAMILY_NAME	"tcp_abt"
#define TCP_ABT_FAMILY_VERSION	1

#define TCP_ABT_POOL_PARTS		32
#define TCP_ABT_SEND_POOL_PARTS		14
#define TCP_ABT_RECEIVE_POOL_PARTS	17

/**
 * enum tcp_abt_mode
 * @TCP_ABT_MODE_OFF: The kernel alone.
 * @TCP_ABT_MODE_OBSERVE: Everything is computed and shown, nothing applied.
 * @TCP_ABT_MODE_ON: Buffers are set.
 */
enum tcp_abt_mode {
	TCP_ABT_MODE_OFF,
	TCP_ABT_MODE_OBSERVE,
	TCP_ABT_MODE_ON,

	/* private: */
	__TCP_ABT_MODE_MAX,
	TCP_ABT_MODE_MAX = (__TCP_ABT_MODE_MAX - 1)
};

/**
 * enum tcp_abt_policy
 * @TCP_ABT_POLICY_STOCK: The kernel's own tuning.
 * @TCP_ABT_POLICY_FIXED: A constant.
 * @TCP_ABT_POLICY_MAX: Receiver, the largest that the pool allows.
 * @TCP_ABT_POLICY_ATBT: Sender, 2 to 4 times the congestion window.
 * @TCP_ABT_POLICY_SABT: Sender, by the throughput equation.
 * @TCP_ABT_POLICY_DRS: Receiver, twice what a round trip brings.
 * @TCP_ABT_POLICY_TBT_PLR: Receiver, 1 + alpha times what a round trip brings.
 * @TCP_ABT_POLICY_APP: The application set the buffer. Shown, never
 *   configured.
 */
enum tcp_abt_policy {
	TCP_ABT_POLICY_STOCK,
	TCP_ABT_POLICY_FIXED,
	TCP_ABT_POLICY_MAX,
	TCP_ABT_POLICY_ATBT,
	TCP_ABT_POLICY_SABT,
	TCP_ABT_POLICY_DRS,
	TCP_ABT_POLICY_TBT_PLR,
	TCP_ABT_POLICY_APP,
};

/**
 * enum tcp_abt_path_state
 * @TCP_ABT_PATH_STATE_APART: No queue stands, each connection has the window
 *   that it asks for.
 * @TCP_ABT_PATH_STATE_SHARED: A queue stands, windows are shares of what the
 *   path holds.
 * @TCP_ABT_PATH_STATE_STOPPED: A queue stands, but sharing took rate, so it
 *   has stopped for a time.
 */
enum tcp_abt_path_state {
	TCP_ABT_PATH_STATE_APART,
	TCP_ABT_PATH_STATE_SHARED,
	TCP_ABT_PATH_STATE_STOPPED,

	/* private: */
	__TCP_ABT_PATH_STATE_MAX,
	TCP_ABT_PATH_STATE_MAX = (__TCP_ABT_PATH_STATE_MAX - 1)
};

enum tcp_abt_share {
	TCP_ABT_SHARE_MAXMIN,
	TCP_ABT_SHARE_PROPORTIONAL,
	TCP_ABT_SHARE_FCFS,

	/* private: */
	__TCP_ABT_SHARE_MAX,
	TCP_ABT_SHARE_MAX = (__TCP_ABT_SHARE_MAX - 1)
};

enum tcp_abt_alpha_signal {
	TCP_ABT_ALPHA_SIGNAL_EPOCH,
	TCP_ABT_ALPHA_SIGNAL_QUEUE,

	/* private: */
	__TCP_ABT_ALPHA_SIGNAL_MAX,
	TCP_ABT_ALPHA_SIGNAL_MAX = (__TCP_ABT_ALPHA_SIGNAL_MAX - 1)
};

/**
 * enum tcp_abt_reason - Why a buffer is what it is.
 * @TCP_ABT_REASON_INIT: No event yet.
 * @TCP_ABT_REASON_GROW: The demand rose, and was granted.
 * @TCP_ABT_REASON_SHRINK: The demand fell.
 * @TCP_ABT_REASON_SHARE: The pool's level is below the demand.
 * @TCP_ABT_REASON_POOL: The pool had less left than was granted.
 * @TCP_ABT_REASON_HOLD: A window already offered forbids to go lower yet.
 * @TCP_ABT_REASON_FLOOR: The least that a connection gets.
 * @TCP_ABT_REASON_ADMIN: tcp_rmem or tcp_wmem of the administrator.
 * @TCP_ABT_REASON_APP: The application set the buffer.
 * @TCP_ABT_REASON_STOCK: The kernel's own tuning.
 * @TCP_ABT_REASON_OBSERVE: Nothing is applied.
 */
enum tcp_abt_reason {
	TCP_ABT_REASON_INIT,
	TCP_ABT_REASON_GROW,
	TCP_ABT_REASON_SHRINK,
	TCP_ABT_REASON_SHARE,
	TCP_ABT_REASON_POOL,
	TCP_ABT_REASON_HOLD,
	TCP_ABT_REASON_FLOOR,
	TCP_ABT_REASON_ADMIN,
	TCP_ABT_REASON_APP,
	TCP_ABT_REASON_STOCK,
	TCP_ABT_REASON_OBSERVE,

	/* private: */
	__TCP_ABT_REASON_MAX,
	TCP_ABT_REASON_MAX = (__TCP_ABT_REASON_MAX - 1)
};

enum tcp_abt_direction {
	TCP_ABT_DIRECTION_SEND,
	TCP_ABT_DIRECTION_RECEIVE,

	/* private: */
	__TCP_ABT_DIRECTION_MAX,
	TCP_ABT_DIRECTION_MAX = (__TCP_ABT_DIRECTION_MAX - 1)
};

/**
 * enum tcp_abt_scope
 * @TCP_ABT_SCOPE_NETNS: A pool of this network namespace.
 * @TCP_ABT_SCOPE_HOST: The pool that all network namespaces draw on.
 */
enum tcp_abt_scope {
	TCP_ABT_SCOPE_NETNS,
	TCP_ABT_SCOPE_HOST,

	/* private: */
	__TCP_ABT_SCOPE_MAX,
	TCP_ABT_SCOPE_MAX = (__TCP_ABT_SCOPE_MAX - 1)
};

/**
 * enum tcp_abt_function
 * @TCP_ABT_FUNCTION_ALLOC: Allocate a send buffer.
 * @TCP_ABT_FUNCTION_COPY_IN: Copy what the application sends into it.
 * @TCP_ABT_FUNCTION_WAIT: Wait for send memory.
 * @TCP_ABT_FUNCTION_CHECK: Check and demultiplex a segment that came in.
 * @TCP_ABT_FUNCTION_ACK: Generate an ACK.
 * @TCP_ABT_FUNCTION_COPY_OUT: Copy what was received to the application.
 * @TCP_ABT_FUNCTION_FREE: Free a buffer.
 */
enum tcp_abt_function {
	TCP_ABT_FUNCTION_ALLOC = 1,
	TCP_ABT_FUNCTION_COPY_IN = 2,
	TCP_ABT_FUNCTION_WAIT = 4,
	TCP_ABT_FUNCTION_CHECK = 8,
	TCP_ABT_FUNCTION_ACK = 16,
	TCP_ABT_FUNCTION_COPY_OUT = 32,
	TCP_ABT_FUNCTION_FREE = 64,

	/* private: */
	TCP_ABT_FUNCTION_MASK = 127,
};

enum {
	TCP_ABT_A_BUFFER_POLICY = 1,
	TCP_ABT_A_BUFFER_REASON,
	TCP_ABT_A_BUFFER_DEMAND,
	TCP_ABT_A_BUFFER_GRANT,
	TCP_ABT_A_BUFFER_CHARGED,
	TCP_ABT_A_BUFFER_APPLIED,
	TCP_ABT_A_BUFFER_USED,
	TCP_ABT_A_BUFFER_IDLE,
	TCP_ABT_A_BUFFER_DRAINS,

	__TCP_ABT_A_BUFFER_MAX,
	TCP_ABT_A_BUFFER_MAX = (__TCP_ABT_A_BUFFER_MAX - 1)
};

enum {
	TCP_ABT_A_CONN_PAD = 1,
	TCP_ABT_A_CONN_LOCAL_ADDR,
	TCP_ABT_A_CONN_LOCAL_PORT,
	TCP_ABT_A_CONN_REMOTE_ADDR,
	TCP_ABT_A_CONN_REMOTE_PORT,
	TCP_ABT_A_CONN_IFINDEX,
	TCP_ABT_A_CONN_CWND,
	TCP_ABT_A_CONN_MSS,
	TCP_ABT_A_CONN_SRTT_US,
	TCP_ABT_A_CONN_MIN_RTT_US,
	TCP_ABT_A_CONN_RCV_RTT_US,
	TCP_ABT_A_CONN_ALPHA,
	TCP_ABT_A_CONN_SEND,
	TCP_ABT_A_CONN_RECEIVE,
	TCP_ABT_A_CONN_LOCAL_PREFIX,
	TCP_ABT_A_CONN_REMOTE_PREFIX,
	TCP_ABT_A_CONN_BELOW_DEMAND,
	TCP_ABT_A_CONN_DIRECTION,
	TCP_ABT_A_CONN_OLD,
	TCP_ABT_A_CONN_LOST,

	__TCP_ABT_A_CONN_MAX,
	TCP_ABT_A_CONN_MAX = (__TCP_ABT_A_CONN_MAX - 1)
};

enum {
	TCP_ABT_A_POOL_PAD = 1,
	TCP_ABT_A_POOL_DIRECTION,
	TCP_ABT_A_POOL_SCOPE,
	TCP_ABT_A_POOL_SIZE,
	TCP_ABT_A_POOL_CHARGED,
	TCP_ABT_A_POOL_DEMAND,
	TCP_ABT_A_POOL_LEVEL,
	TCP_ABT_A_POOL_SLOPE,
	TCP_ABT_A_POOL_CONNS,
	TCP_ABT_A_POOL_GRANTS,
	TCP_ABT_A_POOL_SHRINKS,
	TCP_ABT_A_POOL_REFUSED,

	__TCP_ABT_A_POOL_MAX,
	TCP_ABT_A_POOL_MAX = (__TCP_ABT_A_POOL_MAX - 1)
};

enum {
	TCP_ABT_A_CONFIG_PAD = 1,
	TCP_ABT_A_CONFIG_MODE,
	TCP_ABT_A_CONFIG_SENDER,
	TCP_ABT_A_CONFIG_RECEIVER,
	TCP_ABT_A_CONFIG_SHARE,
	TCP_ABT_A_CONFIG_ALPHA_SIGNAL,
	TCP_ABT_A_CONFIG_PATH_HEADROOM,
	TCP_ABT_A_CONFIG_SEND_POOL,
	TCP_ABT_A_CONFIG_RECV_POOL,
	TCP_ABT_A_CONFIG_FIXED_SEND,
	TCP_ABT_A_CONFIG_FIXED_RECV,
	TCP_ABT_A_CONFIG_SEND_BAND_LOW,
	TCP_ABT_A_CONFIG_SEND_TARGET,
	TCP_ABT_A_CONFIG_SEND_BAND_HIGH,
	TCP_ABT_A_CONFIG_EPOCH_MIN_US,
	TCP_ABT_A_CONFIG_WAKE_MIN_US,

	__TCP_ABT_A_CONFIG_MAX,
	TCP_ABT_A_CONFIG_MAX = (__TCP_ABT_A_CONFIG_MAX - 1)
};

enum {
	TCP_ABT_A_PATH_REMOTE_ADDR = 1,
	TCP_ABT_A_PATH_LOCAL_ADDR,
	TCP_ABT_A_PATH_STATE,
	TCP_ABT_A_PATH_BASE_US,
	TCP_ABT_A_PATH_RTT_US,
	TCP_ABT_A_PATH_HELD,
	TCP_ABT_A_PATH_LEVEL,
	TCP_ABT_A_PATH_MEMBERS,
	TCP_ABT_A_PATH_CONNS,
	TCP_ABT_A_PATH_PATH_ID,
	TCP_ABT_A_PATH_PEERS,

	__TCP_ABT_A_PATH_MAX,
	TCP_ABT_A_PATH_MAX = (__TCP_ABT_A_PATH_MAX - 1)
};

enum {
	TCP_ABT_A_OFFLOAD_PAD = 1,
	TCP_ABT_A_OFFLOAD_IFINDEX,
	TCP_ABT_A_OFFLOAD_FUNCTIONS,
	TCP_ABT_A_OFFLOAD_MAX_CONNS,
	TCP_ABT_A_OFFLOAD_CONNS,
	TCP_ABT_A_OFFLOAD_WAITING,
	TCP_ABT_A_OFFLOAD_ADDS,
	TCP_ABT_A_OFFLOAD_UPDATES,
	TCP_ABT_A_OFFLOAD_REFUSED,
	TCP_ABT_A_OFFLOAD_GONE,
	TCP_ABT_A_OFFLOAD_REROUTED,
	TCP_ABT_A_OFFLOAD_EVICTED,
	TCP_ABT_A_OFFLOAD_FLOOR,
	TCP_ABT_A_OFFLOAD_MEMORY,

	__TCP_ABT_A_OFFLOAD_MAX,
	TCP_ABT_A_OFFLOAD_MAX = (__TCP_ABT_A_OFFLOAD_MAX - 1)
};

enum {
	TCP_ABT_CMD_CONN_GET = 1,
	TCP_ABT_CMD_POOL_GET,
	TCP_ABT_CMD_CONFIG_GET,
	TCP_ABT_CMD_CONFIG_SET,
	TCP_ABT_CMD_DECISION_NTF,
	TCP_ABT_CMD_OFFLOAD_GET,
	TCP_ABT_CMD_PATH_GET,

	__TCP_ABT_CMD_MAX,
	TCP_ABT_CMD_MAX = (__TCP_ABT_CMD_MAX - 1)
};

#define TCP_ABT_MCGRP_DECISIONS	"decisions"

#endif /* _UAPI_LINUX_TCP_ABT_H */
