"""The matches that everything is measured on: greedy bots play them from a seed, append by append.

The same seed gives the same records and the same commands.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, pairwise

from msgspec import Struct

from diskwars_cli import seeds
from diskwars_cli.seeded_match import SECRET_BYTES, bot_match_appends
from diskwars_content import core_pack
from diskwars_engine.match import Command, MatchRules, MatchSecrets
from diskwars_engine.match_log import AnyRules, Append, MatchLog, RecordMeta, Salts
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.fairness import SALT_BYTES, seeded_entropy
from diskwars_protocol.match import Acted, MatchId, PlayerId
from diskwars_protocol.records import Record
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskwarsSettings, Loadout
from diskwars_protocol.rulesets.diskwars.events import Event
from diskwars_server.store import AppendRequest, EventStore

BOT_NAME = "greedy"
SERVER_VERSION = "bench"

RULES: AnyRules = MatchRules(Diskwars(core_pack()))


class PlayedMatch(Struct, frozen=True):
    """A whole match: what opened it, and the command that made each further append."""

    seed: int
    opening: list[Event]
    commands: list[Command[Action]]
    appends: list[list[Event]]

    @property
    def events(self) -> int:
        return len(self.opening) + sum(len(append) for append in self.appends)


@cache
def play_recorded(seed: int, players: int = 2, regiments: int = 2, setup: str = "full") -> PlayedMatch:
    """Bots with armies drawn by the seed play to the end: once for all programs of a run."""
    names = sorted(army.id for army in core_pack().armies.values() if len(army.regiments) == regiments)
    settings = DiskwarsSettings(setup="full" if setup == "full" else "quick", regiments=regiments)
    armies = [Loadout(name) for name in seeds.draw_armies(seed, names, players)]
    opening, *appends = bot_match_appends(seed, [BOT_NAME] * players, armies, settings)
    return PlayedMatch(seed, opening, [_command_of(append[0]) for append in appends], appends)


def _command_of(acted: Event) -> Command[Action]:
    assert isinstance(acted, Acted)
    return Command(PlayerId(f"bot-{acted.seat}"), acted.decision, acted.action, acted.at)


def seeded_secrets(played: PlayedMatch) -> MatchSecrets:
    entropy = seeds.server_entropy(played.seed)
    return MatchSecrets(entropy(SECRET_BYTES), entropy(SECRET_BYTES))


def record_salts(played: PlayedMatch) -> Salts:
    stream = seeded_entropy(played.seed, "salts")
    return lambda: stream(SALT_BYTES)


def opened_match(played: PlayedMatch) -> tuple[MatchLog, Append]:
    """Return the match before its first command."""
    return MatchLog.open(RULES, played.opening, append_stamp(PlayerId("bot-0"), "open"), record_salts(played))


def append_stamp(player: PlayerId, command: str) -> RecordMeta:
    return RecordMeta(player, command, SERVER_VERSION, 0)


def sealed_appends(played: PlayedMatch) -> Iterator[Append]:
    """Yield the appends of a match as they are stored."""
    book, page = opened_match(played)
    salts, numbers = record_salts(played), count()
    yield page
    for command, append in zip(played.commands, played.appends, strict=True):
        page = book.codec.seal(append, book.head, book.hash, append_stamp(command.player, str(next(numbers))), salts)
        book.commit(page, book.fold(page))
        yield page


async def store_log(store: EventStore, match: MatchId, records: Sequence[Record]) -> None:
    """A whole log, one append after another."""
    starts = [place for place, record in enumerate(records) if record.part == 0]
    for start, end in pairwise((*starts, len(records))):
        await store.append(AppendRequest(match, start, tuple(records[start:end])))
