/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SABT's sender (Matsuo, Hasegawa, Murata 2000): the send buffer that a connection
 * can use follows from the throughput that its losses leave it, by the equation of
 * Padhye, Firoiu, Towsley and Kurose:
 *
 *	B = min(Wmax, 1 / (sqrt(2bp/3) + T0/RTT x min(1, 3 sqrt(3bp/8)) x p (1 + 32 p^2)))
 *
 * B: segments in flight, throughput x RTT; p: loss probability; T0: retransmission
 * timeout; b: segments that an ACK covers; Wmax: the receiver's window. Without
 * loss B is Wmax.
 */
#ifndef ABT_MODEL_THROUGHPUT_H
#define ABT_MODEL_THROUGHPUT_H

#include "model/fixed.h"

/**
 * struct abt_loss - losses of a sender, old ones counting less
 * @segs: counter of segments sent, where counting begins [wraps]
 * @lost: counter of segments sent again, there [wraps]
 */
struct abt_loss {
	u32 segs;
	u32 lost;
};

/**
 * struct abt_throughput_sample - what the equation takes
 * @loss_q32: loss probability, Q32
 * @timeout_q16: retransmission timeout / round trip, Q16
 * @ack_segs: segments that an ACK covers, 1 or 2
 * @mss_bytes: payload of a full segment [bytes], 1 .. 65535
 * @most_bytes: the receiver's window [bytes]
 */
struct abt_throughput_sample {
	u32 loss_q32;
	u32 timeout_q16;
	u32 ack_segs;
	u32 mss_bytes;
	u32 most_bytes;
};

u32 abt_loss_q32(struct abt_loss *l, u32 segs, u32 lost);
u32 abt_throughput_window(const struct abt_throughput_sample *s);

#endif /* ABT_MODEL_THROUGHPUT_H */
