# SPDX-License-Identifier: GPL-2.0
"""Two machines as a file names them, and what a router between them does."""

import tempfile
import unittest
from pathlib import Path

from runner.failure import Failure
from runner.hosts import Hosts, read_hosts
from runner.router import Router
from runner.scenario import load, scenario_path
from sample import loaded

TWO = """
[sender]
ssh = "root@a.example"
address = "192.0.2.1"
[receiver]
ssh = "-p 2222 me@b.example"
sudo = true
address = "192.0.2.2"
"""
ROUTER = """
[router]
command = "ip netns exec r"
forward = "far"
back = "near"
"""
WRONG = {
    "no receiver": (TWO.split("[receiver]")[0], ["receiver", "ssh is missing"]),
    "no address": (TWO.replace('address = "192.0.2.1"', ""), ["sender", "address is missing"]),
    "a name for an address": (TWO.replace("192.0.2.1", "a.example"), ["sender", "address", "'a.example'", "IPv4"]),
    "sudo is no truth": (TWO.replace("true", '"yes"'), ["receiver", "sudo", "'yes'", "true or false"]),
    "an unknown key": (TWO + 'port = "1"\n', ["receiver", "port", "unknown key"]),
    "an unknown host": (TWO + "[gateway]\n", ["gateway", "unknown key"]),
    "a router without a device": (TWO + ROUTER.replace('back = "near"', ""), ["router", "back is missing"]),
    "no TOML": ("sender", ["not a TOML file"]),
}


def read(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hosts.toml")
        path.write_text(text)
        return read_hosts(path)


def scenario(name, size="scaled", **values):
    return next(found for found in load(scenario_path(name), size) if found.cell.values.items() >= values.items())


class Named(unittest.TestCase):
    def test_two_hosts_and_a_router(self):
        found = read(TWO + ROUTER)
        self.assertEqual(found.ways, {"sender": ("ssh", "root@a.example", False), "receiver": ("ssh", "-p 2222 me@b.example", True),
                                      "router": ("command", "ip netns exec r")})
        self.assertEqual(found.devices, {"forward": "far", "back": "near"})
        self.assertIsNone(found.module)

    def test_mistakes_are_named(self):
        for case, (text, words) in WRONG.items():
            with self.subTest(case), self.assertRaises(Failure) as caught:
                read(text)
            for word in words:
                self.assertIn(word, str(caught.exception), case)

    def test_a_scenario_of_more_hosts_is_refused(self):
        more = loaded()
        with self.assertRaisesRegex(Failure, "expected two"):
            Hosts(more, Path("x"), more.variants[0], read(TWO))


class Routed(unittest.TestCase):
    def router(self, *chosen, **values):
        return Router(scenario(*chosen, **values), "sender", "receiver", {True: "far", False: "near"})

    def test_rate_one_way_and_delay_the_other(self):
        router = self.router("lfn")
        (kind, words), = router.commands(True)
        self.assertEqual((kind, words[:4]), ("tbf", ["root", "handle", "1:", "tbf"]))
        (kind, words), = router.commands(False)
        self.assertEqual((kind, words[:4]), ("netem", ["root", "handle", "1:", "netem"]))
        self.assertEqual(words[words.index("delay") + 1], "184000us")

    def test_loss_before_the_queue(self):
        router = self.router("grid", "full", rate="1 Gbit/s", loss=0.01, flows=1)
        commands = router.commands(True)
        self.assertEqual([kind for kind, _ in commands], ["netem", "tbf"])
        self.assertEqual(commands[0][1][:3], ["root", "handle", "1:"])
        self.assertEqual(commands[0][1][-2:], ["loss", "1%"])
        self.assertEqual(commands[1][1][:4], ["parent", "1:1", "handle", "2:"])

    def test_the_other_way_round(self):
        backward = Router(scenario("lfn"), "receiver", "sender", {True: "far", False: "near"})
        self.assertEqual(backward.commands(True), self.router("lfn").commands(False))

    def test_what_is_no_path_is_refused(self):
        with self.assertRaisesRegex(Failure, "no single path"):
            Router(loaded(), "c1", "s", {})


if __name__ == "__main__":
    unittest.main()
