"""Forecasts of `preview` are what the engine decides, row by row of tests/vectors/forecasts.json.

The page is held by the same rows: clients/web/tests/forecasts.test.ts.
"""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import msgspec

from diskwars_client.rulesets.diskwars.clash import landing_clash
from diskwars_client.rulesets.diskwars.forecast_lines import outlook_lines
from diskwars_client.rulesets.diskwars.melee_outlook import melee_outlook, standing_links
from diskwars_client.rulesets.diskwars.preview import own_disks_pinned, preview_lines
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import keywords, terrain
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import Link
from diskwars_protocol.rulesets.diskwars.stats import DamageType
from diskwars_text.phrases import joined, percent_text
from diskwars_text.rulesets.diskwars.phrases import disk_names, point_text
from tests.client.rulesets.diskwars.forecast_vectors import VECTORS, Json, flip_to, judged_rows, landed, path_of

HELD = {
    "landings": {"legal", "pins", "ground", "impact", "guards", "dangers", "goes_on"},
    "paths": {"places", "dangers", "ends"},
    "clashes": {"dealt", "wounded", "destroyed"},
    "abilities": {"dealt", "wounded", "destroyed", "healed", "weakened"},
    "fights": {"links", "steps", "damage", "wounded", "destroyed"},
    "shots": {"dice", "nearest", "unharmed", "struck", "taken"},
}
"""Fields that the tests below compare."""
GIVEN = {"disk", "x", "y", "action", "disks", "pins", "target", "shot", "of"}
"""The subject of a row that is not held."""
CAVEAT = re.compile(r"  not forecast: what joins the fight until then(, and whom .+ strikes)?")
MIN_FIGHTS, MIN_SHOTS = 50, 90


def test_every_field_of_the_vectors_is_held_or_listed() -> None:
    for kind in VECTORS.keys() - {"about"}:
        found = {field for _, row in judged_rows(kind) for field in row}
        assert found - GIVEN == HELD[kind] - GIVEN, kind


# ---------------------------------------------------------------- landings


class Flip(NamedTuple):
    """A line about a flip, taken apart; `stop` is why the flips behind it are not made."""

    text: str
    dangers: tuple[str, ...]
    stop: str


def flips_of(lines: list[str]) -> list[Flip]:
    """Return the flips that a preview shows, each with the lines that belong to it."""
    flips: list[Flip] = []
    for line in lines:
        if line.startswith("  flip "):
            flips.append(Flip(line.partition(": ")[2], (), ""))
        elif line.startswith("    "):
            flips[-1] = flips[-1]._replace(dangers=tuple(line.strip().split("; ")))
        elif line.endswith("; the flips behind it are not made"):
            flips[-1] = flips[-1]._replace(stop=line.strip())
    return flips


def danger_names(flip: Flip) -> list[str]:
    return [danger.partition(":")[0] for danger in flip.dangers]


def ground_names(board: Board, pieces: list[int]) -> list[str]:
    return [board.terrain[number].terrain.name for number in pieces]


def test_a_landing_off_the_field_is_said_to_be_illegal() -> None:
    for board, row in judged_rows("landings"):
        lines = preview_lines(board, a.MoveDisk(row["disk"], (flip_to(board, row),)))
        assert lines[0].endswith(": leaves the field, which is not allowed") == (not row["legal"]), row
        assert row["legal"] or len(lines) == 1


def test_a_landing_names_the_disks_that_it_pins_and_its_ground() -> None:
    for board, row in legal_landings():
        names, disk = disk_names(board), row["disk"]
        own = [pinned for pinned in row["pins"] if board.disks[pinned].seat == board.disks[disk].seat]
        enemies = [pinned for pinned in row["pins"] if pinned not in own]
        parts = [point_text(row["x"], row["y"])]
        parts += [f"pins {joined(names[one] for one in enemies)}"] * bool(enemies)
        parts += [f"pins your own {joined(names[one] for one in own)}"] * bool(own)
        move, reinforcement = a.MoveDisk(disk, (flip_to(board, row),)), a.Reinforce(disk, row["x"], row["y"])
        (flip,) = flips_of(preview_lines(board, move))
        landing, _, ground = flip.text.partition(", on ")
        assert landing == ", ".join(parts), row
        assert named_ground(board, ground) == ground_names(board, row["ground"]), row
        assert preview_lines(board, reinforcement)[0] == f"  lands at {flip.text}"
        assert own_disks_pinned(board, move) == own_disks_pinned(board, reinforcement) == own


def legal_landings() -> Iterator[tuple[Board, Json]]:
    return ((board, row) for board, row in judged_rows("landings") if row["legal"])


def named_ground(board: Board, text: str) -> list[str]:
    """Return the pieces of terrain that a text names, in the order of their numbers."""
    names = [piece.terrain.name for piece in board.terrain]
    return [name for name in names if re.search(rf"(^|, |and ){name}\b", text)]


def test_a_landing_has_a_line_for_each_roll_for_dangerous_ground() -> None:
    compared = 0
    for board, row in legal_landings():
        if row["dangers"] is None:  # the disk falls, or an ability is asked for, before the ground harms it
            continue
        (flip,) = flips_of(preview_lines(board, a.MoveDisk(row["disk"], (flip_to(board, row),))))
        assert danger_names(flip) == ground_names(board, row["dangers"]), row
        compared += bool(row["dangers"])
    assert compared > 20


def test_a_move_ends_where_the_engine_lets_the_disk_not_go_on() -> None:
    ends = 0
    for board, row in legal_landings():
        if row["goes_on"] is None:  # the disk flies or falls, or something else is asked first
            continue
        dx, dy = flip_to(board, row)
        first, *others = flips_of(preview_lines(board, a.MoveDisk(row["disk"], ((dx, dy), (-dx, -dy)))))
        assert ("ends the move" in first.stop) == (not row["goes_on"]), row
        assert bool(first.stop) == (not others), "one flip is shown, or both"
        assert not first.stop or "ends the move" in first.stop or "asked again" in first.stop, row
        ends += not row["goes_on"]
    assert ends > 50


def test_impact_and_guard_are_forecast_of_those_whom_the_engine_strikes() -> None:
    compared: Counter[str] = Counter()
    for board, row in legal_landings():
        lines = preview_lines(board, a.MoveDisk(row["disk"], (flip_to(board, row),)))
        text = "\n".join(lines)
        if row["dangers"] is None or "engages: " in text:  # the landing is over before, or something else comes first
            continue
        names = disk_names(board)
        impact = re.findall(
            r"^  Impact \d+: \d+ damage(?:,| wounds| destroys) (.+?)(?: then has.*)?$", text, re.MULTILINE
        )
        rolled = re.findall(r"^  not forecast: Impact d6 on (.+), which is rolled$", text, re.MULTILINE)
        struck = [disk for disk in row["impact"] if not terrain.is_fortified(board, disk)]
        assert sorted(impact) == sorted(names[disk] for disk in struck) or rolled, row
        guards = re.findall(r"^  (.+) has Guard \d+: ", text, re.MULTILINE)
        assert guards == [names[disk] for disk in row["guards"]], (row, text)
        compared.update(impact=bool(row["impact"]), guards=bool(guards))
    assert compared["impact"] > 5
    assert compared["guards"] > 2


def test_a_melee_is_said_to_be_without_what_joins_it() -> None:
    compared = 0
    for board, row in legal_landings():
        lines = preview_lines(board, a.MoveDisk(row["disk"], (flip_to(board, row),)))
        is_fought = any("in the melee" in line for line in lines)
        assert bool(CAVEAT.fullmatch(lines[-1])) == is_fought
        compared += is_fought
    assert compared > 10


# ---------------------------------------------------------------- paths


def test_a_path_is_shown_up_to_the_flip_at_which_the_engine_ends_it() -> None:
    """Behind dangerous ground the rest of a path is ordered again, as the preview says that a player has to."""
    stops: Counter[str] = Counter()
    for board, row in judged_rows("paths"):
        disk, path, done = row["disk"], path_of(board, row), 0
        # One flip more than the engine lets the disk make shows whether the preview ends the move there.
        ordered = (*path, back(path[-1])) if row["ends"] else path
        while done < len(path):
            shown = flips_of(preview_lines(board, a.MoveDisk(disk, ordered[done:])))
            for flip in shown:
                x, y = row["places"][done]
                assert flip.text.startswith(point_text(x, y)), row
                assert danger_names(flip) == ground_names(board, row["dangers"][done]), (row, done)
                board, done = landed(board, disk, x, y), done + 1
                assert ("ends the move" in flip.stop) == (row["ends"] and done == len(path)), (row, done)
                assert bool(flip.stop) == (flip is shown[-1] and done < len(ordered)), (row, done)
                assert bool(flip.dangers) or "asked again" not in flip.stop or "pins an own disk" in flip.stop
                stops[flip.stop.partition("; ")[0].rpartition(", ")[2]] += 1
        assert done == len(path)
    assert stops["which ends the move"] > 3
    assert stops["and you are asked again after its damage"] > 5


def back(vector: a.Vector) -> a.Vector:
    return -vector[0], -vector[1]


# ---------------------------------------------------------------- clashes


def test_a_landing_deals_wounds_and_destroys_what_the_engine_does() -> None:
    compared = 0
    for board, row in judged_rows("clashes"):
        clash = landing_clash(board, row["disk"], row["x"], row["y"], is_move=True)
        struck = [(strike.target, strike.taken) for strike in clash.strikes if strike.taken]
        assert sorted(struck) == sorted((disk, taken) for disk, taken in row["dealt"] if taken), row
        fates = [(strike.target, strike.fate) for strike in clash.strikes]
        fates += [(fall.disk, fall.fate) for fall in clash.falls]
        assert sorted(disk for disk, fate in fates if fate == "wounded") == sorted(row["wounded"])
        assert sorted(disk for disk, fate in fates if fate == "destroyed") == sorted(row["destroyed"])
        text = "\n".join(preview_lines(board, a.MoveDisk(row["disk"], (flip_to(board, row),))))
        assert all(f": {taken} damage" in text for _, taken in row["dealt"]), text
        compared += 1
    assert compared > 40


def reduced_damage(board: Board, disk: int, instances: list[tuple[str, str]]) -> set[int]:
    """Return what an instance of each of these, an amount and a type, leaves of a disk's damage."""
    profile = board.profile(disk)
    types = msgspec.convert([kind for _, kind in instances], list[DamageType])
    return {
        keywords.damage_after_reduction(profile, int(amount), kind)
        for (amount, _), kind in zip(instances, types, strict=True)
    }


# ---------------------------------------------------------------- abilities


def test_an_ability_does_to_its_target_what_the_engine_does() -> None:
    fates: Counter[str] = Counter()
    for board, row in judged_rows("abilities"):
        if not row["dealt"]:
            continue
        action = msgspec.convert(row["action"], a.Focus)
        target = action.target
        assert target is not None
        names = disk_names(board)
        name, (words, harm, *rest) = names[target], preview_lines(board, action)
        taken = dict(row["dealt"])[target]
        others = {disk for disk, _ in row["dealt"]} - {target}
        user = names[action.disk]
        struck = [f"  {user} deals: {taken} damage" for disk, taken in row["dealt"] if disk in others]
        assert all(any(line.startswith(start) for line in rest) for start in struck), (row, rest)
        if not taken:
            assert harm == f"  {name} takes no such damage"
            fates["none"] += 1
            continue
        is_struck = target in row["wounded"] or target in row["destroyed"]
        found = re.fullmatch(rf"  (\d+) (physical|arcane) damage, (\d+) % to (wound|destroy) {re.escape(name)}", harm)
        assert found, harm
        assert found[3] == ("100" if is_struck else "0"), row
        assert words.startswith(f"  {found[1]} {found[2]} damage ")
        assert {taken} == reduced_damage(board, target, [(found[1], found[2])])
        if is_struck:
            assert found[4] == ("destroy" if target in row["destroyed"] else "wound"), row
        fates[found[4] if is_struck else "harm"] += 1
    assert {"none", "harm", "wound", "destroy"} == fates.keys()


def test_the_words_of_healing_and_weakening_give_the_numbers_of_the_engine() -> None:
    changed: Counter[str] = Counter()
    for board, row in judged_rows("abilities"):
        lines = preview_lines(board, msgspec.convert(row["action"], a.Focus))
        for disk, tokens in row.get("healed", ()):
            (amount,) = re.findall(r"^  takes (\d+) damage off ", lines[0])
            assert tokens == max(0, board.disks[disk].damage - int(amount)), row
            changed["healed"] += 1
        for disk, reduction in row.get("weakened", ()):
            (amount,) = re.findall(r"^  toughness -(\d+) for ", lines[0])
            assert reduction == board.disks[disk].weakened + int(amount), row
            changed["weakened"] += 1
    assert changed["healed"] > 1
    assert changed["weakened"] > 1


# ---------------------------------------------------------------- fights


def test_a_melee_is_struck_and_ends_as_the_engine_says() -> None:
    fights = 0
    for board, row in judged_rows("fights"):
        links = standing_links(board, [Link(**link) for link in row["links"]])
        targets = {disk: target for step in row["steps"] for disk, target, _ in step["blows"]}
        outlook = melee_outlook(board, links, targets)
        steps = [
            {"speed": step.speed, "blows": sorted([blow.disk, blow.target, blow.strength] for blow in step.blows)}
            for step in outlook.steps
        ]
        assert steps == row["steps"]
        assert [[disk, step.taken[disk]] for step in outlook.steps for disk in sorted(step.taken)] == row["damage"]
        assert sorted(outlook.disks_of_fate("wounded")) == sorted(row["wounded"])
        assert sorted(outlook.disks_of_fate("destroyed")) == sorted(row["destroyed"])
        text = "\n".join(outlook_lines(board, outlook))
        assert text.count("in the melee (") == len(row["damage"])
        fights += 1
    assert fights > MIN_FIGHTS


# ---------------------------------------------------------------- shots

SHOT = re.compile(r"  \w+ range, (\d+) (?:die|dice)(?:, (17|33) % each to harm (.+?))?(?:, one less for cover)?(: .+)?")
ODDS = re.compile(r"  (\d+\.\d) damage on average, (.+) to (wound|destroy); before scatter")
CHANCES = {"17": Fraction(1, 6), "33": Fraction(1, 3)}


def test_a_shot_has_the_chances_of_the_engine() -> None:
    shots: Counter[str] = Counter()
    for board, row in judged_rows("shots"):
        target = row["target"]
        first, *others = preview_lines(board, a.Shoot(row["disk"], target, row["shot"]))
        roll = SHOT.fullmatch(first)
        assert roll, first
        assert int(roll[1]) == row["dice"], (row, first)
        unharmed, of = Fraction(row["unharmed"], row["of"]), row["of"]
        name = disk_names(board)[target]
        if unharmed == 1:
            assert (roll[2], roll[4]) == (None, f": {name} takes no such damage"), (row, first)
            shots["immune"] += 1
            continue
        assert roll[3] == name
        assert (1 - CHANCES[roll[2]]) ** row["dice"] == unharmed, (row, first)
        shots[roll[2]] += 1
        odds = ODDS.fullmatch(others[0])
        assert odds, others
        assert odds[1] == f"{float(Fraction(row['taken'], of)):.1f}", row
        assert odds[2] == percent_text(Fraction(row["struck"], of)), row
        assert odds[3] == ("destroy" if board.disks[target].wounds >= board.profile(target).stamina else "wound")
        nearest = joined(disk_names(board)[disk] for disk in row["nearest"]) or "nobody"
        assert f"  not forecast: scatter, on {nearest}" in others
        shots["odds"] += 1
    assert shots["odds"] + shots["immune"] > MIN_SHOTS
    assert shots.keys() == {"immune", "17", "33", "odds"}
