# SPDX-License-Identifier: GPL-2.0
"""The TOE paper's tables 1 to 3, on today's kernel."""
