# SPDX-License-Identifier: GPL-2.0
"""The emulated adapter (toe_hybrid.ko) at a host's device: attached, sampled, and what it came to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .failure import Failure
from .samples import Samples
from .system import command

if TYPE_CHECKING:
    from .flow import Flow
    from .namespace import ThisNamespace
    from .variant import Adapter

DEBUGFS = Path("/sys/kernel/debug")
FILES = DEBUGFS / "toe_hybrid"
FUNCTIONS = ("alloc", "copy_in", "wait", "check", "ack", "copy_out", "free")
WORK = tuple(name for name in FUNCTIONS if name != "wait")  # the wait is time, not work

METRICS = {
    "adapter_conns": "most connections that were on the emulated adapter at once",
    "adapter_refused": "connections of the flows that were not, when most were",
    "adapter_granted_bytes": "most of its memory that connections had a right to at once",
    "adapter_peak_bytes": "most of its memory that was in use at once",
    "adapter_waits": "states of connections that had more to hold than they might: what is not sent waits with the application",
    "adapter_stalls": "of these, with data that cannot wait: in flight, or not read",
    "adapter_ns_per_kb": "time that the adapter took for the seven functions, ns per 1024 bytes copied",
    "adapter_core_wait_us": "longest wait for an embedded core, us",
    **{f"saved_{name}_per_kb": f"host's cycles saved by function {name}, per 1024 bytes copied" for name in WORK},
    "saved_per_kb": "of these six together",
    "saved_wait_s": "time that connections waited for send memory, all together",
}
NOTHING = dict.fromkeys(METRICS, 0.0)
WAIT_CYCLES_S = 1.8e9  # toe_hybrid's host_wait: cycles a second of waiting


class EmulatedAdapter:
    """Rows of what it did: t, then a column a value that the module shows."""

    def __init__(self, device: str) -> None:
        self.device = device
        self.names: tuple[str, ...] = ()
        self.rows: list[tuple[Any, ...]] = []

    def sample(self, moment: float) -> None:
        lines = (line.split() for line in (FILES / "adapters").read_text().splitlines())
        values = {name: int(value) for device, name, value in lines if device == self.device}
        self.names = tuple(values)
        self.rows.append((round(moment, 3), *values.values()))

    def table(self) -> Samples:
        return Samples(("t", *self.names), self.rows)


@contextmanager
def emulated_adapter(module_path: str | None, wanted: Adapter, namespace: ThisNamespace, device: str) -> Iterator[EmulatedAdapter]:
    """A host's device has the adapter that a variant wants while the block runs."""
    path = Path(module_path).with_name("toe_hybrid.ko")
    if not path.exists():
        raise Failure(f"{path}: expected the emulated adapter's module beside tcp_abt.ko (make)")
    with ExitStack() as undo:
        if not DEBUGFS.is_mount():
            command("mount", "-t", "debugfs", "none", str(DEBUGFS))
            undo.callback(command, "umount", str(DEBUGFS))
        command("insmod", str(path))
        undo.callback(command, "rmmod", "toe_hybrid")
        for knob, value in wanted.knobs.items():
            write("knobs", f"{knob} {value}")
        with namespace.enter():
            write("control", f"attach {device}")
        yield EmulatedAdapter(device)


def write(file: str, line: str) -> None:
    try:
        (FILES / file).write_text(line)
    except OSError as error:
        raise Failure(f"emulated adapter: {line}: refused ({error.strerror}); the kernel's log says what was expected") from error


def connections(flows: list[Flow]) -> int:
    return sum(flow.questions.connections if flow.questions else 1 for flow in flows)


def derive(table: Samples | None, flows: list[Flow]) -> dict[str, float]:
    """metric -> number, for every name in METRICS; all 0 where there was no adapter."""
    if table is None:
        return NOTHING
    rows = table.rows
    place = {name: number for number, name in enumerate(table.header)}
    last, most = rows[-1], lambda name: max(row[place[name]] for row in rows)
    kb = sum(last[place[f"mode.{mode}.bytes"]] for mode in ("bcopy", "read_zcopy", "write_zcopy", "transaction")) / 1024
    saved = {name: last[place[f"function.{name}.host_cycles"]] / max(kb, 1) for name in FUNCTIONS}
    return {
        "adapter_conns": most("conns.now"),
        "adapter_refused": connections(flows) - most("conns.now"),
        "adapter_granted_bytes": most("memory.granted"),
        "adapter_peak_bytes": most("memory.peak"),
        "adapter_waits": last[place["states.waits"]],
        "adapter_stalls": last[place["states.stalls"]],
        "adapter_ns_per_kb": sum(last[place[f"function.{name}.ns"]] for name in FUNCTIONS) / max(kb, 1),
        "adapter_core_wait_us": max(most("core.send.longest_ns"), most("core.receive.longest_ns")) / 1000,
        **{f"saved_{name}_per_kb": saved[name] for name in WORK},
        "saved_per_kb": sum(saved[name] for name in WORK),
        "saved_wait_s": last[place["function.wait.host_cycles"]] / WAIT_CYCLES_S,
    }
