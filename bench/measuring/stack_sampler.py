"""Runs a module and samples the stacks of its main thread while it is at work. Standard library only.

    python stack_sampler.py FILE MODULE ARGUMENTS ...

SIGUSR2 begins and ends the sampling, every 2 ms of CPU time. At its end the process writes FILE: JSON with a list of
stacks, the outermost function first, and how often each was seen. What a function of C takes counts for its caller.
"""

import atexit
import json
import runpy
import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

EVERY_SECONDS = 0.002
STACKS: Counter[tuple[str, ...]] = Counter()


def name_of(frame: FrameType) -> str:
    """Return the module, without its package, and the name of a function."""
    code = frame.f_code
    return f"{Path(code.co_filename).stem}.{code.co_qualname}"


def take_sample(number: int, frame: FrameType | None) -> None:
    stack: list[str] = []
    while frame is not None:
        stack.append(name_of(frame))
        frame = frame.f_back
    STACKS[tuple(reversed(stack))] += 1


def switch(number: int, frame: FrameType | None) -> None:
    is_sampling = signal.getitimer(signal.ITIMER_PROF)[1] > 0
    every = 0.0 if is_sampling else EVERY_SECONDS
    signal.setitimer(signal.ITIMER_PROF, every, every)


def main() -> None:
    file, module, *arguments = sys.argv[1:]
    signal.signal(signal.SIGPROF, take_sample)
    signal.signal(signal.SIGUSR2, switch)
    atexit.register(lambda: Path(file).write_text(json.dumps(list(STACKS.items()))))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
