"""Parser of what a player types: a small grammar, read against the open options.

    4                        the option of that number
    move Swordsmen 45 x2     two flips to the north-east: degrees clockwise from north, or N, NE, E ...
    move S N x2 30           by the letter of the map; several directions, one flip each unless told otherwise
    move 3 toward Orc Boyz   the disk of option 3, straight on until it lies on them
    shoot Archers Orc Boyz   use, focus likewise; a disk is called by its name, a part of it, or its letter
    bring Trolls at 18 4     from the reserve; without a place onto nobody, if there is room
    place ...                deployment: disk x y, disk x y, ...; or `default`
    pass Trolls   end        an activation, or the rest of a card, or scouting
    lay ...   put ...        a deployment card, a piece of terrain: see preparing.py

Whether an order is legal is left to the server.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence

from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError, find_option, numbers_text, with_numbers
from diskwars_client.rulesets.diskwars import setup_orders
from diskwars_client.rulesets.diskwars.aiming_reasons import focus_obstacle, shot_obstacle
from diskwars_client.rulesets.diskwars.hand_numbers import hand_numbers
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOption, DiskwarsOptions
from diskwars_text.rulesets.diskwars.lexer import INCH, disk_labels
from diskwars_text.rulesets.diskwars.phrases import COMPASS, action_text, disk_names, length_text
from diskwars_text.rulesets.diskwars.text_map import disk_letters

DIRECTION_SCALE = 1_000_000
FULL_TURN_DEGREES = 360
AIMING_WORDS = ("at", "on")
"""Words that the listed options have before a target; they may be typed."""


def numbered_options(
    match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions
) -> list[NumberedOption]:
    """Return the options in the order of their numbers, which begin with 1.

    The most useful options come first; those that hit own disks or end something are where nobody types them
    by mistake.
    """
    seat = decision.seat
    actions = options.actions
    if isinstance(decision.question, a.DeploymentCardQuestion) and options.parametric:
        actions = ()  # the plans name each card and side once, and any place can be typed
    cards = {} if match.board is None else hand_numbers(match.board, seat)
    choices = [
        NumberedOption(
            _option_text(match, decision, action),
            action,
            is_minor=_is_minor(match.board, decision, action),
            number=cards.get(str(action.card), 0) if isinstance(action, a.LockCard) else 0,
        )
        for action in actions
    ]
    choices += [
        NumberedOption(_parametric_text(match, decision.question, plan), plan.example, plan)
        for plan in options.parametric
    ]
    return sorted(choices, key=lambda choice: (_option_rank(match.board, seat, choice.action), choice.number))


def _option_rank(board: Board | None, seat: Seat, action: a.Action) -> int:
    """Return where an option stands; those of one rank stay in the order in which they were offered."""
    if harms_own_disk(board, seat, action):
        return len(_RANKED_ACTIONS)
    ranks = [rank for rank, kind in enumerate(_RANKED_ACTIONS) if isinstance(action, kind)]
    if ranks:
        return ranks[0]
    return len(_RANKED_ACTIONS) + 1 + isinstance(action, a.PassDisk) + 2 * isinstance(action, a.EndCard)


def _is_minor(board: Board | None, decision: Decision[a.Question], action: a.Action) -> bool:
    """Return whether an option is shown on request only: it harms own disks, or throws an activation away."""
    is_waste = isinstance(decision.question, a.ActivationQuestion) and isinstance(action, a.PassDisk)
    return is_waste or harms_own_disk(board, decision.seat, action)


_RANKED_ACTIONS = (a.MoveDisk, a.Shoot, a.Focus | a.UseAbility, a.Reinforce)


def harms_own_disk(board: Board | None, seat: Seat, action: a.Action) -> bool:
    if board is None or not isinstance(action, a.Shoot | a.Focus | a.UseAbility) or action.target is None:
        return False
    return board.disks[action.target].seat == seat and not isinstance(
        _ability_effect(board, seat, action), HELPFUL_EFFECTS
    )


HELPFUL_EFFECTS = (f.Empower, f.Heal, f.RemoveActivationToken)
"""Effects that serve one's own disks."""


def _ability_effect(board: Board, seat: Seat, action: a.Shoot | a.Focus | a.UseAbility) -> f.Effect | None:
    """Return what an ability does; none for a shot and for Magic, which comes before the printed focus abilities."""
    if isinstance(action, a.UseAbility):
        revealed = board.sides[seat].revealed_card
        abilities = board.card(revealed).abilities if revealed else ()
        return next((ability.effect for ability in abilities if ability.timing == "battle"), None)
    if isinstance(action, a.Shoot):
        return None
    printed = board.profile(action.disk)
    magic = [None for keyword in printed.keywords if keyword.id == "magic"]
    return [*magic, *(ability.effect for ability in printed.abilities if ability.timing == "focus")][action.ability]


def _option_text(match: DiskwarsMatch, decision: Decision[a.Question], action: a.Action) -> str:
    if (prepared := setup_orders.setup_action_text(match, action)) is not None:
        return prepared
    own = " (your own)" if harms_own_disk(match.board, decision.seat, action) else ""
    return action_text(match, decision.question, action) + own


def _parametric_text(match: DiskwarsMatch, question: a.Question, plan: DiskwarsOption) -> str:
    if match.board is None or plan.disk is None or not isinstance(plan.example, a.MoveDisk):
        text = setup_orders.setup_action_text(match, plan.example) or action_text(match, question, plan.example)
        return text if match.board is None else text + _covered_text(match.board, plan)
    name = disk_names(match.board)[plan.disk]
    return f"move {name}: up to {plan.flips} flips of {length_text(plan.length)}"


def _covered_text(board: Board, plan: DiskwarsOption) -> str:
    """Say onto whom the example of a placement comes; nothing if it lies on no disk."""
    if plan.disk is None or not plan.covers:
        return ""
    names, seat = disk_names(board), board.disks[plan.disk].seat
    under = [
        names[disk]
        + (" (your own)" if board.disks[disk].seat == seat else "")
        + ("" if disk in plan.pins else " (not pinned)")
        for disk in plan.covers
    ]
    return f", on top of {' and '.join(under)}"


def parse_order(
    line: str, match: DiskwarsMatch, decision: Decision[a.Question], offered: Sequence[NumberedOption]
) -> a.Action:
    """Return the action that a line means. Raises OrderError."""
    words = line.split()
    if len(words) == 1 and words[0].isdecimal():
        return _numbered_action(words[0], match.board, offered)
    if match.board is None:
        raise OrderError("type the number of what you choose")
    return _OrderParser(match.board, decision.question, offered).parse(words)


def _numbered_action(word: str, board: Board | None, offered: Sequence[NumberedOption]) -> a.Action:
    choice = find_option(offered, int(word))
    if choice is None:
        raise OrderError(f"there is no option {int(word)}: type {numbers_text(offered)}")
    if isinstance(choice.action, a.MoveDisk) and board is not None:
        raise OrderError(_move_hint(board, choice.action.disk))
    action: a.Action = choice.action
    return action


def _move_hint(board: Board, disk: int) -> str:
    """Return how to say a move, with examples that can be typed as they stand."""
    own, letters = board.disks[disk], disk_letters(board)
    others = [other for other in board.disks if other.place == BATTLEFIELD and other.seat != own.seat]
    text = (
        f"type where to: `move {letters[disk]} 45` is one flip to the north-east, `move {letters[disk]} N x2` two north"
    )
    if not others:
        return text
    nearest = min(others, key=lambda other: (other.x - own.x) ** 2 + (other.y - own.y) ** 2).id
    return f"{text}, `move {letters[disk]} toward {letters[nearest]}` goes straight on to {disk_names(board)[nearest]}"


def expected_verbs(match: DiskwarsMatch, question: a.Question, offered: Sequence[NumberedOption]) -> list[str]:
    """First words of the orders that can answer this question, for completion."""
    return [] if match.board is None else _OrderParser(match.board, question, offered).expected_verbs()


class _WrongDisk(OrderError):
    """The order names one disk, but not one that it can be about now."""

    def __init__(self, disk: int, text: str) -> None:
        super().__init__(text)
        self.disk = disk


class _OrderParser:
    """Reads orders on a board."""

    def __init__(self, board: Board, question: a.Question, offered: Sequence[NumberedOption]) -> None:
        self._board, self._question, self._options = board, question, offered
        self._names, self._labels, self._letters = disk_names(board), disk_labels(board), disk_letters(board)
        self._most_words = max((len(name.split()) for name in (*self._names, *self._labels)), default=0)
        self._parsers: dict[str, Callable[[list[str]], a.Action]] = {
            "move": self._parse_move,
            "shoot": self._parse_shoot,
            "focus": self._parse_focus,
            "use": self._parse_use,
            "bring": self._parse_bring,
            "pass": self._parse_pass,
            "end": self._parse_end,
            "place": self._parse_place,
            "lay": self._parse_lay,
            "put": self._parse_put,
            "default": self._parse_default,
        }

    def parse(self, words: list[str]) -> a.Action:
        verb = words[0].lower() if words else ""
        if verb not in self._parsers:
            raise OrderError(
                self._suggest_option(" ".join(words)) or f"type {self._expected_orders()}; `help` says more"
            )
        return self._parsers[verb](words[1:])

    def _suggest_option(self, typed: str) -> str:
        """The number of the one option that begins with what was typed, or empty. A slip must not choose anything."""
        named = [
            (number, choice.text)
            for number, choice in with_numbers(self._options)
            if choice.text.lower().startswith(typed.lower())
        ]
        return f"type {named[0][0]} for {named[0][1]}" if typed and len(named) == 1 else ""

    def _expected_orders(self) -> str:
        """Return the orders for the open question."""
        verbs = self.expected_verbs()
        numbers = numbers_text(self._options)
        return f"{numbers}, or {' or '.join(verbs)}" if verbs else numbers

    def expected_verbs(self) -> list[str]:
        offered = [choice.action for choice in self._options]
        return [
            verb
            for verb, kinds in self._actions_by_verb().items()
            if any(isinstance(action, kinds) for action in offered)
        ]

    def _actions_by_verb(self) -> dict[str, tuple[type[a.Action], ...]]:
        """Return the orders by the options that they stand for."""
        return {
            "move": (a.MoveDisk,),
            "shoot": (a.Shoot,),
            "focus": (a.Focus,),
            "use": (a.UseAbility,),
            "bring": (a.Reinforce,),
            "pass": (a.PassDisk,),
            "end": _ending_actions(self._question),
            "place": (a.Deploy,),
            "lay": (a.LayDeploymentCard,),
            "put": (a.PlaceTerrain,),
        }

    # ------------------------------------------------------------ orders

    def _parse_move(self, words: list[str]) -> a.Action:
        plans = {choice.plan.disk: choice.plan for choice in self._options if _is_move(choice) and choice.plan}
        disk, rest = self._parse_disk(words, plans, "that can move", "cannot move now", "nobody can move now")
        is_last = bool(rest) and rest[-1] == "end"
        path = self._parse_path(plans[disk], rest[:-1] if is_last else rest)
        return a.MoveDisk(disk, tuple(path), end_activation=is_last, over_own_disks=True)

    def _parse_shoot(self, words: list[str]) -> a.Action:
        shots = [choice.action for choice in self._options if isinstance(choice.action, a.Shoot)]
        return self._parse_aimed(words, shots, "shoot")

    def _parse_focus(self, words: list[str]) -> a.Action:
        foci = [choice.action for choice in self._options if isinstance(choice.action, a.Focus)]
        return self._parse_aimed(words, foci, "use a focus ability")

    def _parse_use(self, words: list[str]) -> a.Action:
        uses = [choice.action for choice in self._options if isinstance(choice.action, a.UseAbility)]
        return self._parse_aimed(words, uses, "use the card")

    def _parse_aimed(self, words: list[str], able: Sequence[a.Shoot | a.Focus | a.UseAbility], what: str) -> a.Action:
        """Parse an order that names a disk and, where there are several, a target."""
        users = {action.disk for action in able}
        disk, rest = self._parse_disk(words, users, f"that can {what}", f"cannot {what} now", f"nobody can {what} now")
        own = [action for action in able if action.disk == disk]
        targets = {action.target for action in own if action.target is not None}
        if rest:
            none = f"{self._disk_label(disk)} needs no target for that"
            aims = f"at which {self._names[disk]} can aim"
            rest = rest[1:] if rest[0] in AIMING_WORDS and len(rest) > 1 else rest
            target, rest = self._parse_target(rest, targets, own[0], (aims, none))
            own = [action for action in own if action.target == target]
        elif len(targets) > 1:
            raise OrderError(f"at whom? {self._list_disks(targets)}")
        if rest:
            raise OrderError(f"what is {' '.join(rest)!r}?")
        return own[0]

    def _parse_target(
        self, words: list[str], targets: set[int], aim: a.Shoot | a.Focus | a.UseAbility, texts: tuple[str, str]
    ) -> tuple[int, list[str]]:
        """Return the target that the first words name, and the words after it; say why another disk is none."""
        try:
            return self._parse_disk(words, targets, texts[0], "cannot be aimed at now", texts[1])
        except _WrongDisk as wrong:
            obstacle = shot_obstacle if isinstance(aim, a.Shoot) else focus_obstacle
            is_enemy = position.are_enemies(self._board, aim.disk, wrong.disk)
            is_fielded = self._board.disks[wrong.disk].place == BATTLEFIELD
            why = obstacle(self._board, aim.disk, wrong.disk) if is_enemy and is_fielded else ""
            raise OrderError(f"{wrong}{why and f': {why}'}") from None

    def _parse_bring(self, words: list[str]) -> a.Action:
        examples = {
            choice.action.disk: choice.action for choice in self._options if isinstance(choice.action, a.Reinforce)
        }
        cannot, nobody = "cannot be brought now", "nobody can be brought now"
        disk, rest = self._parse_disk(words, examples, "in the reserve", cannot, nobody)
        if not rest:
            return examples[disk]
        x, y = self._parse_point(rest[1:] if rest[0] == "at" else rest)
        return a.Reinforce(disk, x, y)

    def _parse_pass(self, words: list[str]) -> a.Action:
        passes = [choice.action for choice in self._options if isinstance(choice.action, a.PassDisk)]
        if len(passes) == 1 and not words:
            return passes[0]
        able = {action.disk for action in passes}
        disk, rest = self._parse_disk(words, able, "that can pass", "cannot pass now", "nobody can pass now")
        if rest:
            raise OrderError(f"what is {' '.join(rest)!r}?")
        return a.PassDisk(disk)

    def _parse_end(self, words: list[str]) -> a.Action:
        return self._first_option(_ending_actions(self._question), "there is nothing to end")

    def _parse_default(self, words: list[str]) -> a.Action:
        return self._first_option((a.Deploy,), "nothing can be placed now")

    def _first_option(self, kinds: tuple[type[a.Action], ...], none: str) -> a.Action:
        """Return the first option of these kinds. Raises the error of an order that is not possible now."""
        for choice in self._options:
            if isinstance(choice.action, kinds):
                return choice.action
        raise OrderError(f"{none}: type {self._expected_orders()}")

    def _parse_place(self, words: list[str]) -> a.Action:
        ready = self._parse_default([])
        able = {placing.disk for placing in ready.disks} if isinstance(ready, a.Deploy) else set()
        seats = {self._board.disks[disk].seat for disk in able}
        own = [disk.id for disk in self._board.disks if disk.seat in seats]
        placings = []
        for part in " ".join(words).split(","):
            disk, rest = self._parse_disk(
                part.split(), own, "to deploy", "is not yours to place", "nothing can be placed now"
            )
            placings.append(a.Placement(disk, *self._parse_point(rest)))
        return a.Deploy(tuple(placings))

    def _parse_lay(self, words: list[str]) -> a.Action:
        try:
            return setup_orders.parse_lay(words, self._board, self._question)
        except setup_orders.SetupOrderError as unclear:
            raise OrderError(str(unclear)) from None

    def _parse_put(self, words: list[str]) -> a.Action:
        try:
            return setup_orders.parse_put(words, self._board, self._question)
        except setup_orders.SetupOrderError as unclear:
            raise OrderError(str(unclear)) from None

    def _parse_point(self, words: Sequence[str]) -> tuple[int, int]:
        """Return a place in inches, the lower left corner being 0 0."""
        try:
            x, y = (float(word.strip("(),")) for word in words)
            return round(x * INCH), round(y * INCH)
        except (ValueError, OverflowError):
            raise OrderError("a place is two lengths in inches from the lower left corner, like 18 4.5") from None

    # ------------------------------------------------------------ disks by name

    def _parse_disk(
        self, words: list[str], able: Iterable[int], what: str, cannot: str, nobody: str
    ) -> tuple[int, list[str]]:
        """Return the disk named by the first words, and the words after them.

        An exact name refers to that disk only: if it cannot be used, no other is tried.
        """
        candidates = sorted(set(able))
        if not candidates:
            raise OrderError(f"{nobody}: type {self._expected_orders()}")
        if words and self._letters.count(words[0]) == 1 and self._disk_of_option(words[0], candidates) is None:
            return self._check_candidate(self._letters.index(words[0]), candidates, cannot), words[1:]
        if words and (numbered := self._disk_of_option(words[0], candidates)) is not None:
            return numbered, words[1:]
        # No name has more words: of a long line each further one would only make a longer pattern.
        counts = range(min(len(words), self._most_words), 0, -1)
        for count in counts:
            disks = self._find_disks(" ".join(words[:count]), candidates, cannot)
            if len(disks) == 1:
                return disks[0], words[count:]
            if disks:
                raise OrderError(f"which one? {self._list_disks(disks)}")
        for count in counts:
            disks = self._find_disks(" ".join(words[:count]), range(len(self._names)), cannot)
            if len(disks) == 1:
                raise _WrongDisk(disks[0], f"{self._disk_label(disks[0])} {cannot}")
        rejected = f", not {' '.join(words)!r}" if words else ""
        raise OrderError(f"type a disk {what}: {self._list_disks(candidates)}{rejected}")

    def _disk_of_option(self, word: str, candidates: Sequence[int]) -> int | None:
        """Return the one of them whose option has this number; a letter of the map that is a digit comes before."""
        if word in self._letters and self._letters.index(word) in candidates:
            return None
        option = find_option(self._options, int(word)) if word.isdecimal() else None
        disk: int | None = None if option is None else getattr(option.action, "disk", None)
        return disk if disk in candidates else None

    def _check_candidate(self, disk: int, candidates: Sequence[int], cannot: str) -> int:
        if disk not in candidates:
            raise _WrongDisk(disk, f"{self._disk_label(disk)} {cannot}")
        return disk

    def _disk_label(self, disk: int) -> str:
        return f"{self._names[disk]} ({self._letters[disk]})"

    def _find_disks(self, text: str, candidates: Sequence[int], cannot: str) -> list[int]:
        """By the whole name, else by the beginning of one of its words, of which one letter is too little."""
        wanted = text.lower()
        named = zip(self._labels, self._names, strict=True)
        whole = [disk for disk, names in enumerate(named) if wanted in map(str.lower, names)]
        if whole:
            able = [disk for disk in whole if disk in candidates]
            return able or [self._check_candidate(whole[0], candidates, cannot)]
        if len(wanted) == 1:
            return []
        stem, mark, number = (re.escape(part) for part in wanted.partition("#"))
        looks = re.compile(rf"(^|\s){stem}" + (rf".*{mark}{number}$" if mark else ""))
        return [disk for disk in candidates if looks.search(self._labels[disk].lower())]

    def _list_disks(self, disks: Iterable[int]) -> str:
        return ", ".join(map(self._disk_label, sorted(disks)))

    # ------------------------------------------------------------ paths

    def _parse_path(self, plan: DiskwarsOption, words: list[str]) -> list[a.Vector]:
        """Parse directions with their numbers of flips, or `toward` a disk."""
        if words and words[0] in ("toward", "towards", "to", "onto"):
            return self._parse_toward(plan, words[1:])
        path: list[a.Vector] = []
        for angle, count in _parse_directions(words):
            path += [_flip_vector(angle, plan.length)] * count
        if not path:
            raise OrderError("type where to: degrees clockwise from north or N, NE ..., with x2 for two flips")
        return path

    def _parse_toward(self, plan: DiskwarsOption, words: list[str]) -> list[a.Vector]:
        most = plan.flips
        if words and re.fullmatch(r"x\d{1,2}", words[-1]):
            most = min(most, int(words.pop()[1:]))
        others = [disk.id for disk in self._board.disks if disk.place == BATTLEFIELD and disk.id != plan.disk]
        cannot, nobody = "cannot be moved toward", "nobody else lies on the battlefield"
        target, rest = self._parse_disk(words, others, "on the battlefield", cannot, nobody)
        if rest:
            raise OrderError(f"what is {' '.join(rest)!r}?")
        moving = target if plan.disk is None else plan.disk
        return _straight_path(self._board, moving, target, most, plan.length)


def _ending_actions(question: a.Question) -> tuple[type[a.Action], ...]:
    """Return the actions that end the current card, scouting or activation."""
    return (a.EndCard,) if isinstance(question, a.ActivationQuestion) else (a.EndScouting, a.PassDisk)


def _is_move(choice: NumberedOption) -> bool:
    return isinstance(choice.action, a.MoveDisk)


def _parse_directions(words: Sequence[str]) -> list[tuple[int, int]]:
    """`45 x2 N 90x3` as angles and numbers of flips."""
    pairs: list[tuple[int, int]] = []
    for word in " ".join(words).replace(",", " ").split():
        times = re.fullmatch(r"x(\d{1,2})", word)
        if times and pairs:
            pairs[-1] = pairs[-1][0], int(times[1])
            continue
        parsed = re.fullmatch(r"(\d{1,3}|[A-Za-z]{1,2})(?:°)?(?:x(\d{1,2}))?", word)
        if parsed is None or not _is_direction(parsed[1]):
            raise OrderError(
                f"{word!r} is no direction: 0 to 360 degrees clockwise from north, or {', '.join(COMPASS)}"
            )
        angle = (
            int(parsed[1]) % FULL_TURN_DEGREES
            if parsed[1].isdecimal()
            else COMPASS.index(parsed[1].upper()) * FULL_TURN_DEGREES // len(COMPASS)
        )
        pairs.append((angle, int(parsed[2] or 1)))
    return pairs


def _is_direction(word: str) -> bool:
    return int(word) <= FULL_TURN_DEGREES if word.isdecimal() else word.upper() in COMPASS


def _flip_vector(angle: int, diameter: int) -> a.Vector:
    """Return one flip in a direction of degrees clockwise from north."""
    if angle % 5 == 0:
        return geometry.flip_at((90 - angle) // 5, diameter)
    dx, dy = (
        round(DIRECTION_SCALE * math.sin(math.radians(angle))),
        round(DIRECTION_SCALE * math.cos(math.radians(angle))),
    )
    return geometry.flip_toward(dx, dy, diameter)


def _straight_path(board: Board, disk: int, target: int, most: int, diameter: int) -> list[a.Vector]:
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
