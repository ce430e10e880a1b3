// SPDX-License-Identifier: GPL-2.0
/*
 * model - what the emulated adapter's model says of messages by size
 *
 *	model
 *
 * Prints a row a size, 16 bytes to 1 MiB, and last from how many bytes on Read and Write Zcopy are no
 * slower than Bcopy. Times in ns: of a message from when it is given to when it has arrived, and
 * of the sending host's processor in that.
 */
#include <stdio.h>

#include "toe/model/dma.h"

#define SMALLEST	16
#define LARGEST		(1 << 20)

int main(void)
{
	const struct toe_dma_costs *costs = &toe_dma_default;
	struct toe_dma_limits limits = toe_dma_limits(costs);

	puts("size\tbcopy\tread_zcopy\twrite_zcopy\tbcopy_host\tzcopy_host");
	for (u32 size = SMALLEST; size <= LARGEST; size *= 2)
		printf("%u\t%llu\t%llu\t%llu\t%llu\t%llu\n", size,
		       (unsigned long long)toe_dma_ns(costs, TOE_BCOPY, size),
		       (unsigned long long)toe_dma_ns(costs, TOE_READ_ZCOPY, size),
		       (unsigned long long)toe_dma_ns(costs, TOE_WRITE_ZCOPY, size),
		       (unsigned long long)toe_dma_host_ns(costs, TOE_BCOPY, size),
		       (unsigned long long)toe_dma_host_ns(costs, TOE_READ_ZCOPY, size));
	printf("crossing\t%u\t%u\n", limits.read_bytes, limits.write_bytes);
	return 0;
}
