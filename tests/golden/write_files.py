"""Write golden match files that do not exist yet: python -m tests.golden.write_files.

It never overwrites a file: files of matches are frozen (see files/README.md).
"""

import hashlib
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_content.rulesets.diskwars import combine_packs, core_pack, expansion_pack
from diskwars_engine.branches import branch_start
from diskwars_engine.local import LocalMatch, LocalSeat
from diskwars_engine.match import AnyRules, MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.record_codec import RecordCodec, RecordMeta
from diskwars_engine.ruleset import Dice, Outcome
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.actions import ReplaceChain, Resign
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import HOUSE, Actor, MatchId, PlayerId, Seat
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, BranchPoint, MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import AnyBody, AnyMatch, RecordBody
from diskwars_protocol.records import records as r
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.records.match_file import MatchFile, read_file, write_file
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersLoadout, CloseQuartersSettings
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.pit.actions import PitLoadout, PitSettings
from diskwars_protocol.rulesets.regiments.actions import RegimentsLoadout, RegimentsSettings
from diskwars_protocol.rulesets.registry import RULESETS
from tests.engine.played_match import (
    ARMIES,
    Chooser,
    PlayedMatch,
    board_actions,
    build_rules,
    default_action,
    greedy_action,
    mixed_action,
    player_of,
    replay_or_choose,
)
from tests.golden import bot_matches, close_quarters_matches, pit_matches, regiments_matches, seat_matches
from tests.golden.absent_matches import ABSENCE, play_with_absence
from tests.golden.agreement_matches import answer_first, opened, play_agreements
from tests.golden.branch_matches import play_branch
from tests.golden.substitute_matches import SUBSTITUTES, play_with_substitute
from tests.golden.transcript import parse_actions
from tests.golden.whole_match_rules import WHOLE_MATCH_RULES
from tests.protocol.takebacks import reopened
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout, CountingRules, CountingSettings

FOLDER = Path(__file__).parent / "files"
SUFFIX = ".match.jsonl"
HEADS_FILE = FOLDER / "heads.txt"
"""The hash after the last record of each file, and the name of the file."""
STATES_FILE = FOLDER / "states.txt"
"""The SHA-256 over the states that the records of each file fold to, and the name of the file."""
SALT_SIZE = 16
HOUSE_SECONDS = 30
LAST_ROUND = 5


def seal_match(rules: AnyRules, match: MatchId, seats: int, bodies: Sequence[AnyBody]) -> list[r.Record]:
    """Return the records of a match, sealed as a server does it."""
    codec, stream = RecordCodec(rules, match, seats), seeded_entropy(seats, f"salts {match}")
    records: list[r.Record] = []
    for seq, body in enumerate(bodies, 1):
        previous = records[-1].hash if records else codec.genesis
        meta = RecordMeta(PlayerId(f"player-{body.seat}"), f"command {seq}")
        records.append(codec.seal(body, seq, previous, meta, lambda: stream(SALT_SIZE)).record)
    return records


def write_match(rules: AnyRules, match: MatchId, seats: int, bodies: Sequence[AnyBody]) -> bytes:
    """Return the file of a finished match, sealed and written as a server does it."""
    records = seal_match(rules, match, seats, bodies)
    return b"".join(write_file(r.MatchHeader(format=r.FORMAT, match=match, ruleset=rules.name), records, r.openings_of))


# ---------------------------------------------------------------- Diskwars


def diskwars_file(playing: PlayedMatch) -> bytes:
    return write_match(playing.rules, playing.state.match, len(playing.seats), playing.bodies)


def played_to_the_end(seed: int, armies: Sequence[str], setup: str = "quick", pins: str = "strict") -> bytes:
    settings = a.DiskwarsSettings(setup="full" if setup == "full" else "quick", regiments=1)
    if pins == "contact":
        settings = a.DiskwarsSettings("contact", setup=settings.setup, regiments=1)
    choose = mixed_action if pins == "contact" else greedy_action
    return diskwars_file(PlayedMatch(seed, armies, settings).begin().play(choose))


def replayed(transcript: str, seed: int, armies: Sequence[str]) -> bytes:
    """Return the match of a golden transcript, whose actions lead to a rare end."""
    text = (FOLDER.parent / "diskwars" / f"{transcript}.txt").read_text("utf-8")
    playing, left = PlayedMatch(seed, armies, rules=WHOLE_MATCH_RULES), board_actions(parse_actions(text))
    while playing.state.status != "ended":
        playing.commit(replay_or_choose(playing, playing.state.decisions[0], left, None)[1])
    return diskwars_file(playing)


def left_by(seat: int, after: int, seed: int, armies: Sequence[str]) -> bytes:
    """Return a match that one player leaves after `after` records on the board; the others play on, if two are left."""
    playing = (
        PlayedMatch(seed, armies, a.DiskwarsSettings(setup="full", regiments=1))
        .begin()
        .play(greedy_action, records=after)
    )
    playing.commit(playing.decide(player_of(seat), None, Resign()))
    return diskwars_file(playing.play(greedy_action))


def answered_by_the_house() -> bytes:
    """Return a match with a clock in which every fourth answer is the house's, and a chain is replaced in round 5."""
    options = MatchOptions(visibility="link", watchers="after_end", clock=PerDecisionClock(HOUSE_SECONDS))
    playing = PlayedMatch(3, options=options).begin()
    is_replaced = False
    while playing.state.status != "ended":
        decision = playing.state.decisions[0]
        if playing.board.round == LAST_ROUND and not is_replaced:
            is_replaced = True
            playing.commit(playing.decide(player_of(0), None, ReplaceChain("ab" * 16)))
        elif len(playing.bodies) % 4 == 0:
            playing.time_out(decision, HOUSE_SECONDS * 1000)
        else:
            playing.answer(decision, greedy_action(playing, decision))
    return diskwars_file(playing)


def abandoned() -> bytes:
    """Return a match that a player leaves before everybody is ready."""
    playing = PlayedMatch(2)
    playing.take_seat(0, a.Loadout("chaos-patrol"))
    playing.commit(playing.decide(player_of(0), None, Resign()))
    return diskwars_file(playing)


def closed(actor: Actor = "opener") -> bytes:
    """Return a match that its opener closes before it begins, or the house."""
    playing = PlayedMatch(3)
    playing.take_seat(1, a.Loadout("empire-patrol"))
    playing.commit(playing.rules.close(playing.state, HOUSE_SECONDS * 1000, playing.secrets, actor).body)
    return diskwars_file(playing)


# ---------------------------------------------------------------- Diskwars with the expansion pack

BOTH_PACKS = combine_packs(core_pack(), expansion_pack())
UNDEAD_AND_CHAOS = a.Loadout(
    regiments=(
        a.Regiment("heinrich-kemmler", ("black-knights", "vargheist", "skeleton", "dire-wolves", "skeleton")),
        a.Regiment("valkia-the-bloody", ("daemonettes", "kurgan-marauders", "hellcannon", "kurgan-marauders")),
    ),
    hand=("wait-for-it", "keep-them-busy", "sudden-blow", "get-stuck-in"),
)
GREENSKINS_AND_DARK_ELVES = a.Loadout(
    regiments=(
        a.Regiment("grimgor-ironhide", ("river-troll", "stone-fangz-shaman", "black-orcs", "night-goblins")),
        a.Regiment("malekith", (*("black-ark-corsairs",) * 3, *("karond-kar-harpies",) * 2)),
    ),
    hand=("get-stuck-in", "green-tide", "hold-fast", "dark-omens", "feint"),
)


def begin_with(seed: int, loadouts: Sequence[a.Loadout], regiments: int) -> PlayedMatch:
    """Begin a match of both packs with armies that the players bring themselves, and a full setup."""
    settings = a.DiskwarsSettings(setup="full", regiments=regiments)
    playing = PlayedMatch(seed, [""] * len(loadouts), settings, build_rules(BOTH_PACKS))
    for seat, loadout in enumerate(loadouts):
        playing.take_seat(seat, loadout)
    return playing.make_ready()


def played_with_expansion(seed: int, choose: Chooser) -> bytes:
    playing = begin_with(seed, (UNDEAD_AND_CHAOS, GREENSKINS_AND_DARK_ELVES), regiments=2)
    return diskwars_file(playing.play(choose))


def sparing_action(playing: PlayedMatch, decision: Decision[a.Question]) -> a.Action:
    """Answer as `mixed_action` does, but leave the reserve where it is if anything else can be done."""
    action = mixed_action(playing, decision)
    others = [
        other
        for other in playing.rules.options(playing.state, decision).actions
        if isinstance(action, a.Reinforce) and not isinstance(other, a.Reinforce)
    ]
    return playing.chance.choice(others) if others else action


# ---------------------------------------------------------------- Diskwars in rare circumstances

INCH = 25_400
GAP_WITHOUT_ROOM = 3 * INCH
"""Less than the width of a deployment card."""
RECORDS_BEFORE_UPGRADE = 25
RECORDS_AFTER_UPGRADE = 25


def without_room_for_a_card() -> bytes:
    """Return a match in which a player lays two deployment cards so that the third has no room along the short edge.

    Two of three players leave when the field is set up.
    """
    armies = core_pack().armies
    joined = [armies[id] for id in ("everchosen-host", "greenskin-patrol")]
    loadout = a.Loadout(
        regiments=tuple(regiment for army in joined for regiment in army.regiments),
        hand=tuple(card for army in joined for card in army.hand),
    )
    playing = begin_with(1, (loadout,) * 3, regiments=3)
    while not playing.board.round:
        decision = playing.state.decisions[0]
        playing.answer(decision, spread_deployment_cards(playing, decision))
    for seat in (0, 1):
        playing.commit(playing.decide(player_of(seat), None, Resign()))
    return diskwars_file(playing)


def spread_deployment_cards(playing: PlayedMatch, decision: Decision[a.Question]) -> a.Action:
    """Lay a deployment card a little away from the start of the longest free span; answer all else by default."""
    question = decision.question
    if not isinstance(question, a.DeploymentCardQuestion):
        return default_action(playing, decision)
    card = question.cards[0]
    span = max(question.free_spans, key=lambda span: span.end - span.start)
    offset = min(span.start + GAP_WITHOUT_ROOM, span.end - core_pack().deployments[card].width)
    return a.LayDeploymentCard(card, 0, offset)


class DiskwarsBeforeRelease(Diskwars):
    """Version 0 of the rules, which no server ever had: of several reasons of an event it names the first."""

    rules_version = 0

    def decide(
        self, board: Board, seat: Seat, question: a.Question, action: a.Action, dice: Dice
    ) -> Outcome[Board, Any]:
        outcome = super().decide(board, seat, question, action, dice)
        return replace(outcome, events=[first_reason_only(event) for event in outcome.events])


def first_reason_only(event: Any) -> Any:
    return replace(event, reasons=event.reasons[:1]) if hasattr(event, "reasons") else event


def upgraded() -> bytes:
    """Return a match whose server got version 1 of the rules while it was under way."""
    playing = PlayedMatch(5, rules=MatchRules(DiskwarsBeforeRelease(core_pack()))).begin()
    playing.play(greedy_action, records=RECORDS_BEFORE_UPGRADE)
    playing.rules = build_rules(core_pack())
    playing.play(greedy_action, records=RECORDS_AFTER_UPGRADE)
    playing.commit(playing.decide(player_of(1), None, Resign()))
    return diskwars_file(playing)


# ---------------------------------------------------------------- the toy ruleset

COUNTING: AnyRules = MatchRules(CountingRules())


def counting_match(
    seed: int,
    rules: AnyRules = COUNTING,
    options: MatchOptions = DEFAULT_MATCH_OPTIONS,
    clock: Callable[[], int] = lambda: 0,
) -> LocalMatch[Any, Any, Any]:
    seats = [
        LocalSeat(player_of(seat), CountingLoadout(f"Player {seat}", seat + 3), seeded_entropy(seed, f"seat {seat}"))
        for seat in (0, 1)
    ]
    secrets = MatchSecrets(seeded_entropy(seed, "server")(32), seeded_entropy(seed, "deal")(32))
    settings = CountingSettings(rounds=3)
    opening = MatchOpening(MatchId(f"counting-{seed}"), settings, 2, player_of(0), 0, True, options=options)
    return LocalMatch(rules, opening, secrets, seats, clock)


def counted() -> bytes:
    """Return a match that is counted to its end."""
    match = counting_match(1)
    list(match.play([lambda view, decision, options: ChooseNumber(1 + (len(match.records) % 6))] * 2))
    return write_match(COUNTING, match.match.match, 2, match.records)


def counted_and_resigned() -> bytes:
    match = counting_match(2)
    list(match.begin())
    match.answer(match.match.decisions[0], ChooseNumber(4))
    match.commit(match.decide(player_of(1), None, Resign()))
    return write_match(COUNTING, match.match.match, 2, match.records)


def counted_with_takeback() -> bytes:
    """Return a match in which one answer was taken back: only the fold knows takebacks, no rule makes one yet."""
    match = counting_match(3)
    list(match.begin())
    before = match.match
    head = len(match.records)
    match.answer(before.decisions[0], ChooseNumber(2))
    taken_back: RecordBody[Any, Any, Any] = RecordBody(
        at_ms=0, decisions=reopened(before.decisions, len(match.records) + 1), taken_back_to=head
    )
    match.records.append(taken_back)
    match.match = COUNTING.fold_log(match.records)
    match.answer(match.match.decisions[1], ChooseNumber(5))
    match.commit(match.decide(player_of(0), None, Resign()))
    return write_match(COUNTING, match.match.match, 2, match.records)


def counted_in_a_branch() -> bytes:
    """Return a match that plays on from the beginning of another one, of which nothing is secret then."""
    parent, like = counting_match(7), counting_match(8)
    list(parent.begin())
    options = MatchOptions(branch_of=BranchPoint(parent.match.match, len(parent.records)))
    start = branch_start(COUNTING.ruleset, parent.match, 0, random.Random(1))
    opening = MatchOpening(like.match.match, CountingSettings(3), 2, player_of(0), 0, True, options, start)
    match = LocalMatch(COUNTING, opening, like.secrets, like.seats)
    list(match.begin())
    match.answer(match.match.decisions[0], ChooseNumber(4))
    match.commit(match.decide(player_of(1), None, Resign()))
    return write_match(COUNTING, match.match.match, 2, match.records)


class CountingRulesBeforeRelease(CountingRules):
    """Version 0 of the toy rules: they note every number."""

    rules_version = 0

    def decide(self, board: Any, seat: int, ask: Any, action: Any, dice: Any) -> Any:
        return super().decide(board, seat, ask, replace(action, note=f"number {action.number}"), dice)


def counted_across_an_upgrade() -> bytes:
    """Return a match with a clock: the house answers once, a chain is replaced, and then the rules get version 1."""
    options, clock = MatchOptions(clock=PerDecisionClock(HOUSE_SECONDS)), count(0, HOUSE_SECONDS * 1000)
    match = counting_match(6, MatchRules(CountingRulesBeforeRelease()), options, lambda: next(clock))
    list(match.begin())
    match.answer(match.match.decisions[0], ChooseNumber(2))
    decision = match.match.decisions[0]
    answer = match.rules.default(match.match, decision, match.secrets)
    match.commit(match.decide(HOUSE, decision.id, answer))
    match.commit(match.decide(player_of(0), None, ReplaceChain("ab" * 16)))
    match.rules = COUNTING
    while not match.is_over:
        match.answer(match.match.decisions[0], ChooseNumber(3))
    return write_match(COUNTING, match.match.match, 2, match.records)


# ---------------------------------------------------------------- matches between bots


def bot_file(local: LocalMatch[Any, Any, Any]) -> bytes:
    return write_match(local.rules, local.match.match, len(local.seats), local.records)


def agreed(ruleset: str, settings: Any, loadouts: tuple[Any, ...]) -> bytes:
    """Return a match with a bank clock in which the players take back, pause, and agree on a draw."""
    rules = COUNTING if ruleset == COUNTING.name else MatchRules(load_ruleset(ruleset, ()))
    name = ruleset.replace("_", "-")
    local = opened(rules, name, settings, loadouts)
    if rules is COUNTING:
        return bot_file(play_agreements(local, has_open_answers=False))
    return bot_file(play_agreements(local, partial(bot_matches.play, seed=1, records=1)))


def left_and_taken(ruleset: str, settings: Any, loadouts: tuple[Any, ...]) -> bytes:
    """Return a match of which a seat is left before it begins, and another player is removed."""
    rules = COUNTING if ruleset == COUNTING.name else MatchRules(load_ruleset(ruleset, ()))
    local = seat_matches.opened(rules, ruleset.replace("_", "-"), settings, loadouts)
    return bot_file(seat_matches.play_with_vacancies(local, answer_first))


def played_for(ruleset: str, settings: Any, loadouts: tuple[Any, ...]) -> bytes:
    """Return a match in which the house plays a seat until its player is back."""
    rules = COUNTING if ruleset == COUNTING.name else MatchRules(load_ruleset(ruleset, ()))
    name = f"{ruleset.replace('_', '-')}-substitute"
    return bot_file(play_with_substitute(opened(rules, name, settings, loadouts, SUBSTITUTES)))


def left_by_absence(ruleset: str, settings: Any, loadouts: tuple[Any, ...]) -> bytes:
    """Return a match without a clock that the house leaves for players who stay away."""
    rules = MatchRules(load_ruleset(ruleset, ()))
    return bot_file(play_with_absence(opened(rules, f"{ruleset}-absence", settings, loadouts, ABSENCE)))


def answered_late(ruleset: str, settings: Any, loadouts: tuple[Any, ...]) -> bytes:
    """Return a match with a bank clock and answers over slow connections, some of them slower than is credited."""
    name = f"{ruleset.replace('_', '-')}-lag"
    rules = COUNTING if ruleset == COUNTING.name else MatchRules(load_ruleset(ruleset, ()))
    local = opened(rules, name, settings, loadouts)
    for lag_ms in (0, 40, 499, 500, 501, 90_000, 0):
        local.lag_ms = lag_ms
        asked = local.match.decisions[0]
        local.answer(asked, local.rules.default(local.match, asked, local.secrets))
    local.commit(local.decide(player_of(0), None, Resign()))
    return bot_file(local)


def stopped(ruleset: str, settings: Any, loadouts: tuple[Any, ...]) -> bytes:
    """Return a match that an operator of the server ends after a few answers."""
    local = opened(MatchRules(load_ruleset(ruleset, ())), f"{ruleset.replace('_', '-')}-stopped", settings, loadouts)
    for _ in range(6):
        asked = local.match.decisions[0]
        local.answer(asked, local.rules.default(local.match, asked, local.secrets))
    local.commit(local.rules.stop(local.match, local.match.at_ms, local.secrets))
    return bot_file(local)


def branched(ruleset: str, settings: Any, loadouts: tuple[Any, ...], is_moment: Callable[[AnyMatch], bool]) -> bytes:
    """Return a match that plays on from a moment of another one."""
    name = f"{ruleset.replace('_', '-')}-branch"
    return bot_file(play_branch(MatchRules(load_ruleset(ruleset, ())), name, settings, loadouts, is_moment))


def waits_for_a_second_lock(match: AnyMatch) -> bool:
    """Return whether one of two seats has locked something, and the other is asked to."""
    is_locked = any(getattr(side, "has_locked", False) for side in getattr(match.board, "sides", ()))
    return (is_locked or bool(getattr(match.board, "locks", ()))) and len(match.decisions) == 1


FILES: dict[str, Callable[[], bytes]] = {
    "diskwars-points": lambda: played_to_the_end(1, ("chaos-patrol", "empire-patrol")),
    "diskwars-elimination": lambda: replayed("elimination", 4, ("high-elf-patrol", "greenskin-patrol")),
    "diskwars-tie": lambda: replayed("tie", 6, ("chaos-patrol", "empire-patrol")),
    "diskwars-nobody": lambda: replayed("nobody-wins", 7795, ("chaos-patrol", "greenskin-patrol")),
    "diskwars-contact": lambda: played_to_the_end(1, ("empire-patrol", "high-elf-patrol"), pins="contact"),
    "diskwars-three": lambda: played_to_the_end(7, ARMIES[:3], "full"),
    "diskwars-four": lambda: played_to_the_end(9, ARMIES, "full"),
    "diskwars-three-one-leaves": lambda: left_by(1, 70, 7, ARMIES[:3]),
    "diskwars-two-one-leaves": lambda: left_by(0, 40, 3, ARMIES[:2]),
    "diskwars-house": answered_by_the_house,
    "diskwars-abandoned": abandoned,
    "diskwars-stopped": lambda: stopped(
        "diskwars", a.DiskwarsSettings(regiments=1), tuple(a.Loadout(army) for army in ARMIES[:2])
    ),
    "pit-stopped": lambda: stopped("pit", PitSettings(), (PitLoadout(),) * 2),
    "diskwars-closed": closed,
    "diskwars-closed-by-house": lambda: closed("house"),
    "diskwars-expansion": lambda: played_with_expansion(45, mixed_action),
    "diskwars-reserves": lambda: played_with_expansion(50, sparing_action),
    "diskwars-crowded": without_room_for_a_card,
    "diskwars-upgrade": upgraded,
    "pit-taken-out": lambda: bot_file(pit_matches.taken_out()),
    "pit-conceded": lambda: bot_file(pit_matches.conceded()),
    "pit-counted": lambda: bot_file(pit_matches.counted()),
    "pit-divided": lambda: bot_file(pit_matches.divided()),
    "pit-four": lambda: bot_file(pit_matches.four_players()),
    "pit-promoted": lambda: bot_file(pit_matches.taken_out()),
    "pit-task": lambda: bot_file(pit_matches.task_done()),
    "close-quarters-task": lambda: bot_file(close_quarters_matches.task_failed()),
    "regiments-task": lambda: bot_file(regiments_matches.task_done()),
    "close-quarters-taken-out": lambda: bot_file(close_quarters_matches.taken_out()),
    "close-quarters-counted": lambda: bot_file(close_quarters_matches.counted()),
    "close-quarters-drawn": lambda: bot_file(close_quarters_matches.drawn()),
    "close-quarters-brutes": lambda: bot_file(close_quarters_matches.brutes()),
    "close-quarters-four": lambda: bot_file(close_quarters_matches.four_players()),
    "close-quarters-partners": lambda: bot_file(close_quarters_matches.partners()),
    "close-quarters-barricade": lambda: bot_file(close_quarters_matches.barricade()),
    "close-quarters-random": lambda: bot_file(close_quarters_matches.at_random()),
    "close-quarters-engaged": lambda: bot_file(close_quarters_matches.engaged()),
    "regiments-last-side": lambda: bot_file(regiments_matches.last_side()),
    "regiments-two-dice": lambda: bot_file(regiments_matches.barrow_road()),
    "regiments-resigned": lambda: bot_file(regiments_matches.resigned()),
    "regiments-counted": lambda: bot_file(regiments_matches.counted()),
    "regiments-four": lambda: bot_file(regiments_matches.four_players()),
    "regiments-left-alone": lambda: bot_file(regiments_matches.left_alone()),
    "regiments-destroyed": lambda: bot_file(regiments_matches.destroyed()),
    "regiments-rallied": lambda: bot_file(regiments_matches.rallied()),
    "regiments-secret": lambda: bot_file(regiments_matches.secret()),
    "pit-agreements": lambda: agreed("pit", PitSettings(), (PitLoadout(),) * 2),
    "close-quarters-agreements": lambda: agreed(
        "close_quarters", CloseQuartersSettings(), (CloseQuartersLoadout(),) * 2
    ),
    "regiments-agreements": lambda: agreed("regiments", RegimentsSettings(), (RegimentsLoadout(),) * 2),
    "diskwars-agreements": lambda: agreed(
        "diskwars", a.DiskwarsSettings(regiments=1), tuple(a.Loadout(army) for army in ARMIES[:2])
    ),
    "counting-agreements": lambda: agreed("counting", CountingSettings(rounds=9), (CountingLoadout(),) * 2),
    "pit-seats": lambda: left_and_taken("pit", PitSettings(), (PitLoadout(),) * 2),
    "close-quarters-seats": lambda: left_and_taken(
        "close_quarters", CloseQuartersSettings(), (CloseQuartersLoadout(),) * 2
    ),
    "regiments-seats": lambda: left_and_taken("regiments", RegimentsSettings(), (RegimentsLoadout(),) * 2),
    "diskwars-seats": lambda: left_and_taken(
        "diskwars", a.DiskwarsSettings(regiments=1), tuple(a.Loadout(army) for army in ARMIES[:2])
    ),
    "counting-seats": lambda: left_and_taken("counting", CountingSettings(rounds=9), (CountingLoadout(),) * 2),
    "pit-substitute": lambda: played_for("pit", PitSettings(), (PitLoadout(),) * 2),
    "close-quarters-substitute": lambda: played_for(
        "close_quarters", CloseQuartersSettings(), (CloseQuartersLoadout(),) * 2
    ),
    "regiments-substitute": lambda: played_for("regiments", RegimentsSettings(), (RegimentsLoadout(),) * 2),
    "diskwars-substitute": lambda: played_for(
        "diskwars", a.DiskwarsSettings(regiments=1), tuple(a.Loadout(army) for army in ARMIES[:2])
    ),
    "counting-substitute": lambda: played_for("counting", CountingSettings(rounds=9), (CountingLoadout(),) * 2),
    "diskwars-absence": lambda: left_by_absence(
        "diskwars", a.DiskwarsSettings(regiments=1), tuple(a.Loadout(army) for army in ARMIES[:3])
    ),
    "pit-absence": lambda: left_by_absence("pit", PitSettings(), (PitLoadout(),) * 2),
    "pit-lag": lambda: answered_late("pit", PitSettings(), (PitLoadout(),) * 2),
    "close-quarters-lag": lambda: answered_late(
        "close_quarters", CloseQuartersSettings(), (CloseQuartersLoadout(),) * 2
    ),
    "regiments-lag": lambda: answered_late("regiments", RegimentsSettings(), (RegimentsLoadout(),) * 2),
    "diskwars-lag": lambda: answered_late(
        "diskwars", a.DiskwarsSettings(regiments=1), tuple(a.Loadout(army) for army in ARMIES[:2])
    ),
    "counting-lag": lambda: answered_late("counting", CountingSettings(rounds=9), (CountingLoadout(),) * 2),
    "pit-branch": lambda: branched("pit", PitSettings(), (PitLoadout(),) * 2, bool),
    "close-quarters-branch": lambda: branched(
        "close_quarters", CloseQuartersSettings(), (CloseQuartersLoadout(),) * 2, bool
    ),
    "regiments-branch": lambda: branched(
        "regiments", RegimentsSettings(secret_orders=True), (RegimentsLoadout(),) * 2, waits_for_a_second_lock
    ),
    "diskwars-branch": lambda: branched(
        "diskwars",
        a.DiskwarsSettings(regiments=1),
        tuple(a.Loadout(army) for army in ARMIES[:2]),
        waits_for_a_second_lock,
    ),
    "counting-branch": counted_in_a_branch,
    "counting": counted,
    "counting-resigned": counted_and_resigned,
    "counting-taken-back": counted_with_takeback,
    "counting-upgrade": counted_across_an_upgrade,
}
"""By name: how the file was made. What is made today may differ from the file; the file stays as it is."""


def missing_files() -> Iterator[str]:
    return (name for name in FILES if not (FOLDER / f"{name}{SUFFIX}").exists())


def main() -> int:
    """Write the missing files, and the head and the states of each into the lists."""
    for name in list(missing_files()):
        raw = FILES[name]()
        (FOLDER / f"{name}{SUFFIX}").write_bytes(raw)
        _list_hash(HEADS_FILE, name, read_file(raw).head)
        _list_hash(STATES_FILE, name, hash_states(read_file(raw)))
        sys.stdout.write(f"{name}\n")
    return 0


def _list_hash(file: Path, name: str, found: str) -> None:
    lines = {line.split()[1]: line for line in file.read_text("utf-8").splitlines()}
    lines[name] = f"{found} {name}"
    file.write_text("".join(f"{lines[known]}\n" for known in sorted(lines)), "utf-8")


def todays_file(name: str) -> bytes:
    """Return a frozen file, or the same match played again if another version of the rules decided it."""
    raw = (FOLDER / f"{name}{SUFFIX}").read_bytes()
    file = read_file(raw)
    if file.header.ruleset == COUNTING.name:
        return raw
    opened = RULESETS[file.header.ruleset].decode_body(file.bodies[0]).events[0]
    is_todays = opened.rules_version == load_ruleset(file.header.ruleset, ()).rules_version
    return raw if is_todays else FILES[name]()


def hash_states(file: MatchFile) -> str:
    """Return the SHA-256 over the JSON of the state after each record, each with a line feed behind it."""
    vocabulary = COUNTING.vocabulary if file.header.ruleset == COUNTING.name else RULESETS[file.header.ruleset]
    found, bodies = hashlib.sha256(), list[AnyBody]()
    state: AnyMatch | None = None
    for raw in file.bodies:
        bodies.append(vocabulary.decode_body(raw))
        state = vocabulary.fold_record(state, bodies[-1], bodies)
        found.update(msgspec.json.encode(state) + b"\n")
    return found.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
