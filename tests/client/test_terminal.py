"""Can a match be played and watched at a terminal, and is every line understood or answered with what may be said?"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable

import pytest
from msgspec.structs import replace

from diskwars_client import orders, terminal, words
from diskwars_client.bots import BOTS
from diskwars_client.client import MatchHandle, connect
from diskwars_client.orders import Choice, Unclear
from diskwars_client.runner import play
from diskwars_client.terminal import Left
from diskwars_protocol import plane
from diskwars_protocol.diskwars import actions as a
from diskwars_protocol.diskwars import events as e
from diskwars_protocol.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.diskwars.events import Event
from diskwars_protocol.fairness import seeded
from diskwars_protocol.match import Decision, DecisionId, Options, Plan
from tests.client.files import played
from tests.client.houses import SECONDS, house

SWORDSMEN = 3
"""The second Marienburg Swordsmen of the Empire; S on the map."""
SMALL = 44450
SEED = 3
"""With this one the bot wins the initiative roll."""


# ---------------------------------------------------------------- orders


def match() -> DiskwarsMatch:
    """The match when everybody has deployed."""
    events: list[Event | None] = []
    for append in played():
        events += append
        if any(isinstance(event, e.RoundBegan) for event in append):
            break
    return words.fold_all(events)


def board() -> Board:
    found = match().board
    assert found is not None
    return found


def moves(*disks: int) -> list[Choice]:
    found = []
    for disk in disks:
        length = 2 * board().profile(disk).radius
        plan: Plan[a.Action] = Plan(a.MoveDisk(disk, ((0, length),)), disk=disk, flips=4, length=length)
        found.append(Choice("move", plan.example, plan))
    return found


def plain(*actions: a.Action) -> list[Choice]:
    return [Choice("", action) for action in actions]


def read(line: str, offered: list[Choice], ask: a.Question | None = None) -> a.Action:
    decision = Decision(DecisionId("1.0"), 0, ask or a.AskActivation("Press On", 3, False))
    return orders.read(line, match(), decision, offered)


def unclear(line: str, offered: list[Choice]) -> str:
    with pytest.raises(Unclear) as said:
        read(line, offered)
    return str(said.value)


def path_of(line: str, *disks: int) -> tuple[a.Vector, ...]:
    action = read(line, moves(*(disks or (2, 3, 4))))
    assert isinstance(action, a.MoveDisk)
    return action.path


@pytest.mark.parametrize(
    "line",
    [
        "move Marienburg Swordsmen#2 0",
        "move marienburg swordsmen#2 N",
        "move swordsmen#2 n",
        "move S N",
        "move 2 0",
        "MOVE S 360",
    ],
)
def test_a_disk_is_called_by_name_part_letter_or_number(line: str) -> None:
    assert read(line, moves(2, 3, 4)) == a.MoveDisk(SWORDSMEN, ((0, SMALL),), end=False)


@pytest.mark.parametrize(
    ("line", "count"),
    [("move S 45", 1), ("move S 45 x2", 2), ("move S 45x3", 3), ("move S N x2 45", 3), ("move S N, NE, E", 3)],
)
def test_flips_are_counted(line: str, count: int) -> None:
    assert len(path_of(line)) == count


@pytest.mark.parametrize("angle", range(0, 360, 7))
def test_every_direction_is_a_flip_clockwise_from_north(angle: int) -> None:
    ((dx, dy),) = path_of(f"move S {angle}")
    assert plane.is_flip(dx, dy, SMALL)
    quadrant = (dx >= 0, dy >= 0)
    assert quadrant == {0: (True, True), 1: (True, False), 2: (False, False), 3: (False, True)}[angle // 90]


def test_the_end_of_a_move_can_be_said() -> None:
    action = read("move S N end", moves(SWORDSMEN))
    assert isinstance(action, a.MoveDisk)
    assert action.end


def test_toward_somebody_goes_straight_until_it_lies_on_him_or_is_out_of_flips() -> None:
    path = path_of("move S toward Karl Franz")
    x, y = (
        board().disks[SWORDSMEN].x + sum(dx for dx, _ in path),
        board().disks[SWORDSMEN].y + sum(dy for _, dy in path),
    )
    karl = board().disks[0]
    assert plane.overlaps(x, y, SMALL // 2, karl.x, karl.y, board().profile(0).radius) or len(path) == 4
    assert len(path_of("move S toward Archaon")) == 4
    assert len(path_of("move S toward Archaon x2")) == 2
    assert len(path_of("move S onto R")) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "say a number, or one of move, shoot"),
        ("fly S N", "say a number, or one of move, shoot"),
        ("9", "there are options 1 to 3"),
        ("1", "say where to: move 1 45 x2"),
        ("move", "say a disk that can move: Marienburg Swordsmen#1 (M), Marienburg Swordsmen#2 (S)"),
        ("move Swordsmen N", "which one? Marienburg Swordsmen#1 (M), Marienburg Swordsmen#2 (S)"),
        ("move Archaon N", "say a disk that can move"),
        ("move S", "say where to: degrees"),
        ("move S upward", "'upward' is no direction"),
        ("move S toward", "say a disk on the battlefield"),
        ("move S toward Karl Franz tomorrow", "what is 'tomorrow'?"),
        ("shoot S R", "nobody can shoot now"),
        ("default", "there is no default"),
        ("end", "there is nothing to end"),
        ("pass", "say a disk that can pass: there is none"),
    ],
)
def test_what_is_unclear_is_answered_with_what_may_be_said(line: str, said: str) -> None:
    assert unclear(line, moves(2, 3, 4)).startswith(said)


def test_a_shot_needs_its_target_only_where_there_are_several() -> None:
    one, other = a.Shoot(4, 8), a.Shoot(4, 9)
    assert read("shoot Crossbowmen Kurgan Marauders#2", plain(one, other)) == other
    assert read("shoot R", plain(one)) == one
    assert unclear("shoot R", plain(one, other)).startswith("at whom? Kurgan Marauders#1 (k)")
    assert unclear("shoot R Archaon", plain(one, other)).startswith("say a disk at which Reikland Crossbowmen can aim")
    assert unclear("shoot R k now", plain(one, other)) == "what is 'now'?"


def test_focus_and_card_abilities_are_read_alike() -> None:
    assert read("focus R k", plain(a.Focus(4, 8))) == a.Focus(4, 8)
    assert read("use R", plain(a.UseAbility(4))) == a.UseAbility(4)


def test_reinforcements_come_to_the_middle_or_where_one_says() -> None:
    offered = plain(a.Reinforce(5, 10, 10))
    assert read("bring Bright", offered) == a.Reinforce(5, 10, 10)
    assert read("bring Bright at 18 4.5", offered) == a.Reinforce(5, 457200, 114300)
    assert unclear("bring Bright at 18", offered).startswith("a place is two lengths in inches")


def test_passing_and_ending_do_what_is_under_way() -> None:
    assert read("pass S", plain(a.EndCard(), a.PassDisk(3), a.PassDisk(4))) == a.PassDisk(3)
    assert read("end", plain(a.EndCard(), a.PassDisk(3))) == a.EndCard()
    going_on = a.AskContinue(3, 2, ("move",))
    assert read("pass", plain(a.PassDisk(3)), going_on) == a.PassDisk(3)
    assert read("end", plain(a.PassDisk(3)), going_on) == a.PassDisk(3)


def test_disks_are_placed_by_name_and_inches() -> None:
    ready = a.Deploy((a.Placing(2, 0, 0), a.Placing(3, 0, 0)))
    ask = a.AskDeployment(((0, 2),), 2)
    assert read("default", plain(ready), ask) == ready
    placed = read("place S 18 4, Karl 8.5 2", plain(ready), ask)
    assert placed == a.Deploy((a.Placing(3, 457200, 101600), a.Placing(0, 215900, 50800)))


def test_a_number_chooses_whatever_it_names() -> None:
    assert read("2", plain(a.ChooseFirst(0), a.ChooseFirst(1)), a.AskFirst()) == a.ChooseFirst(1)


def test_options_read_as_sentences() -> None:
    decision: Decision[a.Question] = Decision(DecisionId("1.0"), 0, a.AskActivation("Press On", 3, True))
    shown = replace(board(), sides=(replace(board().sides[0], revealed="Hold Fast"), board().sides[1]))
    actions: tuple[a.Action, ...] = (
        a.ChooseFirst(1),
        a.EndCard(),
        a.PassDisk(3),
        a.Shoot(4, 8),
        a.Focus(5, 8),
        a.UseAbility(3, 4),
        a.Reinforce(5, 457200, 76200),
        a.LockCard("Press On", ""),
        a.ChooseScatter(8),
        a.ChooseTargets(((3, 8), (4, 9))),
    )
    plans = tuple(choice.plan for choice in moves(3) if choice.plan)
    offered = orders.choices(replace(match(), board=shown), decision, Options(actions, plans))
    assert [choice.text for choice in offered] == [
        "Chaos Patrol plays first",
        "leave the rest of the card unused",
        "pass with Marienburg Swordsmen#2",
        "shoot Kurgan Marauders#1 with Reikland Crossbowmen: 2 dice, strength 3, up to long range",
        "use the focus ability of Bright Wizard on Kurgan Marauders#1",
        "use Hold Fast with Marienburg Swordsmen#2 on Reikland Crossbowmen",
        "bring Bright Wizard from the reserve to (18.0, 3.0)",
        "Press On (bold, 3 activations)",
        "Kurgan Marauders#1",
        "Marienburg Swordsmen#2 strikes Kurgan Marauders#1, Reikland Crossbowmen strikes Kurgan Marauders#2",
        "move Marienburg Swordsmen#2: up to 4 flips of 1.8 in",
    ]


# ---------------------------------------------------------------- at the terminal


class Script:
    """A console whose lines come from a function of the prompt's number, or are given beforehand."""

    def __init__(self, line: Callable[[int], str | None]) -> None:
        self._line = line
        self.asked = 0
        self.said: list[str] = []

    async def line(self, prompt: str) -> str | None:
        self.asked += 1
        line = self._line(self.asked)
        if line == "...":
            await asyncio.Event().wait()
        return line

    def say(self, text: str) -> None:
        self.said += text.splitlines()

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def lines(*given: str | None) -> Script:
    """These lines, then the first option for ever."""
    return Script(lambda number: given[number - 1] if number <= len(given) else "1")


@contextlib.asynccontextmanager
async def against_a_bot() -> AsyncIterator[tuple[MatchHandle, MatchHandle]]:
    """A match with a player on seat 0 and a greedy bot on seat 1, who chooses who is first."""
    async with (
        asyncio.timeout(SECONDS),
        house() as url,
        connect(url, entropy=seeded(SEED, "near")) as near,
        connect(url, entropy=seeded(SEED, "far")) as far,
    ):
        handle = await near.open_match()
        other = await far.watch(handle.id)
        await handle.take_seat(a.Entry("Empire Patrol"))
        await other.take_seat(a.Entry("Chaos Patrol"))
        bot = asyncio.create_task(play(other, BOTS["greedy"], random.Random(1)))
        try:
            yield handle, other
        finally:
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)


async def test_a_match_can_be_played_to_its_end_with_first_options_alone() -> None:
    async with against_a_bot() as (handle, _):
        script = lines()
        result = await terminal.play(handle, script)
    assert result is not None
    assert result == handle.match.result
    assert "Empire Patrol deploys 5 disks" in script.said
    assert any(line.startswith("   ┌") for line in script.said)
    assert script.said[-1].startswith(("Chaos Patrol won", "Empire Patrol won"))


async def test_questions_of_the_player_change_nothing_and_are_answered() -> None:
    asked = ("help", "board", "cards", "show Karl", "show K", "show Nobody", "why", "options", "", "resign")
    async with against_a_bot() as (handle, _):
        script = lines(*asked)
        result = await terminal.play(handle, script)
    assert script.asked == len(asked)
    assert terminal.HELP.splitlines()[0] in script.said
    assert any("Karl Franz: medium, movement 5, strength " in line for line in script.said)
    assert "  no disk is called 'Nobody'" in script.said
    assert any(line.startswith("  Press On (bold, 3 activations)") for line in script.said)
    assert "nothing is kept out" in script.said
    assert result is not None
    assert (result.winner, result.why) == (1, "elimination")


async def test_a_refusal_is_told_in_words_with_disks_by_name_and_its_rule() -> None:
    async with against_a_bot() as (handle, _):
        script = lines("place K 18 30, H 4 4", "why", "resign")
        await terminal.play(handle, script)
    refused = [line for line in script.said if line.startswith("refused: ")]
    assert refused == ["refused: Karl Franz would not lie wholly inside an own zone"]
    assert "outside_zone: Karl Franz would not lie wholly inside an own zone (R3.6)" in script.said
    assert terminal.MORE in script.said


async def test_why_says_what_keeps_a_disk_or_a_card_out() -> None:
    """Deploy, play a card, pass with one disk, then ask."""
    async with against_a_bot() as (handle, _):
        script = lines("default", "1", "pass Karl", "why", "why Karl", "why Nobody", "resign")
        await terminal.play(handle, script)
    assert script.said.count("  Karl Franz has been activated already (R7.11)") == 2
    assert any(
        " lies beyond long range of Reikland Crossbowmen" in line and line.endswith(" (R12.1)") for line in script.said
    )
    assert "nothing keeps 'Nobody' from what it can do now" in script.said


async def test_whoever_leaves_says_so() -> None:
    for last in ("quit", None):
        async with against_a_bot() as (handle, _):
            with pytest.raises(Left):
                await terminal.play(handle, lines("default", last))


async def test_a_prompt_ends_when_the_decision_is_taken_away() -> None:
    async with against_a_bot() as (handle, other):
        script = lines("...")
        playing = asyncio.create_task(terminal.play(handle, script))
        while not script.asked:
            await asyncio.sleep(0.01)
        await other.resign()
        result = await playing
    assert "that is not asked any more" in script.said
    assert result is not None
    assert result.winner == 0


async def test_a_match_is_watched_with_its_tables() -> None:
    async with against_a_bot() as (handle, other), connect_again(other) as watched:
        script, player = lines(), lines()
        result, _ = await asyncio.gather(terminal.watch(watched, script, board=True), terminal.play(handle, player))
    assert result == handle.match.result
    rounds = script.text.count("== Round ")
    assert sum("── A ──" in line for line in script.said) == rounds > 0


@contextlib.asynccontextmanager
async def connect_again(handle: MatchHandle) -> AsyncIterator[MatchHandle]:
    """The same match for a spectator."""
    async with connect(handle._talk.url) as client:  # type: ignore[attr-defined]
        yield await client.watch(handle.id)
