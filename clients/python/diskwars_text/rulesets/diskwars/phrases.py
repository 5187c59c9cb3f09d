"""Names and short phrases for people: players, disks, lengths, directions, abilities."""

import math
import re
from collections.abc import Collection, Sequence
from functools import singledispatch

from msgspec import Struct

from diskwars_protocol.identifiers import id_title
from diskwars_protocol.match.actions import (
    AnswerOffer,
    LeaveSeat,
    MakeOffer,
    Ready,
    ReadyQuestion,
    ReplaceChain,
    Resign,
    ResumePlay,
    SeatQuestion,
    TakeBack,
    TakeSeat,
    TakeSeatBack,
)
from diskwars_protocol.match.decisions import Decision, Result
from diskwars_protocol.match.ids import EndReason, Seat, seat_letter
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.effect_text import amount_text, effect_text
from diskwars_protocol.rulesets.diskwars.setup_cards import Zone
from diskwars_text.agreement_text import agreement_action_text
from diskwars_text.phrases import joined
from diskwars_text.rulesets.diskwars.lexer import INCH, counted_list, disk_labels, inches_text
from diskwars_text.rulesets.diskwars.stat_lines import keyword_text

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")

# ---------------------------------------------------------------- names


def seat_name(match: DiskwarsMatch, seat: Seat) -> str:
    """Return a player's name: the army if known, with the seat letter if several have the same one."""
    armies = [_army_name(match, number) for number in range(len(match.seats))]
    army = armies[seat]
    if not army:
        return f"seat {seat_letter(seat)}"
    return f"{army} {seat_letter(seat)}" if armies.count(army) > 1 else army


def _army_name(match: DiskwarsMatch, seat: Seat) -> str:
    """Return what a seat's army is called; empty while it is hidden, until every seat is taken (R19.2)."""
    if match.board:
        return match.board.army_name(seat)
    loadout = match.seats[seat].loadout
    return "" if loadout is None else loadout_title(loadout)


def loadout_title(loadout: a.Loadout) -> str:
    """Return what the army of a loadout is called, from its ids; empty where it is hidden."""
    if isinstance(loadout.army, str) and loadout.army:
        return id_title(loadout.army)
    if isinstance(loadout.regiments, Sealed) or not loadout.regiments:
        return ""
    return f"army of {id_title(loadout.regiments[0].hero)}"


def disk_names(board: Board) -> tuple[str, ...]:
    """Return a name for each disk, by number: its label, with the seat if both sides have such a disk."""
    owners: dict[int, set[Seat]] = {}
    for disk in board.disks:
        owners.setdefault(disk.profile, set()).add(disk.seat)
    return tuple(
        f"{label} ({seat_letter(disk.seat)})" if len(owners[disk.profile]) > 1 else label
        for disk, label in zip(board.disks, disk_labels(board), strict=True)
    )


_END_REASON_TEXTS: dict[EndReason, str] = {
    "everybody_eliminated": "everybody eliminated",
    "initiative": "initiative, after equal points",
    "victory_points": "victory points",
}


def end_reason_text(end_reason: EndReason) -> str:
    """Return the reason why a match ended as text; an unknown id as its words."""
    return _END_REASON_TEXTS.get(end_reason, end_reason.replace("_", " "))


def outcome_text(match: DiskwarsMatch, result: Result) -> str:
    """Return the winner and the reason in a few words: `Empire Patrol (victory points)`."""
    names = " and ".join(seat_name(match, seat) for seat in result.winners) or "nobody"
    return f"{names} ({end_reason_text(result.end_reason)})"


# ---------------------------------------------------------------- lengths and directions


def length_text(micrometres: int) -> str:
    """Format a length in inches for players."""
    return f"{_inches_text(micrometres)} in"


def point_text(x: int, y: int) -> str:
    return f"({_inches_text(x)}, {_inches_text(y)})"


def _inches_text(micrometres: int) -> str:
    """Format a length in inches with up to two decimals."""
    return f"{micrometres / INCH:.2f}".rstrip("0").rstrip(".")


def zone_text(zone: Zone) -> str:
    return f"x {_inches_text(zone.x0)} to {_inches_text(zone.x1)}, y {_inches_text(zone.y0)} to {_inches_text(zone.y1)}"


def zones_text(board: Board, seat: Seat) -> str:
    """Return the bounds of a seat's zones in inches, in the form in which a player types places."""
    return " or ".join(zone_text(zone) for zone in board.zones if zone.seat == seat)


def point_for_disk_text(board: Board, disk: int, x: int, y: int) -> str:
    """Return a place for a disk in inches, ready to be typed, rounded so that the disk stays in its zone."""
    radius, seat = board.profile(disk).radius, board.disks[disk].seat
    least_x, least_y, most_x, most_y = x, y, x, y
    for zone in board.zones:
        inside = (zone.x0 + radius, zone.y0 + radius, zone.x1 - radius, zone.y1 - radius)
        if zone.seat == seat and inside[0] <= x <= inside[2] and inside[1] <= y <= inside[3]:
            least_x, least_y, most_x, most_y = inside
    return f"({_nearest_hundredth(x, least_x, most_x)}, {_nearest_hundredth(y, least_y, most_y)})"


def _nearest_hundredth(size: int, least: int, most: int) -> str:
    """Return the nearest hundredth of an inch within bounds, or the exact length if there is none."""
    nearest = round(size * 100 / INCH)
    for hundredths in (nearest, nearest - 1, nearest + 1):
        if least <= round(hundredths * INCH / 100) <= most:
            return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")
    return inches_text(size)


def degrees(dx: int, dy: int) -> int:
    """Return a direction in degrees clockwise from north, which is +y."""
    return round(math.degrees(math.atan2(dx, dy))) % 360


def direction_text(angle: int) -> str:
    return f"{COMPASS[(angle + 22) % 360 // 45]} ({angle}°)"


def card_text(card: f.CommandCard, when: Collection[str] = ("passive", "battle")) -> str:
    """Describe a card: `Hold Fast (steady, 3 activations; battle: empowers a friendly disk within medium range)`.

    A battle ability that only some disks may use names them: `battle (Caster): ...`.
    """
    parts = [f"{card.strategy}, {card.activations} activations"]
    parts += [
        f"{ability.timing}{f' ({id_title(ability.user)})' if ability.user else ''}: {effect_text(ability.effect)}"
        for ability in card.abilities
        if ability.timing in when
    ]
    return f"{card.name} ({'; '.join(parts)})"


# ---------------------------------------------------------------- questions


def question_text(match: DiskwarsMatch, decision: Decision[a.Question]) -> str:
    """Return a decision as a sentence that begins with the player's name."""
    who, board = seat_name(match, decision.seat), match.board
    match decision.question:
        case SeatQuestion():
            return f"{who} is free"
        case ReadyQuestion():
            return f"{who}: ready?"
        case _ if board is None:
            return f"{who} has to decide"
        case _:
            return f"{who} {_task_text(decision.question, board, decision.seat)}"


_UNCHANGING_TASKS: dict[type[Struct], str] = {
    a.FirstPlayerQuestion: "chooses who plays first",
    a.InitiativeOrderQuestion: "says in which order all play",
    a.ScenarioQuestion: "chooses which of two scenarios is active",
    a.CommandCardQuestion: "locks a command card",
    a.EngagementQuestion: "chooses the next engagement",
}
"""Tasks whose text depends on nothing but the type of the question."""


@singledispatch
def _task_text(question: Struct, board: Board, seat: Seat) -> str:
    """Return what the seat does, after its name; a question without a phrase here is named by its type.

    A question whose text depends on the board or on its fields has a function of its own, found by its type.
    """
    unknown = f"has to answer: {str(question.__struct_config__.tag).replace('_', ' ')}"
    return _UNCHANGING_TASKS.get(type(question), unknown)


@_task_text.register
def _(question: a.DeploymentCardQuestion, board: Board, seat: Seat) -> str:
    edge = board.layout.edges[seat] if seat < len(board.layout.edges) else "own"
    return f"takes a deployment card and lays it along the {edge} edge: {_gaps_text(question)}"


@_task_text.register
def _(question: a.TerrainQuestion, board: Board, seat: Seat) -> str:
    far = f"more than short range ({length_text(board.field.short)}) from others and from all edges"
    return f"takes a piece of terrain and places it, {far}"


@_task_text.register
def _(question: a.ScoutQuestion, board: Board, seat: Seat) -> str:
    names = disk_names(board)
    return f"may scout with {counted_list([names[disk] for disk in question.disks])}"


@_task_text.register
def _(question: a.DeploymentQuestion, board: Board, seat: Seat) -> str:
    zones = " or ".join(zone_text(board.zones[limit.zone]) for limit in question.zone_limits)
    disks = _count_text(question.disk_count, "disk") + _heroes_text(board, seat, question.disk_count)
    return f"deploys {disks} wholly inside {zones} (inches)"


@_task_text.register
def _(question: a.ActivationQuestion, board: Board, seat: Seat) -> str:
    abilities = board.card(question.card).abilities
    effects = [effect_text(ability.effect) for ability in abilities if ability.timing == "battle"]
    ability = f", and its battle ability ({', '.join(effects)})" if question.ability_available else ""
    left = _count_text(question.activations_left, "activation")
    return f"plays {board.card_name(question.card)}: {left} left{ability}"


@_task_text.register
def _(question: a.ContinuationQuestion, board: Board, seat: Seat) -> str:
    flips = f", {_count_text(question.flips_left, 'flip')}" if question.flips_left else ""
    return f"goes on with {disk_names(board)[question.disk]}: may {' or '.join(question.allowed)}{flips}"


@_task_text.register
def _(question: a.ScatterQuestion, board: Board, seat: Seat) -> str:
    return f"says which disk the scatter dice of {disk_names(board)[question.shooter]} go against"


@_task_text.register
def _(question: a.TriggerOrderQuestion, board: Board, seat: Seat) -> str:
    return f"says in which order {_count_text(len(question.triggers), 'ability')} go off"


@_task_text.register
def _(question: a.EngageAbilityQuestion, board: Board, seat: Seat) -> str:
    names = disk_names(board)
    at = f": {', '.join(names[disk] for disk in question.candidates)}" if question.candidates else ""
    whether = "whether and " * question.optional
    return f"says {whether}how the ability of {names[question.trigger.disk]} goes off{at}"


@_task_text.register
def _(question: a.ReinforcementQuestion, board: Board, seat: Seat) -> str:
    return f"chooses which disk {disk_names(board)[question.source]} brings in within {question.reach} range"


@_task_text.register
def _(question: a.RampageQuestion, board: Board, seat: Seat) -> str:
    names = disk_names(board)
    way = "onto" if question.must_overlap else "toward"
    return f"says how {names[question.disk]} flips {way} {' or '.join(names[disk] for disk in question.targets)}"


@_task_text.register
def _(question: a.MeleeTargetsQuestion, board: Board, seat: Seat) -> str:
    names = disk_names(board)
    strikers = ", ".join(names[choice.disk] for choice in question.choices)
    return f"chooses whom to strike ({question.speed} {question.role}): {strikers}"


def _heroes_text(board: Board, seat: Seat, disk_count: int) -> str:
    """Return which heroes have to be among the disks that a seat deploys (R3.6.4)."""
    names = disk_names(board)
    own = [disk.id for disk in board.disks if disk.seat == seat and disk.place == RESERVE]
    heroes = [names[disk] for disk in own if board.profile(disk).kind == "hero"]
    if not heroes:
        return ""
    if len(heroes) > disk_count:
        return f", all of them heroes ({', '.join(heroes)}),"
    if len(heroes) == disk_count:
        return f", {joined(heroes)},"
    return f", {joined(heroes)} among them,"


def _gaps_text(question: a.DeploymentCardQuestion) -> str:
    """Return the spans in which a deployment card may lie, in inches."""
    free = [f"{_inches_text(span.start)} to {_inches_text(span.end)}" for span in question.free_spans]
    return f"{' and '.join(free)} inches are free"


_IRREGULAR_PLURALS = {"die": "dice", "ability": "abilities"}


def _count_text(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else _IRREGULAR_PLURALS.get(noun, noun + 's')}"


# ---------------------------------------------------------------- answers


def action_text(match: DiskwarsMatch, question: a.Question, action: a.Action) -> str:
    """Describe an action in a few words."""
    board = match.board
    match action:
        case TakeSeat():
            return f"take the seat with {loadout_title(action.loadout)}"
        case Ready():
            return "ready"
        case Resign():
            return "resign"
        case ReplaceChain():
            return "a new chain for the dice"
        case MakeOffer() | AnswerOffer() | TakeBack() | ResumePlay() | LeaveSeat() | TakeSeatBack():
            return agreement_action_text(action)
        case _ if board is None:
            return "nothing that can be done yet"
        case a.ChooseFirstPlayer():
            return f"{seat_name(match, action.seat)} plays first"
        case a.EndCard():
            return "leave the rest of the card unused"
        case _:
            return _activation_action_text(board, question, action)


def _activation_action_text(board: Board, question: a.Question, action: a.BoardAction) -> str:
    names = disk_names(board)
    match action:
        case a.Deploy():
            return "deploy " + ", ".join(
                f"{names[placement.disk]} {point_for_disk_text(board, placement.disk, placement.x, placement.y)}"
                for placement in action.disks
            )
        case a.LockCard():
            return card_text(board.card(str(action.card)))
        case a.MoveDisk():
            way = ", ".join(direction_text(degrees(dx, dy)) for dx, dy in action.path)
            return f"move {names[action.disk]} {way}"
        case a.Shoot():
            shot = effective_stats.shot(board, action.disk, action.shot)
            return (
                f"shoot {names[action.target]} with {names[action.disk]} {_shot_range_text(board, action)}: "
                f"{_count_text(shot.dice, 'die')}, strength {amount_text(shot.strength)}"
            )
        case a.Focus():
            return f"use the focus ability of {names[action.disk]}{_on_target_text(names, action.target)}"
        case a.PassDisk():
            is_under_way = isinstance(question, a.ContinuationQuestion)
            return f"end the activation of {names[action.disk]}" if is_under_way else f"pass with {names[action.disk]}"
        case a.Reinforce():
            point = point_for_disk_text(board, action.disk, action.x, action.y)
            return f"bring {names[action.disk]} from the reserve to {point}"
        case a.UseAbility():
            card = board.card_name(board.sides[board.disks[action.disk].seat].revealed_card or "")
            return f"use {card} with {names[action.disk]}{_on_target_text(names, action.target)}"
        case _:
            return _choice_text(board, question, action)


def _shot_range_text(board: Board, shot: a.Shoot) -> str:
    """Return the range of a shot and its drawback, if any."""
    band = position.range_band(board, shot.disk, shot.target)
    return f"at {band} range" + (", where only criticals harm" if band == "siege" else "")


def _choice_text(board: Board, question: a.Question, action: a.BoardAction) -> str:
    names = disk_names(board)
    match action:
        case a.ChooseScatter():
            return names[action.target]
        case a.OrderTriggers():
            triggers = question.triggers if isinstance(question, a.TriggerOrderQuestion) else ()
            return ", then ".join(f"{names[triggers[n].disk]} on {names[triggers[n].enemy]}" for n in action.order)
        case a.ChooseEngagement():
            fight = board.engagements[action.engagement]
            sides = [", ".join(names[disk] for disk in side) for side in (fight.attackers, fight.defenders)]
            return " against ".join(sides)
        case a.ChooseTargets():
            return ", ".join(f"{names[choice.disk]} strikes {names[choice.target]}" for choice in action.targets)
        case _:
            return str(action.__struct_config__.tag).replace("_", " ")


def _on_target_text(names: Sequence[str], target: int | None) -> str:
    return "" if target is None else f" on {names[target]}"


# ---------------------------------------------------------------- disks


def disk_text(board: Board, disk: int) -> str:
    """Describe a disk: its figures in force and its tokens."""
    profile, disk_state = board.profile(disk), board.disks[disk]
    fight = f"strength {effective_stats.strength(board, disk)}, counter {effective_stats.counter_strength(board, disk)}"
    parts = [_profile_text(profile), f"movement {effective_stats.movement(board, disk)}, {fight}"]
    parts += [f"toughness {effective_stats.toughness(board, disk)}, stamina {profile.stamina}"]
    parts += [keyword_text(keyword) for keyword in profile.keywords]
    for shot in (effective_stats.shot(board, disk, number) for number in range(len(profile.shots))):
        beyond = f" beyond {shot.beyond}" if shot.beyond else ""
        dice = _count_text(shot.dice, "die")
        parts.append(
            f"shoots {dice}, strength {amount_text(shot.strength)} {shot.damage_type}, up to {shot.reach}{beyond}"
        )
    parts += [f"{ability.timing}: {effect_text(ability.effect)}" for ability in profile.abilities]
    parts += [f"{disk_state.damage} damage"] * bool(disk_state.damage)
    parts += [_count_text(disk_state.wounds, "wound")] * bool(disk_state.wounds)
    parts += (
        ["activated"] * disk_state.activated
        + ["empowered"] * disk_state.empowered
        + ["weakened"] * bool(disk_state.weakened)
    )
    return f"{disk_names(board)[disk]}: {'; '.join(parts)}"


def _profile_text(profile: f.Profile) -> str:
    """Describe a profile: `unit of Empire (Cavalry, Missile), medium (2.25 in), cost 9`."""
    traits = f" ({', '.join(map(id_title, profile.traits))})" if profile.traits else ""
    race = f" of {id_title(profile.race)}" if profile.race else ""
    cost = f", cost {profile.cost}" if profile.cost else ""
    return f"{profile.kind}{race}{traits}, {profile.size} ({_inches_text(2 * profile.radius)} in){cost}"


# ---------------------------------------------------------------- refusals


_REACH = re.compile(r"zone \d+ from \((-?\d+), (-?\d+)\) to \((-?\d+), (-?\d+)\)")


def refusal_text(board: Board | None, seat: Seat | None, code: str, text: str) -> str:
    """Rephrase a refusal for players: disks by name, lengths in inches, seats by letter."""
    if board is None:
        return text
    names, outside_match = disk_names(board), re.search(r"\bdisk (\d+) would not lie", text)
    reaches = _REACH.findall(text)  # how far zones reach for reinforcing, which may be farther than they are
    text = re.sub(r", which are zone .*\)", "", text) if reaches else text

    def named(match: re.Match[str]) -> str:
        return names[int(match[1])] if int(match[1]) < len(names) else match[0]

    def zone(match: re.Match[str]) -> str:
        number = int(match[1])
        return f"the zone {zone_text(board.zones[number])}" if number < len(board.zones) else match[0]

    def listed(match: re.Match[str]) -> str:
        known = [number for number in map(int, re.findall(r"\d+", match[1])) if number < len(names)]
        return ", ".join(names[number] for number in known)

    text = re.sub(r"\bthe disks [\[(]([\d, ]+)[\])]", listed, text)
    text = re.sub(r"\bdisk (\d+)\b(?:, [^,]*,(?= is a hero))?", named, text)
    text = re.sub(r"\bzone (\d+)\b", zone, text)
    text = re.sub(r"\((-?\d+), (-?\d+)\)", lambda at: f"({_inches_text(int(at[1]))}, {_inches_text(int(at[2]))})", text)
    text = re.sub(r"\b(\d+) micrometres\b", lambda match: f"{_inches_text(int(match[1]))} in", text)
    if " along the edge; " in text:  # where a deployment card lies: bare numbers
        text = re.sub(r"\b\d+\b", lambda match: _inches_text(int(match[0])), text) + " (inches)"
    if code == "outside_zone" and seat is not None:
        areas = [
            f"x {x0} to {x1}, y {y0} to {y1}" for x0, y0, x1, y1 in (map(_inches_text, map(int, at)) for at in reaches)
        ]
        text += f": {' or '.join(areas) or zones_text(board, seat)} (inches)"
        text += _centre_area_text(board, int(outside_match[1])) if outside_match else ""
    return text


def _centre_area_text(board: Board, disk: int) -> str:
    """Return the area, rounded inward, in which the centre of a disk may be so that the disk is inside a zone."""
    radius, places = board.profile(disk).radius, []
    for zone in board.zones:
        bounds = (zone.x0 + radius, zone.x1 - radius, zone.y0 + radius, zone.y1 - radius)
        if zone.seat == board.disks[disk].seat and bounds[0] <= bounds[1] and bounds[2] <= bounds[3]:
            x0, x1, y0, y1 = (_round_inwards(size, is_upper=number % 2 == 1) for number, size in enumerate(bounds))
            places.append(f"x {x0} to {x1}, y {y0} to {y1}")
    return f"; its middle may lie in {' or '.join(places)}" if places else ""


def _round_inwards(size: int, is_upper: bool) -> str:
    """Return a bound rounded to hundredths of an inch, never beyond it."""
    hundredths = size * 100 // INCH if is_upper else -(-size * 100 // INCH)
    return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")
