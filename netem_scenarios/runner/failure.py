# SPDX-License-Identifier: GPL-2.0
"""The one error that users see: a sentence that names the value and what was expected."""


class Failure(Exception):
    """A message for people; the runner prints it without a traceback and exits 2."""
