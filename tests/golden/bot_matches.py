"""Matches between bots of the rulesets with a map, for transcripts and for golden match files."""

from collections.abc import Callable
from itertools import count
from typing import Any

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.close_quarters.plain_bot import choose_plain as choose_plain_quarters
from diskwars_bots.rulesets.pit.plain_bot import choose_plain as choose_plain_pit
from diskwars_bots.rulesets.regiments.plain_bot import choose_plain as choose_plain_regiments
from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.plugs import seeds
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_client.plugs.board_terminal import BoardTerminal
from diskwars_client.rulesets.registry import find_terminal
from diskwars_engine.local import LocalMatch, LocalSeat
from diskwars_engine.match import MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_protocol.match.actions import ReplaceChain, Resign
from diskwars_protocol.match.ids import HOUSE, MatchId, Seat
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions, PerDecisionClock
from tests.engine.played_match import player_of

BotMatch = LocalMatch[Any, Any, Any]
Answer = Callable[[Any, Any], Any]
"""Returns an action for the action that a bot has chosen, and for the decision; the bot's if it is None."""
PLAIN: dict[str, Chooser] = {
    "pit": choose_plain_pit,
    "close_quarters": choose_plain_quarters,
    "regiments": choose_plain_regiments,
}
"""Play that stays as it is: a transcript is of the rules, and a greedy bot that looks further would change them all."""
HOUSE_SECONDS = 30
SECRET_BYTES = 32
LONGEST_MATCH = 1000


def opened(
    ruleset: str, settings: Any, seed: int, players: int = 2, has_clock: bool = False, match: str | None = None
) -> BotMatch:
    """Return a match in which everybody is ready."""
    rules = MatchRules(load_ruleset(ruleset, ()))
    entropy = seeds.server_entropy(seed)
    options = MatchOptions(clock=PerDecisionClock(HOUSE_SECONDS)) if has_clock else DEFAULT_MATCH_OPTIONS
    clock = count(0, HOUSE_SECONDS * 1000)
    loadout = rules.vocabulary.loadout()
    seats = [LocalSeat(player_of(seat), loadout, seeds.seat_entropy(seed, seat)) for seat in range(players)]
    id = MatchId(f"{ruleset.replace('_', '-')}-{seed}" if match is None else match)
    opening = MatchOpening(id, settings, players, player_of(0), 0, True, options=options)
    secrets = MatchSecrets(entropy(SECRET_BYTES), entropy(SECRET_BYTES))
    local = LocalMatch(rules, opening, secrets, seats, (lambda: next(clock)) if has_clock else (lambda: 0))
    list(local.begin())
    return local


def play(
    local: BotMatch, seed: int, bot: str = "plain", records: int = LONGEST_MATCH, instead: Answer | None = None
) -> BotMatch:
    """Let a bot answer for every seat, to the end or for some records; `instead` may answer otherwise."""
    name = local.rules.name
    choose = PLAIN[name] if bot == "plain" and name in PLAIN else find_bots(name).choosers[bot]
    rng, last = seeds.bot_rng(seed, 0), len(local.records) + records
    while not local.is_over and len(local.records) < last:
        decision = local.match.decisions[0]
        chosen = choose(local.match, decision, local.rules.options(local.match, decision), rng)
        other = instead(chosen, decision) if instead else None
        local.answer(decision, chosen if other is None else other)
    return local


def resign(local: BotMatch, seat: Seat) -> None:
    local.commit(local.decide(player_of(seat), None, Resign()))


def let_the_house_answer(local: BotMatch) -> None:
    """Answer the open decision as the house does when the time is up."""
    decision = local.match.decisions[0]
    local.commit(local.decide(HOUSE, decision.id, local.rules.default(local.match, decision, local.secrets)))


def let_a_player_lose_their_chain(local: BotMatch, seed: int) -> None:
    """Play random answers, of which the house gives three, and let seat 0 replace its chain."""
    play(local, seed, "random", records=10)
    for _ in range(3):
        let_the_house_answer(local)
        play(local, seed, "random", records=2)
    local.commit(local.decide(player_of(0), None, ReplaceChain("ab" * 16)))


def transcript(local: BotMatch) -> str:
    """Return all answers and what followed, with the map where a spectator is shown it, and at the end."""
    terminal, vocabulary = find_terminal(local.rules.name), local.rules.vocabulary
    assert isinstance(terminal, BoardTerminal)
    before: Any = None
    lines: list[str] = []
    for number, body in enumerate(local.records, 1):
        if body.action is not None and before is not None and before.status == "running":
            lines.append(f"> {terminal.texts.action_text(before.board, body.action)}")
        after = vocabulary.fold_record(before, body, local.records[:number])
        lines += terminal.narrate(before, body)
        if after.board is not None and (terminal.begins_round(body) or body.result is not None):
            lines += ["", terminal.table_text(after)]
        before = after
    return "\n".join(line.rstrip() for line in lines) + "\n"
