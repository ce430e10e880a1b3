# SPDX-License-Identifier: GPL-2.0
"""The arithmetic of make toe-profile and make sdp-sweep: rows, shares, medians and verdicts."""

import itertools
import sys
import unittest
from pathlib import Path

PAPERS = Path(__file__).resolve().parents[1] / "papers"
sys.path.insert(0, str(PAPERS))

import rows
from lan import verdict as lan
from sdp_sweep import cost, model
from sdp_sweep import plan as sweep
from sdp_sweep import report as sweep_report
from sdp_sweep import samples as sdp
from sdp_sweep import verdict as sweep_verdict
from toe_profile import paper, plan, profile, samples, verdict


def sample(course, state, slept, number=0, acks=0):
    return samples.Sample(number, course, "1 MB", state, 10, 10_000_000, 80_000_000, 40_000_000, slept, 131072, acks)


def clock(work, function, own, number=0):
    return samples.Clock(number, "lan", "1 MB", "fixed", 10, work, function, 1, own)


class Paper(unittest.TestCase):
    def test_shares_are_those_it_prints(self):
        printed = {"send": [(16, 64), (5, 21), (70, 0)], "receive": [(4, 22), (2, 27), (48, 35), (37, 10)]}
        for side in paper.SIDES:
            for part, (largest, smallest) in zip(side.parts, printed[side.name], strict=True):
                for index, expected in ((3, largest), (0, smallest)):
                    self.assertAlmostEqual(profile.in_paper(side, index).share(part), expected, delta=1.1, msg=f"{part.title} {index}")


class Rows(unittest.TestCase):
    def test_a_row_is_read_as_written(self):
        for row in (sample("lan", "fixed", 3), clock("send", "tcp_sendmsg", -7)):
            self.assertEqual(rows.parse(rows.text(row).split("\t"), type(row)), row)

    def test_a_row_too_short_is_refused(self):
        with self.assertRaises(ValueError):
            rows.parse(["1", "lan"], samples.Sample)


class Profiles(unittest.TestCase):
    def test_ip_and_sleep_are_not_tcp(self):
        clocks = [clock("send", "tcp_sendmsg", 10_000), clock("send", "sk_stream_wait_memory", 30_000), clock("send", "__ip_queue_xmit", 5_000),
                  clock("arrival", "tcp_v4_rcv", 20_000), clock("receive", "sk_wait_data", 90_000), clock("receive", "skb_copy_datagram_iter", 20_000),
                  clock("none", "tcp_v4_rcv", 70_000)]
        found = profile.profiles(clocks)
        key = plan.Key("lan", "1 MB", "fixed")
        self.assertEqual((found[key, "send"].tcp, found[key, "send"].ip), (4.0, 0.5))
        self.assertEqual(found[key, "send"].share(paper.WAIT), 75)
        self.assertEqual((found[key, "receive"].tcp, found[key, "receive"].parts[4]), (4.0, 2.0))

    def test_the_median_is_over_rounds(self):
        clocks = [clock("send", "tcp_sendmsg", own, number) for number, own in enumerate((10_000, 90_000, 20_000))]
        self.assertEqual(profile.profiles(clocks)[plan.Key("lan", "1 MB", "fixed"), "send"].tcp, 2.0)

    def test_sleeps_are_a_megabyte(self):
        found = profile.messages([sample("lan", "fixed", 150)])[plan.Key("lan", "1 MB", "fixed")]
        self.assertEqual((found.sleeps_per_mb, found.sending_k), (15, 4000))


class Verdicts(unittest.TestCase):
    def judged(self, fixed, adaptive):
        courses = [course.name for course in plan.COURSES]
        taken = profile.messages(sample(course, state, slept) for course in courses for state, slept in (("fixed", fixed), ("tcp_abt", adaptive)))
        side = profile.Profile({1: 1.0, 2: 1.0, 3: 6.0}, 10.0, 1.0)
        return verdict.judge(taken, {(which, "send"): side for which in taken})

    def test_a_quarter_holds_and_more_does_not(self):
        self.assertTrue(all(found.holds for found in self.judged(100, 25)))
        self.assertFalse(any(found.holds for found in self.judged(100, 26)))

    def test_nothing_to_do_away_with_proves_nothing(self):
        self.assertFalse(any(found.holds for found in self.judged(0, 0)))

    def test_the_share_stands_beside_the_papers(self):
        self.assertIn("in the paper 70 %", self.judged(100, 0)[0].explanation[0])


def stream(way, size, elapsed, sender, receiver, number=0, acks=0, sleeps=0):
    return sdp.Sample(number, way, size, 10, 10 * size, elapsed, sender, receiver, acks, sleeps, 0, 0, 0)


class Sweep(unittest.TestCase):
    def test_throughput_processor_and_their_ratio(self):
        found = cost.cost([stream("tcp", 1000, 20_000, 4_000, 1_000)])
        self.assertEqual((found.mbit_s, found.cpu_percent, found.mbit_s_a_percent), (4000, 25, 160))
        self.assertEqual((found.message, found.byte, found.rest_byte), (500, 0.5, 1.5))

    def test_rounds_are_one_group_and_ways_are_not(self):
        found = cost.costs([stream(way, 16, elapsed, 10, 10, number) for way in ("tcp", "rsockets") for number, elapsed in enumerate((100, 300, 200))])
        self.assertEqual(set(found), {("tcp", 16), ("rsockets", 16)})
        self.assertEqual(found["tcp", 16].mbit_s, 8000 * 160 / 200)

    def test_copied_messages_are_of_those_completed(self):
        self.assertEqual(cost.copied_percent([sdp.Sample(0, "zerocopy", 16, 4, 64, 1, 1, 1, 0, 0, 4, 1, 0), stream("tcp", 16, 1, 1, 1)]), 25)

    def pair(self, **counts):
        """A round of stock with 10 ACKs and 10 sleeps, three of the module with COUNTS of these."""
        return cost.costs([stream("tcp", 16, 1, 1, 1, acks=10, sleeps=10),
                           *(stream("tcp_abt", 16, 1, 1, 1, number, **{name: found[number] for name, found in counts.items()}) for number in range(3))])

    def test_acks_are_bounded_in_the_mean_of_the_rounds(self):
        self.assertTrue(sweep_verdict.no_more_acks(self.pair(acks=(1, 1, 31))).holds)
        self.assertFalse(sweep_verdict.no_more_acks(self.pair(acks=(1, 1, 32))).holds)

    def test_sleeps_are_bounded_in_the_median(self):
        self.assertTrue(sweep_verdict.no_more_sleeps(self.pair(sleeps=(20, 20, 99))).holds)
        self.assertFalse(sweep_verdict.no_more_sleeps(self.pair(sleeps=(20, 21, 99))).holds)

    def test_sizes_read_well(self):
        self.assertEqual([sweep_report.named(size) for size in (16, 1024, 65536, 1 << 20)], ["16 B", "1 KiB", "64 KiB", "1 MiB"])


class Plans(unittest.TestCase):
    def test_a_sample_is_bounded_by_bytes_and_by_messages(self):
        self.assertEqual([sweep.count(size) for size in (512, 1 << 10, 32 << 10)], [8_000, 8_000, 512])

    def test_every_second_round_goes_back(self):
        self.assertEqual(sweep.SHORT.order(0), (sweep.TCP, sweep.ADAPTIVE))
        self.assertEqual(sweep.SHORT.order(1), (sweep.ADAPTIVE, sweep.TCP))

    def test_first_bytes_are_spread_over_all_counts(self):
        for rounds in (sweep.SHORT.rounds, sweep.PAIR.rounds):
            firsts = sorted(sweep.first(number) for number in range(rounds))
            gaps = [after - before for before, after in itertools.pairwise([firsts[-1] - sweep.FIRST_MOST, *firsts])]
            self.assertLess(max(gaps), 3 * sweep.FIRST_MOST / rounds)


class Lan(unittest.TestCase):
    def judged(self, times, acks=(10, 11), slept=(2, 4), start_acks=(10, 13)):
        """TIMES: with the module, of a size each, without it 1000; in pairs without and with it: SLEPT, ACKS at rest and from the start on."""
        streams = [row for size, took in times.items() for row in (stream("tcp", size, 1000, 1, 1), stream("tcp_abt", size, took, 1, 1))]
        messages = [sample(course, state, slept=s, acks=a) for course, pair in (("lan-stream", acks), ("lan-stream-start", start_acks))
                    for state, a, s in zip(("stock", "tcp_abt"), pair, slept, strict=True)]
        return [found.holds for found in lan.judge(cost.costs(streams), profile.messages(messages))]

    def test_as_fast_as_without(self):
        self.assertEqual(self.judged({2048: 1000, 8192: 1000}), [True] * 6)

    def test_one_slow_size_does_not_hide_behind_fast_ones(self):
        self.assertEqual(self.judged({2048: 900, 8192: 1030}), [True, False, *[True] * 4])

    def test_a_little_at_every_size_is_seen_in_the_mean(self):
        self.assertEqual(self.judged({2048: 1010, 8192: 1010}), [False, *[True] * 5])

    def test_acks_and_sleeps_are_bounded(self):
        self.assertEqual(self.judged({2048: 1000}, acks=(10, 12)), [True, True, False, True, True, True])
        self.assertEqual(self.judged({2048: 1000}, start_acks=(10, 14)), [True, True, True, True, False, True])
        self.assertEqual(self.judged({2048: 1000}, slept=(2, 5)), [True, True, True, False, True, False])


class Model(unittest.TestCase):
    def test_the_last_line_is_where_modes_cross(self):
        self.assertEqual(model.parse("size\tbcopy\n16\t2\ncrossing\t36864\t20480\n"), model.Model("size\tbcopy\n16\t2\n", 36864, 20480))
        with self.assertRaisesRegex(ValueError, "expected 'crossing'"):
            model.parse("size\tbcopy\n16\t2\t3\n")

    def test_modes_cross_where_its_table_says(self):
        found = model.run()
        header, *rows = (row.split("\t") for row in found.table.splitlines())
        for size, times in ((int(row[0]), dict(zip(header[1:], map(int, row[1:]), strict=True))) for row in rows):
            self.assertEqual(times["read_zcopy"] <= times["bcopy"], size >= found.read_bytes, size)
            self.assertEqual(times["write_zcopy"] <= times["bcopy"], size >= found.write_bytes, size)
