"""How does one watch and play a match in a terminal? Plain text: what happens, the table as a map, and a prompt.

Must not know how lines are read or written: that is the console's, which is handed in.
"""

import asyncio
import contextlib
import sys
import threading
from collections.abc import Sequence
from typing import Protocol

from diskwars_client.match_handle import ClientError, MatchHandle, NotYours, Refused, Update
from diskwars_client.rulesets.diskwars import orders
from diskwars_client.rulesets.diskwars.orders import Choice, Unclear
from diskwars_client.rulesets.diskwars.setup_orders import named, objective_text, scenario_text
from diskwars_protocol.match import Decision, ReadyQuestion, Result, Unavailable
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.events import RoundBegan
from diskwars_text.narration import tell
from diskwars_text.phrases import card_text, disk_names, disk_text, question, refusal, seat_name
from diskwars_text.text_map import codes, sketch

HELP = """\
a number             choose that option, or hear how it is said
move DISK 45 x2      two flips in a direction: degrees clockwise from north, or N, NE, E ...
move DISK toward X   straight on until it lies on X; x2 at the end for two flips at most
shoot DISK X         shoot at X; focus DISK X, use DISK X for a focus ability or the card's
bring DISK at 18 4   from the reserve; inches from the lower left corner
pass DISK, end       activate without an action; leave the rest of an activation or a card
place DISK 18 4, ... deploy, every disk with its place; or default
lay CARD own at 12   a deployment card, that side up (own or common), from 12 inches along your edge on
put FACE at 18 12 turn 45   terrain: that face up, its middle there, turned against the clock
why, why DISK        why the last order was refused; why a disk or a card is not offered
show NAME            a disk, a card, a scenario or a piece of terrain
board, cards, help, quit, resign yes: at any time; options: what is asked now
A disk is called by its name, a part of it, its letter on the map, or the number of its option.
A flip of which something follows cuts a move short, and you are asked again; end behind a move ends the activation.
On the map the disks of each seat have a frame of their own, which is shown where they are listed below it."""

NOTHING = "nothing was refused, and no disk or card is left out of the options"
SHOW_WHAT = "show what? A disk, a card, a scenario or a piece of terrain, by its name or a part of it"


ROOM = 1000
"""Lines that are read ahead."""
QUIET = 1.0
"""Seconds without news after which it is said for whom one waits."""


class Console(Protocol):
    """Where lines come from and go to."""

    async def line(self) -> str | None:
        """The next line, whenever it was typed; None when there are no more."""

    def prompt(self, text: str) -> None:
        """Says that a line is waited for."""

    def say(self, text: str) -> None: ...


class StandardConsole:
    """Standard input and output. A thread of its own waits for lines, so that nobody else has to."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._room = threading.Semaphore(ROOM)
        self._has_prompt = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._room.acquire()
            self._put(line.rstrip("\n"))
        self._put(None)

    def _put(self, line: str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody reads any more
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    async def line(self) -> str | None:
        line = await self._lines.get()
        self._room.release()
        if not sys.stdin.isatty():  # nobody has seen it being typed
            print(line or "", flush=True)
        self._has_prompt = False
        return line

    def prompt(self, text: str) -> None:
        print(text, end="", flush=True)
        self._has_prompt = True

    def say(self, text: str) -> None:
        """On a line of its own, also when a prompt stands there."""
        print("\n" * self._has_prompt + text, flush=True)
        self._has_prompt = False


class Left(ClientError):
    """The player has left the terminal; the match goes on without him."""


# ---------------------------------------------------------------- watching


async def watch(handle: MatchHandle, console: Console, board: bool = False) -> Result | None:
    """Tells a match until it is over; with `board` the table at the beginning of each round."""
    async for update in handle:
        for line in tell(update.before, update.events):
            console.say(line)
        if board and update.state.board and any(isinstance(event, RoundBegan) for event in update.events):
            console.say("\n" + sketch(update.state.board))
    return handle.match.result


# ---------------------------------------------------------------- playing


async def play(handle: MatchHandle, console: Console, command: str = "diskwars") -> Result | None:
    """Tells the match and asks for every decision of the own seat. Take a seat first. Raises Left.

    `command` is what somebody types to look a rule up.
    """
    player = _Player(handle, console, command)
    try:
        while (update := await player.update()) is not None:
            for line in tell(update.before, update.events):
                console.say(line)
            if update.last == handle.head and handle.open:
                await player.decide(handle.open[0])
    finally:
        player.close()
    return handle.match.result


class _Player:
    """Somebody at a terminal. What he types is read at any time; an order counts only for a question he has seen."""

    def __init__(self, handle: MatchHandle, console: Console, command: str) -> None:
        self._handle, self._console, self._command = handle, console, command
        self._unclear = ""
        self._shown: tuple[int, int, int | None] | None = None
        self._refused: Refused | None = None
        self._why_not: tuple[Unavailable, ...] = ()
        self._typing = asyncio.create_task(console.line())

    def close(self) -> None:
        self._typing.cancel()

    # ------------------------------------------------------------ while nothing is asked

    async def update(self) -> Update | None:
        """The next news; None after the last. Raises Left."""
        coming = asyncio.create_task(self._coming())
        try:
            is_quiet = False
            while not coming.done():
                waited = (coming, self._typing)
                done, _ = await asyncio.wait(
                    waited, timeout=None if is_quiet else QUIET, return_when=asyncio.FIRST_COMPLETED
                )
                if self._typing in done:
                    await self._unasked(self._typed())
                elif not done:
                    is_quiet = True
                    self._say_who_is_waited_for()
            return coming.result()
        finally:
            coming.cancel()

    async def _coming(self) -> Update | None:
        return await anext(self._handle, None)

    def _say_who_is_waited_for(self) -> None:
        match = self._handle.state
        if match is not None and match.decisions:
            names = dict.fromkeys(seat_name(match, decision.seat) for decision in match.decisions)
            self._console.say(f"waiting for {' and '.join(names)} …")

    def _typed(self) -> str:
        """The line that was typed; the next one is waited for already. Raises Left."""
        line = self._typing.result()
        if line is None or line.strip() == "quit":
            raise Left("left the terminal")
        self._typing = asyncio.create_task(self._console.line())
        return line.strip()

    async def _unasked(self, line: str) -> None:
        """A line while no question was to be seen: it cannot have been meant for one that comes later."""
        if not line or self._explain(line, ()):
            return
        if line.split()[0] != "resign":
            self._console.say(f"nothing was asked when you typed {line!r}, so it is dropped")
            return
        try:
            await self._resign(line)
        except Unclear as unclear:
            self._console.say(str(unclear))
        except (Refused, NotYours) as fault:
            self._console.say(f"you cannot resign now: {fault}")

    async def _drop_what_came_before(self) -> None:
        """Lines that were typed before a question was shown."""
        for _ in range(ROOM):
            await asyncio.sleep(0)
            if not self._typing.done():
                return
            await self._unasked(self._typed())

    # ------------------------------------------------------------ a question

    async def decide(self, decision: Decision[a.Question]) -> None:
        """Asks until the decision is taken, or taken away."""
        if isinstance(decision.question, ReadyQuestion):
            await self._handle.ready()
            return
        offered = await self._offered(decision)
        while offered is not None and decision in self._handle.open:
            line = await self._line(decision)
            if line is None or await self._obey(line, decision, offered):
                break
        self._why_not = ()

    async def _offered(self, decision: Decision[a.Question]) -> list[Choice] | None:
        try:
            options = await self._handle.options(decision)
        except Refused:  # it was taken away meanwhile
            return None
        match = self._handle.match
        await self._drop_what_came_before()
        self._refused, self._unclear, self._why_not = None, "", options.unavailable
        self._show_table(match, decision)
        offered = orders.choices(match, decision, options)
        self._console.say("\n" + question(match, decision))
        self._say_options(offered)
        return offered

    def _say_options(self, offered: Sequence[Choice]) -> None:
        for number, choice in enumerate(offered, 1):
            self._console.say(f"  {number}. {choice.text}")

    def _show_table(self, match: DiskwarsMatch, decision: Decision[a.Question]) -> None:
        """Once for each card that is played, and whenever a fight has to be chosen."""
        board = match.board
        if board is None or isinstance(decision.question, a.AskCard):
            return
        moment = (board.round, match.step, board.playing)
        if moment != self._shown:
            self._console.say("\n" + sketch(board))
        self._shown = moment

    async def _line(self, decision: Decision[a.Question]) -> str | None:
        """The next line; None when the decision is gone before one came. Raises Left."""
        self._console.prompt("> ")
        while decision in self._handle.open:
            news = asyncio.create_task(self._handle.after(self._handle.head))
            try:
                await asyncio.wait((self._typing, news), return_when=asyncio.FIRST_COMPLETED)
            finally:
                news.cancel()
            if self._typing.done():
                return self._typed()
        self._console.say("that is not asked any more")
        return None

    async def _obey(self, line: str, decision: Decision[a.Question], offered: Sequence[Choice]) -> bool:
        """True when the decision is taken."""
        if not line or self._explain(line, offered):
            return False
        try:
            await self._send(decision, line, offered)
        except Unclear as unclear:
            self._refused, self._unclear = None, str(unclear)
            self._console.say(self._unclear)
            return False
        except Refused as refused:
            self._refused, self._unclear = refused, ""
            self._console.say(f"refused: {self._named(refused)}")
            return False
        except NotYours:  # somebody else was quicker, or the match is over
            return True
        return True

    async def _send(self, decision: Decision[a.Question], line: str, offered: Sequence[Choice]) -> None:
        """Raises Unclear, Refused, NotYours."""
        if line.split()[0] == "resign":
            await self._resign(line)
            return
        action = orders.read(line, self._handle.match, decision, offered)
        if isinstance(action, a.LockCard):
            await self._handle.lock(str(action.card))
        else:
            await self._handle.act(decision, action)

    async def _resign(self, line: str) -> None:
        """Raises Unclear, Refused."""
        if line.split() != ["resign", "yes"]:
            raise Unclear("resigning ends the match for you and cannot be taken back: type `resign yes` to do it")
        await self._handle.resign()

    # ------------------------------------------------------------ questions of the player

    def _explain(self, line: str, offered: Sequence[Choice]) -> bool:
        """Answers what changes nothing; False when it was no such line."""
        verb, _, rest = line.partition(" ")
        board = None if self._handle.state is None else self._handle.state.board
        match verb:
            case "help":
                self._console.say(HELP)
            case "options" if offered:
                self._say_options(offered)
            case "why":
                self._console.say("\n".join(self._why(rest.strip())))
            case "board" if board is not None:
                self._console.say(sketch(board))
            case "cards" if board is not None:
                self._console.say("\n".join(self._cards(board)))
            case "show" if board is not None:
                self._console.say("\n".join(self._described(board, rest.strip())))
            case "board" | "cards" | "show":
                self._console.say("the table is not laid yet")
            case _:
                return False
        return True

    def _why(self, name: str) -> list[str]:
        """Why the last order was refused; with a name, or where none was, why disks and cards are not offered."""
        if self._refused is not None and not name:
            return [f"{self._refused.code}: {self._reason(self._refused)}", self._more()]
        if self._unclear and not name:
            return [f"the last line was no order that can be sent: {self._unclear}"]
        board = self._handle.match.board
        about = set(range(len(board.disks))) if board and not name else set(_called(board, name) if board else ())
        found = [one for one in self._why_not if one.disk in about or _is_called(one.card, name)]
        if found:
            return [*(f"  {self._reason(one)}" for one in found), self._more()]
        if not name:
            return [NOTHING]
        if board is None or not [*about, *named(board, name)]:
            return [f"nothing is called {name!r}"]
        return [f"nothing is said against {name!r}: what it can do now is among the options"]

    def _more(self) -> str:
        return f"what stands in brackets is a rule: `{self._command} rules ID` prints it"

    def _described(self, board: Board, name: str) -> list[str]:
        """All that is called so; a single letter is a disk."""
        if not name:
            return [SHOW_WHAT]
        others = named(board, name)
        found = [*(disk_text(board, disk) for disk in _called(board, name)), *others]
        more = [f"what a word on them means: `{self._command} rules WORD`"] if others else []
        return [*(f"  {one}" for one in found), *more] or [f"nothing is called {name!r}"]

    def _reason(self, why: Refused | Unavailable) -> str:
        return self._named(why) + (f" ({why.rule})" if why.rule else "")

    def _cards(self, board: Board) -> list[str]:
        seat = self._handle.seat
        hand = () if seat is None else board.sides[seat].hand or ()
        lines = [f"  {card_text(board.card(name))}" for name in hand] or ["  no card in hand"]
        scenarios = {one.name: one for one in board.layout.scenarios}
        if board.layout.scenario:
            lines.append(f"  scenario {scenario_text(scenarios[board.layout.scenario])}")
        objective = "" if seat is None else board.sides[seat].objective
        if isinstance(objective, str) and objective in scenarios:
            lines.append(f"  {objective_text(scenarios[objective])}")
        return lines

    def _named(self, refused: Refused | Unavailable) -> str:
        return refusal(self._handle.match.board, self._handle.seat, refused.code, refused.text)


def _called(board: Board, name: str) -> list[int]:
    """The disks that are called so, or have that letter."""
    letters, names = codes(board), disk_names(board)
    return [
        disk.id
        for disk in board.disks
        if name == letters[disk.id] or (len(name) > 1 and name.lower() in names[disk.id].lower())
    ]


def _is_called(card: str, name: str) -> bool:
    return bool(card) and (not name or (len(name) > 1 and name.lower() in card.lower()))
