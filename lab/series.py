# SPDX-License-Identifier: GPL-2.0
"""The kernels that the module is built for and tested in: the next one is one line here."""

from typing import NamedTuple

REPEATABLE = ("repeatable.patch",)
FPSTATE = (*REPEATABLE, "fpstate.patch")


class Series(NamedTuple):
    """What there is of a kernel, and what is done with it."""

    name: str
    suite: str = ""     # of Debian, with its source, if this machine's own has not got it
    packaged: tuple[str, ...] = ()  # lab names of it as Debian 12 packages it; the module is built against its headers
    sparse: bool = False    # there
    patches: tuple[str, ...] = REPEATABLE   # for User-Mode Linux
    kselftests: bool = True     # in User-Mode Linux
    kunit: bool = True
    audited: bool = True    # docs/kernel-contract.md has its places



def is_foreign(packaged: str) -> bool:
    """Is it of another architecture? Emulated, it takes minutes to say what its series does, so only make torture boots it."""
    return "-" in packaged


def packaged_step(packaged: str) -> str:
    """The step of lab/test that boots it."""
    return f"{'torture' if is_foreign(packaged) else 'kselftest'}-{packaged}-packaged"


ALL = (
    Series("6.1", packaged=("6.1",), patches=FPSTATE, kunit=False),     # runs a module's suites before its init, which makes them
    Series("6.12", packaged=("6.12", "6.12-arm64"), sparse=True, patches=FPSTATE),
    Series("7.2", suite="trixie-backports", kselftests=False, kunit=False, audited=False),
    Series("7.3", suite="trixie-backports"),
)
