# SPDX-License-Identifier: GPL-2.0
"""The machine that we run on: commands, tools, kernel modules, and settings that are put back."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from .failure import Failure

if TYPE_CHECKING:
    from .scenario import Scenario
    from .variant import Variant

COMMAND_S = 30
RUN_NAME = "\0tcp_abt-scenario"  # an abstract address: gone with the process, never on a disk
# tool -> Debian package
PACKAGES = {"ip": "iproute2", "tc": "iproute2", "curl": "curl", "vsftpd": "vsftpd", "iperf3": "iperf3",
            "insmod": "kmod", "cc": "gcc", "rmmod": "kmod", "modprobe": "kmod", "unshare": "util-linux"}
# kernel module -> what a kernel of one's own needs to have switched on
OPTIONS = {"veth": "CONFIG_VETH", "sch_netem": "CONFIG_NET_SCH_NETEM", "sch_tbf": "CONFIG_NET_SCH_TBF",
           "sch_fq_codel": "CONFIG_NET_SCH_FQ_CODEL", "tcp_diag": "CONFIG_INET_DIAG"}
CONGESTION_CONTROL = "net.ipv4.tcp_congestion_control"
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
MODULES = Path("/proc/modules")
TCP_MEM = Path("/proc/sys/net/ipv4/tcp_mem")
BACKLOG, BACKLOG_PACKETS = Path("/proc/sys/net/core/netdev_max_backlog"), 10_000_000
ALLOWED_CONTROLS = Path("/proc/sys/net/ipv4/tcp_allowed_congestion_control")
KNOWN_CONTROLS = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


def prepare() -> None:
    """Find the tools of the system wherever the caller's PATH points."""
    os.environ["PATH"] = f"{SYSTEM_PATH}:{os.environ.get('PATH', '')}"
    os.environ["LC_ALL"] = "C"


def need_root() -> None:
    if os.geteuid() != 0:
        raise Failure("the runner makes network namespaces: run it as root, or in the vm lab (make scenario)")


def need_tools(tools: Iterable[str]) -> None:
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        packages = sorted({PACKAGES[tool] for tool in missing})
        raise Failure(f"missing: {', '.join(missing)}; install with: apt-get install {' '.join(packages)}")


@contextmanager
def kernel_part(module: str) -> Iterator[None]:
    """What needs a part of the kernel that may be a module, or missing: say which when it fails."""
    subprocess.run(["modprobe", "-q", module], check=False, capture_output=True)
    try:
        yield
    except (Failure, OSError) as error:
        if Path("/sys/module", module).exists():
            raise
        raise Failure(f"{error}; is {module} missing? This kernel ({os.uname().release}) needs {OPTIONS[module]}=m or y; "
                      "Debian's packaged kernels have it (make scenario LAB=vm)") from error


@contextmanager
def only_run() -> Iterator[None]:
    """A name of this machine that only one process can hold: two runs would share namespaces' names and tcp_mem."""
    with socket.socket(socket.AF_UNIX) as name:
        try:
            name.bind(RUN_NAME)
        except OSError:
            raise Failure("another scenario is running on this machine: wait for its end") from None
        yield


def command(*words: str, text: str | None = None) -> str:
    """Run a short command to its end; its standard output, or Failure with what it complained of."""
    try:
        done = subprocess.run(words, check=False, input=text, capture_output=True, text=True, timeout=COMMAND_S)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"{' '.join(words)}: no end after {COMMAND_S} s by the lab's clock, expected one at once") from late
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def set_sysctls(where: str, values: dict[str, str]) -> None:
    """Of the namespace that we are in."""
    for key, value in values.items():
        try:
            Path("/proc/sys", key.replace(".", "/")).write_text(value)
        except FileNotFoundError as missing:
            raise Failure(f"{where}: this kernel has no sysctl {key}") from missing
        except OSError as error:
            raise Failure(f"{where}: {key} = {value}: the kernel refused it: {error.strerror}") from error


@contextmanager
def settings(scenario: Scenario, variant: Variant) -> Iterator[None]:
    """What a run sets on the whole machine, while the block runs."""
    with tcp_memory_limit(scenario.tcp_mem), no_backlog_limit(), allowed_congestion_controls(congestion_controls(scenario, variant)):
        yield


def congestion_controls(scenario: Scenario, variant: Variant) -> list[str]:
    """All that this variant's hosts are told to use."""
    values = (scenario.sysctls, variant.sysctls, *variant.host_sysctls.values())
    return sorted({sysctls[CONGESTION_CONTROL] for sysctls in values if CONGESTION_CONTROL in sysctls})


@contextmanager
def tcp_memory_limit(amounts_bytes: Iterable[float]) -> Iterator[None]:
    """tcp_mem (global, in pages) while the block runs."""
    pages = " ".join(str(int(amount // os.sysconf("SC_PAGE_SIZE"))) for amount in amounts_bytes)
    with machine_setting(TCP_MEM, pages):
        yield


@contextmanager
def no_backlog_limit() -> Iterator[None]:
    """The input queue of a veth device holds 1000 packets, fewer than a slow start sends at once: a loss that no
    counter of the path would show."""
    with machine_setting(BACKLOG, str(BACKLOG_PACKETS)):
        yield


@contextmanager
def machine_setting(path: Path, text: str) -> Iterator[None]:
    """A setting of the whole machine while the block runs; its own value afterwards. In a container there is none to set."""
    if not path.exists():
        yield
        return
    before = path.read_text()
    path.write_text(text)
    try:
        yield
    finally:
        path.write_text(before)


def loaded_modules() -> list[str]:
    """The newest first: what others need comes after them."""
    return [line.split()[0] for line in MODULES.read_text().splitlines()] if MODULES.exists() else []


@contextmanager
def modules_as_before() -> Iterator[None]:
    """What the kernel loads for a run while the block runs goes again, unless somebody uses it by then."""
    before = loaded_modules()
    try:
        yield
    finally:
        ours = {*OPTIONS, "inet_diag", *(f"tcp_{name}" for name in KNOWN_CONTROLS.read_text().split())}
        for name in loaded_modules():
            if name in ours and name not in before:
                subprocess.run(["rmmod", name], check=False, capture_output=True)


@contextmanager
def kept_sysctls(where: str, values: dict[str, str]) -> Iterator[None]:
    """Of the namespace that we are in, while the block runs; what they were afterwards."""
    with ExitStack() as undo:
        for key, value in values.items():
            path = Path("/proc/sys", key.replace(".", "/"))
            before = path.read_text() if path.exists() else ""
            set_sysctls(where, {key: value})
            undo.callback(path.write_text, before)
        yield


@contextmanager
def allowed_congestion_controls(names: list[str]) -> Iterator[None]:
    """These while the block runs: a namespace may choose only from what the first one allows to all."""
    for name in names:
        subprocess.run(["modprobe", "-q", f"tcp_{name}"], check=False, capture_output=True)
    known = KNOWN_CONTROLS.read_text().split()
    for name in names:
        if name not in known:
            raise Failure(f"net.ipv4.tcp_congestion_control = {name}: this kernel ({os.uname().release}) has only "
                          f"{', '.join(known)}")
    allowed = ALLOWED_CONTROLS.read_text().split() if ALLOWED_CONTROLS.exists() else known
    with nullcontext() if {*names} <= {*allowed} else machine_setting(ALLOWED_CONTROLS, " ".join(sorted({*allowed, *names}))):
        yield


@contextmanager
def inserted_module(path: str | None, mode: str) -> Iterator[None]:
    """tcp_abt.ko while the block runs."""
    if Path("/sys/module/tcp_abt").exists():
        raise Failure("tcp_abt is already inserted: rmmod tcp_abt first, the scenario inserts its own")
    if not path or not Path(path).exists():
        raise Failure(f"ABT_MODULE={path or ''}: expected the path of tcp_abt.ko built for {os.uname().release} "
                      "(make; ABT_MODULE=kmod/tcp_abt.ko)")
    with module(["insmod", path], mode):
        yield


@contextmanager
def module(words: list[str], mode: str) -> Iterator[None]:
    """tcp_abt while the block runs, inserted by these words."""
    command(*words, f"mode={mode}")
    try:
        yield
    finally:
        command("rmmod", "tcp_abt")
