"""Limits of a process that a server starts to work for it: memory, priority, and that it ends with the server."""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from typing import BinaryIO

MAX_MEMORY_BYTES = 1024**3
"""Address space of the process, where the system can limit it."""
NICENESS = 10
"""It works when nobody else needs the processor: the server, which everybody waits for, goes first."""
PR_SET_PDEATHSIG = 1


def limit_process() -> None:
    """Bound memory, go behind the server, and end with it."""
    with contextlib.suppress(OSError, ValueError):  # macOS has no limit of the address space
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, max(os.getpriority(os.PRIO_PROCESS, 0), NICENESS))
    # A stop signal in a terminal reaches the whole group; the server decides when its processes end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != parent:
            os._exit(1)


def take_standard_output() -> BinaryIO:
    """Return the standard output, and give the program another one: what it prints must not pass for an answer."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return answers
