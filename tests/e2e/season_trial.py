"""A season: 16 bots of a real server play five Swiss rounds and the elimination of the best four, killed in each round.

`.venv/bin/python -m tests.e2e.season_trial` starts `diskwars serve` on data of its own, kills it with SIGKILL once in
every round, starts it again, and at the end compares the table with one that is computed again from the records of the
matches alone.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from diskwars_client.client import Client, connect
from diskwars_client.errors import ClientError
from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.tournaments import TournamentView
from diskwars_protocol.messages.watching import Unwatch, Unwatched
from diskwars_protocol.tournaments.options import MatchTemplate, TournamentOptions
from diskwars_protocol.tournaments.state import Tournament

ENTRANTS = 16
ROUNDS = 5
FINALISTS = 4
WAIT_SECONDS = 1200


class Server:
    """One `diskwars serve` on a folder, started as often as it is killed."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port, self.kills = folder, port, 0
        self.url = f"ws://127.0.0.1:{port}/ws"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "diskwars_cli", "serve", "--data", str(self.folder), "--port", str(self.port)]
        output = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)

    def kill(self) -> None:
        """End the server with everything that it has started, its PostgreSQL too."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.kills += 1


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


async def play_season(server: Server, ruleset: str, bot: str) -> TournamentView:
    """Play the season; return how it ended."""
    async with connect(server.url) as client:
        signed_in = await client.accounts.register("Olga of Nuln", "the griffon flies at dawn")
        options = TournamentOptions(
            "swiss", MatchTemplate(ruleset), rounds=ROUNDS, final_top=FINALISTS, bots=True, entrant_limit=ENTRANTS
        )
        tournament = (await client.tournaments.open("Season", options)).tournament.tournament
        for _ in range(ENTRANTS):
            await client.tournaments.enter_bot(tournament, bot)
        await client.tournaments.start(tournament)
    killed, deadline = 0, time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            async with asyncio.timeout(60), connect(server.url, token=signed_in.token) as client:
                async for shown in client.tournaments.follow(tournament):
                    state = shown.tournament
                    if state.status == "ended":
                        await compare(client, shown)
                        return shown
                    if len(state.rounds) > killed:
                        break
                else:
                    continue
        except (ClientError, TimeoutError, OSError):
            await asyncio.sleep(1)
            continue
        killed = len(state.rounds)
        await asyncio.sleep(0.3 * killed)  # another moment of each round
        server.kill()
        print(f"killed in round {killed}", flush=True)
        server.start()
    raise TimeoutError("the season did not end")


async def compare(client: Client, shown: TournamentView) -> None:
    """Compare the points with those that follow from the records of the matches. Raises AssertionError."""
    state = shown.tournament
    points = {entrant.number: 0 for entrant in state.entrants}
    for round_ in state.rounds:
        if round_.stage == "main":
            for number in round_.byes:
                points[number] += 2
            for board in round_.boards:
                for number, earned in zip(board.entrants, await read_points(client, state, board.match), strict=True):
                    points[number] += earned
    found = {row.entrant: row.half_points for row in shown.standings}
    assert found == points, (found, points)


async def read_points(client: Client, state: Tournament, match: MatchId) -> tuple[int, ...]:
    """Return the half points of a match by seat, from its records."""
    handle = await client.watch(match)
    async for _ in handle:
        if handle.state is not None and handle.state.status == "ended":
            break
    assert handle.state is not None
    result = handle.state.result
    assert result is not None
    names = [entrant.bot for entrant in state.entrants]
    for seat, seat_state in enumerate(handle.state.seats):
        assert seat_state.player in {bot_player(name, seat) for name in names if name}
    won = [seat in result.winners for seat in range(2)]
    await client.request(Unwatch(f"unwatch {match}", match), Unwatched)
    return (1, 1) if won[0] == won[1] else (2 * won[0], 2 * won[1])


@contextlib.contextmanager
def running(folder: Path) -> Iterator[Server]:
    server = Server(folder, free_port())
    server.start()
    try:
        yield server
    finally:
        server.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", default="pit")
    parser.add_argument("--bot", default="random")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        began = time.monotonic()
        wait_until_ready(server)
        shown = asyncio.run(play_season(server, arguments.ruleset, arguments.bot))
        state = shown.tournament
        boards = [board for round_ in state.rounds for board in round_.boards]
        print(f"ended after {len(state.rounds)} rounds, {len(boards)} boards and {server.kills} kills")
        print(f"in {time.monotonic() - began:.0f} s; the points are those of the records")


def wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port), 1):
            return
        time.sleep(0.5)
    raise TimeoutError("the server did not start")


if __name__ == "__main__":
    main()
