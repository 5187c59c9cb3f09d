"""Repeatable match in memory: the same seed gives the same secrets, the same random choices and the same bytes."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import UserBot, load_chooser
from diskwars_cli.plugs import seeds
from diskwars_cli.plugs.own_bots import limit_own_bot
from diskwars_engine.local import IllegalAnswer, LocalChooser, LocalMatch, LocalSeat
from diskwars_engine.match import MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.state import RecordBody

SECRET_BYTES = 32


def seeded_match(ruleset: AnyRuleset, seed: int, loadouts: Sequence[Any], settings: Any) -> LocalMatch[Any, Any, Any]:
    """Open a match for these loadouts, before any seat is taken."""
    match, entropy = MatchId(f"seed-{seed}"), seeds.server_entropy(seed)
    seats = [
        LocalSeat(PlayerId(f"bot-{seat}"), loadout, seeds.seat_entropy(seed, seat))
        for seat, loadout in enumerate(loadouts)
    ]
    opening = MatchOpening(match, settings, len(seats), seats[0].player, 0, repeatable=True)
    secrets = MatchSecrets(entropy(SECRET_BYTES), entropy(SECRET_BYTES))
    return LocalMatch(MatchRules(ruleset), opening, secrets, seats)


def play_bots(local: LocalMatch[Any, Any, Any], seed: int, bots: Sequence[str]) -> Iterator[RecordBody[Any, Any, Any]]:
    """Let bots play a match to its end; yield its records, beginning with the opening.

    Raises BotError for errors in a user's bot, and IllegalAnswer if a built-in bot gives a refused answer.
    """
    choosers = [load_chooser(name, local.rules.vocabulary.name) for name in bots]
    yield local.records[0]
    try:
        limited = [limit_own_bot(chooser, name) for chooser, name in zip(choosers, bots, strict=True)]
        yield from local.play([_with_rng(chooser, seeds.bot_rng(seed, n)) for n, chooser in enumerate(limited)])
    except IllegalAnswer as fault:
        chooser = choosers[fault.decision.seat]
        if isinstance(chooser, UserBot):
            raise chooser.refused(fault.action, str(fault.illegal)) from fault
        raise


def _with_rng(choose: Chooser, rng: random.Random) -> LocalChooser[Any, Any, Any]:
    def choose_with_rng(match: Any, decision: Decision[Any], options: Options[Any, Any, Any]) -> Any:
        return choose(match, decision, options, rng)

    return choose_with_rng
