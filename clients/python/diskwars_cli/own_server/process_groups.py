"""Programs that start others: all of them end with the program, and with the process that runs it.

It needs Python alone, as `page_build` does.
"""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

WATCHED_GROUP = """\
exec 3<&0
{ cat; kill -9 0; } <&3 >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-
"""
"""A shell that becomes the program, after it has started a watcher that ends their group at the end of its input.

The input is a pipe whose other end only this process holds, so the kernel closes it, on every system. To ask Linux for
a signal would end the program alone, and leave what it has started.
"""


def run_group(
    command: Sequence[str], *, seconds: float, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program without input and return its output. Raises subprocess.TimeoutExpired."""
    input_end, held_end = os.pipe()
    try:
        with subprocess.Popen(
            ["/bin/sh", "-c", WATCHED_GROUP, "sh", *command],
            cwd=folder,
            env=environment,
            stdin=input_end,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        ) as process:
            try:
                output, errors = process.communicate(timeout=seconds)
            except BaseException:
                # The whole group: what the program has started holds its output, whose end would be waited for.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                raise
    finally:
        os.close(input_end)
        os.close(held_end)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)
