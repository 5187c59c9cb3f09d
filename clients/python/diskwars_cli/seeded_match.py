"""Repeatable match in memory: the same seed gives the same secrets, the same random choices and the same bytes."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import UserBot, load_chooser
from diskwars_cli import seeds
from diskwars_cli.match_options import load_catalogue
from diskwars_engine.local import IllegalAnswer, LocalChooser, LocalMatch, LocalSeat
from diskwars_engine.match import MatchOpening, MatchRules, MatchSecrets
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match import Decision, MatchId, Options, PlayerId
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody

SECRET_BYTES = 32
QUICK_SETTINGS = a.DiskwarsSettings(setup="quick")

DiskwarsLocalMatch: TypeAlias = LocalMatch[a.Action, a.Question, Board]


def seeded_match(
    seed: int,
    armies: Sequence[a.Loadout],
    settings: a.DiskwarsSettings = QUICK_SETTINGS,
    packs: tuple[str, ...] = (),
) -> DiskwarsLocalMatch:
    """Open a match for these armies, before any seat is taken."""
    match, entropy = MatchId(f"seed-{seed}"), seeds.server_entropy(seed)
    seats = [
        LocalSeat(PlayerId(f"bot-{seat}"), army, seeds.seat_entropy(seed, seat)) for seat, army in enumerate(armies)
    ]
    opening = MatchOpening(match, settings, len(seats), seats[0].player, 0, repeatable=True)
    secrets = MatchSecrets(entropy(SECRET_BYTES), entropy(SECRET_BYTES))
    return LocalMatch(MatchRules(Diskwars(load_catalogue(packs))), opening, secrets, seats)


def play_bots(local: LocalMatch[Any, Any, Any], seed: int, bots: Sequence[str]) -> Iterator[DiskwarsBody]:
    """Let bots play a match to its end; yield its records, beginning with the opening.

    Raises BotError for errors in a user's bot, and IllegalAnswer if a built-in bot gives a refused answer.
    """
    choosers = [load_chooser(name) for name in bots]
    yield local.records[0]
    try:
        yield from local.play([_with_rng(chooser, seeds.bot_rng(seed, n)) for n, chooser in enumerate(choosers)])
    except IllegalAnswer as fault:
        chooser = choosers[fault.decision.seat]
        if isinstance(chooser, UserBot):
            raise chooser.refused(fault.action, str(fault.illegal)) from fault
        raise


def bot_match_records(
    seed: int,
    bots: Sequence[str],
    armies: Sequence[a.Loadout],
    settings: a.DiskwarsSettings = QUICK_SETTINGS,
    packs: tuple[str, ...] = (),
) -> Iterator[DiskwarsBody]:
    """Yield the records of a whole match between bots."""
    return play_bots(seeded_match(seed, armies, settings, packs), seed, bots)


def _with_rng(choose: Chooser, rng: random.Random) -> LocalChooser[Any, Any, Any]:
    def choose_with_rng(match: Any, decision: Decision[Any], options: Options[Any, Any, Any]) -> Any:
        return choose(match, decision, options, rng)

    return choose_with_rng
