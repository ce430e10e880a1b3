// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that come in on the adapter's device, cut into pieces for its ports' engines.
 *
 * A port's wire carries them one after another at its own rate; all packets of a flow use one port.
 * The device may be faster than that: a packet that comes while the wire is behind by more than
 * a switch would hold is missed, and counted.
 */
#include <linux/etherdevice.h>
#include <linux/if_ether.h>
#include <linux/skbuff.h>
#include <linux/tcp.h>

#include "toe/toe.h"

/* How far a wire may be behind [us]: 1.25 MB at a gigabit, a switch's buffer. */
#define TOE_BEHIND_US	10000

/* Preamble and gap between frames [bytes]. */
#define TOE_GAP_BYTES	20

static u64 toe_wire_bits(const struct toe_adapter *a, u64 us)
{
	return us * a->config.wire_mbit;
}

static u64 toe_wire_cycles(const struct toe_adapter *a, u64 bits)
{
	return mul_u64_u32_div(bits, a->config.engine_mhz, a->config.wire_mbit);
}

static void toe_tap_packet(struct toe_adapter *a, struct toe_wire *w, u32 bytes)
{
	u32 pieces = toe_pieces(bytes);

	w->packets++;
	w->bits += TOE_GAP_BYTES * BITS_PER_BYTE;
	for (u32 i = 0; i < pieces; i++) {
		w->bits += min_t(u32, bytes - i * TOE_PIECE_BYTES, TOE_PIECE_BYTES) *
			   BITS_PER_BYTE;
		toe_port_advance(&w->port, toe_wire_cycles(a, w->bits));
		toe_port_arrive(&w->port, toe_piece_kind(i, pieces));
	}
}

/* Of @bytes with their link-layer header, as they would be on a wire. */
static u32 toe_frame(u32 bytes)
{
	return max_t(u32, bytes, ETH_ZLEN) + ETH_FCS_LEN;
}

/* A packet that was put together on the way is its segments again. */
static void toe_tap_segments(struct toe_adapter *a, struct toe_wire *w,
			     const struct sk_buff *skb)
{
	u32 mac = skb_mac_header_was_set(skb) ? skb_mac_header_len(skb) : 0;
	u32 size = skb_shinfo(skb)->gso_size, headers, payload;

	if (!skb_is_gso(skb) || !skb_is_gso_tcp(skb)) {
		toe_tap_packet(a, w, toe_frame(mac + skb->len));
		return;
	}
	headers = skb_transport_offset(skb) + tcp_hdrlen(skb);
	for (payload = skb->len - min(skb->len, headers); payload;
	     payload -= min(payload, size))
		toe_tap_packet(a, w, toe_frame(mac + headers + min(payload, size)));
}

static int toe_tap(struct sk_buff *skb, struct net_device *dev, struct packet_type *tap,
		   struct net_device *orig)
{
	struct toe_adapter *a = container_of(tap, struct toe_adapter, tap);
	struct toe_wire *w = &a->wires[reciprocal_scale(skb_get_hash(skb), a->config.ports)];
	u64 now = div_u64(ktime_get_ns() - a->start_ns, NSEC_PER_USEC);

	spin_lock_bh(&w->lock);
	w->bits = max(w->bits, toe_wire_bits(a, now));
	if (w->bits > toe_wire_bits(a, now + TOE_BEHIND_US))
		w->missed++;
	else
		toe_tap_segments(a, w, skb);
	spin_unlock_bh(&w->lock);
	consume_skb(skb);
	return NET_RX_SUCCESS;
}

/**
 * toe_tap_open() - packets begin to come
 * @a: adapter
 */
void toe_tap_open(struct toe_adapter *a)
{
	for (u32 i = 0; i < a->config.ports; i++) {
		spin_lock_init(&a->wires[i].lock);
		toe_port_init(&a->wires[i].port, &a->sched, a->programs, a->config.take);
	}
	a->tap = (struct packet_type) {
		.type = htons(ETH_P_ALL),
		.dev = a->netdev,
		.func = toe_tap,
		.ignore_outgoing = true,
	};
	dev_add_pack(&a->tap);
}

/**
 * toe_tap_close() - no packet is under way when this returns
 * @a: adapter
 *
 * Context: process, sleeps.
 */
void toe_tap_close(struct toe_adapter *a)
{
	dev_remove_pack(&a->tap);
}
