"""What does a line mean that a player types? A small grammar of orders, read against the options that are open.

    4                        the option of that number
    move Swordsmen 45 x2     two flips to the north-east: degrees clockwise from north, or N, NE, E ...
    move S N x2 30           by the letter of the map; several directions, one flip each unless told otherwise
    move 3 toward Orc Boyz   the disk of option 3, straight on until it lies on them
    shoot Archers Orc Boyz   use, focus likewise; a disk is called by its name, a part of it, or its letter
    bring Trolls at 18 4     from the reserve; without a place to the middle of the zone
    place ...                deployment: disk x y, disk x y, ...; or `default`
    pass Trolls   end        an activation, or the rest of a card, or scouting
    lay ...   put ...        a deployment card, a piece of terrain: see preparing.py

Only says what is meant; whether it is allowed is the server's to say. Must not know sockets or terminals.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from diskwars_client.rulesets.diskwars import setup_orders
from diskwars_protocol import geometry
from diskwars_protocol.match import Decision, Options, ParametricOption, Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, DiskwarsMatch
from diskwars_text.lexer import INCH, labels
from diskwars_text.phrases import COMPASS, answer, disk_names, length
from diskwars_text.text_map import codes

FAR = 1_000_000
TURN = 360


class Unclear(Exception):
    """A line that cannot be meant; the text says what is missing or may be said instead."""


class Choice(Struct, frozen=True):
    """A numbered option: what it says, what it does, and the plan that it is an example of, if any."""

    text: str
    action: a.Action
    plan: ParametricOption[a.Action] | None = None


def choices(match: DiskwarsMatch, decision: Decision[a.Question], options: Options[a.Action]) -> list[Choice]:
    """The options in the order of their numbers, which begin with 1.

    What a player wants most stands first; what hits his own disks or ends something stands where nobody types it
    by mistake.
    """
    seat = decision.seat
    actions = options.actions
    if isinstance(decision.question, a.AskDeploymentCard) and options.parametric:
        actions = ()  # the plans name each card and side once, and any place can be typed
    found = [Choice(_text(match, decision, action), action) for action in actions]
    found += [Choice(_plan_text(match, decision.question, plan), plan.example, plan) for plan in options.parametric]
    return sorted(found, key=lambda choice: _rank(match.board, seat, choice.action))


def _rank(board: Board | None, seat: Seat, action: a.Action) -> int:
    """Where an option stands; those of one rank stay in the order in which they were offered."""
    if _is_at_own(board, seat, action):
        return len(_RANKS)
    ranks = [rank for rank, kind in enumerate(_RANKS) if isinstance(action, kind)]
    if ranks:
        return ranks[0]
    return len(_RANKS) + 1 + isinstance(action, a.PassDisk) + 2 * isinstance(action, a.EndCard)


_RANKS = (a.MoveDisk, a.Shoot, a.Focus | a.UseAbility, a.Reinforce)


def _is_at_own(board: Board | None, seat: Seat, action: a.Action) -> bool:
    if board is None or not isinstance(action, a.Shoot | a.Focus | a.UseAbility) or action.target is None:
        return False
    return board.disks[action.target].seat == seat and not isinstance(_effect(board, seat, action), HELPFUL)


HELPFUL = (f.Empower, f.Heal, f.Refresh)
"""What one does for one's own disks."""


def _effect(board: Board, seat: Seat, action: a.Shoot | a.Focus | a.UseAbility) -> f.Effect | None:
    """What an ability does; none for a shot and for Magic, which comes before the printed focus abilities."""
    if isinstance(action, a.UseAbility):
        abilities = board.card(board.sides[seat].revealed).abilities if board.sides[seat].revealed else ()
        return next((ability.effect for ability in abilities if ability.when == "battle"), None)
    if isinstance(action, a.Shoot):
        return None
    printed = board.profile(action.disk)
    magic = [None for keyword in printed.keywords if keyword.name == "Magic"]
    return [*magic, *(one.effect for one in printed.abilities if one.when == "focus")][action.ability]


def _text(match: DiskwarsMatch, decision: Decision[a.Question], action: a.Action) -> str:
    if (prepared := setup_orders.choice_text(match, action)) is not None:
        return prepared
    own = " (your own)" if _is_at_own(match.board, decision.seat, action) else ""
    return answer(match, decision.question, action) + own


def _plan_text(match: DiskwarsMatch, ask: a.Question, plan: ParametricOption[a.Action]) -> str:
    if match.board is None or not isinstance(plan.example, a.MoveDisk):
        return setup_orders.choice_text(match, plan.example) or answer(match, ask, plan.example)
    name = disk_names(match.board)[plan.disk]
    return f"move {name}: up to {plan.flips} flips of {length(plan.length)}"


def read(line: str, match: DiskwarsMatch, decision: Decision[a.Question], offered: Sequence[Choice]) -> a.Action:
    """The action that a line means. Raises Unclear."""
    words = line.split()
    if len(words) == 1 and words[0].isdecimal():
        return _numbered(words[0], match.board, offered)
    if match.board is None:
        raise Unclear("say the number of what you choose")
    return _Reader(match.board, decision.question, offered).read(words)


def _numbered(word: str, board: Board | None, offered: Sequence[Choice]) -> a.Action:
    number = int(word)
    if not 1 <= number <= len(offered):
        raise Unclear(f"there are options 1 to {len(offered)}")
    choice = offered[number - 1]
    if isinstance(choice.action, a.MoveDisk) and board is not None:
        raise Unclear(_where_to(board, choice.action.disk))
    return choice.action


def _where_to(board: Board, disk: int) -> str:
    """How to say a move, with examples that can be typed as they stand."""
    own, letters = board.disks[disk], codes(board)
    others = [other for other in board.disks if other.place == BATTLEFIELD and other.seat != own.seat]
    text = (
        f"say where to: `move {letters[disk]} 45` is one flip to the north-east, `move {letters[disk]} N x2` two north"
    )
    if not others:
        return text
    nearest = min(others, key=lambda other: (other.x - own.x) ** 2 + (other.y - own.y) ** 2).id
    return f"{text}, `move {letters[disk]} toward {letters[nearest]}` goes straight on to {disk_names(board)[nearest]}"


class _Reader:
    """Reads orders on a board."""

    def __init__(self, board: Board, ask: a.Question, offered: Sequence[Choice]) -> None:
        self._board, self._ask, self._offered = board, ask, offered
        self._names, self._labels, self._codes = disk_names(board), labels(board), codes(board)
        self._orders: dict[str, Callable[[list[str]], a.Action]] = {
            "move": self._move,
            "shoot": self._shoot,
            "focus": self._focus,
            "use": self._use,
            "bring": self._bring,
            "pass": self._pass,
            "end": self._end,
            "place": self._place,
            "lay": self._lay,
            "put": self._put,
            "default": self._default,
        }

    def read(self, words: list[str]) -> a.Action:
        verb = words[0].lower() if words else ""
        if verb not in self._orders:
            raise Unclear(self._meant(" ".join(words)) or f"say {self._takes()}; `help` says more")
        return self._orders[verb](words[1:])

    def _meant(self, said: str) -> str:
        """The number of the one option that begins with what was said, or empty. A slip must not choose anything."""
        named = [(n, one.text) for n, one in enumerate(self._offered, 1) if one.text.lower().startswith(said.lower())]
        return f"say {named[0][0]} for {named[0][1]}" if said and len(named) == 1 else ""

    def _takes(self) -> str:
        """What may be said to the question that is open."""
        offered = [choice.action for choice in self._offered]
        verbs = [verb for verb, kinds in self._kinds().items() if any(isinstance(one, kinds) for one in offered)]
        numbers = f"a number from 1 to {len(self._offered)}" if len(self._offered) > 1 else "1"
        return f"{numbers}, or {' or '.join(verbs)}" if verbs else numbers

    def _kinds(self) -> dict[str, tuple[type[a.Action], ...]]:
        """The orders by the options that they stand for."""
        return {
            "move": (a.MoveDisk,),
            "shoot": (a.Shoot,),
            "focus": (a.Focus,),
            "use": (a.UseAbility,),
            "bring": (a.Reinforce,),
            "pass": (a.PassDisk,),
            "end": _ending(self._ask),
            "place": (a.Deploy,),
            "lay": (a.LayDeployment,),
            "put": (a.PlaceTerrain,),
        }

    # ------------------------------------------------------------ orders

    def _move(self, words: list[str]) -> a.Action:
        plans = {choice.plan.disk: choice.plan for choice in self._offered if _is_move(choice) and choice.plan}
        disk, rest = self._disk(words, plans, "that can move", "cannot move now", "nobody can move now")
        is_last = bool(rest) and rest[-1] == "end"
        path = self._path(plans[disk], rest[:-1] if is_last else rest)
        return a.MoveDisk(disk, tuple(path), end=is_last)

    def _shoot(self, words: list[str]) -> a.Action:
        shots = [choice.action for choice in self._offered if isinstance(choice.action, a.Shoot)]
        return self._aimed(words, shots, "shoot")

    def _focus(self, words: list[str]) -> a.Action:
        foci = [choice.action for choice in self._offered if isinstance(choice.action, a.Focus)]
        return self._aimed(words, foci, "use a focus ability")

    def _use(self, words: list[str]) -> a.Action:
        uses = [choice.action for choice in self._offered if isinstance(choice.action, a.UseAbility)]
        return self._aimed(words, uses, "use the card")

    def _aimed(self, words: list[str], able: Sequence[a.Shoot | a.Focus | a.UseAbility], what: str) -> a.Action:
        """The disk that does it, and the target where there are several."""
        users = {action.disk for action in able}
        disk, rest = self._disk(words, users, f"that can {what}", f"cannot {what} now", f"nobody can {what} now")
        own = [action for action in able if action.disk == disk]
        targets = {action.target for action in own if action.target is not None}
        if rest:
            none = f"{self._called_by(disk)} needs no target for that"
            aims = f"at which {self._names[disk]} can aim"
            target, rest = self._disk(rest, targets, aims, "cannot be aimed at now", none)
            own = [action for action in own if action.target == target]
        elif len(targets) > 1:
            raise Unclear(f"at whom? {self._all(targets)}")
        if rest:
            raise Unclear(f"what is {' '.join(rest)!r}?")
        return own[0]

    def _bring(self, words: list[str]) -> a.Action:
        examples = {one.action.disk: one.action for one in self._offered if isinstance(one.action, a.Reinforce)}
        cannot, nobody = "cannot be brought now", "nobody can be brought now"
        disk, rest = self._disk(words, examples, "in the reserve", cannot, nobody)
        if not rest:
            return examples[disk]
        x, y = self._spot(rest[1:] if rest[0] == "at" else rest)
        return a.Reinforce(disk, x, y)

    def _pass(self, words: list[str]) -> a.Action:
        passes = [choice.action for choice in self._offered if isinstance(choice.action, a.PassDisk)]
        if len(passes) == 1 and not words:
            return passes[0]
        able = {action.disk for action in passes}
        disk, rest = self._disk(words, able, "that can pass", "cannot pass now", "nobody can pass now")
        if rest:
            raise Unclear(f"what is {' '.join(rest)!r}?")
        return a.PassDisk(disk)

    def _end(self, words: list[str]) -> a.Action:
        return self._first(_ending(self._ask), "there is nothing to end")

    def _default(self, words: list[str]) -> a.Action:
        return self._first((a.Deploy,), "nothing can be placed now")

    def _first(self, kinds: tuple[type[a.Action], ...], none: str) -> a.Action:
        """The first option of these kinds, and what to say where there is none."""
        for choice in self._offered:
            if isinstance(choice.action, kinds):
                return choice.action
        raise Unclear(f"{none}: say {self._takes()}")

    def _place(self, words: list[str]) -> a.Action:
        ready = self._default([])
        able = {placing.disk for placing in ready.disks} if isinstance(ready, a.Deploy) else set()
        seats = {self._board.disks[disk].seat for disk in able}
        own = [disk.id for disk in self._board.disks if disk.seat in seats]
        placings = []
        for part in " ".join(words).split(","):
            disk, rest = self._disk(
                part.split(), own, "to deploy", "is not yours to place", "nothing can be placed now"
            )
            placings.append(a.Placing(disk, *self._spot(rest)))
        return a.Deploy(tuple(placings))

    def _lay(self, words: list[str]) -> a.Action:
        try:
            return setup_orders.lay(words, self._board, self._ask)
        except setup_orders.Unreadable as unclear:
            raise Unclear(str(unclear)) from None

    def _put(self, words: list[str]) -> a.Action:
        try:
            return setup_orders.put(words, self._board, self._ask)
        except setup_orders.Unreadable as unclear:
            raise Unclear(str(unclear)) from None

    def _spot(self, words: Sequence[str]) -> tuple[int, int]:
        """A place in inches, the lower left corner being 0 0."""
        try:
            x, y = (float(word.strip("(),")) for word in words)
            return round(x * INCH), round(y * INCH)
        except (ValueError, OverflowError):
            raise Unclear("a place is two lengths in inches from the lower left corner, like 18 4.5") from None

    # ------------------------------------------------------------ disks by name

    def _disk(
        self, words: list[str], able: Iterable[int], what: str, cannot: str, nobody: str
    ) -> tuple[int, list[str]]:
        """The disk that the words begin with, and the words that are left.

        Whoever names a disk exactly means that one: where it cannot be meant no other is looked for.
        """
        candidates = sorted(set(able))
        if not candidates:
            raise Unclear(f"{nobody}: say {self._takes()}")
        if words and self._codes.count(words[0]) == 1 and not self._is_option(words[0], candidates):
            return self._allowed(self._codes.index(words[0]), candidates, cannot), words[1:]
        if words and self._is_option(words[0], candidates):
            return int(getattr(self._offered[int(words[0]) - 1].action, "disk", 0)), words[1:]
        for count in range(len(words), 0, -1):
            found = self._called(" ".join(words[:count]), candidates, cannot)
            if len(found) == 1:
                return found[0], words[count:]
            if found:
                raise Unclear(f"which one? {self._all(found)}")
        for count in range(len(words), 0, -1):
            found = self._called(" ".join(words[:count]), range(len(self._names)), cannot)
            if len(found) == 1:
                raise Unclear(f"{self._called_by(found[0])} {cannot}")
        said = f", not {' '.join(words)!r}" if words else ""
        raise Unclear(f"say a disk {what}: {self._all(candidates)}{said}")

    def _is_option(self, word: str, candidates: Sequence[int]) -> bool:
        """Whether it is the number of an option of one of them; a letter of the map that is a digit comes before."""
        if word in self._codes and self._codes.index(word) in candidates:
            return False
        if not word.isdecimal() or not 1 <= int(word) <= len(self._offered):
            return False
        return getattr(self._offered[int(word) - 1].action, "disk", None) in candidates

    def _allowed(self, disk: int, candidates: Sequence[int], cannot: str) -> int:
        if disk not in candidates:
            raise Unclear(f"{self._called_by(disk)} {cannot}")
        return disk

    def _called_by(self, disk: int) -> str:
        return f"{self._names[disk]} ({self._codes[disk]})"

    def _called(self, text: str, candidates: Sequence[int], cannot: str) -> list[int]:
        """By the whole name, else by the beginning of one of its words, of which one letter is too little."""
        wanted = text.lower()
        named = zip(self._labels, self._names, strict=True)
        whole = [disk for disk, names in enumerate(named) if wanted in map(str.lower, names)]
        if whole:
            able = [disk for disk in whole if disk in candidates]
            return able or [self._allowed(whole[0], candidates, cannot)]
        if len(wanted) == 1:
            return []
        stem, mark, number = (re.escape(part) for part in wanted.partition("#"))
        looks = re.compile(rf"(^|\s){stem}" + (rf".*{mark}{number}$" if mark else ""))
        return [disk for disk in candidates if looks.search(self._labels[disk].lower())]

    def _all(self, disks: Iterable[int]) -> str:
        return ", ".join(map(self._called_by, sorted(disks)))

    # ------------------------------------------------------------ paths

    def _path(self, plan: ParametricOption[a.Action], words: list[str]) -> list[a.Vector]:
        """Directions with their numbers of flips, or `toward` somebody."""
        if words and words[0] in ("toward", "towards", "to", "onto"):
            return self._toward(plan, words[1:])
        path: list[a.Vector] = []
        for angle, count in _directions(words):
            path += [_flip(angle, plan.length)] * count
        if not path:
            raise Unclear("say where to: degrees clockwise from north or N, NE ..., with x2 for two flips")
        return path

    def _toward(self, plan: ParametricOption[a.Action], words: list[str]) -> list[a.Vector]:
        most = plan.flips
        if words and re.fullmatch(r"x\d{1,2}", words[-1]):
            most = min(most, int(words.pop()[1:]))
        others = [disk.id for disk in self._board.disks if disk.place == BATTLEFIELD and disk.id != plan.disk]
        cannot, nobody = "cannot be moved toward", "nobody else lies on the battlefield"
        target, rest = self._disk(words, others, "on the battlefield", cannot, nobody)
        if rest:
            raise Unclear(f"what is {' '.join(rest)!r}?")
        return _straight(self._board, plan.disk, target, most, plan.length)


def _ending(ask: a.Question) -> tuple[type[a.Action], ...]:
    """What ends that which is under way: a card, scouting, or the activation of a disk."""
    return (a.EndCard,) if isinstance(ask, a.AskActivation) else (a.EndScouting, a.PassDisk)


def _is_move(choice: Choice) -> bool:
    return isinstance(choice.action, a.MoveDisk)


def _directions(words: Sequence[str]) -> list[tuple[int, int]]:
    """`45 x2 N 90x3` as angles and numbers of flips."""
    found: list[tuple[int, int]] = []
    for word in " ".join(words).replace(",", " ").split():
        times = re.fullmatch(r"x(\d{1,2})", word)
        if times and found:
            found[-1] = found[-1][0], int(times[1])
            continue
        said = re.fullmatch(r"(\d{1,3}|[A-Za-z]{1,2})(?:°)?(?:x(\d{1,2}))?", word)
        if said is None or not _is_direction(said[1]):
            raise Unclear(f"{word!r} is no direction: 0 to 360 degrees clockwise from north, or {', '.join(COMPASS)}")
        angle = int(said[1]) % TURN if said[1].isdecimal() else COMPASS.index(said[1].upper()) * TURN // len(COMPASS)
        found.append((angle, int(said[2] or 1)))
    return found


def _is_direction(word: str) -> bool:
    return int(word) <= TURN if word.isdecimal() else word.upper() in COMPASS


def _flip(angle: int, diameter: int) -> a.Vector:
    """One flip in a direction of degrees clockwise from north."""
    if angle % 5 == 0:
        return geometry.flip_at((90 - angle) // 5, diameter)
    dx, dy = round(FAR * math.sin(math.radians(angle))), round(FAR * math.cos(math.radians(angle)))
    return geometry.flip_toward(dx, dy, diameter)


def _straight(board: Board, disk: int, target: int, most: int, diameter: int) -> list[a.Vector]:
    """Straight flips until the disk lies on its target or is out of flips; at least one."""
    now, aim = board.disks[disk], board.disks[target]
    own, other = board.profile(disk).radius, board.profile(target).radius
    x, y = now.x, now.y
    path: list[a.Vector] = []
    while len(path) < most and not (path and geometry.disks_overlap(x, y, own, aim.x, aim.y, other)):
        dx, dy = aim.x - x, aim.y - y
        path.append(geometry.flip_toward(dx, dy, diameter) if dx or dy else geometry.flip_at(0, diameter))
        x, y = x + path[-1][0], y + path[-1][1]
    return path
