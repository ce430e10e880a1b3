# SPDX-License-Identifier: GPL-2.0
"""The scenario runner: one declarative file in, tables and checked claims out."""
