# SPDX-License-Identifier: GPL-2.0
"""Three machines of their own, each a Debian under QEMU with a kernel of the lab, joined by a network:

    sender ------- router ------- receiver        10.79.1.0/24, 10.79.2.0/24: the path
       |              |              |
       '---------- control ----------'            10.79.0.0/24: ssh, from here

All of it is in a network namespace that the calling program is put into, and ends with it: taps, bridges, machines,
and their disks, of which only what differs from the image is written.
"""

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import cache
import kernels
from task import SPLAT, end_on_signals

# Hardware and network addresses are those of `image`: a machine finds its own by them.
CONTROL = {"sender": "10.79.0.1", "router": "10.79.0.2", "receiver": "10.79.0.3"}
DEVICES = {
    "sender": {"control": "02:00:00:00:00:01", "near": "02:00:00:00:01:01"},
    "router": {"control": "02:00:00:00:00:02", "near": "02:00:00:00:01:02", "far": "02:00:00:00:02:02"},
    "receiver": {"control": "02:00:00:00:00:03", "far": "02:00:00:00:02:03"},
}
CONTROLLER = "10.79.0.100/24"
ON_PATH = {"sender": "10.79.1.1", "receiver": "10.79.2.3"}
RECEIVER = ON_PATH["receiver"]
NEAR, FAR = "eth1", "eth2"  # of the router, in the order of its devices

MEMORY = "1536M"       # a compiler runs in there
BOOT_SECONDS = 600     # emulated, three at a time, on a busy machine; alone a minute
POLL_SECONDS = 1.0
END_SECONDS = 20
INSIDE = "TCP_ABT_FLEET_NAMESPACE"
TOOLS = {"qemu-system-x86_64": "qemu-system-x86", "qemu-img": "qemu-utils", "ssh": "openssh-client", "ip": "iproute2"}


class Machine:
    """One of the three, reached by ssh as root."""

    def __init__(self, name: str, key: Path, console: Path, disk: Path) -> None:
        self.name = name
        self.address = CONTROL[name]
        self.key, self.console, self.disk = key, console, disk
        self.process: subprocess.Popen | None = None

    def switch_on(self, boot: Path) -> None:
        """BOOT: a folder with vmlinuz and initrd.img. See wait_until_up."""
        with self.console.open("ab") as console:
            self.process = subprocess.Popen(qemu(self.name, boot, self.disk), stdin=subprocess.DEVNULL, stdout=console,
                                            stderr=subprocess.STDOUT, start_new_session=True)

    def wait_until_up(self, deadline: float) -> None:
        """Until it can be reached and has nothing left to start."""
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise cache.LabError(f"{self.name} ended while it booted: {self.console}")
            try:
                if self.run("systemctl is-system-running --wait", check=False, seconds=60).strip() in ("running", "degraded"):
                    return
            except subprocess.TimeoutExpired:
                pass
            time.sleep(POLL_SECONDS)
        raise cache.LabError(f"{self.name} cannot be reached {BOOT_SECONDS} s after it was switched on: {self.console}")

    def switch_off(self) -> None:
        """As by the plug: what has to be on its disk was synced before."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def ssh(self) -> list[str]:
        return ["ssh", *ssh_options(self.key), f"root@{self.address}"]

    def run(self, script: str, check: bool = True, seconds: float = 3600) -> str:
        """What SCRIPT, a shell's, writes; LabError with its complaint if it fails."""
        done = subprocess.run([*self.ssh(), script], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, timeout=seconds)
        if check and done.returncode:
            raise cache.LabError(f"{self.name}: {script.splitlines()[0]}: status {done.returncode}: "
                                 f"{(done.stderr or done.stdout).strip()}")
        return done.stdout

    def start(self, script: str) -> subprocess.Popen:
        """A shell's SCRIPT while we go on."""
        return subprocess.Popen([*self.ssh(), script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def put(self, paths: list[Path], folder: str) -> None:
        """Files to a folder there."""
        self.run(f"mkdir -p {shlex.quote(folder)}")
        subprocess.run(["scp", "-q", *ssh_options(self.key), *map(str, paths), f"root@{self.address}:{folder}"],
                       check=True, stdin=subprocess.DEVNULL)

    def get(self, path: str, to: Path) -> None:
        """A file from there."""
        subprocess.run(["scp", "-q", *ssh_options(self.key), f"root@{self.address}:{path}", str(to)], check=True, stdin=subprocess.DEVNULL)

    def complaints(self) -> list[str]:
        """What its kernel said of something that went wrong."""
        return [line for line in self.console.read_text(errors="replace").splitlines() if SPLAT.search(line)]


def ssh_options(key: Path) -> list[str]:
    """Its network is ours alone, and its key made with it: nothing to be remembered of it."""
    settings = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR", "BatchMode=yes",
                "ConnectTimeout=10", "ServerAliveInterval=30", "ServerAliveCountMax=10")
    return ["-F", "none", "-i", str(key), *(word for setting in settings for word in ("-o", setting))]


def need_tools() -> None:
    if os.geteuid() != 0:
        raise cache.LabError("machines with a network of their own need root")
    for tool, package in TOOLS.items():
        if not cache.installed(tool):
            raise cache.LabError(f"{tool} is missing: apt-get install {package}")
    if not Path("/dev/net/tun").exists():
        raise cache.LabError("/dev/net/tun is missing: machines are joined by taps, which need CONFIG_TUN (modprobe tun)")


def enter_namespace() -> None:
    """Begin anew in a network namespace of our own; once there, go on."""
    if INSIDE not in os.environ:
        os.execvpe("unshare", ["unshare", "--net", "--", sys.executable, *sys.argv], {**os.environ, INSIDE: "yes"})


@contextlib.contextmanager
def fleet(series: str, out: Path, names: Iterable[str] = tuple(DEVICES)) -> Iterator[dict[str, Machine]]:
    """The three, or these of them, booted, until the block is left; consoles go to OUT."""
    need_tools()
    image = make_image(kernels.get(series).release)  # what it lacks is fetched, which our namespace could not
    enter_namespace()
    end_on_signals()
    out.mkdir(parents=True, exist_ok=True)
    make_network()
    with contextlib.ExitStack() as undo:
        disks = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="tcp_abt-fleet-", dir=cache.root())))
        machines = {name: Machine(name, image / "key", out / f"{name}.log", make_disk(image, disks / f"{name}.qcow2")) for name in names}
        for machine in machines.values():
            machine.console.unlink(missing_ok=True)
            undo.callback(machine.switch_off)
            machine.switch_on(image)
        cache.say(f"{', '.join(machines)}: machines boot, {series}; their consoles are in {out}")
        began = time.monotonic()
        for machine in machines.values():
            machine.wait_until_up(began + BOOT_SECONDS)
        cache.say(f"they are there, {time.monotonic() - began:.0f} s")
        yield machines


def make_disk(image: Path, disk: Path) -> Path:
    """Of what differs from the image."""
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", image / "disk.img", disk], check=True)
    return disk


def make_image(release: str) -> Path:
    done = subprocess.run([cache.REPO / "deploy/fleet/lab/image", release], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise cache.LabError("no image of a machine: see above")
    return Path(done.stdout.strip())


def make_network() -> None:
    """A bridge for each wire, a tap for each device."""
    for network in ("control", "near", "far"):
        ip(f"link add {network} type bridge")
        ip(f"link set {network} up")
    ip(f"address add {CONTROLLER} dev control")
    for name, devices in DEVICES.items():
        for network in devices:
            ip(f"tuntap add {tap(name, network)} mode tap vnet_hdr")
            ip(f"link set {tap(name, network)} master {network} up")


def tap(name: str, network: str) -> str:
    """A device's name has 15 characters at most."""
    return f"{network}-{name}"[:15]


def ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True)


def qemu(name: str, boot: Path, disk: Path) -> list[str]:
    devices = [word for network, address in DEVICES[name].items() for word in (
        "-netdev", f"tap,id={network},ifname={tap(name, network)},script=no,downscript=no",
        "-device", f"virtio-net-pci,netdev={network},mac={address}")]
    return ["qemu-system-x86_64", "-machine", "q35,accel=tcg", "-cpu", "max,-erms,-fsrm", "-smp", "1", "-m", MEMORY,
            "-display", "none", "-serial", "stdio", "-monitor", "none", "-no-reboot", "-nodefaults",
            "-kernel", str(boot / "vmlinuz"), "-initrd", str(boot / "initrd.img"),
            "-append", f"root=/dev/vda rw console=ttyS0 net.ifnames=0 systemd.hostname={name} panic=-1",
            "-drive", f"file={disk},format=qcow2,if=virtio,cache=unsafe", "-device", "virtio-rng-pci", *devices]
