# SPDX-License-Identifier: GPL-2.0
"""The labs that boot a kernel, by name: where each has its kernels from, and its boot."""

from collections.abc import Callable
from typing import NamedTuple

import built
import kernels
import packaged
import virtual
import vm
from task import Task


class Lab(NamedTuple):
    """A way to run a kernel."""

    get: Callable[[str], kernels.Kernel]
    run: Callable[[kernels.Kernel, Task, vm.Size], int]


LABS = {"virtual": Lab(built.uml, virtual.run), "packaged": Lab(kernels.get, packaged.run), "vm": Lab(built.pc, vm.run), "count": Lab(kernels.get, vm.count)}
