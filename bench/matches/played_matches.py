"""The matches that programs measure: greedy bots play them from a seed, record by record.

The same seed gives the same records and the same commands.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from diskwars_cli.plugs import seeds
from diskwars_cli.plugs.seeded_match import SECRET_BYTES
from diskwars_cli.rulesets.diskwars.bot_matches import bot_match_records
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.match import AnyRules, Command, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import RecordMeta, Salts, SealedRecord
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.records.fairness import SALT_BYTES, seeded_entropy
from diskwars_protocol.records.records import Record
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskwarsSettings, Loadout
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from diskwars_server.store.database import Database
from diskwars_server.store.event_log import AppendRequest

BOT_NAME = "greedy"

RULES: AnyRules = MatchRules(Diskwars(core_pack()))


class PlayedMatch(Struct, frozen=True):
    """A whole match: its opening record, and each command with the record that it made."""

    seed: int
    opening: DiskwarsBody
    commands: list[Command[Action]]
    records: list[DiskwarsBody]


@cache
def play_recorded(seed: int, players: int = 2, regiments: int = 2, setup: str = "full") -> PlayedMatch:
    """Let bots with armies drawn by the seed play a match to its end; cached for all programs of a run."""
    names = sorted(army.id for army in core_pack().armies.values() if len(army.regiments) == regiments)
    settings = DiskwarsSettings(setup="full" if setup == "full" else "quick", regiments=regiments)
    armies = [Loadout(name) for name in seeds.draw_armies(seed, names, players)]
    opening, *records = bot_match_records(seed, [BOT_NAME] * players, armies, settings)
    return PlayedMatch(seed, opening, [_command_of(body) for body in records], records)


def _command_of(body: DiskwarsBody) -> Command[Action]:
    assert body.action is not None
    return Command(PlayerId(f"bot-{body.seat}"), body.decision, body.action, body.at_ms)


def seeded_secrets(played: PlayedMatch) -> MatchSecrets:
    entropy = seeds.server_entropy(played.seed)
    return MatchSecrets(entropy(SECRET_BYTES), entropy(SECRET_BYTES))


def record_salts(played: PlayedMatch) -> Salts:
    stream = seeded_entropy(played.seed, "salts")
    return lambda: stream(SALT_BYTES)


def opened_match(played: PlayedMatch) -> tuple[MatchLog, SealedRecord]:
    """Return the log of a match before its first command, and its opening record."""
    return MatchLog.begin(RULES, played.opening, meta(PlayerId("bot-0"), "open"), record_salts(played))


def meta(player: PlayerId, command: str) -> RecordMeta:
    return RecordMeta(player, command)


def sealed_appends(played: PlayedMatch) -> Iterator[Record]:
    """Yield the records of a match as they are stored."""
    log, first = opened_match(played)
    salts, codec, last = record_salts(played), log.codec, first.record
    yield last
    for number, (command, body) in enumerate(zip(played.commands, played.records, strict=True)):
        last = codec.seal(body, last.seq + 1, last.hash, meta(command.player, str(number)), salts).record
        yield last


def count_events(records: Sequence[Record]) -> int:
    """Return how many events these records hold: a record is an action with everything that follows from it."""
    return sum(len(RULES.vocabulary.decode_body(record.body).events) for record in records)


async def store_log(database: Database, match: MatchId, records: Sequence[Record]) -> None:
    """Append records to the event log, one after another."""
    for record in records:
        await database.events.append(AppendRequest(match, record.seq - 1, record))
