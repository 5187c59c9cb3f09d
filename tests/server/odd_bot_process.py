"""A program for bots of any ruleset that answers well or badly, as its first argument says.

It needs no registered ruleset: it takes the first of the options that it is offered.
"""

import json
import os
import signal
import sys
import time

NONSENSE = {
    "illegal": {"type": "choose", "number": 9},
    "unknown": {"type": "fly"},
    "sealed": {"type": "choose", "number": {"#": "0" * 64}},
    "faulty": {"type": "choose", "number": 1, "note": "crash"},
}


def read_task() -> str:
    length = int.from_bytes(sys.stdin.buffer.read(4), "big")
    if not length:
        sys.exit()
    return sys.stdin.buffer.read(length).decode()


def write(raw: bytes) -> None:
    sys.stdout.buffer.write(len(raw).to_bytes(4, "big") + raw)
    sys.stdout.buffer.flush()


def answer(mode: str, task: str) -> bytes:
    if mode == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(3600)
    if mode == "crash":
        os._exit(3)
    if mode == "garbage":
        return b"\xff{no json"
    if mode == "fault":
        return b'{"fault":"ValueError at my_bot.py:7"}'
    if mode in NONSENSE:
        return json.dumps({"action": NONSENSE[mode]}).encode()
    return json.dumps({"action": json.loads(task)["options"]["actions"][0]}).encode()


def main(mode: str, notes: str = "") -> None:
    """`notes` is a file to which every task is added. `hang once` and `crash once` do so for the first task only."""
    if mode == "exit":
        return
    write(b"")
    while True:
        task = read_task()
        is_first = True
        if notes:
            is_first = not os.path.exists(notes)
            with open(notes, "a") as file:
                file.write(task + "\n")
        if mode == "endless":
            sys.stdout.buffer.write(b"\x7f\xff\xff\xff" + bytes(1000))
            sys.stdout.buffer.flush()
        elif mode == "slow":
            time.sleep(0.05)
            write(answer("first", task))
        else:
            word, _, once = mode.partition(" ")
            write(answer(word if is_first or not once else "first", task))


if __name__ == "__main__":
    main(*sys.argv[1:])
