"""Twenty whole matches between bots with two, three and four seats, and their match files."""

from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from msgspec import Struct

from diskwars_cli.rulesets.diskwars.bot_matches import bot_match_records
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.records import Record
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from tests.client.match_files import seal_records, write_match_file

PATROLS = ("empire-patrol", "chaos-patrol", "high-elf-patrol", "greenskin-patrol")
HOSTS = ("nuln-host", "everchosen-host", "lothern-host", "badlands-host", "reikland-host", "changer-host")
ARMIES = {1: PATROLS, 2: HOSTS}
"""Starter armies by the number of their regiments."""


class PlayedMatch(NamedTuple):
    """A match that follows from these figures."""

    seed: int
    seats: int
    bot: str
    setup: Literal["quick", "full"]
    regiments: int = 1

    @property
    def name(self) -> str:
        return f"{self.seats}-seats-{self.setup}-{self.bot}-{self.seed}"

    @property
    def loadouts(self) -> tuple[Loadout, ...]:
        """Return an army for each seat, each match beginning with another."""
        armies = ARMIES[self.regiments]
        return tuple(Loadout(armies[(self.seed + seat) % len(armies)]) for seat in range(self.seats))


def _twenty_matches() -> Iterator[PlayedMatch]:
    for seats, count in ((2, 8), (3, 6), (4, 6)):
        for seed in range(1, count + 1):
            bot, regiments = ("random", 2) if seed % 2 == 0 else ("greedy", 1)
            yield PlayedMatch(seed, seats, bot, "full" if seed // 2 % 2 else "quick", regiments)


PLAYED_MATCHES = tuple(_twenty_matches())


@cache
def bodies_of(played: PlayedMatch) -> tuple[DiskwarsBody, ...]:
    """Return the records of a match, with every secret."""
    bots = (played.bot,) * played.seats
    settings = DiskwarsSettings(setup=played.setup, regiments=played.regiments)
    return tuple(bot_match_records(played.seed, bots, played.loadouts, settings))


@cache
def records_of(played: PlayedMatch) -> tuple[Record, ...]:
    """Return the same records as a server stores them."""
    return tuple(seal_records(bodies_of(played), played.seed, played.seats))


@cache
def file_of(played: PlayedMatch) -> bytes:
    """Return the match file."""
    return write_match_file(records_of(played), played.seed)


def draws_of(value: object) -> Iterator[Draw]:
    """Yield the draws of an event in field order."""
    if isinstance(value, Draw):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from draws_of(item)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from draws_of(getattr(value, name))
