# SPDX-License-Identifier: GPL-2.0
"""A scenario file is understood, and each mistake is named with key, value and what was expected."""

import tomllib
import unittest
from pathlib import Path

from runner.failure import Failure
from runner.flow import Frames
from runner.plan import plan
from runner.qdisc import fair_words, qdisc_words
from runner.scenario import load
from sample import TEXT, loaded

SCENARIOS = Path(__file__).resolve().parents[1]

ASK = """name = "C2"
program = "ask"
from = "c2"
to = "s"
start = "0 s"
time = "5 s"
per_second = 100
request = "8 B"
answer = "1 KB"
"""

FRAMES = """name = "C2"
program = "frames"
from = "c2"
to = "s"
start = "0 s"
time = "5 s"
per_second = 50
message = "100 B"
pause = "5 ms"
"""
STOPPED = """name = "C2"
program = "stream"
from = "c2"
to = "s"
start = "0 s"
size = "2 transfer"
reads = "3 s"
away = "2 s"
"""
SECOND = 'name = "C2"\nprogram = "ftp"\nfrom = "c2"\nto = "s"\nstart = "1 apart"\nsize = "2 transfer"'

# what is wrong: (text, its replacement, words that the message must contain)
MISTAKES = {
    "unit": ('queue = "0.5 bdp"', 'queue = "0.5 bpd"', ["link 2.forward", "queue", "'0.5 bpd'", '"bpd"', "KiB", "bdp"]),
    "dimension": ('queue = "0.5 bdp"', 'queue = "5 ms"', ["queue", "'5 ms'", "KiB"]),
    "bare number": ('start = "0 s"', "start = 0", ["flow 1", "start", "0", "a text"]),
    "number without unit": ('start = "0 s"', 'start = "0"', ["flow 1", "start", "a number, a blank and a unit"]),
    "unknown key": ('to = "s"\nforward', 'bandwidth = 3\nto = "s"\nforward', ["link 2", "bandwidth", "unknown key"]),
    "missing key": ('title = "two"', "", ["title", "missing"]),
    "program": ('program = "ftp"', 'program = "scp"', ["program", "'scp'", "expected one of ftp, stream, ask, frames"]),
    "size of a timed flow": ('program = "ftp"\nfrom = "c2"', 'program = "ask"\nfrom = "c2"', ["flow 2", "time", "missing"]),
    "questions": (SECOND, ASK.replace("8 B", "7 B"),
                  ["flow 2", "request", "'7 B'", "from 8 B to 1 GiB"]),
    "message longer than a frame": (SECOND, FRAMES.replace("100 B", "17 KB"), ["flow 2", "message", "'17 KB'", "from 1 B to 16384 B"]),
    "reader that never comes back": (SECOND, STOPPED.replace('away = "2 s"', ""), ["flow 2", "reads", "'3 s'", "expected away beside it"]),
    "away without a stop": (SECOND, STOPPED.replace('reads = "3 s"', ""), ["flow 2", "away", "unknown key"]),
    "away for a part of a second": (SECOND, STOPPED.replace('"2 s"', '"100 ms"'), ["flow 2", "away", "'100 ms'", "whole seconds"]),
    "messages": (SECOND, FRAMES.replace("50", "0"), ["flow 2", "per_second", "0", "from 1 to 1000"]),
    "pause": (SECOND, FRAMES.replace("5 ms", "1 s"), ["flow 2", "pause", "'1 s'", "from 0 s to less than 1 s"]),
    "variant without a flow of no name": ('module = "on"', 'module = "on"\nwithout = ["C3"]', ["variant tuned", "no [[flow]] C3", "C1, C2"]),
    "variant without flows": ('module = "on"', 'module = "on"\nwithout = ["C1", "C2"]', ["variant tuned", "leave a [[flow]]"]),
    "fair without rate": ('back = { delay = "1 rtt" }', 'back = { delay = "1 rtt", fair = true }', ["fair", "belong to a rate"]),
    "time of a timed flow": ('program = "ftp"\nfrom = "c2"\nto = "s"\nstart = "1 apart"\nsize = "2 transfer"',
                             'program = "stream"\nfrom = "c2"\nto = "s"\nstart = "1 apart"\ntime = "1500 ms"',
                             ["flow 2", "time", "'1500 ms'", "whole seconds"]),
    "module state": ('module = "on"', 'module = "yes"', ["variant 2", "module", "'yes'", "absent, off, observe, on"]),
    "unknown host": ('from = "c2"', 'from = "c9"', ["c9", "c1, r, c2, s"]),
    "same flow twice": ('name = "C2"', 'name = "C1"', ["two flows", "C1"]),
    "indistinct flows": ('from = "c2"', 'from = "c1"', ["two ftp flows from c1 to s", "another host"]),
    "rate without queue": ('rate = "1 rate", queue = "0.5 bdp"', 'rate = "1 rate"', ["rate and queue belong together"]),
    "rate with delay": ('queue = "0.5 bdp" }', 'queue = "0.5 bdp", delay = "1 ms" }', ["another link"]),
    "loss": ('back = { delay = "1 rtt" }', "back = { loss = 2.0 }", ["loss", "2.0", "from 0 to 1"]),
    "reorder without delay": ('back = { delay = "1 rtt" }', "back = { reorder = 0.1 }", ["reorder", "0.1", "a delay beside it"]),
    "reorder with rate": ('queue = "0.5 bdp" }', 'queue = "0.5 bdp", reorder = 0.1 }', ["reorder", "another link"]),
    "memory order": ('"1 bdp", "2 bdp"', '"2 bdp", "1 bdp"', ["tcp_mem", "min <= pressure <= max"]),
    "memory count": ('"1 bdp", "2 bdp", "3 bdp"', '"1 bdp"', ["tcp_mem", "three amounts"]),
    "profile unknown": ('module = "on"', 'module = "on"\nprofile = "none"', ["profile", "'none'", "sysctl/none.conf"]),
    "profile without module": ('module = "absent"', 'module = "absent"\nprofile = "drs"', ["profile", "absent"]),
    "sysctl key": ('"net.ipv4.tcp_moderate_rcvbuf"', "moderate", ["moderate", "net.ipv4.tcp_rmem"]),
    "sysctl amount": ('"128 KiB"', '"128 KB/s"', ["net.ipv4.tcp_rmem", "128 KB/s"]),
    "metric": ('metric = "last_finish_s"', 'metric = "speed"', ["expect 1", "metric", "'speed'", "jain"]),
    "operator": ('op = "<"', 'op = "less"', ["op", "'less'", "<="]),
    "claim's variant": ('variants = ["small"]', 'variants = ["tiny"]', ["tiny", "small, tuned"]),
    "claim without bound": ('than = { variants = ["small"], factor = 0.5 }', "", ["expect 1", "either value or than"]),
    "claim's flow": ('variant = "tuned"\nmetric = "last_finish_s"', 'variant = "tuned"\nflow = "C9"\nmetric = "steady_mbps"',
                     ["tuned ends first", "no flow C9", "C1, C2"]),
    "metric of a flow": ('variant = "tuned"\nmetric', 'variant = "tuned"\nflow = "C1"\nmetric',
                         ["expect 1", "metric", "'last_finish_s'", "steady_mbps"]),
    "flow count": ('name = "C1"', 'name = "C1"\ncount = 0', ["flow 1", "count", "0", "from 1 to 256"]),
    "many indistinct flows": ('name = "C1"', 'name = "C1"\ncount = 2', ["two ftp flows from c1 to s"]),
    "change of no link": ("[[flow]]", '[[change]]\nat = "1 s"\nlink = ["c1", "s"]\nback = { delay = "1 ms" }\n[[flow]]',
                          ["change 1", "link", "'c1', 's'", '["c1", "r"]']),
    "change of nothing": ("[[flow]]", '[[change]]\nat = "1 s"\nlink = ["c1", "r"]\n[[flow]]', ["change 1", "forward or back"]),
    "change of kind": ("[[flow]]", '[[change]]\nat = "1 s"\nlink = ["c1", "r"]\nback = { rate = "1 rate", queue = "1 bdp" }\n[[flow]]',
                       ["change 1.back", "from the start"]),
    "on without module": ('module = "absent"', 'module = "absent"\non = ["s"]', ["variant 1", "on", "'s'", "absent"]),
    "on at a router": ('module = "on"', 'module = "on"\non = ["r"]', ["variant tuned", "r is no end host", "c1, c2, s"]),
    "sysctl of no host": ('module = "on"', 'module = "on"\nhost.x.sysctl = { "net.ipv4.tcp_window_scaling" = 0 }',
                          ["variant tuned", "x is no end host"]),
    "adapter without module": ('module = "absent"', 'module = "absent"\nadapter = { host = "s" }', ["variant 1", "adapter", "absent"]),
    "daemon that is never ready": ('module = "on"', 'module = "on"\ndaemon = { command = "true" }', ["variant 2.daemon", "ready"]),
    "adapter at a router": ('module = "on"', 'module = "on"\nadapter = { host = "r" }', ["variant tuned", "r is no end host"]),
    "adapter's knob": ('module = "on"', 'module = "on"\nadapter = { host = "s", knobs = { memory = "4 MB" } }',
                       ["variant 2.adapter.knobs", "memory", "a whole number"]),
    "seeds": ('title = "two"', 'title = "two"\nseeds = 0', ["seeds", "0", "from 1 to 100"]),
    "where without axes": ('op = "<"', 'op = "<"\nwhere = { flows = [1] }', ["tuned ends first", "no axis flows"]),
    "unit defined twice": ('apart = "2 s"', 'rtt2 = "2 s"\nMB = "1 MB"', ["MB", "already defined"]),
    "not TOML": ("[size.scaled]", "[size.scaled", ["not a TOML file"]),
}


SEVERAL = TEXT.replace('program = "ftp"\nfrom = "c2"\nto = "s"\nstart = "1 apart"\nsize = "2 transfer"',
                       'program = "stream"\nfrom = "c2"\nto = "s"\nstart = "1 apart"\ntime = "5 s"\n'
                       'count = 3\nevery = "100 ms"')


def claimed_of(flow, metric):
    return SEVERAL.replace('metric = "last_finish_s"', f'flow = "{flow}"\nmetric = "{metric}"')


class Understood(unittest.TestCase):
    def test_multiples_of_the_path(self):
        scenario = loaded()
        self.assertEqual(scenario.bdp_bytes, 100_000)
        self.assertEqual(scenario.tcp_mem, [100_000, 200_000, 300_000])
        self.assertEqual([(link.near, link.far) for link in scenario.links], [("c1", "r"), ("c2", "r"), ("r", "s")])
        self.assertEqual(scenario.links[2].forward.queue_bytes, 50_000)
        self.assertEqual(scenario.links[0].back.delay_s, 0.1)
        self.assertEqual([(flow.start_s, flow.size_bytes) for flow in scenario.flows], [(0, 10**6), (2, 2 * 10**6)])

    def test_sysctls_become_the_kernels_words(self):
        self.assertEqual(loaded().variants[0].sysctls, {"net.ipv4.tcp_rmem": "4096 131072 50000",
                                                        "net.ipv4.tcp_moderate_rcvbuf": "0"})

    def test_flows_by_count(self):
        self.assertEqual([(flow.name, round(flow.start_s, 3), flow.time_s) for flow in loaded(SEVERAL).flows],
                         [("C1", 0, None), ("C21", 2.0, 5), ("C22", 2.1, 5), ("C23", 2.2, 5)])

    def test_a_claim_of_all_flows_of_a_table(self):
        claim = loaded(claimed_of("C2", "steady_mbps")).claims[0]
        self.assertEqual((claim.metric, claim.other_metric), ("C2.steady_mbps", "C2.steady_mbps"))

    def test_questions(self):
        flow = loaded(TEXT.replace(SECOND, ASK)).flows[1]
        self.assertEqual((flow.questions.per_s, flow.questions.connections, flow.questions.request_bytes, flow.questions.answer_bytes),
                         (100, 0, 8, 1000))
        self.assertFalse(flow.bulk)

    def test_frames(self):
        flow = loaded(TEXT.replace(SECOND, FRAMES)).flows[1]
        self.assertEqual(flow.frames, Frames(per_s=50, message_bytes=100, pause_s=0.005))
        self.assertTrue(flow.bulk)
        self.assertEqual(loaded(TEXT.replace(SECOND, FRAMES.replace('pause = "5 ms"', ""))).flows[1].frames.pause_s, 0)

    def test_a_reader_that_goes_away(self):
        for text, found in ((STOPPED, (3, 2)), (STOPPED.replace('size = "2 transfer"', 'time = "9 s"').replace('away = "2 s"', ""), (3, None))):
            flow = loaded(TEXT.replace(SECOND, text)).flows[1]
            self.assertEqual((flow.reads_s, flow.away_s), found)

    def test_a_stream_ends_by_time_or_by_size(self):
        text = TEXT.replace('program = "ftp"\nfrom = "c2"', 'program = "stream"\nfrom = "c2"')
        self.assertEqual((loaded(text).flows[1].size_bytes, loaded(text).flows[1].time_s), (2 * 10**6, None))

    def test_a_variant_without_some_flows(self):
        scenario = loaded(TEXT.replace('module = "on"', 'module = "on"\nwithout = ["C1"]'))
        self.assertEqual([[flow.name for flow in run.scenario.flows] for run in plan([scenario])], [["C1", "C2"], ["C2"]])

    def test_a_fair_queue(self):
        shape = loaded(TEXT.replace('queue = "0.5 bdp"', 'queue = "0.5 bdp", fair = true')).links[2].forward
        self.assertIn("50000", fair_words(shape))
        self.assertEqual(("flows" in fair_words(shape), "flows" in fair_words(shape, new=False)), (True, False))

    def test_change_of_a_link(self):
        text = TEXT.replace("[[flow]]", '[[change]]\nat = "1 apart"\nlink = ["c2", "r"]\n'
                                        'back = { delay = "0.5 rtt", reorder = 0.01 }\n[[flow]]', 1)
        change, = loaded(text).changes
        self.assertEqual((change.at_s, change.near, change.far, change.forward), (2, "c2", "r", None))
        self.assertEqual(qdisc_words(change.back, 1500)[3:], ["delay", "50000us", "reorder", "1%"])

    def test_the_module_on_one_end(self):
        text = TEXT.replace('module = "on"', 'module = "on"\non = ["s"]\n'
                                             'sysctl = { "net.ipv4.tcp_rmem" = ["1 B", "2 B", "3 B"] }\n'
                                             'host.c1.sysctl = { "net.ipv4.tcp_rmem" = ["4 B", "5 B", "6 B"] }')
        tuned = loaded(text).variants[1]
        self.assertEqual(tuned.sysctls_of("s"), {"net.ipv4.tcp_rmem": "1 2 3"})
        self.assertEqual(tuned.sysctls_of("c1"), {"net.ipv4.tcp_rmem": "4 5 6", "net.ipv4.tcp_abt.mode": "off"})

    def test_how_often_and_with_how_much_memory(self):
        text = TEXT.replace('title = "two"', 'title = "two"\nseeds = 3')
        self.assertEqual(loaded(text).seeds, 3)
        own = loaded(text.replace("[size.scaled]", '[size.scaled]\nseeds = 5\nmemory = "8 GiB"'))
        self.assertEqual((own.seeds, own.memory_bytes), (5, 8 * 2**30))

    def test_every_scenario_of_the_repository(self):
        for path in sorted(SCENARIOS.glob("*.toml")):
            for size in tomllib.loads(path.read_text())["size"]:
                with self.subTest(path=path.name, size=size):
                    for scenario in load(path, size, SCENARIOS.parent):
                        self.assertTrue(scenario.claims)


class Refused(unittest.TestCase):
    def test_a_claim_of_a_flow_that_is_left_out(self):
        text = TEXT.replace('module = "absent"', 'module = "absent"\nwithout = ["C1"]').replace(
            'variant = "tuned"\nmetric = "last_finish_s"', 'variant = "tuned"\nflow = "C1"\nmetric = "steady_mbps"')
        with self.assertRaises(Failure) as caught:
            loaded(text)
        self.assertIn("variant small leaves out flow C1", str(caught.exception))

    def test_a_claim_of_what_is_not_summed(self):
        with self.assertRaises(Failure) as caught:
            loaded(claimed_of("C2", "rtt_steady_ms"))
        self.assertIn("rtt_steady_ms of all flows C2, expected steady_mbps", str(caught.exception))

    def test_sizes(self):
        with self.assertRaises(Failure) as caught:
            loaded(size="huge")
        self.assertIn("no size huge, expected one of scaled", str(caught.exception))

    def test_no_such_scenario(self):
        with self.assertRaises(Failure) as caught:
            load(SCENARIOS / "nothing.toml", "scaled", SCENARIOS.parent)
        self.assertRegex(str(caught.exception), "^no scenario nothing: expected one of .*ftp_fairness")


def refusal(name):
    old, new, words = MISTAKES[name]

    def test(self):
        self.assertIn(old, TEXT)
        with self.assertRaises(Failure) as caught:
            loaded(TEXT.replace(old, new, 1))
        for word in ["two.toml", *words]:
            self.assertIn(word, str(caught.exception))
    return test


for mistake in MISTAKES:
    setattr(Refused, "test_" + mistake.replace(" ", "_").replace("'", ""), refusal(mistake))
