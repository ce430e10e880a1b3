# SPDX-License-Identifier: GPL-2.0
"""A command of ours: a process group of its own, so that a Ctrl-C reaches it once, from us."""

import os
import signal
import subprocess
from contextlib import nullcontext, suppress

STOP_S = 60  # a lab undoes what it made


class Child:
    def __init__(self, words, log=None):
        """Output goes to the file LOG, or where ours goes."""
        with open(log, "wb") if log else nullcontext() as output:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=subprocess.STDOUT if log else None, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ask_to_stop()
        self.stop()

    def wait(self):
        return self.process.wait()

    def ask_to_stop(self):
        if self.process.poll() is None:
            self.process.terminate()

    def stop(self):
        """Wait for the end that was asked for."""
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
