# SPDX-License-Identifier: GPL-2.0
"""Jain's index, series, bound and the rest on tables small enough to work out by hand."""

import unittest

from runner import metrics
from runner.collect import COUNTERS, SOCKET_COLUMNS
from runner.experiment import Record, shifted
from runner.failure import Failure
from runner.flow import Flow
from runner.samples import Samples
from sample import EVERY_METRIC, loaded


def socket_row(moment, flow, received, **values):
    return (moment, flow, received, *(values.get(name, 0) for name in SOCKET_COLUMNS[1:]))


def made_up():
    """C1 moves 1 MB from 1 s to 5 s, C2 2 MB from 3 s to 7 s; both at their own constant rate."""
    record = Record("small", started={}, finished={"C1": 5.0, "C2": 7.0})
    rows = []
    for tenth in range(70):
        moment = tenth / 10
        for flow, begin, end, size in (("C1", 1.0, 5.0, 10**6), ("C2", 3.0, 7.0, 2 * 10**6)):
            if begin <= moment < end:
                received = int(size * (moment - begin) / (end - begin)) + 1
                rows.append(socket_row(moment, flow, received, mss=1000, rtt_us=100_000 + tenth,
                                       rcvbuf=30_000 * int(flow[1]), rcv_ssthresh=20_000 * int(flow[1]),
                                       sndbuf=1000 + tenth // 2, unread=7 if tenth == 40 else 0,
                                       wmem=10_000 * int(flow[1]), queued=5000, notsent=2000 * int(flow[1]),
                                       retransmissions=tenth))
    counters = [(0.0, "s", *(5,) * len(COUNTERS)), (0.0, "c1", *(0,) * len(COUNTERS)),
                (6.9, "s", *(7,) * len(COUNTERS)), (6.9, "c1", *(1,) * len(COUNTERS))]
    record.tables = {"sockets": Samples(("t", "flow", *SOCKET_COLUMNS), rows), "counters": Samples(("t", "host", *COUNTERS), counters),
                     "memory": Samples(("t", "tcp_memory_bytes", "held_bytes"), [(0.0, 4096, 1), (3.0, 8192, 0), (6.0, 4096, 3)])}
    record.cross_wire_bytes = 600_000
    record.bottleneck = {"r>s": {"bytes": 1, "drops": 9}}
    record.cost_s = 0.6
    record.busy_s = 0.9
    return shifted(record, loaded().flows)


class Jain(unittest.TestCase):
    def test_known_values(self):
        for values, index in (([5, 5, 5, 5], 1), ([1, 0, 0, 0], 0.25), ([3, 1], 0.8), ([0, 0], 1), ([7], 1)):
            self.assertAlmostEqual(metrics.jain(values), index)

    def test_scale_does_not_matter(self):
        self.assertAlmostEqual(metrics.jain([1, 2, 3]), metrics.jain([1000, 2000, 3000]))


class Series(unittest.TestCase):
    def test_between_samples_and_outside(self):
        series = [(1.0, 0), (2.0, 100), (4.0, 300)]
        for moment, count in ((0.5, 0), (1.0, 0), (1.5, 50), (2.0, 100), (3.0, 200), (4.0, 300), (9.0, 300)):
            self.assertAlmostEqual(metrics.bytes_at(series, moment), count)

    def test_time_counts_from_the_first_data(self):
        record = made_up()
        self.assertAlmostEqual(record.started["C1"], 0)
        self.assertAlmostEqual(record.started["C2"], 2)
        self.assertAlmostEqual(record.finished["C2"], 6)
        self.assertEqual(record.tables["memory"][1][0][0], -1.0)

    def test_a_series_ends_with_all_bytes(self):
        series = metrics.flow_series(made_up(), loaded().flows)
        self.assertEqual(series["C2"][0], (2.0, 0))
        self.assertEqual(series["C2"][-1], (6.0, 2 * 10**6))


    def test_a_flow_that_ends_by_time_moved_what_was_seen_last(self):
        flows = loaded().flows
        flows[0].size_bytes, flows[0].time_s = None, 4.0
        moved = metrics.moved_bytes(made_up(), flows)
        self.assertEqual(moved["C1"], 975_001)
        self.assertEqual(moved["C2"], 2 * 10**6)
        self.assertEqual(metrics.flow_series(made_up(), flows)["C1"][-1], (4.0, 975_001))


class Derived(unittest.TestCase):
    def setUp(self):
        self.values = metrics.derive(loaded(), made_up())

    def test_every_metric_has_a_number(self):
        self.assertEqual(set(self.values), set(EVERY_METRIC))

    def test_fairness_of_the_common_time(self):
        # from 2 s to 4 s C1 moves 0.5 MB and C2 1 MB
        self.assertAlmostEqual(self.values["common_s"], 2)
        self.assertAlmostEqual(self.values["jain"], 0.9, places=4)
        self.assertAlmostEqual(self.values["jain_worst"], 0.9, places=4)

    def test_a_flow_that_has_all_its_bytes_is_no_longer_active(self):
        record, flows = made_up(), loaded().flows
        self.assertEqual(metrics.common_time(record, flows)[1], 4)
        flows[0].size_bytes = 900_001   # of 1 MB in 4 s
        self.assertLess(metrics.common_time(record, flows)[1], 4)

    def test_a_flow_that_ends_by_time_is_active_until_it_was_seen_last(self):
        record, flows = made_up(), loaded().flows
        flows[0].size_bytes, flows[0].time_s = None, 4.0
        self.assertAlmostEqual(metrics.common_time(record, flows)[1], 3.9)

    def test_goodput(self):
        self.assertAlmostEqual(self.values["last_finish_s"], 6)
        self.assertAlmostEqual(self.values["goodput_mbps"], 3 * 8 / 6)

    def test_bound(self):
        # cross traffic takes 0.8 of 8 Mbit/s; C2 begins at 2 s and has 2 MB in segments of 1000 + 66 bytes
        self.assertAlmostEqual(self.values["bound_s"], 2 + 2e6 * 1.066 * 8 / 7.2e6, places=3)

    def test_bound_of_flows_that_begin_together(self):
        moved = metrics.moved_bytes(made_up(), loaded().flows)
        bound = metrics.finish_bound(loaded(), moved, {"C1": 0.0, "C2": 0.5}, 0, 1000)
        self.assertAlmostEqual(bound, 3e6 * 1.066 * 8 / 8e6)

    def test_counters_are_growths_over_all_hosts(self):
        self.assertEqual(self.values["prunes"], 3 * 3)
        self.assertEqual(self.values["collapses"], 3)
        self.assertEqual(self.values["receive_queue_drops"], 4 * 3)
        self.assertEqual(self.values["bottleneck_drops"], 9)

    def test_memory(self):
        self.assertEqual(self.values["memory_peak_bytes"], 8192)
        self.assertEqual(self.values["held_peak_bytes"], 3)
        self.assertEqual(self.values["memory_limit_bytes"], 300_000)

    def test_retransmissions_are_the_last_of_each_flow(self):
        self.assertEqual(self.values["retransmissions"], 49 + 69)

    def test_steady_part_is_the_last_third_of_the_common_time(self):
        # from 2 s to 4 s C1 moves 2 Mbit/s and C2 4 Mbit/s; both have a buffer in each sample
        self.assertAlmostEqual(self.values["steady_mbps"], 6, places=3)
        self.assertAlmostEqual(self.values["rcvbuf_steady_bytes"], 30_000 + 60_000)
        self.assertAlmostEqual(self.values["rcvbuf_steady_bdp"], 0.9)
        self.assertAlmostEqual(self.values["window_steady_bdp"], 0.6)
        self.assertEqual(self.values["unread_peak_bytes"], 7)

    def test_processor_time_is_a_share_of_the_time_that_data_flowed(self):
        self.assertAlmostEqual(self.values["busy_share"], 0.9 / self.values["last_finish_s"])

    def test_each_flow_alone(self):
        for flow, mbps, buffer in (("C1", 2, 30_000), ("C2", 4, 60_000)):
            self.assertAlmostEqual(self.values[f"{flow}.steady_mbps"], mbps, places=3)
            self.assertAlmostEqual(self.values[f"{flow}.rcvbuf_steady_bytes"], buffer)

    def test_all_flows_of_a_table(self):
        flows = [Flow(name, group, "stream", "s", "r", 0.0, None, 1.0) for name, group in (("A1", "A"), ("A2", "A"), ("B", "B"))]
        each = {"A1.steady_mbps": 2.0, "A2.steady_mbps": 3.0, "B.steady_mbps": 4.0}
        self.assertEqual(metrics.of_tables(flows, each), {"A.steady_mbps": 5.0})

    def test_a_send_buffer_that_moves_every_other_sample(self):
        # the steady part is 2/3 s: six samples, two changes between them
        self.assertAlmostEqual(self.values["C1.sndbuf_changes_per_s"], 2 / (2 / 3))

    def test_what_send_queues_hold_and_how_much_of_it_is_in_flight(self):
        # 10,000 bytes queued, of which C1 has sent 3,000 and C2 1,000
        self.assertAlmostEqual(self.values["sndqueue_steady_bytes"], 10_000 + 20_000)
        self.assertAlmostEqual(self.values["sndqueue_flight"], 10_000 / 4000)

    def test_nothing_in_flight(self):
        sockets = Samples(("t", "flow", *SOCKET_COLUMNS), [socket_row(1.0, "C1", 1, queued=500, notsent=500)])
        self.assertEqual(metrics.in_queue_over_flight(sockets, 0, 2), 0)

    def test_wasted_memory_is_what_windows_beyond_two_bdp_take(self):
        # windows of 60 KB on a BDP of 100 KB waste nothing; of 400 KB half, and half of their buffer
        self.assertEqual(self.values["memory_wasted_bytes"], 0)
        self.assertEqual(metrics.waste(loaded(), 6, 7.5, 500_000, 400_000),
                         {"memory_wasted_bytes": 250_000, "network_wasted_mbps": 1.5})

    def test_peak_of_the_receive_buffers_together(self):
        self.assertEqual(self.values["rcvbuf_peak_bytes"], 90_000)

    def test_ramp(self):
        series = {"C1": [(0, 0), (1, 0), (2, 100_000), (3, 400_000), (4, 1_400_000)]}
        self.assertEqual(metrics.ramp_s(series, 8.0, 1.0, 9), 4)
        self.assertEqual(metrics.ramp_s(series, 2.4, 1.0, 9), 3)
        self.assertEqual(metrics.ramp_s(series, 9.0, 1.0, 9), 9)

    def test_mean_rtt_of_the_common_time(self):
        self.assertAlmostEqual(self.values["rtt_mean_ms"], 100.04, places=2)


class NothingArrived(unittest.TestCase):
    def record(self, flows, rows):
        record = Record("small", finished={flow.name: flow.start_s + 4.0 for flow in flows}, bottleneck={})
        counters = [(0.0, "s", *(0,) * len(COUNTERS))]
        record.tables = {"sockets": Samples(("t", "flow", *SOCKET_COLUMNS), rows), "counters": Samples(("t", "host", *COUNTERS), counters),
                         "memory": Samples(("t", "tcp_memory_bytes", "held_bytes"), [(0.0, 4096, 1)])}
        return shifted(record, flows)

    def setUp(self):
        self.scenario = loaded()
        for flow in self.scenario.flows:
            flow.size_bytes, flow.time_s = None, 4.0

    def test_of_any_flow(self):
        values = metrics.derive(self.scenario, self.record(self.scenario.flows, []))
        self.assertEqual((values["goodput_mbps"], values["steady_mbps"], values["rcvbuf_steady_bdp"]), (0, 0, 0))
        self.assertEqual(set(values), set(EVERY_METRIC))

    def test_of_one_flow(self):
        rows = [socket_row(tenth / 10, "C1", 100_000 * tenth, mss=1000) for tenth in range(1, 40)]
        values = metrics.derive(self.scenario, self.record(self.scenario.flows, rows))
        self.assertGreater(values["goodput_mbps"], 0)
        self.assertAlmostEqual(values["jain"], 0.5)

    def test_of_a_size_is_an_error(self):
        self.scenario.flows[1].size_bytes = 10
        with self.assertRaisesRegex(Failure, "flow C2 moved all its data between two samples"):
            self.record(self.scenario.flows, [])


class OverTime(unittest.TestCase):
    def test_jain_windows_hold_only_flows_active_all_through(self):
        record = made_up()
        rows = metrics.jain_over_time(metrics.flow_series(record, loaded().flows), record, 1.0)
        self.assertEqual([flows for _, _, flows in rows], [1, 1, 2, 2, 1, 1])
        self.assertAlmostEqual(rows[2][1], 0.9, places=4)

    def test_goodput_is_missing_where_a_flow_is_not_active(self):
        record = made_up()
        rows = metrics.goodput_over_time(metrics.flow_series(record, loaded().flows), record, 1.0)
        self.assertAlmostEqual(rows[1][1][0], 2.0, places=3)
        self.assertIsNone(rows[1][1][1])
        self.assertIsNone(rows[5][1][0])
