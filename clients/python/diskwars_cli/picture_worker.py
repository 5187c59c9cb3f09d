"""A process that draws a board for a server: a match file comes in by standard input, its SVG picture goes out.

Nothing goes out where there is no board yet. It ends when its parent dies, and when it takes longer than it may.
"""

import contextlib
import signal
import sys
from collections.abc import Sequence

from diskwars_bots.worker_process import limit_process, take_standard_output
from diskwars_cli.rulesets.registry import find_pictures
from diskwars_client.replays import replay_file
from diskwars_protocol.match import PUBLIC


def draw_file(raw: bytes, seq: int) -> bytes:
    """Return the picture of the board after a record of a match file as the public sees it; empty without a board."""
    state = replay_file(raw, PUBLIC).state(seq)
    return b"" if state.board is None else find_pictures(state.ruleset).draw_board(state.board).encode()


def main(arguments: Sequence[str]) -> None:
    """Draw a board: the arguments are the record and how many seconds it may take."""
    seq, seconds = arguments
    limit_process()
    # Without a handler the signal ends the process, also while no parent is left.
    signal.setitimer(signal.ITIMER_REAL, int(seconds))
    with take_standard_output() as pictures, contextlib.suppress(BrokenPipeError):
        pictures.write(draw_file(sys.stdin.buffer.read(), int(seq)))


if __name__ == "__main__":
    main(sys.argv[1:])
