"""Tests of playing and watching in a terminal: every line is understood, or answered with what can be typed."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator, Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError
from diskwars_client.rulesets.diskwars import orders
from diskwars_client.rulesets.diskwars.terminal_ruleset import (
    HELP_TEXT,
    NOTHING_UNAVAILABLE_TEXT,
    SHOW_USAGE_TEXT,
    DiskwarsTerminal,
)
from diskwars_client.terminal import terminal
from diskwars_client.terminal.orders import QuestionOrders
from diskwars_client.terminal.terminal import TerminalClosed
from diskwars_client.terminal_pages import Screen
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOption, DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_text.rulesets.diskwars.phrases import point_for_disk_text, refusal_text
from tests.client.local_server import CLIENTS, TEST_TIMEOUT_SECONDS, running_server
from tests.client.match_files import greedy_records
from tests.rows import each_row

SWORDSMEN = 3
"""The second Marienburg Swordsmen of the Empire; S on the map."""
SMALL = 44450
SEED = 3
QUICK_SETTINGS = a.DiskwarsSettings(setup="quick", regiments=1)
"""With this one the bot wins the initiative roll."""


# ---------------------------------------------------------------- orders


def match() -> DiskwarsMatch:
    """Return the match when everybody has deployed."""
    bodies = greedy_records()
    last = next(n for n, body in enumerate(bodies) if any(isinstance(event, e.RoundBegan) for event in body.events))
    return DISKWARS.fold_log(bodies[: last + 1])


def board() -> Board:
    board = match().board
    assert board is not None
    return board


def moves(*disks: int) -> list[NumberedOption]:
    offered = []
    for disk in disks:
        length = 2 * board().profile(disk).radius
        plan: DiskwarsOption = DiskwarsOption(a.MoveDisk(disk, ((0, length),)), disk=disk, flips=4, length=length)
        offered.append(NumberedOption("move", plan.example, plan))
    return offered


def plain(*actions: a.Action) -> list[NumberedOption]:
    return [NumberedOption("", action) for action in actions]


def read(line: str, offered: list[NumberedOption], ask: a.Question | None = None) -> a.Action:
    decision = Decision(DecisionId("1.0"), 0, ask or a.ActivationQuestion("press-on", 3, False))
    return orders.parse_order(line, match(), decision, offered)


def error_of(line: str, offered: list[NumberedOption]) -> str:
    with pytest.raises(OrderError) as said:
        read(line, offered)
    return str(said.value)


def parse_path(line: str, *disks: int) -> tuple[a.Vector, ...]:
    action = read(line, moves(*(disks or (2, 3, 4))))
    assert isinstance(action, a.MoveDisk)
    return action.path


def test_a_line_beyond_the_bounds_of_an_order_is_refused_before_it_is_read() -> None:
    handle: Any = SimpleNamespace(match=match(), state=match(), seat=0)
    display: Any = SimpleNamespace(ruleset=DiskwarsTerminal())
    typed = QuestionOrders(handle, display, "", ())
    decision = Decision(DecisionId("1.0"), 0, a.ActivationQuestion("press-on", 3, False))
    for line in ("5" * 5000, "move S " + "N " * 3000, "x" * 5000, "move S 1234567890"):
        with pytest.raises(OrderError, match="at most"):
            typed.confirmed_action(line, decision, moves(2, 3, 4))
        (said,) = typed.information_lines("preview", line, decision, moves(2, 3, 4)) or []
        assert "at most" in said
    assert typed.confirmed_action("move S N end", decision, moves(2, 3, 4))


@each_row(
    "line",
    [
        "move Marienburg Swordsmen#2 0",
        "move marienburg swordsmen#2 N",
        "move swordsmen#2 n",
        "move Marienburg#2 n",
        "move S N",
        "move 2 0",
        "MOVE S 360",
    ],
)
def test_a_disk_is_called_by_name_part_letter_or_number(line: str) -> None:
    assert read(line, moves(2, 3, 4)) == a.MoveDisk(SWORDSMEN, ((0, SMALL),), end_activation=False, over_own_disks=True)


@each_row(
    ("line", "count"),
    [("move S 45", 1), ("move S 45 x2", 2), ("move S 45x3", 3), ("move S N x2 45", 3), ("move S N, NE, E", 3)],
)
def test_flips_are_counted(line: str, count: int) -> None:
    assert len(parse_path(line)) == count


@each_row("angle", range(0, 360, 7))
def test_every_direction_is_a_flip_clockwise_from_north(angle: int) -> None:
    ((dx, dy),) = parse_path(f"move S {angle}")
    assert geometry.is_flip(dx, dy, SMALL)
    quadrant = (dx >= 0, dy >= 0)
    assert quadrant == {0: (True, True), 1: (True, False), 2: (False, False), 3: (False, True)}[angle // 90]


def test_move_can_be_ended_by_a_word() -> None:
    action = read("move S N end", moves(SWORDSMEN))
    assert isinstance(action, a.MoveDisk)
    assert action.end_activation


def test_toward_moves_straight_until_it_overlaps_or_has_no_flips_left() -> None:
    path = parse_path("move S toward Karl Franz")
    x, y = (
        board().disks[SWORDSMEN].x + sum(dx for dx, _ in path),
        board().disks[SWORDSMEN].y + sum(dy for _, dy in path),
    )
    karl = board().disks[0]
    assert geometry.disks_overlap(x, y, SMALL // 2, karl.x, karl.y, board().profile(0).radius) or len(path) == 4
    assert len(parse_path("move S toward Archaon")) == 4
    assert len(parse_path("move S toward Archaon x2")) == 2
    onto = parse_path("move S onto R")
    assert len(onto) == 4
    assert onto == parse_path("move S toward R")


@each_row(
    ("line", "said"),
    [
        ("", "type a number from 1 to 3, or move; `help` says more"),
        ("fly S N", "type a number from 1 to 3, or move; `help` says more"),
        ("9", "there is no option 9: type a number from 1 to 3"),
        ("1", "type where to: `move M 45` is one flip to the north-east, `move M N x2` two north, `move M toward k`"),
        ("move", "type a disk that can move: Marienburg Swordsmen#1 (M), Marienburg Swordsmen#2 (S)"),
        ("move Swordsmen N", "which one? Marienburg Swordsmen#1 (M), Marienburg Swordsmen#2 (S)"),
        ("move Archaon N", "Archaon (a) cannot move now"),
        ("move k N", "Kurgan Marauders#1 (k) cannot move now"),
        ("move z N", "type a disk that can move"),
        ("move S", "type where to: degrees"),
        ("move S upward", "'upward' is no direction"),
        ("move S 361", "'361' is no direction"),
        ("move Crossbowman N", "type a disk that can move"),
        ("move Karl Franz N", "Karl Franz (K) cannot move now"),
        ("move bright n", "Bright Wizard (B) cannot move now"),
        ("move S toward", "type a disk on the battlefield"),
        ("move S toward Karl Franz tomorrow", "what is 'tomorrow'?"),
        ("shoot S R", "nobody can shoot now: type a number from 1 to 3, or move"),
        ("default", "nothing can be placed now"),
        ("place K 18 4", "nothing can be placed now"),
        ("bring K", "nobody can be brought now"),
        ("end", "there is nothing to end: type a number from 1 to 3, or move"),
        ("pass", "nobody can pass now"),
    ],
)
def test_unclear_input_is_answered_with_the_possible_words(line: str, said: str) -> None:
    assert error_of(line, moves(2, 3, 4)).startswith(said)


def test_a_shot_needs_its_target_only_where_there_are_several() -> None:
    one, other = a.Shoot(4, 8), a.Shoot(4, 9)
    assert read("shoot Crossbowmen Kurgan Marauders#2", plain(one, other)) == other
    assert read("shoot R", plain(one)) == one
    assert error_of("shoot R", plain(one, other)).startswith("at whom? Kurgan Marauders#1 (k)")
    assert error_of("shoot R Nobody", plain(one, other)).startswith("type a disk at which Reikland Crossbowmen can aim")
    assert error_of("shoot R k now", plain(one, other)) == "what is 'now'?"


@each_row("verb", ["shoot", "focus", "use"])
def test_a_letter_of_the_map_never_means_another_disk_whose_name_begins_so(verb: str) -> None:
    """The Marauders are out of range, but Karl Franz, of whom no one wants to speak, is not."""
    kind = {"shoot": a.Shoot, "focus": a.Focus, "use": a.UseAbility}[verb]
    both = plain(kind(4, 0), kind(4, 9))
    why = ": 28.25 in away, long range ends at 12 in (R11.4)" if verb == "shoot" else ""
    assert error_of(f"{verb} R k", both) == f"Kurgan Marauders#1 (k) cannot be aimed at now{why}"
    assert error_of(f"{verb} R Kurgan Marauders#1", both) == f"Kurgan Marauders#1 (k) cannot be aimed at now{why}"
    assert error_of(f"{verb} k R", both).startswith("Kurgan Marauders#1 (k) cannot ")
    assert read(f"{verb} R K", both) == kind(4, 0)


@each_row("line", ["move S toward S", "bring k", "pass k", "place k 18 4"])
def test_no_order_looks_for_another_disk_than_the_one_that_is_named(line: str) -> None:
    """Each could refer to Karl Franz by first letter, if k were not the letter of the Marauders."""
    offered = [*moves(SWORDSMEN), *plain(a.Reinforce(0, 10, 10), a.PassDisk(0), a.Deploy((a.Placement(0, 0, 0),)))]
    letter = line.split()[1] if "toward" not in line else "S"
    assert f" ({letter}) " in error_of(line, offered)


def test_one_letter_is_too_little_of_a_name() -> None:
    offered = moves(0)
    assert error_of("move F N", offered).startswith("type a disk that can move: Karl Franz (K)")
    assert read("move fr N", offered) == a.MoveDisk(
        0, ((0, offered[0].plan.length if offered[0].plan else 0),), end_activation=False, over_own_disks=True
    )


def test_focus_and_card_abilities_are_read_alike() -> None:
    assert read("focus R k", plain(a.Focus(4, 8))) == a.Focus(4, 8)
    assert read("use R", plain(a.UseAbility(4))) == a.UseAbility(4)


def test_reinforcements_come_to_the_middle_or_where_one_says() -> None:
    offered = plain(a.Reinforce(5, 10, 10))
    assert read("bring Bright", offered) == a.Reinforce(5, 10, 10)
    assert read("bring Bright at 18 4.5", offered) == a.Reinforce(5, 457200, 114300)
    assert error_of("bring Bright at 18", offered).startswith("a place is two lengths in inches")


def test_passing_and_ending_do_what_is_under_way() -> None:
    assert read("pass S", plain(a.EndCard(), a.PassDisk(3), a.PassDisk(4))) == a.PassDisk(3)
    assert read("end", plain(a.EndCard(), a.PassDisk(3))) == a.EndCard()
    going_on = a.ContinuationQuestion(3, 2, ("move",))
    assert read("pass", plain(a.PassDisk(3)), going_on) == a.PassDisk(3)
    assert read("end", plain(a.PassDisk(3)), going_on) == a.PassDisk(3)


def test_the_end_of_an_activation_is_no_move_of_what_may_move_still() -> None:
    offered = [*moves(SWORDSMEN), *plain(a.Shoot(3, 8), a.PassDisk(3))]
    assert read("end", offered, a.ContinuationQuestion(3, 2, ("move", "shoot"))) == a.PassDisk(3)
    assert read("end", [*moves(SWORDSMEN), *plain(a.EndScouting())], a.ScoutQuestion((3,))) == a.EndScouting()
    assert error_of("end", [*moves(SWORDSMEN), *plain(a.PassDisk(3))]).startswith("there is nothing to end")


def test_name_of_an_option_shows_its_number_and_chooses_nothing() -> None:
    offered = [
        NumberedOption("Press On (bold)", a.LockCard("press-on", "")),
        NumberedOption("hold-fast", a.LockCard("hold-fast", "")),
    ]
    assert error_of("press on", offered) == "type 1 for Press On (bold)"
    assert error_of("on", offered) == "type a number from 1 to 2; `help` says more"


def test_disks_are_placed_by_name_and_inches() -> None:
    ready = a.Deploy((a.Placement(2, 0, 0), a.Placement(3, 0, 0)))
    ask = a.DeploymentQuestion((a.ZoneLimit(0, 2),), 2)
    assert read("default", plain(ready), ask) == ready
    placed = read("place S 18 4, Karl 8.5 2", plain(ready), ask)
    assert placed == a.Deploy((a.Placement(3, 457200, 101600), a.Placement(0, 215900, 50800)))


def test_a_number_chooses_whatever_it_names() -> None:
    assert read(
        "2", plain(a.ChooseFirstPlayer(0), a.ChooseFirstPlayer(1)), a.FirstPlayerQuestion()
    ) == a.ChooseFirstPlayer(1)


def test_options_read_as_sentences() -> None:
    decision: Decision[a.Question] = Decision(DecisionId("1.0"), 0, a.ActivationQuestion("press-on", 3, True))
    shown = replace(board(), sides=(replace(board().sides[0], revealed_card="hold-fast"), board().sides[1]))
    actions: tuple[a.Action, ...] = (
        a.ChooseFirstPlayer(1),
        a.EndCard(),
        a.PassDisk(3),
        a.Shoot(4, 8),
        a.Focus(5, 8),
        a.UseAbility(3, 4),
        a.Reinforce(5, 457200, 76200),
        a.LockCard("press-on", ""),
        a.ChooseScatter(8),
        a.ChooseTargets((a.MeleeTarget(3, 8), a.MeleeTarget(4, 9))),
    )
    plans = tuple(choice.plan for choice in moves(3) if choice.plan)
    offered = orders.numbered_options(replace(match(), board=shown), decision, DiskwarsOptions(actions, plans))
    assert [choice.text for choice in offered] == [
        "move Marienburg Swordsmen#2: up to 4 flips of 1.75 in",
        "shoot Kurgan Marauders#1 with Reikland Crossbowmen at siege range, where only criticals harm: "
        "2 dice, strength 3",
        "use the focus ability of Bright Wizard on Kurgan Marauders#1",
        "use Hold Fast with Marienburg Swordsmen#2 on Reikland Crossbowmen",
        "bring Bright Wizard from the reserve to (18, 3)",
        "Chaos Patrol plays first",
        "Press On (bold, 3 activations)",
        "Kurgan Marauders#1",
        "Marienburg Swordsmen#2 strikes Kurgan Marauders#1, Reikland Crossbowmen strikes Kurgan Marauders#2",
        "pass with Marienburg Swordsmen#2",
        "leave the rest of the card unused",
    ]


def test_a_reinforcement_says_onto_whom_it_comes() -> None:
    decision: Decision[a.Question] = Decision(DecisionId("1.0"), 0, a.ActivationQuestion("press-on", 3, True))
    plan = DiskwarsOption(a.Reinforce(5, 457200, 76200), disk=5, covers=(4, 8), pins=(8,))
    clear = DiskwarsOption(a.Reinforce(5, 457200, 76200), disk=5)
    (covering, free) = orders.numbered_options(match(), decision, DiskwarsOptions((), (plan, clear)))
    assert free.text == "bring Bright Wizard from the reserve to (18, 3)"
    assert covering.text == (
        free.text + ", on top of Reikland Crossbowmen (your own) (not pinned) and Kurgan Marauders#1"
    )


def test_targets_of_shots_are_listed_before_own_disks() -> None:
    decision: Decision[a.Question] = Decision(DecisionId("1.0"), 0, a.ActivationQuestion("press-on", 3, True))
    offered = orders.numbered_options(match(), decision, DiskwarsOptions((a.Shoot(4, 0), a.EndCard(), a.Shoot(4, 9))))
    assert [choice.action for choice in offered] == [a.Shoot(4, 9), a.Shoot(4, 0), a.EndCard()]
    assert offered[1].text.endswith(": 2 dice, strength 3 (your own)")


@each_row("x", range(152400 + 28575, 152400 + 28575 + 300, 7))
def test_a_place_that_is_suggested_lies_in_the_zone_when_it_is_typed(x: int) -> None:
    """Karl Franz is of medium size; his zone begins at 6 inches."""
    shown = point_for_disk_text(board(), 0, x, 152400 - 28575)
    typed = read(f"place K {shown.strip('()').replace(',', '')}", plain(a.Deploy((a.Placement(0, 0, 0),))))
    assert isinstance(typed, a.Deploy)
    assert typed.disks[0].x >= 152400 + 28575
    assert typed.disks[0].y <= 152400 - 28575
    assert abs(typed.disks[0].x - x) <= 254


@each_row(
    ("code", "text", "said"),
    [
        (
            "outside_zone",
            "(12700, 2) is not wholly inside a zone of seat A",
            "(0.5, 0) is not wholly inside a zone of seat A: x 6 to 30, y 0 to 6 (inches)",
        ),
        (
            "outside_zone",
            "(12700, 2) is not wholly inside a zone of seat A, which are zone 0 from (152400, 0) to (762000, 228600), "
            "and does not touch an edge from inside",
            "(0.5, 0) is not wholly inside a zone of seat A, and does not touch an edge from inside: x 6 to 30, "
            "y 0 to 9 (inches)",
        ),
        (
            "off_field",
            "the disk would land at (-25400, 63500), partly off the field",
            "the disk would land at (-1, 2.5), partly off the field",
        ),
        ("wrong_count", "zone 0 takes 5 disks, not 2", "the zone x 6 to 30, y 0 to 6 takes 5 disks, not 2"),
        (
            "not_legal",
            "every hero has to be deployed: disk 0, Karl Franz, is a hero",
            "every hero has to be deployed: Karl Franz is a hero",
        ),
        (
            "not_legal",
            "one target for each of the disks [3, 4]",
            "one target for each of Marienburg Swordsmen#2, Reikland Crossbowmen",
        ),
        ("illegal_flip", "(3, 4) is not 44450 micrometres long", "(0, 0) is not 1.75 in long"),
        ("unknown_disk", "there is no disk 99", "there is no disk 99"),
        (
            "not_legal",
            "1016000 to 1104900 is not free along the edge; free is 0 to 914400",
            "40 to 43.5 is not free along the edge; free is 0 to 36 (inches)",
        ),
    ],
)
def test_refusals_are_in_the_words_of_players(code: str, text: str, said: str) -> None:
    assert refusal_text(board(), 0, code, text) == said


# ---------------------------------------------------------------- at the terminal


class ScriptedTerminal:
    """A console at which somebody types a line at each prompt, from a function of its number; "..." is none."""

    def __init__(self, line: Callable[[int], str | None]) -> None:
        self._line = line
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self.prompts = 0
        self.said: list[str] = []
        self.statuses: list[str] = []
        self.completions: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    async def read_line(self) -> str | None:
        return await self._typed.get()

    def show_prompt(self, text: str) -> None:
        self.prompts += 1
        line = self._line(self.prompts)
        if line != "...":
            self.type_line(line)

    def type_line(self, line: str | None) -> None:
        """Whether anything is asked or not."""
        self._typed.put_nowait(line)

    def print_line(self, text: str) -> None:
        self.said += text.splitlines()

    def screen(self) -> Screen | None:
        return None

    def ring_bell(self) -> None: ...

    def set_status(self, text: str) -> None:
        self.statuses.append(text)

    def set_completions(self, orders: Sequence[str], names: Sequence[str]) -> None:
        self.completions = (tuple(orders), tuple(names))

    async def has_printed(self, start: str) -> None:
        while not any(line.startswith(start) for line in self.said):
            await asyncio.sleep(0.01)

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def lines(*given: str | None) -> ScriptedTerminal:
    """These lines, then the first option for ever, or the end of what has to be described."""
    return ScriptedTerminal(lambda number: given[number - 1] if number <= len(given) else ("1", "end")[number % 2])


@contextlib.asynccontextmanager
async def play_against_bot(
    setup: a.DiskwarsSettings = QUICK_SETTINGS, options: MatchOptions = DEFAULT_MATCH_OPTIONS
) -> AsyncIterator[tuple[MatchHandle, MatchHandle]]:
    """Provide a match with a player on seat 0 and a greedy bot on seat 1, who chooses who is first."""
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url, entropy=seeded_entropy(SEED, "near")) as near,
        connect(url, entropy=seeded_entropy(SEED, "far")) as far,
    ):
        handle = await near.open_match(setup, match_options=options)
        other = await far.watch(handle.id)
        CLIENTS.update({handle: near, other: far})
        await handle.take_seat(a.Loadout("empire-patrol"))
        await other.take_seat(a.Loadout("chaos-patrol"))
        bot = asyncio.create_task(play_bot(other, BOTS["greedy"], random.Random(1)))
        try:
            yield handle, other
        finally:
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)


async def test_a_match_can_be_played_to_its_end_with_first_options_alone() -> None:
    async with play_against_bot() as (handle, _):
        script = lines()
        result = await terminal.play_match(handle, script)
    assert result is not None
    assert result == handle.match.result
    assert (
        "Empire Patrol deploys 5 disks, Karl Franz among them, wholly inside x 6 to 30, y 0 to 6 (inches)"
        in script.said
    )
    assert any(line.startswith("   ┌") for line in script.said)
    assert script.said[-1].startswith(("Chaos Patrol won", "Empire Patrol won"))
    locks = [record for record in handle.records if record.seat == 0 and isinstance(record.action, a.LockCard)]
    forced = [line for line in script.said if line.startswith("locked your last card: ")]
    assert 0 < len(forced) < len(locks), "the last card of a hand of two is locked without a question (R19.25)"


async def test_the_complete_game_can_be_played_to_its_end_with_first_options_alone() -> None:
    async with play_against_bot(a.DiskwarsSettings(regiments=1)) as (handle, _):
        script = lines()
        result = await terminal.play_match(handle, script)
    assert result is not None
    assert any(
        re.search(r" (own|common) side: \d disks?, 3.5 in wide.*\(`lay .* at [\d.]+`\)$", x) for x in script.said
    )
    assert any(re.search(r"\(`put .* at [\d.]+ [\d.]+( turn \d+)?`\)$", line) for line in script.said)


async def test_a_full_set_up_can_be_typed() -> None:
    """The player is last, so he is asked first."""
    prompts: list[str] = []

    def typed(script: ScriptedTerminal) -> str | None:
        """Return what the prompt wants: the order that the first option shows, or its number."""
        shown = [line for line in script.said if re.match(r"  1\. ", line)][-1]
        order = re.search(r"`((?:lay|put) .*)`", shown)
        prompts.append(order[1].split()[0] if order else "1")
        return order[1] if order else "resign yes" if "put" in prompts and "lay" in prompts else "1"

    async with play_against_bot(a.DiskwarsSettings(regiments=1)) as (handle, _):
        script = ScriptedTerminal(lambda _: typed(script))
        result = await terminal.play_match(handle, script)
    assert {"lay", "put"} <= set(prompts)
    assert not any(line.startswith(("refused", "say `")) for line in script.said)
    assert result is not None
    assert result.winners == (1,)


async def test_the_secret_objective_and_the_scenario_are_among_the_own_cards() -> None:
    async with play_against_bot(a.DiskwarsSettings(regiments=1)) as (handle, _):
        script = ScriptedTerminal(lambda number: ("1", "cards")[number % 2] if number < 12 else "resign yes")
        await terminal.play_match(handle, script)
    assert any(line.startswith("  scenario ") and ": for everybody, " in line for line in script.said)
    assert any(line.startswith("  your secret objective, ") for line in script.said)


async def test_questions_of_the_player_change_nothing_and_are_answered() -> None:
    prompts = (
        "?",
        "rules",
        "board",
        "cards",
        "show Karl",
        "show K",
        "show Nobody",
        "show",
        "show hold",
        "why",
        "options",
        "",
        "resign",
        "resign yes",
    )
    async with play_against_bot() as (handle, _):
        script = lines(*prompts)
        result = await terminal.play_match(handle, script)
    assert script.prompts == len(prompts)
    assert HELP_TEXT.splitlines()[0] in script.said
    assert "rules are in brackets: `diskwars rules ID`, in another terminal, prints one" in script.said
    assert any(
        "Karl Franz: hero of Empire (" in line and "), medium (2.25 in); movement 5, " in line for line in script.said
    )
    assert any(line.startswith("nothing is called 'Nobody'; what a word means") for line in script.said)
    assert SHOW_USAGE_TEXT in script.said
    assert any(line.startswith("  2. Aimed Volley (steady, 2 activations; passive: ") for line in script.said)
    assert any(line.startswith("  1. All Together (slow, 4 activations)") for line in script.said)
    assert NOTHING_UNAVAILABLE_TEXT in script.said
    assert "resigning ends the match for you and cannot be taken back: type `resign yes` to do it" in script.said
    assert result is not None
    assert (result.winners, result.end_reason) == ((1,), "resignation")


async def test_refusal_is_shown_with_disk_names_and_rule() -> None:
    async with play_against_bot() as (handle, _):
        script = lines("place K 18 30, H 4 4", "why", "resign yes")
        await terminal.play_match(handle, script)
    refused = [line for line in script.said if line.startswith("refused: ")]
    zone = "x 6 to 30, y 0 to 6 (inches); its middle may lie in x 7.13 to 28.87, y 1.13 to 4.87"
    said = f"Karl Franz would not lie wholly inside an own zone: {zone}"
    assert refused == [f"refused: {said}"]
    assert f"outside_zone: {said} (R3.6)" in script.said
    assert "rules are in brackets: `diskwars rules ID`, in another terminal, prints one" in script.said


async def test_why_says_what_keeps_a_disk_or_a_card_out() -> None:
    """Deploy, play a card, pass with one disk, then ask."""
    async with play_against_bot() as (handle, _):
        prompts = ("why", "why Karl", "why Nobody", "why Wizard", "move S up", "why")
        script = lines("default", "1", "pass Karl", "yes", *prompts, "resign yes")
        await terminal.play_match(handle, script)
    assert script.said.count("  Karl Franz has been activated already (R7.11)") == 2
    assert any(
        " lies beyond long range of Reikland Crossbowmen" in line and line.endswith(" (R11.4)") for line in script.said
    )
    assert "nothing is called 'Nobody'" in script.said
    assert "  Bright Wizard can do now: `bring B`" in script.said
    assert "your last line was not a valid order: 'up' is no direction: 0 to 360 degrees" in "".join(script.said)


async def test_leaving_player_is_reported() -> None:
    for last in ("quit", None):
        async with play_against_bot() as (handle, _):
            with pytest.raises(TerminalClosed):
                await terminal.play_match(handle, lines("default", last))


@contextlib.asynccontextmanager
async def patch_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[ScriptedTerminal, MatchHandle, asyncio.Task[object]]]:
    """Provide a player without an opponent yet, who has no decision."""
    monkeypatch.setattr(terminal, "IDLE_NOTICE_SECONDS", 0.01)
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url) as near,
        connect(url) as far,
    ):
        handle = await near.open_match(a.DiskwarsSettings(setup="quick", regiments=1))
        await handle.take_seat(a.Loadout("empire-patrol"))
        script = ScriptedTerminal(lambda _: "...")
        playing: asyncio.Task[object] = asyncio.create_task(terminal.play_match(handle, script))
        await script.has_printed("waiting for seat B …")
        try:
            yield script, await far.watch(handle.id), playing
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)


async def test_waiting_player_sees_who_decides_and_is_answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with patch_waiting(monkeypatch) as (script, _, playing):
        for line, said in (
            ("help", HELP_TEXT.splitlines()[0]),
            ("board", "the match has not begun yet"),
            ("resign", "resigning ends the match for you"),
            ("why", "nothing was refused"),
        ):
            script.type_line(line)
            await script.has_printed(said)
        script.type_line("quit")
        with pytest.raises(TerminalClosed):
            await playing
    assert script.said.count("waiting for seat B …") <= 5


async def test_a_line_typed_before_its_question_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    async with patch_waiting(monkeypatch) as (script, other, _):
        script.type_line("1")
        await script.has_printed("ignored '1': you had not been asked anything yet")
        script.type_line("default")
        await other.take_seat(a.Loadout("chaos-patrol"))
        await other.ready()
        await script.has_printed("ignored 'default': you had not been asked anything yet")
        script.type_line("resign yes")
        await script.has_printed("Chaos Patrol won")
        assert all("deployed" not in line for line in script.said)


async def test_lines_that_arrive_while_a_question_is_fetched_are_not_its_answers() -> None:
    async with play_against_bot() as (handle, _):
        script = ScriptedTerminal(lambda number: "..." if number == 1 else "resign yes")
        fetch = handle.options

        async def slow(decision: Decision[a.Question], include_unavailable: bool = False) -> DiskwarsOptions:
            if not script.prompts:
                script.type_line("default")
            return await fetch(decision, include_unavailable)

        handle.options = slow  # type: ignore[method-assign]
        playing = asyncio.create_task(terminal.play_match(handle, script))
        await script.has_printed("  1. deploy")
        dropped = script.said.index("ignored 'default': you had not been asked anything yet")
        assert dropped < min(
            n for n, text in enumerate(script.said) if text.startswith("Empire Patrol deploys 5 disks")
        )
        assert not any(line.startswith("Empire Patrol deployed") for line in script.said)
        script.type_line("resign yes")
        await playing


async def test_a_prompt_ends_when_the_decision_is_taken_away() -> None:
    async with play_against_bot() as (handle, other):
        script = lines("...")
        playing = asyncio.create_task(terminal.play_match(handle, script))
        while not script.prompts:
            await asyncio.sleep(0.01)
        await other.resign()
        result = await playing
    assert "that question is no longer open" in script.said
    assert result is not None
    assert result.winners == (0,)


async def test_a_match_is_watched_with_its_tables() -> None:
    async with play_against_bot() as (handle, other), watched_again(CLIENTS[other].url, other) as watched:
        script, player = lines(), lines()
        result, _ = await asyncio.gather(
            terminal.watch_match(watched, script.print_line, show_board=True), terminal.play_match(handle, player)
        )
    assert result == handle.match.result
    rounds = script.text.count("== Round ")
    assert sum("── A ──" in line for line in script.said) == rounds > 0


async def test_spectator_of_a_round_later_reads_so_before_the_match_begins_and_never_after_its_end() -> None:
    later = "you see each round once it is over"
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url, connect(url) as near:
        handle = await near.open_match(QUICK_SETTINGS, match_options=MatchOptions(watchers="round_later"))
        async with watched_again(url, handle) as watched:
            script = lines()
            watching = asyncio.create_task(terminal.watch_match(watched, script.print_line))
            while later not in script.said:
                await asyncio.sleep(0.01)
            await handle.take_seat(a.Loadout("empire-patrol"))
            await handle.resign()
            await watching
            assert script.said.count(later) == 1
        async with watched_again(url, handle) as ended:
            script = lines()
            await terminal.watch_match(ended, script.print_line)
        assert (later in script.said, script.said[-1]) == (False, "Nobody won: abandoned")


@contextlib.asynccontextmanager
async def watched_again(url: str, handle: MatchHandle) -> AsyncIterator[MatchHandle]:
    """Provide the same match for a spectator."""
    async with connect(url) as client:
        yield await client.watch(handle.id)
