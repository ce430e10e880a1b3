# SPDX-License-Identifier: GPL-2.0
"""Traffic programs: what a flow's two ends run.

A program has a server for each target host and a client for each flow, and says which ports its data
connections use at the target, so that they are found in the kernel's tables. Both ends know these from the
flows alone: an instance serves the flows to one target, at the target or at one of their sources.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .compiled import compiled
from .compiled import tools as compilers
from .failure import Failure

if TYPE_CHECKING:
    from .flow import Cross, Flow
    from .namespace import ThisNamespace
    from .scenario import Scenario
    from .topology import Topology

STOP_S = 5


class Running:
    """A process in a namespace, its own group, output kept for the message when it fails."""

    def __init__(self, namespace: ThisNamespace, words: list[str], log: Path, good: tuple[int, ...] = (0,)) -> None:
        """good: exit statuses that are no failure."""
        self.words, self.log, self.good = words, log, good
        with open(log, "wb") as output:
            self.process = subprocess.Popen(namespace.words(words), stdin=subprocess.DEVNULL,
                                            stdout=output, stderr=subprocess.STDOUT, start_new_session=True)

    def finished(self) -> bool:
        """True once it has ended well; Failure when it ended badly."""
        status = self.process.poll()
        if status is not None and status not in self.good:
            raise Failure(f"{' '.join(self.words)}: exit status {status}: {self.tail()}")
        return status is not None

    def need_alive(self) -> None:
        if self.process.poll() is not None:
            raise Failure(f"{' '.join(self.words)}: ended with {self.process.returncode}: {self.tail()}")

    def tail(self) -> str:
        with open(self.log, errors="replace") as file:
            return file.read()[-400:].strip() or "it printed nothing"

    def stop(self) -> None:
        for kind in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, kind)
            except ProcessLookupError:
                break
            try:
                self.process.wait(STOP_S)
                break
            except subprocess.TimeoutExpired:
                continue
        self.process.wait(STOP_S)


class FtpServer:
    """vsftpd for anonymous uploads whose data goes nowhere.

    Each flow's file is a node of /dev/null's kind on a tmpfs inside the server's own mount namespace
    (what starts it makes one), which goes when vsftpd does. Clients append: vsftpd would truncate the
    target of a plain upload, which a device refuses.
    """

    tools: tuple[str, ...] = ("vsftpd", "curl")
    data_ports = range(40000, 41000)
    control_port = 21
    user = "daemon"  # on every machine and with a home, which vsftpd wants; its own default, "ftp", is not
    # $1: the folder with the configuration; the rest: names of the targets
    script = """set -e
mount -t tmpfs -o mode=755 tcp_abt_ftp "$1/root"; mkdir -m 755 "$1/root/in"
conf=$1/vsftpd.conf; root=$1/root; shift
for name; do mknod -m 666 "$root/in/$name" c 1 3; done
exec vsftpd "$conf"
"""

    def __init__(self, folder: Path, flows: list[Flow]) -> None:
        self.folder, self.flows = folder, flows
        self.running: Running | None = None

    def configuration(self) -> str:
        return "".join(f"{line}\n" for line in (
            "listen=YES", "background=NO", f"listen_port={self.control_port}",
            "anonymous_enable=YES", "no_anon_password=YES", f"ftp_username={self.user}", f"anon_root={self.folder}/root",
            "write_enable=YES", "anon_upload_enable=YES", "anon_other_write_enable=YES",
            f"secure_chroot_dir={self.folder}/empty", f"pasv_min_port={self.data_ports[0]}", f"pasv_max_port={self.data_ports[-1]}",
            "seccomp_sandbox=NO", "isolate=NO", "isolate_network=NO",
            "xferlog_enable=YES", f"vsftpd_log_file={self.folder}/transfers.log"))

    def serve(self, namespace: ThisNamespace) -> None:
        for name in ("root", "empty"):
            (self.folder / name).mkdir(mode=0o755)
        (self.folder / "vsftpd.conf").write_text(self.configuration())
        names = [flow.name for flow in self.flows]
        self.running = Running(namespace, ["sh", "-c", self.script, "vsftpd", str(self.folder), *names],
                               self.folder / "vsftpd.out")
        namespace.wait_listening(self.control_port, "vsftpd")

    def ports_of(self, flow: Flow) -> range:
        """Any of these: vsftpd chooses."""
        return self.data_ports

    def client(self, namespace: ThisNamespace, flow: Flow, address: str) -> Running:
        """curl, uploading a sparse file of zeros."""
        source = self.folder / f"{flow.name}.data"
        with open(source, "wb") as file:
            file.truncate(flow.size_bytes)
        words = ["curl", "-sS", "--append", "--connect-timeout", "60", "-T", str(source), f"ftp://{address}/in/{flow.name}"]
        return Running(namespace, words, self.folder / f"{flow.name}.out")

    def stop(self) -> None:
        if self.running:
            self.running.stop()


class OwnServer:
    """A process of a program of ours, netem_scenarios/NAME.c, for each end of each flow, a port each."""

    name: str
    first_port: int
    good: tuple[int, ...]  # exit statuses of its clients that are no failure

    def __init__(self, folder: Path, flows: list[Flow]) -> None:
        self.folder, self.flows = folder, flows
        self.program = folder / self.name
        self.ports = {flow.name: port for port, flow in enumerate(flows, self.first_port)}
        self.running: list[Running] = []

    def server_words(self, port: int, flow: Flow) -> list[str]:
        raise NotImplementedError

    def client_words(self, flow: Flow) -> list[str]:
        raise NotImplementedError

    def build(self) -> None:
        if not self.program.exists():
            compiled(self.name, self.program)

    def serve(self, namespace: ThisNamespace) -> None:
        self.build()
        for flow in self.flows:
            self.running.append(Running(namespace, [str(self.program), *self.server_words(self.ports[flow.name], flow)],
                                        self.folder / f"{flow.name}-server.out"))
        for port in self.ports.values():
            namespace.wait_listening(port, self.name)

    def ports_of(self, flow: Flow) -> range:
        port = self.ports[flow.name]
        return range(port, port + 1)

    def client(self, namespace: ThisNamespace, flow: Flow, address: str) -> Running:
        self.build()
        kind, *rest = self.client_words(flow)
        words = [str(self.program), kind, address, str(self.ports[flow.name]), *rest]
        return Running(namespace, words, self.folder / f"{flow.name}.out", self.good)

    def stop(self) -> None:
        for running in self.running:
            running.stop()


class StreamServer(OwnServer):
    """Its reader never lags, or stops, for good or for a time."""

    name = "stream"
    first_port = 5001
    good = (0, 3)  # 3, not reached: a path that lets nothing through is a result

    def server_words(self, port: int, flow: Flow) -> list[str]:
        return ["recv", str(port), *(f"{seconds:.0f}" for seconds in (flow.reads_s, flow.away_s) if seconds is not None)]

    def client_words(self, flow: Flow) -> list[str]:
        return ["move", str(flow.size_bytes)] if flow.time_s is None else ["send", f"{flow.time_s:.0f}"]


class AskServer(OwnServer):
    """Questions and answers, over many connections."""

    name = "ask"
    first_port = 7001
    good = (0,)

    def server_words(self, port: int, flow: Flow) -> list[str]:
        return ["answer", str(port)]

    def client_words(self, flow: Flow) -> list[str]:
        asks = flow.questions
        return ["send", f"{flow.time_s:.0f}", *map(str, (asks.per_s, asks.connections, asks.request_bytes, asks.answer_bytes)), str(self.waits_file(flow))]

    def waits_file(self, flow: Flow) -> Path:
        return self.folder / f"{flow.name}.waits"

    def waits(self, flow: Flow) -> Iterator[tuple[float, float, int]]:
        """Of each question: when it was due [s, the monotonic clock], its wait [ms], 1 if it was answered; flow has ended."""
        with open(self.waits_file(flow)) as file:
            for line in file:
                due_us, wait_us, answered = map(int, line.split())
                yield due_us / 1e6, wait_us / 1e3, answered


class FramesServer(OwnServer):
    """Bulk frames with urgent messages between them, over one connection."""

    name = "frames"
    first_port = 6001
    good = (0,)

    def server_words(self, port: int, flow: Flow) -> list[str]:
        return ["recv", str(port)]

    def client_words(self, flow: Flow) -> list[str]:
        frames = flow.frames
        pause_us = round(frames.pause_s * 1e6)
        return ["send", f"{flow.time_s:.0f}", *map(str, (frames.per_s, frames.message_bytes, pause_us, self.messages_file(flow)))]

    def messages_file(self, flow: Flow) -> Path:
        return self.folder / f"{flow.name}.messages"

    def messages(self, flow: Flow) -> Iterator[tuple[float, float, float, int]]:
        """Of each urgent message: when it was due [s, the monotonic clock], the time until it was written and until the device
        had it [ms], 1 if it ever did; flow has ended."""
        with open(self.messages_file(flow)) as file:
            for line in file:
                due_us, written_us, wire_us, sent = map(int, line.split())
                yield due_us / 1e6, written_us / 1e3, wire_us / 1e3, sent


class UdpCross:
    """iperf3 UDP at a rate, in bursts, until stopped."""

    tools: tuple[str, ...] = ("iperf3",)
    port = 5201
    payload_bytes = 1448
    wire_bytes = payload_bytes + 8 + 20 + 14  # UDP, IPv4, Ethernet

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server: Running | None = None
        self.sender: Running | None = None

    def start(self, cross: Cross, topology: Topology) -> None:
        burst = max(1, round(cross.burst_bytes / self.payload_bytes))
        target = topology.hosts[cross.target]
        self.server = Running(target, ["iperf3", "-s", "-1", "-p", str(self.port)], self.folder / "iperf3-server.out")
        target.wait_listening(self.port, "iperf3")
        self.sender = Running(topology.hosts[cross.source],
                              ["iperf3", "-u", "-c", topology.address[cross.target], "-p", str(self.port), "-l",
                               str(self.payload_bytes), "-b", f"{cross.rate_bps:.0f}/{burst}", "-t", "86000",
                               "-i", "0"], self.folder / "iperf3-client.out")
        self.wait_flowing(target)

    def wait_flowing(self, target: ThisNamespace, seconds: float = 20) -> None:
        deadline = time.monotonic() + seconds
        while datagrams(target) < 10:
            self.sender.need_alive()
            if time.monotonic() > deadline:
                raise Failure(f"iperf3: no datagram arrived in {seconds} s: {self.sender.tail()}")
            time.sleep(0.1)

    def stop(self) -> None:
        for running in (self.sender, self.server):
            if running:
                running.stop()


def datagrams(namespace: ThisNamespace) -> int:
    """UDP datagrams that a namespace has received."""
    with namespace.enter(), open("/proc/thread-self/net/snmp") as file:
        names, values = [line.split() for line in file if line.startswith("Udp:")]
    return int(values[names.index("InDatagrams")])


FLOW_SERVERS: dict[str, type[FtpServer | OwnServer]] = {"ftp": FtpServer, "stream": StreamServer, "ask": AskServer,
                                                           "frames": FramesServer}
CROSS_TRAFFIC = {"iperf3-udp": UdpCross}


def programs(flows: list[Flow], host: str, folder: Path) -> dict[tuple[str, str], FtpServer | OwnServer]:
    """(program, target) -> that program of the flows to this target, for all that begin or end at a host."""
    together: dict[tuple[str, str], list[Flow]] = {}
    for flow in flows:
        together.setdefault((flow.program, flow.target), []).append(flow)
    found: dict[tuple[str, str], FtpServer | OwnServer] = {}
    for (name, target), theirs in together.items():
        if host == target or any(flow.source == host for flow in theirs):
            home = folder / f"{name}-{target}"
            home.mkdir(exist_ok=True)
            found[name, target] = FLOW_SERVERS[name](home, theirs)
    return found


def tools(scenario: Scenario) -> list[str]:
    kinds: list[type[FtpServer | OwnServer | UdpCross]] = [FLOW_SERVERS[flow.program] for flow in scenario.flows]
    kinds += [CROSS_TRAFFIC[cross.program] for cross in scenario.cross]
    return sorted({tool for kind in kinds for tool in (compilers(kind.name) if issubclass(kind, OwnServer) else kind.tools)})
