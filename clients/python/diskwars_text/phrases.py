"""Names and short phrases for people: players, disks, lengths, directions, abilities."""

import math
import re
from collections.abc import Collection, Sequence
from typing import assert_never

from diskwars_protocol.identifiers import id_title
from diskwars_protocol.match import (
    Decision,
    Ready,
    ReadyQuestion,
    ReplaceChain,
    Resign,
    Result,
    Seat,
    SeatQuestion,
    TakeSeat,
    seat_letter,
)
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.effect_text import amount_text, effect_text
from diskwars_protocol.rulesets.diskwars.setup_cards import Zone
from diskwars_text.lexer import INCH, counted_list, disk_labels, inches_text

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")

# ---------------------------------------------------------------- names


def seat_name(match: DiskwarsMatch, seat: Seat) -> str:
    """Return what to call a player: the army, if known, with the seat letter where two bring the same one."""
    armies = [_army_name(match, number) for number in range(len(match.seats))]
    army = armies[seat]
    if not army:
        return f"seat {seat_letter(seat)}"
    return f"{army} {seat_letter(seat)}" if armies.count(army) > 1 else army


def _army_name(match: DiskwarsMatch, seat: Seat) -> str:
    """Hidden from others until all have sat down (R19.2)."""
    if match.board:
        return match.board.sides[seat].army
    entry = match.seats[seat].loadout
    return entry.name if entry and isinstance(entry.name, str) else ""


def disk_names(board: Board) -> tuple[str, ...]:
    """What to call each disk, by its number: the label of the map, with its seat where both sides have such a disk."""
    owners: dict[int, set[Seat]] = {}
    for disk in board.disks:
        owners.setdefault(disk.profile, set()).add(disk.seat)
    return tuple(
        f"{label} ({seat_letter(disk.seat)})" if len(owners[disk.profile]) > 1 else label
        for disk, label in zip(board.disks, disk_labels(board), strict=True)
    )


def outcome_text(match: DiskwarsMatch, result: Result) -> str:
    """Return who has won and why, in a few words: `Empire Patrol (victory points)`."""
    name = "nobody" if result.winner is None else seat_name(match, result.winner)
    return f"{name} ({result.end_reason})"


# ---------------------------------------------------------------- small things


def length_text(micrometres: int) -> str:
    """Return a length in inches, as players say it."""
    return f"{_inches_text(micrometres)} in"


def point_text(x: int, y: int) -> str:
    return f"({_inches_text(x)}, {_inches_text(y)})"


def _inches_text(micrometres: int) -> str:
    """Return a length with up to two decimals."""
    return f"{micrometres / INCH:.2f}".rstrip("0").rstrip(".")


def zone_text(zone: Zone) -> str:
    return f"x {_inches_text(zone.x0)} to {_inches_text(zone.x1)}, y {_inches_text(zone.y0)} to {_inches_text(zone.y1)}"


def zones_text(board: Board, seat: Seat) -> str:
    """Return the bounds of the own zones in inches, as somebody who places a disk types them."""
    return " or ".join(zone_text(zone) for zone in board.zones if zone.seat == seat)


def point_for_disk_text(board: Board, disk: int, x: int, y: int) -> str:
    """Return a place for a disk in inches that can be typed as it is, rounded so that it stays in the zone."""
    radius, seat = board.profile(disk).radius, board.disks[disk].seat
    least_x, least_y, most_x, most_y = x, y, x, y
    for zone in board.zones:
        inside = (zone.x0 + radius, zone.y0 + radius, zone.x1 - radius, zone.y1 - radius)
        if zone.seat == seat and inside[0] <= x <= inside[2] and inside[1] <= y <= inside[3]:
            least_x, least_y, most_x, most_y = inside
    return f"({_nearest_hundredth(x, least_x, most_x)}, {_nearest_hundredth(y, least_y, most_y)})"


def _nearest_hundredth(size: int, least: int, most: int) -> str:
    """Return the nearest hundredth of an inch that lies within bounds; where there is none, as exact as it takes."""
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
    """`Hold Fast (steady, 3 activations; battle: empowers an own disk within medium range)`."""
    parts = [f"{card.strategy}, {card.activations} activations"]
    parts += [f"{ability.when}: {effect_text(ability.effect)}" for ability in card.abilities if ability.when in when]
    return f"{card.name} ({'; '.join(parts)})"


# ---------------------------------------------------------------- questions


def question_text(match: DiskwarsMatch, decision: Decision[a.Question]) -> str:
    """Return a decision as a sentence that begins with the player."""
    who, board = seat_name(match, decision.seat), match.board
    match decision.question:
        case SeatQuestion():
            return f"{who} is free"
        case ReadyQuestion():
            return f"{who}: ready?"
        case _ if board is None:
            return f"{who} has to decide"
        case _:
            return f"{who} {_question_task_text(board, decision.seat, decision.question)}"


def _question_task_text(board: Board, seat: Seat, ask: a.BoardQuestion) -> str:
    names = disk_names(board)
    match ask:
        case a.FirstPlayerQuestion():
            return "says who plays first"
        case a.InitiativeOrderQuestion():
            return "says in which order all play"
        case a.ScenarioQuestion():
            return "chooses which of two scenarios is active"
        case a.DeploymentCardQuestion():
            edge = board.layout.edges[seat] if seat < len(board.layout.edges) else "own"
            return f"takes a deployment card and lays it along the {edge} edge: {_gaps_text(ask)}"
        case a.TerrainQuestion():
            far = f"more than short range ({length_text(board.field.short)}) from others and from all edges"
            return f"takes a piece of terrain and places it, {far}"
        case a.ScoutQuestion():
            return f"may scout with {counted_list([names[disk] for disk in ask.disks])}"
        case a.DeploymentQuestion():
            zones = " or ".join(zone_text(board.zones[limit.zone]) for limit in ask.zone_limits)
            return f"deploys {_count_text(ask.disk_count, 'disk')} wholly inside {zones} (inches)"
        case a.CommandCardQuestion():
            return "locks a command card"
        case a.ActivationQuestion():
            does = [effect_text(one.effect) for one in board.card(ask.card).abilities if one.when == "battle"]
            ability = f", and its battle ability ({', '.join(does)})" if ask.ability_available else ""
            return f"plays {board.card_name(ask.card)}: {_count_text(ask.activations_left, 'activation')} left{ability}"
        case a.ContinuationQuestion():
            flips = f", {_count_text(ask.flips_left, 'flip')}" if ask.flips_left else ""
            return f"goes on with {names[ask.disk]}: may {' or '.join(ask.allowed)}{flips}"
        case a.ScatterQuestion():
            return f"says which disk the scatter dice of {names[ask.shooter]} go against"
        case a.TriggerOrderQuestion():
            return f"says in which order {_count_text(len(ask.triggers), 'ability')} go off"
        case a.EngageAbilityQuestion():
            at = f": {', '.join(names[disk] for disk in ask.candidates)}" if ask.candidates else ""
            return f"says {'whether and ' * ask.optional}how the ability of {names[ask.trigger.disk]} goes off{at}"
        case a.ReinforcementQuestion():
            return f"says whom {names[ask.source]} brings in within {ask.reach} range"
        case a.RampageQuestion():
            way = "onto" if ask.must_overlap else "toward"
            return f"says how {names[ask.disk]} flips {way} {' or '.join(names[disk] for disk in ask.targets)}"
        case a.EngagementQuestion():
            return "chooses the next engagement"
        case a.MeleeTargetsQuestion():
            strikers = ", ".join(names[choice.disk] for choice in ask.choices)
            return f"chooses whom to strike ({ask.speed} {ask.role}): {strikers}"
        case _:
            assert_never(ask)


def _gaps_text(ask: a.DeploymentCardQuestion) -> str:
    """Return where it may begin and end, in inches."""
    free = [f"{_inches_text(span.start)} to {_inches_text(span.end)}" for span in ask.free_spans]
    return f"free is {' and '.join(free)} inches"


_IRREGULAR_PLURALS = {"die": "dice", "ability": "abilities"}


def _count_text(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else _IRREGULAR_PLURALS.get(noun, noun + 's')}"


# ---------------------------------------------------------------- answers


def action_text(match: DiskwarsMatch, ask: a.Question, action: a.Action) -> str:
    """Return the effect of an answer in a few words."""
    board = match.board
    match action:
        case TakeSeat():
            return f"take the seat with {action.loadout.army or action.loadout.name}"
        case Ready():
            return "ready"
        case Resign():
            return "resign"
        case ReplaceChain():
            return "a new chain for the dice"
        case _ if board is None:
            return "nothing that can be done yet"
        case a.ChooseFirstPlayer():
            return f"{seat_name(match, action.seat)} plays first"
        case a.EndCard():
            return "leave the rest of the card unused"
        case _:
            return _activation_action_text(board, ask, action)


def _activation_action_text(board: Board, ask: a.Question, action: a.BoardAction) -> str:
    names = disk_names(board)
    match action:
        case a.Deploy():
            return "deploy " + ", ".join(
                f"{names[one.disk]} {point_for_disk_text(board, one.disk, one.x, one.y)}" for one in action.disks
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
            is_under_way = isinstance(ask, a.ContinuationQuestion)
            return f"leave it at that with {names[action.disk]}" if is_under_way else f"pass with {names[action.disk]}"
        case a.Reinforce():
            point = point_for_disk_text(board, action.disk, action.x, action.y)
            return f"bring {names[action.disk]} from the reserve to {point}"
        case a.UseAbility():
            card = board.card_name(board.sides[board.disks[action.disk].seat].revealed_card)
            return f"use {card} with {names[action.disk]}{_on_target_text(names, action.target)}"
        case _:
            return _choice_text(board, ask, action)


def _shot_range_text(board: Board, shot: a.Shoot) -> str:
    """Return the distance of the target and its drawbacks."""
    band = position.range_band(board, shot.disk, shot.target)
    return f"at {band} range" + (", where only criticals harm" if band == "siege" else "")


def _choice_text(board: Board, ask: a.Question, action: a.BoardAction) -> str:
    names = disk_names(board)
    match action:
        case a.ChooseScatter():
            return names[action.target]
        case a.OrderTriggers():
            triggers = ask.triggers if isinstance(ask, a.TriggerOrderQuestion) else ()
            return ", then ".join(f"{names[triggers[n].disk]} on {names[triggers[n].enemy]}" for n in action.order)
        case a.ChooseEngagement():
            fight = board.engagements[action.engagement]
            sides = [", ".join(names[disk] for disk in side) for side in (fight.attackers, fight.defenders)]
            return " against ".join(sides)
        case a.ChooseTargets():
            return ", ".join(f"{names[one.disk]} strikes {names[one.target]}" for one in action.targets)
        case _:
            return str(action.__struct_config__.tag).replace("_", " ")


def _on_target_text(names: Sequence[str], target: int | None) -> str:
    return "" if target is None else f" on {names[target]}"


# ---------------------------------------------------------------- disks


def disk_text(board: Board, disk: int) -> str:
    """Return the figures of a disk in force and its tokens."""
    printed, now = board.profile(disk), board.disks[disk]
    fight = f"strength {effective_stats.strength(board, disk)}, counter {effective_stats.counter(board, disk)}"
    parts = [_profile_text(printed), f"movement {effective_stats.movement(board, disk)}, {fight}"]
    parts += [f"toughness {effective_stats.toughness(board, disk)}, stamina {printed.stamina}"]
    parts += [_keyword_text(keyword) for keyword in printed.keywords]
    for shot in (effective_stats.shot(board, disk, number) for number in range(len(printed.shots))):
        beyond = f" beyond {shot.least}" if shot.least else ""
        dice = _count_text(shot.dice, "die")
        parts.append(f"shoots {dice}, strength {amount_text(shot.strength)} {shot.damage}, up to {shot.reach}{beyond}")
    parts += [f"{ability.when}: {effect_text(ability.effect)}" for ability in printed.abilities]
    parts += [f"{now.damage} damage"] * bool(now.damage) + [f"{now.wounds} wounds"] * bool(now.wounds)
    parts += ["activated"] * now.activated + ["empowered"] * now.empowered + ["weakened"] * bool(now.weakened)
    return f"{disk_names(board)[disk]}: {'; '.join(parts)}"


def _profile_text(printed: f.Profile) -> str:
    """`unit of Empire (Cavalry, Missile), medium (2.25 in), cost 9`."""
    traits = f" ({', '.join(map(id_title, printed.traits))})" if printed.traits else ""
    race = f" of {id_title(printed.race)}" if printed.race else ""
    cost = f", cost {printed.cost}" if printed.cost else ""
    return f"{printed.kind}{race}{traits}, {printed.size} ({_inches_text(2 * printed.radius)} in){cost}"


def _keyword_text(keyword: f.Keyword) -> str:
    value = amount_text(keyword.amount) if keyword.amount != f.Amount() else ""
    return " ".join(part for part in (keyword.name, value, f"({keyword.of})" if keyword.of else "") if part)


# ---------------------------------------------------------------- refusals


def refusal_text(board: Board | None, seat: Seat | None, code: str, text: str) -> str:
    """Return the server's sentence in the words of players: disks by name, lengths in inches, seats by letter."""
    if board is None:
        return text
    names, about = disk_names(board), re.search(r"\bdisk (\d+) would not lie", text)

    def named(found: re.Match[str]) -> str:
        return names[int(found[1])] if int(found[1]) < len(names) else found[0]

    def zone(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"the zone {zone_text(board.zones[number])}" if number < len(board.zones) else found[0]

    def listed(found: re.Match[str]) -> str:
        known = [number for number in map(int, re.findall(r"\d+", found[1])) if number < len(names)]
        return ", ".join(names[number] for number in known)

    text = re.sub(r"\bthe disks [\[(]([\d, ]+)[\])]", listed, text)
    text = re.sub(r"\bdisk (\d+)\b(?:, [^,]*,(?= is a hero))?", named, text)
    text = re.sub(r"\bzone (\d+)\b", zone, text)
    text = re.sub(r"\((-?\d+), (-?\d+)\)", lambda at: f"({_inches_text(int(at[1]))}, {_inches_text(int(at[2]))})", text)
    text = re.sub(r"\b(\d+) micrometres\b", lambda found: f"{_inches_text(int(found[1]))} in", text)
    if code == "outside_zone" and seat is not None:
        text += f": {zones_text(board, seat)} (inches)"
        text += _centre_area_text(board, int(about[1])) if about else ""
    return text


def _centre_area_text(board: Board, disk: int) -> str:
    """Return where the middle of a disk may be so that the whole disk is in a zone, rounded inward."""
    radius, places = board.profile(disk).radius, []
    for zone in board.zones:
        bounds = (zone.x0 + radius, zone.x1 - radius, zone.y0 + radius, zone.y1 - radius)
        if zone.seat == board.disks[disk].seat and bounds[0] <= bounds[1] and bounds[2] <= bounds[3]:
            x0, x1, y0, y1 = (_round_inwards(size, is_upper=number % 2 == 1) for number, size in enumerate(bounds))
            places.append(f"x {x0} to {x1}, y {y0} to {y1}")
    return f"; its middle may lie in {' or '.join(places)}" if places else ""


def _round_inwards(size: int, is_upper: bool) -> str:
    """Return a bound in hundredths of an inch, never beyond it."""
    hundredths = size * 100 // INCH if is_upper else -(-size * 100 // INCH)
    return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")
