/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An embedded core: does jobs one after another, in the order in which they came.
 *
 * The adapter has two, one for the send process and one for the receive process, so that no
 * host scheduler is in the wait for memory (function 3 of the TOE paper).
 *
 * Pure. Compiles in user space unchanged.
 */
#ifndef TOE_CORE_H
#define TOE_CORE_H

#include <linux/minmax.h>
#include <linux/types.h>

enum toe_process {
	TOE_SENDER,
	TOE_RECEIVER,
	TOE_PROCESSES
};

/**
 * struct toe_core - an embedded core
 * @free_ns: when it is done with all that came [ns]
 * @jobs: that came
 * @busy_ns: it worked [ns]
 * @waited_ns: jobs waited for it, all together [ns]
 * @longest_ns: longest of these waits [ns]
 */
struct toe_core {
	u64 free_ns;
	u64 jobs;
	u64 busy_ns;
	u64 waited_ns;
	u64 longest_ns;
};

/**
 * toe_core_job() - another job
 * @core: core
 * @now_ns: when it comes, no sooner than the one before [ns]
 * @work_ns: how long it takes [ns]
 *
 * Return: when it is done [ns].
 */
static inline u64 toe_core_job(struct toe_core *core, u64 now_ns, u64 work_ns)
{
	u64 waits = core->free_ns - min(core->free_ns, now_ns);

	core->jobs++;
	core->busy_ns += work_ns;
	core->waited_ns += waits;
	core->longest_ns = max(core->longest_ns, waits);
	core->free_ns = now_ns + waits + work_ns;
	return core->free_ns;
}

#endif /* TOE_CORE_H */
