"""Count of what one act takes: calls of Python and C, encodings, hashes. A measure that is free of noise.

    ./dev bench calls

Acts go from `Session.receive` to the answer and to the frame of the other player, in memory: without sockets, and with
a store that keeps everything in dictionaries.
"""

import asyncio
import cProfile
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import TypeAlias

from msgspec import Raw, Struct
from msgspec.json import decode
from msgspec.json import encode as as_json

from bench.load.load_matches import null_match_actions
from bench.matches.traces import TRACE_SETTINGS, RecordedAction, record_match
from bench.measuring.tables import DEFAULT_EFFORT, BenchEffort, ResultTable
from bench.servers.measured_server import make_context
from diskwars_protocol.connection.connection import ServerConnection, encode
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages import ClientMessage
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.watching import Watch
from diskwars_server import app as product
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.bus.bus import LocalBus
from diskwars_server.matches.services import Services
from diskwars_server.monitoring.tracing import Tracing
from diskwars_server.session.session import Session, SessionContext
from diskwars_server.store.memory.database import MemoryDatabase

SEATS = 2
BEGINNING = 4
"""Actions by which players take seats and get ready: they are not counted."""
NULL_ACTS = 200
FEW_ACTS = 20
ENCODING = "'encode' of 'msgspec.json.Encoder'"
HASH = "openssl_sha256"
LOOP_PASS = "BaseEventLoop._run_once"
C_FUNCTIONS = "functions of C"
Function: TypeAlias = tuple[str, str]
"""A module, and the name of one of its functions."""


class _Answer(Struct):
    type: str
    match: str = ""


class CountedPlayer:
    """A player whose frames are written at once."""

    def __init__(self, context: SessionContext) -> None:
        outbox = Outbox(ServerConnection(context.limits))
        self.session = Session(context, outbox)
        self._answered: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._awaited = b""
        outbox.attach_writer(self._write)

    def _write(self, frame: bytes) -> bool:
        if frame.startswith(self._awaited) and not self._answered.done():
            self._answered.set_result(frame)
        return True

    async def send(self, message: ClientMessage, answer: str) -> bytes:
        """Send a message and return the next frame of the type that answers it."""
        self._awaited = b'{"type":"%s"' % answer.encode()
        self._answered = asyncio.get_running_loop().create_future()
        if (waiting := self.session.receive(encode(message).decode())) is not None:
            await waiting
        return await self._answered


def tables(effort: BenchEffort) -> list[ResultTable]:
    acts = effort.sizes((NULL_ACTS,), FEW_ACTS)[0]
    null, played = count_null_acts(acts), count_recorded_acts(None if effort.full else acts)
    return [
        ResultTable(
            "Calls of Python and C in one act",
            ("match", "acts", "calls an act", "encodings", "hashes", "passes of the loop"),
            tuple(
                (name, counts.acts, counts.calls, counts.encodings, counts.hashes, counts.loop_passes)
                for name, counts in (("nothing", null), ("Diskwars, recorded", played))
            ),
            notes=("Counted by cProfile from `Session.receive` to the answer, with a store in memory.",),
        ),
        module_table(null, played),
        function_table(null),
    ]


def module_table(null: "ActCounts", played: "ActCounts") -> ResultTable:
    """Return the calls by module, where an act has one or more; the modules of most calls first."""
    both = [_by_module(counts) for counts in (null, played)]
    modules = sorted({*both[0], *both[1]}, key=lambda module: (-both[1].get(module, 0.0), module))
    cells = [(module, round(both[0].get(module, 0.0), 1), round(both[1].get(module, 0.0), 1)) for module in modules]
    rows = tuple(row for row in cells if max(row[1], row[2]) >= 1)
    return ResultTable("Where one act calls, by module", ("module", "nothing", "Diskwars, recorded"), rows)


def _by_module(counts: "ActCounts") -> dict[str, float]:
    modules: dict[str, float] = {}
    for (module, _), calls in counts.functions.items():
        modules[module] = modules.get(module, 0.0) + calls
    return modules


def function_table(null: "ActCounts") -> ResultTable:
    """Return the list of calls of an act whose ruleset does nothing."""
    counted = [(name, module, round(calls, 1)) for (module, name), calls in null.functions.items()]
    rows = tuple((f"`{name}`", module, calls) for name, module, calls in counted if calls)
    return ResultTable("The calls of an act of nothing", ("function", "module", "calls"), rows)


class ActCounts(Struct, frozen=True):
    """What one act takes in the mean of `acts`."""

    acts: int
    calls: float
    encodings: float
    hashes: float
    loop_passes: float
    functions: Mapping[Function, float] = {}
    """The calls of each function, the most called first."""


def count_null_acts(acts: int, tracing: Tracing | None = None) -> ActCounts:
    """Count acts of a match whose ruleset does nothing: what is left is the server's own work."""
    return asyncio.run(count_calls("nothing", b"{}", islice(null_match_actions(), BEGINNING + acts), tracing))


def count_recorded_acts(acts: int | None) -> ActCounts:
    """Count the first acts of a recorded match of Diskwars, or all of them."""
    trace = record_match(0, SEATS).actions
    chosen = trace if acts is None else trace[: BEGINNING + acts]
    return asyncio.run(count_calls("diskwars", as_json(TRACE_SETTINGS), chosen))


async def count_calls(
    ruleset: str, settings: bytes, actions: Iterable[RecordedAction], tracing: Tracing | None = None
) -> ActCounts:
    """Play a match and return what its acts took; those of the beginning are left out."""
    async with MemoryDatabase() as database:
        services = Services(
            database.events,
            database.vault,
            database.deadlines,
            LocalBus().join(),
            product.now_ms,
            product.monotonic_ms,
            tracing=tracing,
        )
        context = await make_context(database, services, has_limits=False)
        players = [CountedPlayer(context) for _ in range(SEATS)]
        for player in players:
            await player.send(Hello((1,), client="bench"), "welcome")
        opened = await players[0].send(OpenMatch("0-0", ruleset, SEATS, Raw(settings)), "opened")
        match = MatchId(decode(opened, type=_Answer).match)
        for number, player in enumerate(players[1:]):
            await player.send(Watch(f"watch {number}", match), "watching")
        counts = [await _count_act(players, match, action, number) for number, action in enumerate(actions)]
        context.requests.services.accounts.close()
        await context.matches.close()
    counted = counts[BEGINNING:]
    return _mean(counted)


def _mean(counted: list[Counter[Function]]) -> ActCounts:
    """Return the mean of the calls of several acts."""
    total = sum(counted, Counter[Function]())
    functions = {function: calls / len(counted) for function, calls in total.most_common()}
    encodings, hashes, passes = (
        sum(calls for (_, name), calls in functions.items() if part in name) for part in (ENCODING, HASH, LOOP_PASS)
    )
    return ActCounts(len(counted), sum(functions.values()), encodings, hashes, passes, functions)


async def _count_act(
    players: list[CountedPlayer], match: MatchId, action: RecordedAction, number: int
) -> Counter[Function]:
    """Return how often one act called each function."""
    act = Act(f"act {number}", match, action.action, DecisionId(action.decision))
    profile = cProfile.Profile(subcalls=False)
    profile.enable()
    await players[action.seat].send(act, "accepted")
    profile.disable()
    calls: Counter[Function] = Counter()
    for entry in profile.getstats():
        calls[_function_of(entry.code)] += entry.callcount
    return calls


def _function_of(code: CodeType | str) -> Function:
    """Return the module and the name of a function of Python, or what cProfile calls one of C."""
    if isinstance(code, str):
        return C_FUNCTIONS, code.strip("<>").replace("built-in method builtins.", "").replace("built-in method ", "")
    path = Path(code.co_filename)
    packages = [place for place, part in enumerate(path.parts) if part.startswith("diskwars_") or part == "bench"]
    own = ".".join(path.with_suffix("").parts[packages[-1] :]) if packages else path.parent.name
    return own.removesuffix(".__init__"), code.co_qualname


if __name__ == "__main__":
    for table in tables(DEFAULT_EFFORT):
        print(table.rows)
