"""Diskwars in a terminal: the map, the sentences, the orders, and what can be looked up."""

from collections.abc import Sequence
from typing import Any

from diskwars_client.plugs.board_terminal import FULL_MAP_ROWS
from diskwars_client.plugs.terminal_ruleset import NumberedOption, RefusalReason, TerminalRuleset
from diskwars_client.rulesets.diskwars import orders
from diskwars_client.rulesets.diskwars.aiming_reasons import measured_text
from diskwars_client.rulesets.diskwars.disk_reasons import disk_reasons
from diskwars_client.rulesets.diskwars.doubts import doubt_text
from diskwars_client.rulesets.diskwars.hand_numbers import hand_numbers
from diskwars_client.rulesets.diskwars.option_lines import grouped_lines, reserve_line
from diskwars_client.rulesets.diskwars.preview import live_state, measure_lines, position_lines, preview_lines
from diskwars_client.rulesets.diskwars.setup_orders import begins_word, find_setup_cards, objective_text, scenario_text
from diskwars_client.terminal_pages import Screen
from diskwars_protocol.match.decisions import Decision, Options, Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match, RecordBody
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board
from diskwars_protocol.rulesets.diskwars.events import RoundBegan
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_text.rulesets.diskwars import phrases
from diskwars_text.rulesets.diskwars.narration import narrate
from diskwars_text.rulesets.diskwars.phrases import card_text, disk_names, disk_text
from diskwars_text.rulesets.diskwars.text_map import disk_letters, draw_small_map, draw_text_map

HELP_TEXT = """\
a number             choose that option, or show how to type it
move DISK 45 x2      two flips: degrees clockwise from north, or N, NE, E ...
move DISK toward X   straight on until it lies on X; x2 behind: at most two
shoot DISK X         shoot at X; focus, use: an ability of the disk, of the card
bring DISK at 18 4   from the reserve; inches from the lower left corner
end, pass DISK       end a card, a move or scouting; activate a disk for nothing
place DISK 18 4, ... deploy, every disk with its place; default: as suggested
lay CARD own at 12   that side up, from 12 inches along your edge on; or common
put FACE at 18 12 turn 45   terrain: its middle there, turned anticlockwise
why, why DISK        why an order was refused; why a disk or card is not offered
show NAME            a disk as it is now, a card, a scenario, a piece of terrain
measure A B          distance, range and direction, and how many flips it takes
preview ORDER        where a move lands, whom it pins, the fight; odds of a shot
positions, positions NAME: where the disks are; board full: the large map
options, more        what is asked now; every option, one by one
board, cards, settings, help, quit, resign yes: at any time
A disk is called by its name, a part of it, its letter on the map, or the number
of its option. A flip of which something follows cuts a move short, and you are
asked again; end behind a move ends the activation."""

NOTHING_UNAVAILABLE_TEXT = "nothing was refused, and no disk or card is left out of the options"
SHOW_USAGE_TEXT = "show what? A disk, a card, a scenario or a piece of terrain, by its name or a part of it"


_SETUP_STEPS: tuple[tuple[type[Any], str], ...] = (
    (a.FirstPlayerQuestion, "initiative"),
    (a.InitiativeOrderQuestion, "initiative"),
    (a.ScenarioQuestion, "scenario"),
    (a.DeploymentCardQuestion, "deployment cards"),
    (a.TerrainQuestion, "terrain"),
    (a.DeploymentQuestion, "deployment"),
    (a.ScoutQuestion, "scouts"),
)
"""Questions before round 1, as the status line names them."""
USE_ABILITY: a.ActionTag = "use_ability"
"""The kind of action of a battle ability, in what is not offered."""


class DiskwarsTerminal(TerminalRuleset):
    """The texts and orders of Diskwars."""

    help_text = HELP_TEXT
    why_hint = "`why` and a name says what that disk or card can do now, and what it cannot"
    information_orders = (
        *("help", "options", "more", "why", "show", "measure", "preview", "positions", "board", "cards"),
        *("settings", "quit", "resign yes"),
    )

    # ------------------------------------------------------------ what has happened

    def narrate(self, before: Match[Any, Any] | None, record: RecordBody[Any, Any, Any]) -> list[str]:
        return narrate(before, record)

    def begins_round(self, record: RecordBody[Any, Any, Any]) -> bool:
        return any(isinstance(event, RoundBegan) for event in record.events)

    def table_text(self, match: Match[Any, Any], screen: Screen | None = None) -> str:
        if match.board is None:
            return ""
        if screen is not None and screen.rows < FULL_MAP_ROWS:
            return draw_small_map(match.board, screen.columns)
        return draw_text_map(match.board)

    def table_moment(self, match: Match[Any, Any], decision: Decision[Any]) -> object:
        """Show the map for each card that is chosen or played, whenever a fight has to be chosen, and during the setup
        where something has been placed since.
        """
        board = match.board
        if board is None:
            return None
        if not board.round:
            placed = [disk.id for disk in board.disks if disk.place == BATTLEFIELD]
            return (len(board.zones), len(board.terrain), len(placed)) if board.zones else None
        if isinstance(decision.question, a.CommandCardQuestion):
            return (board.round, board.sides[decision.seat].card_count) if board.round else None
        return (board.round, match.step, board.active_seat)

    def seat_name(self, match: Match[Any, Any], seat: Seat) -> str:
        return phrases.seat_name(match, seat)

    def status_text(self, match: Match[Any, Any], turn: str) -> str:
        board = match.board
        if board is None:
            return turn
        question = match.decisions[0].question if match.decisions else None
        if not board.round:
            steps = [f", {step}" for kind, step in _SETUP_STEPS if isinstance(question, kind)]
            return f"setup{''.join(steps)}: {turn}"
        phase = "command cards" if isinstance(question, a.CommandCardQuestion) else f"{board.phase} phase"
        return f"round {board.round} of {board.rounds}, {phase}: {turn}"

    def outcome_text(self, match: Match[Any, Any], result: Result) -> str:
        return phrases.outcome_text(match, result)

    # ------------------------------------------------------------ a question

    def question_text(self, match: Match[Any, Any], decision: Decision[Any]) -> str:
        return phrases.question_text(match, decision)

    def numbered_options(
        self, match: Match[Any, Any], decision: Decision[Any], options: Options[Any, Any, Any]
    ) -> list[NumberedOption]:
        return orders.numbered_options(match, decision, options)

    def forced_action(self, decision: Decision[Any], offered: Sequence[NumberedOption]) -> Any:
        """Return the lock of the last card of a hand: everybody sees that one is left, so nothing is chosen.

        The terminal does it and not the server, because a lock opens the next link of the player's chain, which takes
        part in the dice (R19.25).
        """
        is_last_card = isinstance(decision.question, a.CommandCardQuestion) and len(offered) == 1
        return offered[0].action if is_last_card else None

    def option_lines(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        board, question = match.board, decision.question
        if board is None:
            return super().option_lines(match, decision, offered)
        if isinstance(question, a.ActivationQuestion | a.ContinuationQuestion | a.ScoutQuestion):
            return grouped_lines(board, offered)
        lines = super().option_lines(match, decision, offered)
        return [*lines, reserve_line(board, decision.seat)] if isinstance(question, a.DeploymentQuestion) else lines

    def doubt_text(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], action: Any, offered: Sequence[NumberedOption]
    ) -> str:
        return doubt_text(line, match, decision, action, offered)

    def preview_lines(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        if not line or match.board is None:
            return super().preview_lines(line, match, decision, offered)
        action = orders.parse_order(line, match, decision, offered)
        return preview_lines(match.board, action) or super().preview_lines(line, match, decision, offered)

    def parse_order(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> Any:
        return orders.parse_order(line, match, decision, offered)

    def completions(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> tuple[list[str], list[str]]:
        """Return the orders of the question, and the disks and cards that they may name."""
        verbs = orders.expected_verbs(match, decision.question, offered)
        if match.board is None:
            return verbs, []
        cards = getattr(decision.question, "cards", ())
        hand = if_known(match.board.sides[decision.seat].hand) or ()
        return verbs, list(dict.fromkeys([*disk_names(match.board), *map(str, cards), *map(str, hand)]))

    # ------------------------------------------------------------ questions of the player

    def answer_information_order(
        self, verb: str, rest: str, match: Match[Any, Any] | None, seat: Seat | None, command: str
    ) -> list[str] | None:
        if verb not in ("cards", "show", "measure", "positions"):
            return None
        board = None if match is None else match.board
        if board is None:
            return ["the match has not begun yet"]
        match verb:
            case "cards":
                return _card_lines(board, seat)
            case "show":
                return _show_lines(board, rest, command)
            case "measure":
                return _measure_lines(board, rest)
            case _:
                return position_lines(board, _find_disks(board, rest) if rest else range(len(board.disks)))

    def refusal_text(self, match: Match[Any, Any], seat: Seat | None, refusal: RefusalReason) -> str:
        return phrases.refusal_text(match.board, seat, refusal.code, refusal.text)

    def rules_hint(self, command: str) -> list[str]:
        return [f"rules are in brackets: `{command} rules ID`, in another terminal, prints one"]

    def unavailable_lines(
        self,
        match: Match[Any, Any],
        seat: Seat | None,
        unavailable: Sequence[Any],
        name: str,
        command: str,
        offered: Sequence[NumberedOption] = (),
    ) -> list[str]:
        """Return why disks and cards are not offered."""
        board = match.board
        if board is None:
            return [f"nothing is called {name!r}" if name else NOTHING_UNAVAILABLE_TEXT]
        disks = _find_disks(board, name) if name else range(len(board.disks))
        is_about_card = seat is not None and _plays_card(board, seat, name)
        entries = [
            entry
            for entry in unavailable
            if entry.disk in disks
            or entry.target in disks
            or _matches_card_name(entry.card, name)
            or (is_about_card and entry.action == USE_ABILITY)
        ]
        lines = [f"  {self._reason_line(match, seat, entry)}" for entry in entries]
        if not name:
            return [*lines, *self.rules_hint(command)] if lines else [NOTHING_UNAVAILABLE_TEXT]
        if not disks and not entries:
            return [_card_reason(board, name, offered)]
        lines += [f"  {line}" for disk in disks for line in disk_reasons(board, seat, disk, offered, entries)]
        return [*lines, *self.rules_hint(command)]

    def _reason_line(self, match: Match[Any, Any], seat: Seat | None, refusal: DiskwarsUnavailable) -> str:
        """Return a reason of the server with the distance that it depends on, before the rule in brackets."""
        measured = "" if match.board is None else measured_text(match.board, refusal)
        return f"{self.refusal_text(match, seat, refusal)}{measured} ({refusal.rule})"


def _card_reason(board: Board, name: str, offered: Sequence[NumberedOption]) -> str:
    """Return what can be said of a card or a piece of terrain that the server gives no reason for."""
    if not find_setup_cards(board, name):
        return f"nothing is called {name!r}"
    if any(begins_word(option.text, name) for option in offered):
        return f"nothing prevents {name!r}: it is among the options"
    return f"{name!r} is not what this question is about; `options` shows what is"


def _show_lines(board: Board, name: str, command: str) -> list[str]:
    """Return the lines about everything of this name; a single letter means a disk."""
    if not name:
        return [SHOW_USAGE_TEXT]
    others = find_setup_cards(board, name)
    disks = _find_disks(board, name)
    lines = [*("; ".join([disk_text(board, disk), *live_state(board, disk)]) for disk in disks), *others]
    more = [f"what a word on them means: `{command} rules WORD`"] if others else []
    return [*(f"  {line}" for line in lines), *more] or [
        f"nothing is called {name!r}; what a word means: `{command} rules WORD`, in another terminal"
    ]


def _measure_lines(board: Board, text: str) -> list[str]:
    """Return the lines of `measure A B`, wherever the first name ends."""
    words = text.split()
    for count in range(1, len(words)):
        pair = [_find_disks(board, " ".join(part)) for part in (words[:count], words[count:])]
        if all(len(disks) == 1 for disks in pair):
            return measure_lines(board, pair[0][0], pair[1][0])
    if len(words) == 2 and (unknown := [word for word in words if not _find_disks(board, word)]):
        return [f"no disk is called {' or '.join(map(repr, unknown))}; `board` shows the letters"]
    return ["measure what? Two disks by their letters on the map or their names: `measure K a`"]


def _card_lines(board: Board, seat: Seat | None) -> list[str]:
    lines = [] if seat is None else _hand_lines(board, seat)
    scenarios = {scenario.id: scenario for scenario in board.layout.scenarios}
    if board.layout.active_scenario:
        lines.append(f"  scenario {scenario_text(scenarios[board.layout.active_scenario])}")
    objective = "" if seat is None else board.sides[seat].objective
    if isinstance(objective, str) and objective in scenarios:
        lines.append(f"  {objective_text(scenarios[objective])}")
    return lines or ["  no card in hand"]


def _hand_lines(board: Board, seat: Seat) -> list[str]:
    """Return the cards of a seat with their numbers; those that were played return in the end phase."""
    side, lines = board.sides[seat], []
    for card, number in hand_numbers(board, seat).items():
        state = " (played now)" if card == side.revealed_card else " (discarded)" if card in side.discards else ""
        lines.append(f"  {number}. {card_text(board.card(card))}{state}")
    return lines


def _find_disks(board: Board, name: str) -> list[int]:
    """Return the disks with this name or letter."""
    letters, names = disk_letters(board), disk_names(board)
    return [
        disk.id
        for disk in board.disks
        if name == letters[disk.id] or (len(name) > 1 and begins_word(names[disk.id], name))
    ]


def _plays_card(board: Board, seat: Seat, name: str) -> bool:
    """Return whether the card that a seat plays is called so, and its battle ability is meant."""
    card = board.sides[seat].revealed_card
    return card is not None and len(name) > 1 and name.lower() in board.card_name(card).lower()


def _matches_card_name(card: str, name: str) -> bool:
    return bool(card) and (not name or (len(name) > 1 and name.lower() in card.lower()))
