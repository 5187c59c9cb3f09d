#!/usr/bin/env bash
# How long the loop of uvloop stands still while it starts a program, in a process that holds much memory.
#
# expected: create_subprocess_exec() under uvloop costs what it costs under asyncio's own loop, for both start a program
# by the same call of the system, and uvloop is the faster loop.
#
# seen: with uvloop 0.23.0 and CPython 3.11 on Linux: it forks, so the tables of all memory are copied first, and the
# loop waits for it. With 600 MB more in the process a start takes six to eight times as long. asyncio's own loop starts
# programs by subprocess, which uses vfork on Linux since CPython 3.10 as long as no preexec_fn is given: there, memory
# makes no difference. A server that starts a program for a request so holds up every other client for milliseconds.
# What helps: subprocess.Popen, with its pipes given to loop.connect_read_pipe() and connect_write_pipe().
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Linux, Python 3.11 or newer, the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check uvloop==0.23.0
cat >"$folder/try.py" <<'PYTHON'
import asyncio
import sys
import time
from statistics import median

import uvloop

STARTS, HELD_BYTES = 15, 600_000_000


async def median_ms() -> float:
    """Return the median time in which a start holds up the loop."""
    times = []
    for _ in range(STARTS):
        began = time.perf_counter()
        process = await asyncio.create_subprocess_exec("/bin/true")
        times.append(1000 * (time.perf_counter() - began))
        await process.wait()
    return median(times)


def measure(run) -> tuple[float, float]:
    """Return the median without and with much memory held."""
    small = run(median_ms())
    held = bytearray(HELD_BYTES)
    for place in range(0, HELD_BYTES, 4096):  # else the system gives no memory
        held[place] = 1
    return small, run(median_ms())


found = {"asyncio": measure(asyncio.run), "uvloop": measure(uvloop.run)}
for name, (small, large) in found.items():
    print(f"{name}: a start takes {small:.1f} ms, and {large:.1f} ms with {HELD_BYTES // 10**6} MB held: {large / small:.1f} times")
(small, large), (own_small, own_large) = found["uvloop"], found["asyncio"]
is_as_found = large > 4 * small and own_large < 2 * own_small
print("uvloop's starts grow with memory and asyncio's do not, as found" if is_as_found else "CHANGED")
sys.exit(0 if is_as_found else 1)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
