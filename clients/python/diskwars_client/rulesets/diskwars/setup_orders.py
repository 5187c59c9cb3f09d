"""Orders of a player before the first round of a full setup, and the names of the choices.

    lay Rendezvous own at 12      a deployment card with that side up, its left or lower end 12 inches along the edge
    put Gully at 18 12 turn 45    a piece of terrain with that face up, its middle there, turned anticlockwise

Whether an order is legal is left to the server.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

from diskwars_protocol.identifiers import Identified
from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.effect_text import effect_text, objective_part_text
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Scenario, Terrain
from diskwars_text.rulesets.diskwars.lexer import INCH
from diskwars_text.rulesets.diskwars.phrases import card_text, disk_names
from diskwars_text.rulesets.diskwars.stat_lines import terrain_keyword_text

FACE_WORDS = ("common", "own")
"""Words for the faces of a deployment card."""
TURN_STEP_DEGREES = 5
"""R-57: terrain turns by steps of this many degrees."""
FULL_TURN_DEGREES = 360


T = TypeVar("T", bound=Identified)


class SetupOrderError(Exception):
    """A line that cannot be understood; the text shows one that can."""


# ---------------------------------------------------------------- what choices are called


def setup_action_text(match: DiskwarsMatch, action: a.Action) -> str | None:
    """Return the effect of an answer to a setup question; None for any other."""
    board = match.board
    if board is None:
        return None
    match action:
        case a.SetOrder():
            armies = [f"{board.army_name(seat)} ({seat_letter(seat)})" for seat in action.order]
            return ", then ".join(armies)
        case a.ChooseScenario():
            return scenario_text(board.layout.scenario_card(action.scenario))
        case a.LayDeploymentCard():
            card = board.layout.deployment_card(action.card)
            side = FACE_WORDS[action.face]
            typed = f"lay {card.name} {side} at {_inches_text(action.offset)}"
            return f"{card.name}, {side} side: {_deployment_face_text(card, action.face)}  (`{typed}`)"
        case a.PlaceTerrain():
            return _terrain_piece_text(board, action)
        case a.EndScouting():
            return "leave all other scouts where they are"
        case a.UseEngageAbility():
            target = "" if action.target is None else f" on {disk_names(board)[action.target]}"
            return f"use it{target}" if action.use else "do not use it"
        case _:
            return None


def scenario_text(card: Scenario) -> str:
    return f"{card.name}: for everybody, {effect_text(card.ability)}"


def objective_text(card: Scenario) -> str:
    return f"your secret objective, {card.name}: {_objective_parts_text(card)}"


def _objective_parts_text(card: Scenario) -> str:
    return "; ".join(objective_part_text(part) for part in card.objective)


def find_setup_cards(board: Board, name: str) -> list[str]:
    """The cards and the pieces of terrain that are called so, in full or in part, and what is printed on them."""
    layout = board.layout
    shown = {(card.name, card.id): card_text(card) for card in board.cards}
    shown |= {
        (card.name, card.id): f"{scenario_text(card)}; as a secret objective: {_objective_parts_text(card)}"
        for card in layout.scenarios
    }
    for card in layout.deployments:
        sides = [f"{side} side: {_deployment_face_text(card, face)}" for face, side in enumerate(FACE_WORDS)]
        shown[card.name, card.id] = f"{card.name}, {'; '.join(sides)}"
    shown |= {(face.name, face.id): _terrain_text(face) for card in layout.terrain for face in card.faces}
    shown |= {(piece.terrain.name, piece.terrain.id): _terrain_text(piece.terrain) for piece in board.terrain}
    return [
        text
        for (called, id), text in shown.items()
        if len(name) > 1 and (begins_word(called, name) or name.lower() == id)
    ]


def begins_word(text: str, part: str) -> bool:
    """Return whether a word of a text begins so: Rough does not name Break Through."""
    return re.search(rf"\b{re.escape(part)}", text, re.IGNORECASE) is not None


def _terrain_text(face: Terrain) -> str:
    words = [terrain_keyword_text(keyword) for keyword in face.keywords]
    return f"{face.name}: {', '.join(words) or 'nothing is printed on it'}"


def _deployment_face_text(card: DeploymentCard, face: int) -> str:
    shown = card.faces[face]
    abilities = "".join(f", {ability}" for ability in shown.abilities)
    return f"{shown.value} disk{'s' * (shown.value > 1)}, {_inches_text(card.width)} in wide{abilities}"


def _terrain_piece_text(board: Board, action: a.PlaceTerrain) -> str:
    face = board.layout.terrain_card(action.card).faces[action.face]
    at = f"{_inches_text(action.x)} {_inches_text(action.y)}" + (
        f" turn {action.rotation_steps * TURN_STEP_DEGREES}" if action.rotation_steps else ""
    )
    return f"{_terrain_text(face)}  (`put {face.name} at {at}`)"


def _inches_text(micrometres: int) -> str:
    return f"{micrometres / INCH:.2f}".rstrip("0").rstrip(".")


# ---------------------------------------------------------------- how they are typed


def parse_lay(words: Sequence[str], board: Board, question: a.Question) -> a.LayDeploymentCard:
    """`lay CARD common|own at X`. Raises SetupOrderError."""
    if not isinstance(question, a.DeploymentCardQuestion):
        raise SetupOrderError("you are not choosing a deployment card now")
    rest, offset = _split_at_word(words, "at", 1)
    side = rest.pop().lower() if rest and rest[-1].lower() in FACE_WORDS else ""
    cards = [board.layout.deployment_card(id) for id in question.cards]
    card_entry = _match_entry(" ".join(rest), cards, "card", f"lay {cards[0].name} own at 12")
    card = card_entry.name
    if not side:
        raise SetupOrderError(f"which side of {card} is up? Say `lay {card} own at 12` or `lay {card} common at 12`")
    if not offset:
        raise SetupOrderError(f"where does {card} begin? Say `lay {card} {side} at 12`, inches along your edge")
    return a.LayDeploymentCard(card_entry.id, FACE_WORDS.index(side), round(offset[0] * INCH))


def parse_put(words: Sequence[str], board: Board, question: a.Question) -> a.PlaceTerrain:
    """`put FACE at X Y [turn DEGREES]`. Raises SetupOrderError."""
    if not isinstance(question, a.TerrainQuestion):
        raise SetupOrderError("you are not choosing a piece of terrain now")
    is_turned = "turn" in [word.lower() for word in words]
    rest, turned = _split_at_word(words, "turn", 1)
    rest, middle = _split_at_word(rest, "at", 2)
    faces = {
        face.id: (face, card.id, number)
        for card in board.layout.terrain
        if card.id in question.cards
        for number, face in enumerate(card.faces)
    }
    titles = [face for face, _, _ in faces.values()]
    chosen = _match_entry(" ".join(rest), titles, "face", f"put {titles[0].name} at 18 12 turn 45")
    name = chosen.name
    if not middle:
        raise SetupOrderError(
            f"where is the middle of {name}? Say `put {name} at 18 12`, inches from the lower left corner"
        )
    if is_turned and (not turned or turned[0] % TURN_STEP_DEGREES or abs(turned[0]) > FULL_TURN_DEGREES):
        raise SetupOrderError(
            f"how is {name} turned? Say `turn 45`: 0 to {FULL_TURN_DEGREES} degrees by fives, anticlockwise"
        )
    _, card, face = faces[chosen.id]
    turn = round(turned[0] / TURN_STEP_DEGREES) % (FULL_TURN_DEGREES // TURN_STEP_DEGREES) if turned else 0
    return a.PlaceTerrain(card, face, round(middle[0] * INCH), round(middle[1] * INCH), turn)


def _match_entry(typed: str, entries: Sequence[T], what: str, example: str) -> T:
    """The one entry of this id or name, or whose name begins so. Raises SetupOrderError."""
    matching = [entry for entry in entries if typed.lower() in (entry.id, entry.name.lower())]
    matching = matching or [entry for entry in entries if typed and entry.name.lower().startswith(typed.lower())]
    if len(matching) != 1:
        names = [
            entry.name if [*(other.name for other in entries)].count(entry.name) == 1 else entry.id for entry in entries
        ]
        raise SetupOrderError(f"which {what}? Say `{example}`: there are {', '.join(names)}")
    return matching[0]


def _split_at_word(words: Sequence[str], word: str, count: int) -> tuple[list[str], list[float]]:
    """Return the words before that word, and this many numbers after it; none where they cannot be read."""
    lowered = [text.lower() for text in words]
    if word not in lowered:
        return list(words), []
    place = lowered.index(word)
    try:
        numbers = [float(text.strip("(),")) for text in words[place + 1 :]]
    except ValueError:
        numbers = []
    is_whole = len(numbers) == count and all(abs(number) < 1000 for number in numbers)
    return list(words[:place]), numbers if is_whole else []
