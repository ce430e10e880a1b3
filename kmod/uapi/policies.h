/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* The policies that each direction takes, a bit each, for the module and for abt. */
#ifndef TCP_ABT_POLICIES_H
#define TCP_ABT_POLICIES_H

#define TCP_ABT_SENDER_POLICIES						\
	(1 << TCP_ABT_POLICY_STOCK | 1 << TCP_ABT_POLICY_FIXED |	\
	 1 << TCP_ABT_POLICY_ATBT | 1 << TCP_ABT_POLICY_SABT)
#define TCP_ABT_RECEIVER_POLICIES					\
	(1 << TCP_ABT_POLICY_STOCK | 1 << TCP_ABT_POLICY_FIXED |	\
	 1 << TCP_ABT_POLICY_MAX | 1 << TCP_ABT_POLICY_DRS |		\
	 1 << TCP_ABT_POLICY_TBT_PLR)

#endif /* TCP_ABT_POLICIES_H */
