# SPDX-License-Identifier: GPL-2.0
"""The labs by name, and where each has its kernels from."""

import kernels

KERNEL_SOURCES = {"vm": kernels.get}


def kernel(lab: str, series: str) -> kernels.Kernel:
    return KERNEL_SOURCES[lab](series)
