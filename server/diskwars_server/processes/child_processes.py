"""What child processes of a server have in common: on Linux they end with it, even if it is killed."""

import ctypes
import os
import sys
from collections.abc import Callable

PR_SET_PDEATHSIG = 1


def parent_death_hook(signal_number: int) -> Callable[[], None] | None:
    """Return what asks Linux, in the child before it becomes its program, for this signal when the parent is gone.

    The parent is the thread that starts the child. None on other systems.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl  # found before the fork: afterwards only simple calls are safe
    parent = os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal_number)
        if os.getppid() != parent:
            os._exit(1)

    return ask
