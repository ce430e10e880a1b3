# SPDX-License-Identifier: GPL-2.0
"""The SDP paper's sweep of message sizes, on today's ways to move a stream."""
