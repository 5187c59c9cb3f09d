"""Which matches is everything measured on? Those that greedy bots play from a seed, append by append.

The same seed gives the same records and the same commands. Must not know what is measured.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, pairwise

from msgspec import Struct

from diskwars_cli import seeds
from diskwars_cli.simulate import SECRET, MemoryMatch
from diskwars_content import core
from diskwars_engine.match import Command, MatchRules, Secrets
from diskwars_engine.match_log import AnyRules, Book, Page, Salts, Stamp
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.fairness import SALT_BYTES, seeded_entropy
from diskwars_protocol.match import Acted, MatchId, PlayerId
from diskwars_protocol.records import Record
from diskwars_protocol.rulesets.diskwars.actions import Action, Entry, Settings
from diskwars_protocol.rulesets.diskwars.events import Event
from diskwars_server.store import AppendRequest, EventStore

BOT = "greedy"
VERSION = "bench"

RULES: AnyRules = MatchRules(Diskwars(core()))


class Played(Struct, frozen=True):
    """A whole match: what opened it, and the command that made each further append."""

    seed: int
    opening: list[Event]
    commands: list[Command[Action]]
    appends: list[list[Event]]

    @property
    def events(self) -> int:
        return len(self.opening) + sum(len(append) for append in self.appends)


@cache
def play(seed: int, players: int = 2, regiments: int = 2, setup: str = "full") -> Played:
    """Bots with armies drawn by the seed play to the end: once for all programs of a run."""
    names = sorted(army.name for army in core().armies.values() if len(army.regiments) == regiments)
    settings = Settings(setup="full" if setup == "full" else "quick", regiments=regiments)
    armies = [Entry(name) for name in seeds.armies(seed, names, players)]
    opening, *appends = MemoryMatch(seed, [BOT] * players, armies, settings).appends()
    return Played(seed, opening, [_command(append[0]) for append in appends], appends)


def _command(acted: Event) -> Command[Action]:
    assert isinstance(acted, Acted)
    return Command(PlayerId(f"bot-{acted.seat}"), acted.decision, acted.action, acted.at)


def secrets_of(played: Played) -> Secrets:
    entropy = seeds.server_entropy(played.seed)
    return Secrets(entropy(SECRET), entropy(SECRET))


def salts_of(played: Played) -> Salts:
    stream = seeded_entropy(played.seed, "salts")
    return lambda: stream(SALT_BYTES)


def opened(played: Played) -> tuple[Book, Page]:
    """The match before its first command."""
    return Book.open(RULES, played.opening, stamp(PlayerId("bot-0"), "open"), salts_of(played))


def stamp(player: PlayerId, command: str) -> Stamp:
    return Stamp(player, command, VERSION, 0)


def sealed(played: Played) -> Iterator[Page]:
    """The appends of a match as they are stored."""
    book, page = opened(played)
    salts, numbers = salts_of(played), count()
    yield page
    for command, append in zip(played.commands, played.appends, strict=True):
        page = book.ledger.seal(append, book.head, book.hash, stamp(command.player, str(next(numbers))), salts)
        book.turn(page, book.fold(page))
        yield page


async def store_all(store: EventStore, match: MatchId, records: Sequence[Record]) -> None:
    """A whole log, one append after another."""
    starts = [place for place, record in enumerate(records) if record.part == 0]
    for start, end in pairwise((*starts, len(records))):
        await store.append(AppendRequest(match, start, tuple(records[start:end])))
