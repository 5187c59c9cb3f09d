"""Try to freeze a server with a match file whose position no rules can produce, and measure what others notice.

`python -m tests.chaos.freeze_server URL [--seconds S]` imports, as a guest, a branch of the pit on a board of a million
cells in which everybody moves a million. Where the file is taken, it is branched and played. A bystander pings the
server meanwhile; the program prints how far it came and the longest silence. It exits with 1 if the file was taken, or
if the bystander waited for more than a second. The server may be of any build.
"""

import asyncio
import random
import sys
import time
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from websockets.asyncio.client import connect as open_socket

from diskwars_bots.rulesets.registry import find_bots
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused
from diskwars_engine.branches import BranchStart
from diskwars_engine.match import Command, MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import RecordMeta
from diskwars_protocol.match.actions import Ready, Resign, TakeSeat
from diskwars_protocol.match.events import Position
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.match.match_options import BranchPoint, MatchOptions
from diskwars_protocol.records.match_file import write_file
from diskwars_protocol.records.records import FORMAT, MatchHeader, openings_of
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_server.matches.openings import NO_CHAIN_HEAD
from tests.chaos.arguments import make_parser
from tools.invented_positions import SALT_BYTES, TriedMoment, real_moments

MODULE = "tests.chaos.freeze_server"
HUGE = 1_000_000
FORGED = MatchId("pit-frozen")
SEED = 1
BEGUN = 5
"""The record with which play begins."""
PING_PAUSE_SECONDS = 0.05
SECONDS = 20.0
MAX_SILENCE_SECONDS = 1.0


class FreezeReport(Struct, frozen=True):
    """How far the file came, and the longest time in seconds that a bystander waited for an answer."""

    outcome: str
    silence_seconds: float

    @property
    def is_frozen(self) -> bool:
        return self.silence_seconds > MAX_SILENCE_SECONDS


def _is_in_melee(moment: TriedMoment) -> bool:
    """Return whether nobody moves at once: what the huge board does shows in the turn after that."""
    return moment.state.board is not None and moment.state.board.phase == "melee"


def forged_file() -> bytes:
    """Return the file of a branch that begins on a huge board, and that ended when a player resigned at once."""
    moment, entropy = next(filter(_is_in_melee, real_moments("pit", SEED))), random.Random(SEED)
    board = moment.state.board
    assert board is not None
    profiles = tuple(replace(profile, movement=HUGE) for profile in board.profiles)
    rules, salts = MatchRules(moment.ruleset), lambda: entropy.randbytes(SALT_BYTES)
    options = MatchOptions(branch_of=BranchPoint(MatchId("nowhere"), 1))
    start = BranchStart(Position(replace(board, width=HUGE, profiles=profiles)), moment.state.packs)
    opening = MatchOpening(FORGED, moment.state.settings, 2, PlayerId("forger"), 0, True, options, start)
    secrets = MatchSecrets(entropy.randbytes(32), entropy.randbytes(32))
    log, opened = MatchLog.open(rules, opening, secrets, RecordMeta(opening.opener, "open"), salts)
    records = [opened.record]

    def act(seat: int, decision: DecisionId | None, action: Any) -> None:
        command = Command(PlayerId(f"player{seat}"), decision, action, 0)
        proposal = log.decide(command, f"act {len(records)}", secrets, salts)
        log.commit(proposal)
        records.append(proposal.record.record)

    for seat in range(2):
        act(seat, DecisionId(f"1.{seat}"), TakeSeat(NO_CHAIN_HEAD, PitLoadout()))
    for decision in log.state.decisions:
        act(decision.seat, decision.id, Ready())
    act(0, None, Resign())
    header = MatchHeader(format=FORMAT, match=FORGED, ruleset=rules.name)
    return b"".join(write_file(header, records, openings_of))


async def attack(url: str) -> str:
    """Import the file, branch it and play; return how far that came."""
    async with connect(url) as first, connect(url) as second:
        try:
            imported = await first.files.upload(forged_file())
        except CommandRefused as refused:
            return f"the import is refused: {refused.code}"
        try:
            opened = await first.lobby.branch(imported.match, BEGUN)
        except CommandRefused as refused:
            return f"it is imported, the branch is refused: {refused.code}"
        await _play(opened.match, first, second)
    return "it is imported, branched and played"


async def _play(match: str, *clients: Client) -> None:
    handles = [await client.watch(match) for client in clients]
    for handle in handles:
        await handle.wait_caught_up()
        await handle.take_seat(PitLoadout())
    for handle in handles:
        await handle.wait_caught_up()
        await handle.ready()
    choose = find_bots("pit").choosers["random"]
    await asyncio.gather(*(play_bot(handle, choose, random.Random(SEED)) for handle in handles))


class Bystander:
    """A client outside the match, which pings the server. `longest` are seconds without an answer."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._asked_at: float | None = None

    async def run(self, url: str) -> None:
        async with open_socket(url, ping_interval=None) as socket:
            while True:
                self._asked_at = time.monotonic()
                await (await socket.ping())
                self._note()
                self._asked_at = None
                await asyncio.sleep(PING_PAUSE_SECONDS)

    def _note(self) -> None:
        if self._asked_at is not None:
            self.longest = max(self.longest, time.monotonic() - self._asked_at)

    def stop(self) -> float:
        """Return the longest silence, one that lasts counted so far."""
        self._note()
        return self.longest


async def run(url: str, seconds: float = SECONDS) -> FreezeReport:
    """Attack a server for at most this long."""
    bystander = Bystander()
    pinging = asyncio.create_task(bystander.run(url))
    try:
        async with asyncio.timeout(seconds):
            outcome = await attack(url)
    except TimeoutError:
        outcome = f"it is taken, and after {seconds:g} s the server has not answered"
    silence = bystander.stop()
    pinging.cancel()
    await asyncio.gather(pinging, return_exceptions=True)
    return FreezeReport(outcome, silence)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(MODULE, __doc__)
    parser.add_argument("url", help="ws://127.0.0.1:8765/ws, for example")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"end the attack after this long ({SECONDS:g})")
    options = parser.parse_args(arguments)
    report = asyncio.run(run(options.url, options.seconds))
    print(f"{report.outcome}; longest silence {report.silence_seconds:.2f} s")
    return 1 if report.is_frozen or "refused" not in report.outcome else 0


if __name__ == "__main__":
    sys.exit(main())
