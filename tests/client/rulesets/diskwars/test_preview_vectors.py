"""Forecasts of `preview` are what the engine decides, row by row of tests/vectors/forecasts.json.

The page is held by the same rows: clients/web/tests/forecasts.test.ts.
"""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from diskwars_client.rulesets.diskwars.preview import own_disks_pinned, preview_lines
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import keywords, position
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, RESERVE, Board, Disk
from diskwars_protocol.rulesets.diskwars.stats import DamageType
from diskwars_text.phrases import joined, percent_text
from diskwars_text.rulesets.diskwars.phrases import disk_names, point_text
from tests.client.rulesets.diskwars.forecast_vectors import VECTORS, Json, flip_to, judged_rows, landed, path_of

HELD = {
    "landings": {"legal", "pins", "ground", "dangers", "goes_on"},
    "paths": {"places", "dangers", "ends"},
    "clashes": {"dealt"},
    "abilities": {"dealt", "wounded", "destroyed", "healed", "weakened"},
    "fights": {"links", "steps", "damage", "wounded", "destroyed"},
    "shots": {"dice", "unharmed", "struck", "taken"},
}
"""Fields that the tests below compare."""
GIVEN = {"disk", "x", "y", "action", "disks", "pins", "target", "shot", "of"}
"""The subject of a row that is not held."""
NOT_FORECAST = {
    "landings": {
        "impact": "melee is said to be before Impact and Guard",
        "guards": "melee is said to be before Impact and Guard",
    },
    "clashes": {
        "wounded": "engage abilities are shown in words: what they do to whom is not worked out",
        "destroyed": "engage abilities are shown in words: what they do to whom is not worked out",
    },
    "shots": {"nearest": "the odds are said to be before scatter"},
}
"""Facts of the engine that the terminal leaves out, and why."""
PARTLY_FORECAST = {
    "clashes": {"dealt": "the damage of Impact and Guard is left out, as above"},
    "abilities": {
        "dealt": "disks around the target are named in words only",
        "wounded": "as above, and words name what falling toughness is, not the wound that it brings",
        "destroyed": "as above, and words name what falling toughness is, not the wound that it brings",
    },
    "fights": {
        "damage": "each line is about one pair, so several blows on one disk are not added up",
        "wounded": "each line is about one pair, so several blows on one disk are not added up",
        "destroyed": "each line is about one pair, so several blows on one disk are not added up",
    },
    "shots": {
        "struck": "of a shot whose strength is rolled only the chance of each die is given",
        "taken": "of a shot whose strength is rolled only the chance of each die is given",
    },
}
"""Rows that are held in part, and why the rest is not."""
CAVEAT = "  not forecast: Impact and Guard, what follows of them, and what joins the fight until then"
MIN_PAIRS, MIN_SHOTS = 180, 90


def test_every_field_of_the_vectors_is_held_or_listed() -> None:
    for kind in VECTORS.keys() - {"about"}:
        found = {field for _, row in judged_rows(kind) for field in row}
        assert found - GIVEN - HELD[kind] == NOT_FORECAST.get(kind, {}).keys() - GIVEN, kind
        assert found >= HELD[kind] >= PARTLY_FORECAST.get(kind, {}).keys()


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
        assert not first.stop or "ends the move" in first.stop or row["dangers"], row
        ends += not row["goes_on"]
    assert ends > 50


def test_a_melee_is_said_to_be_before_impact_and_guard() -> None:
    compared = 0
    for board, row in legal_landings():
        lines = preview_lines(board, a.MoveDisk(row["disk"], (flip_to(board, row),)))
        is_on_enemy = any(position.are_enemies(board, row["disk"], pinned) for pinned in row["pins"])
        assert (lines[-1] == CAVEAT) == is_on_enemy
        compared += is_on_enemy and bool(row["impact"] or row["guards"])
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
                assert bool(flip.dangers) or "asked again" not in flip.stop
                stops[flip.stop.partition("; ")[0].rpartition(", ")[2]] += 1
        assert done == len(path)
    assert stops["which ends the move"] > 3
    assert stops["and you are asked again after its damage"] > 5


def back(vector: a.Vector) -> a.Vector:
    return -vector[0], -vector[1]


# ---------------------------------------------------------------- clashes


def test_what_is_dealt_on_a_landing_is_named_by_an_ability_or_a_keyword() -> None:
    named = 0
    for board, row in judged_rows("clashes"):
        disk = row["disk"]
        lines = preview_lines(board, a.MoveDisk(disk, (flip_to(board, row),)))
        engaging = re.findall(r"^  .+ engages: (\d+) (\w+) damage ", "\n".join(lines), re.MULTILINE)
        by_keywords = keyword_damage(board, row)
        by_target = {one.id: reduced_damage(board, one.id, engaging) for one in board.disks}
        for target, taken in row["dealt"]:
            assert taken in by_target[target] | by_keywords.get(target, set()), row
            named += target not in by_keywords
        for number, damage_type in engaging:
            dealt = [
                taken
                for target, taken in row["dealt"]
                if taken in reduced_damage(board, target, [(number, damage_type)])
            ]
            assert dealt, (row, lines)
    assert named > 60


def reduced_damage(board: Board, disk: int, instances: list[tuple[str, str]]) -> set[int]:
    """Return what an instance of each of these, an amount and a type, leaves of a disk's damage."""
    profile = board.profile(disk)
    types = msgspec.convert([kind for _, kind in instances], list[DamageType])
    return {
        keywords.damage_after_reduction(profile, int(amount), kind)
        for (amount, _), kind in zip(instances, types, strict=True)
    }


def keyword_damage(board: Board, row: Json) -> dict[int, set[int]]:
    """Return whom Impact and Guard may harm at a landing, and by how much: the terminal forecasts neither."""
    impact = keywords.impact_amount(board.profile(row["disk"]))
    pinned = [pin.bottom for pin in position.pins_if_placed(board, row["disk"], row["x"], row["y"])]
    guards = [keywords.guard_amount(board.profile(disk)) for disk in pinned]
    harm = {disk: reduced_damage(board, disk, [(str(impact.flat), "physical")]) for disk in pinned if impact}
    amounts = [(str(guard.flat), "physical") for guard in guards if guard]
    return harm | ({row["disk"]: reduced_damage(board, row["disk"], amounts)} if amounts else {})


# ---------------------------------------------------------------- abilities


def test_an_ability_does_to_its_target_what_the_engine_does() -> None:
    fates: Counter[str] = Counter()
    for board, row in judged_rows("abilities"):
        if not row["dealt"]:
            continue
        action = msgspec.convert(row["action"], a.Focus)
        target = action.target
        assert target is not None
        name, (words, harm) = disk_names(board)[target], preview_lines(board, action)
        taken = dict(row["dealt"])[target]
        others = {disk for disk, _ in row["dealt"]} - {target}
        assert others == set() or "and to each disk within short range of it" in words, row
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


class Strike(NamedTuple):
    """One of the two blows of a pair, as a line tells it."""

    speed: str
    damage: int
    fate: str


MELEE = re.compile(r"  in the melee (?P<disk>.+) \((?P<speed>\w+)\): (?P<blow>.+); strikes back \((\w+)\): (.+)")


def strikes_in(line: str, target: str, attacker: str) -> tuple[Strike, Strike] | None:
    """Return the blow and the counter that a line names for two disks of these names; None if it is about others."""
    found = MELEE.fullmatch(line)
    if found is None or found["disk"] != attacker:
        return None
    blow, counter = fate_in(found["blow"], target), fate_in(found[5], attacker)
    return (Strike(found["speed"], *blow), Strike(found[4], *counter)) if blow and counter else None


def fate_in(text: str, target: str) -> tuple[int, str] | None:
    name = re.escape(target)
    found = re.fullmatch(rf"(\d+) damage(?:, {name} has \d+ of \d+| (wounds|destroys) {name})", text)
    return (int(found[1]), found[2] or "") if found else None


def lifted(board: Board, disk: int) -> tuple[Board, list[Disk]]:
    """Return the board without what covers a disk, so that it may land where it is, and the disks taken off."""
    now, radius = board.disks[disk], board.profile(disk).radius
    above = [
        one
        for one in board.disks
        if one.place == BATTLEFIELD
        and one.z > now.z
        and geometry.disks_overlap(now.x, now.y, radius, one.x, one.y, board.profile(one.id).radius)
    ]
    disks = tuple(replace(one, place=RESERVE) if one in above else one for one in board.disks)
    return replace(board, disks=disks), above


def engaged_pairs() -> Iterator[tuple[Board, Json, int, int, tuple[Strike, Strike]]]:
    """Yield each link of the engagements with its forecast if its attacker landed there now.

    Links are left out whose attacker is covered by a disk that changes the figures of others.
    """
    for board, row in judged_rows("fights"):
        names = disk_names(board)
        for link in row["links"]:
            attacker, defender = link["attacker"], link["defender"]
            bare, above = lifted(board, attacker)
            if any(ability.timing == "passive" for one in above for ability in board.profile(one.id).abilities):
                continue
            now = board.disks[attacker]
            lines = preview_lines(bare, a.Reinforce(attacker, now.x, now.y))
            (strikes,) = filter(None, (strikes_in(line, names[defender], names[attacker]) for line in lines))
            yield board, row, attacker, defender, strikes


def test_a_melee_is_struck_as_the_engine_says() -> None:
    """The fate of a disk that is struck once in an engagement is the one that the line about that pair names."""
    fates: Counter[str] = Counter()
    for board, row, attacker, defender, (blow, counter) in engaged_pairs():
        struck = {
            (disk, target): (step["speed"], strength)
            for step in row["steps"]
            for disk, target, strength in step["blows"]
        }
        times = Counter(target for _, target in struck)
        taken = dict(row["damage"])
        for disk, target, strike in ((attacker, defender, blow), (defender, attacker, counter)):
            if (disk, target) not in struck:  # it has fallen, or strikes another
                continue
            speed, strength = struck[disk, target]
            assert strike.speed == speed, (row, strike)
            if times[target] > 1:
                assert strike.damage == strength or is_reduced(board, target)
                fates["several"] += 1
                continue
            fate = "destroys" if target in row["destroyed"] else "wounds" if target in row["wounded"] else ""
            assert (strike.damage, strike.fate) == (taken[target], fate), (row, strike)
            fates[fate] += 1
            fates["reduced"] += taken[target] != strength
            fates["not normal"] += speed != "normal"
    assert fates.total() > MIN_PAIRS
    assert all(fates[kind] > 5 for kind in ("", "wounds", "destroys", "reduced", "several", "not normal")), fates


def is_reduced(board: Board, disk: int) -> bool:
    return bool(keywords.reduction_rule(board.profile(disk), "physical"))


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
            assert (roll[2], roll[4], others) == (None, f": {name} takes no such damage", []), (row, first)
            shots["immune"] += 1
            continue
        assert roll[3] == name
        assert (1 - CHANCES[roll[2]]) ** row["dice"] == unharmed, (row, first)
        shots[roll[2]] += 1
        if board.profile(row["disk"]).shots[row["shot"]].strength.d6:
            assert others == [], "its strength is rolled"
            continue
        odds = ODDS.fullmatch(others[0])
        assert odds, others
        assert odds[1] == f"{float(Fraction(row['taken'], of)):.1f}", row
        assert odds[2] == percent_text(Fraction(row["struck"], of)), row
        assert odds[3] == ("destroy" if board.disks[target].wounds >= board.profile(target).stamina else "wound")
        shots["odds"] += 1
    assert shots["odds"] + shots["immune"] > MIN_SHOTS
    assert shots.keys() == {"immune", "17", "33", "odds"}
