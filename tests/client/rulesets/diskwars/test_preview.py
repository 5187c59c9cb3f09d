"""Before an order is given, the terminal says what it would do, and asks about what is probably a slip."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError
from diskwars_client.rulesets.diskwars import orders
from diskwars_client.rulesets.diskwars.doubts import doubt_text
from diskwars_client.rulesets.diskwars.option_lines import grouped_lines
from diskwars_client.rulesets.diskwars.preview import live_state, measure_lines, position_lines, preview_lines
from diskwars_client.rulesets.diskwars.terminal_ruleset import DiskwarsTerminal
from diskwars_client.terminal_pages import Screen
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import Pin
from diskwars_protocol.rulesets.diskwars.keyword_forms import KeywordId
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.setup_cards import Terrain, TerrainKeyword, TerrainPiece
from diskwars_protocol.rulesets.diskwars.stats import (
    Ability,
    Amount,
    CommandCard,
    DamageType,
    DealDamage,
    Keyword,
    Shot,
)
from diskwars_text.phrases import percent_text
from diskwars_text.rulesets.diskwars.phrases import card_text
from diskwars_text.rulesets.diskwars.text_map import disk_letters, draw_small_map
from tests.client.terminal.test_terminal import SMALL, SWORDSMEN, board, match, moves, plain
from tests.engine.rulesets.diskwars.positions import scripted_position
from tests.rows import each_row

INCH = 25400
KARL, ARCHAON, MARAUDERS, CROSSBOWMEN = 0, 6, 8, 4
QUESTION = a.ActivationQuestion("press-on", 3, False)
DECISION: Decision[a.Question] = Decision(DecisionId("1.0"), 0, QUESTION)


def placed(**places: tuple[int, int]) -> Board:
    """Return the board with disks moved to these inches: `d3=(18, 12)`; pins are not looked at."""
    now = board()
    disks = list(now.disks)
    for name, (x, y) in places.items():
        number = int(name[1:])
        disks[number] = replace(disks[number], place="battlefield", x=x * INCH, y=y * INCH, terrain=())
    return replace(now, disks=tuple(disks), pins=())


def flips(*steps: int) -> tuple[a.Vector, ...]:
    """Return flips of the Swordsmen; step 18 is north, each is five degrees anticlockwise from east."""
    return tuple(geometry.flip_at(step, SMALL) for step in steps)


# ---------------------------------------------------------------- looking


def test_measure_says_distance_range_direction_and_flips() -> None:
    apart = placed(d3=(10, 10), d8=(10, 16))
    first, second = measure_lines(apart, SWORDSMEN, MARAUDERS)
    assert first.startswith("  Marienburg Swordsmen#2 to Kurgan Marauders#1: 4.25 in from edge to edge, ")
    assert first.endswith(" range, N (0°)")
    assert "overlaps them with flip 3 of 1.75 in" in second


def test_measured_flips_are_those_that_a_move_needs() -> None:
    for distance in range(2, 20):
        apart = placed(d3=(10, 10), d8=(10, 10 + distance))
        (*_, line) = measure_lines(apart, SWORDSMEN, MARAUDERS)
        needed = int(line.partition("flip ")[2].split()[0])
        y = 10 * INCH + needed * SMALL
        radius = apart.profile(MARAUDERS).radius
        assert geometry.disks_overlap(0, y, SMALL // 2, 0, (10 + distance) * INCH, radius)
        assert not geometry.disks_overlap(0, y - SMALL, SMALL // 2, 0, (10 + distance) * INCH, radius)


def test_disk_in_the_reserve_has_no_distance() -> None:
    reserve = replace(board(), disks=tuple(replace(disk, place="reserve") for disk in board().disks))
    assert measure_lines(reserve, KARL, ARCHAON)[0] == "Karl Franz is not on the battlefield"
    assert position_lines(reserve, range(3)) == ["nobody of them is on the battlefield"]
    assert live_state(reserve, KARL) == ["in the reserve"]


def test_state_of_a_disk_names_place_and_pins() -> None:
    fight = replace(placed(d3=(10, 10), d8=(10, 11)), pins=(Pin(SWORDSMEN, MARAUDERS),))
    assert live_state(fight, SWORDSMEN) == ["at (10, 10)", "pins Kurgan Marauders#1"]
    assert live_state(fight, MARAUDERS) == ["at (10, 11)", "pinned by Marienburg Swordsmen#2"]
    assert position_lines(fight, [MARAUDERS]) == ["  k Kurgan Marauders#1 (10, 11)"]


@each_row("name", ["K a", "karl franz archaon", "K Archaon"])
def test_disks_are_measured_by_letter_or_name(name: str) -> None:
    lines = DiskwarsTerminal().answer_information_order("measure", name, match(), 0, "diskwars")
    assert lines is not None
    assert lines[0].startswith("  Karl Franz to Archaon: ")


def test_measure_names_the_disk_that_is_unknown() -> None:
    lines = DiskwarsTerminal().answer_information_order("measure", "K zz", match(), 0, "diskwars")
    assert lines == ["no disk is called 'zz'; `board` shows the letters"]


def test_measure_without_two_disks_says_how() -> None:
    lines = DiskwarsTerminal().answer_information_order("measure", "K", match(), 0, "diskwars")
    assert lines == ["measure what? Two disks by their letters on the map or their names: `measure K a`"]


# ---------------------------------------------------------------- previews


def test_preview_of_a_move_shows_every_landing() -> None:
    lines = preview_lines(placed(d3=(10, 10)), a.MoveDisk(SWORDSMEN, flips(18, 18, 0)))
    assert lines[:3] == ["  flip 1 N: (10, 11.75)", "  flip 2 N: (10, 13.5)", "  flip 3 E: (11.75, 13.5)"]
    assert lines[3].startswith("  3 of ")


def test_preview_tells_pins_and_the_fight() -> None:
    apart = placed(d3=(10, 10), d8=(10, 13))
    lines = preview_lines(apart, a.MoveDisk(SWORDSMEN, flips(18)))
    assert lines[0] == "  flip 1 N: (10, 11.75), pins Kurgan Marauders#1"
    strength = effective_stats.strength(apart, SWORDSMEN)
    verb = "wounds" if apart.profile(MARAUDERS).stamina > 1 else "destroys"
    danger = (
        f"{verb} Kurgan"
        if strength >= effective_stats.toughness(apart, MARAUDERS)
        else f"Kurgan Marauders#1 then has {strength} of"
    )
    assert "in the melee (normal) Marienburg Swordsmen#2 strikes Kurgan Marauders#1: " in lines[2]
    assert f": {strength} damage" in lines[2]
    assert danger in lines[2]
    assert "Kurgan Marauders#1 strikes Marienburg Swordsmen#2: " in lines[3]
    assert lines[4:] == ["  not forecast: what joins the fight until then"]


@pytest.mark.parametrize(("kind", "taken"), [("immune", 0), ("resistant", 3)])
def test_preview_of_a_fight_counts_what_the_enemy_resists(kind: KeywordId, taken: int) -> None:
    """R13.3: melee damage is physical; half of 5 is 3, rounded up."""
    now = aimed_at(Keyword(kind, kind="physical"), Amount(2))
    profiles = list(now.profiles)
    profiles[now.disks[CROSSBOWMEN].profile] = replace(now.profile(CROSSBOWMEN), strength=5)
    profiles[now.disks[MARAUDERS].profile] = replace(now.profile(MARAUDERS), toughness=4)
    target = now.disks[MARAUDERS]
    lines = preview_lines(replace(now, profiles=tuple(profiles)), a.Reinforce(CROSSBOWMEN, target.x, target.y - INCH))
    assert lines[1].endswith(f": {taken} damage, Kurgan Marauders#1 then has {taken} of 4")


def test_preview_stops_at_the_edge_of_the_field() -> None:
    lines = preview_lines(placed(d3=(10, 2)), a.MoveDisk(SWORDSMEN, flips(54, 54)))
    assert lines[-1] == "  flip 1 S: leaves the field, which is not allowed"


def test_preview_of_a_shot_gives_its_chances() -> None:
    """R12.9: two of six faces hit. Three dice of strength 2 against toughness 3 wound with two hits: 7 of 27."""
    apart = placed(d4=(10, 10), d8=(10, 14))
    shot, tough = effective_stats.shot(apart, CROSSBOWMEN, 0), effective_stats.toughness(apart, MARAUDERS)
    lines = preview_lines(apart, a.Shoot(CROSSBOWMEN, MARAUDERS))
    assert f"{shot.dice} dice, 33 % each to harm Kurgan Marauders#1" in lines[0]
    assert lines[1].startswith(f"  {shot.dice * shot.strength.flat / 3:.1f} damage on average, ")
    needed = -(-tough // shot.strength.flat)
    chances = {(2, 1): "56 %", (2, 2): "11 %", (3, 1): "70 %", (3, 2): "26 %", (3, 3): "4 %"}
    assert chances[shot.dice, needed] in lines[1]


@each_row(
    ("keyword", "odds"),
    [
        (Keyword("resistant", kind="ranged"), "1.0 damage on average, 4 % to "),
        (Keyword("resistant", kind="physical"), "1.0 damage on average, 4 % to "),
        (Keyword("resistant", kind="arcane"), "2.0 damage on average, 26 % to "),
        (Keyword("immune", kind="arcane"), "2.0 damage on average, 26 % to "),
    ],
)
def test_preview_of_a_shot_halves_what_its_target_resists(keyword: Keyword, odds: str) -> None:
    """R13.3: three dice of strength 2 on toughness 3; one, two and three hits leave 1, 2 and 3 where they are halved.

    That makes 1.0 on average, and a wound with three hits only: 1 of 27.
    """
    (_, line, *_) = preview_lines(aimed_at(keyword, Amount(2)), a.Shoot(CROSSBOWMEN, MARAUDERS))
    assert line.startswith(f"  {odds}")


@pytest.mark.parametrize("strength", [Amount(2), Amount(d6=1)])
def test_preview_of_a_shot_says_that_its_target_is_immune(strength: Amount) -> None:
    immune = aimed_at(Keyword("immune", kind="physical"), strength)
    lines = preview_lines(immune, a.Shoot(CROSSBOWMEN, MARAUDERS))
    assert lines[0] == "  short range, 3 dice: Kurgan Marauders#1 takes no such damage"
    assert not any("on average" in line for line in lines)


def test_preview_of_a_shot_heeds_the_type_of_its_damage() -> None:
    immune = aimed_at(Keyword("immune", kind="physical"), Amount(2), "arcane")
    resistant = aimed_at(Keyword("resistant", kind="arcane"), Amount(2), "arcane")
    odds = [preview_lines(now, a.Shoot(CROSSBOWMEN, MARAUDERS))[1] for now in (immune, resistant)]
    assert [line.split(" damage ")[0] for line in odds] == ["  2.0", "  1.0"]


def test_preview_of_a_shot_that_misses_wounds_no_disk_without_toughness() -> None:
    """R13.4, R-71: a disk of toughness 0 is wounded by any damage, but by no miss: three dice miss in 8 of 27."""
    now = aimed_at(Keyword("frenzy"), Amount(2))
    weak = [replace(one, weakened=5) if one.id == MARAUDERS else one for one in now.disks]
    (_, line, *_) = preview_lines(replace(now, disks=tuple(weak)), a.Shoot(CROSSBOWMEN, MARAUDERS))
    assert ", 70 % to " in line


def aimed_at(keyword: Keyword, strength: Amount, damage_type: DamageType = "physical") -> Board:
    """Return the Crossbowmen with three dice before Marauders of toughness 3 that have a keyword."""
    now = placed(d4=(10, 10), d8=(10, 14))
    profiles = list(now.profiles)
    shooter, target = now.disks[CROSSBOWMEN].profile, now.disks[MARAUDERS].profile
    profiles[shooter] = replace(profiles[shooter], shots=(Shot(3, strength, damage_type, "long"),))
    profiles[target] = replace(profiles[target], toughness=3, keywords=(keyword,))
    return replace(now, profiles=tuple(profiles))


def test_preview_reads_orders_and_numbers() -> None:
    ruleset = DiskwarsTerminal()
    lines = ruleset.preview_lines("move S N", match(), DECISION, moves(SWORDSMEN))
    assert lines[0].startswith("  flip 1 N: ")
    assert ruleset.preview_lines("1", match(), DECISION, [NumberedOption("end it", a.EndCard())]) == ["  end it"]
    with pytest.raises(OrderError, match="preview what"):
        ruleset.preview_lines("", match(), DECISION, moves(SWORDSMEN))


# ---------------------------------------------------------------- doubts


def doubt(line: str, action: a.Action, *offered: NumberedOption) -> str:
    return doubt_text(line, match(), DECISION, action, offered)


def test_end_that_throws_activations_away_is_questioned() -> None:
    end = NumberedOption("end", a.EndCard())
    assert doubt("end", a.EndCard(), end, *moves(SWORDSMEN)) == "Press On would end with 3 activations unused"
    assert doubt("end", a.EndCard(), end) == "", "nothing can be done but to end"


def test_pass_of_a_whole_activation_is_questioned() -> None:
    assert doubt("pass S", a.PassDisk(SWORDSMEN)).endswith(" would be activated and do nothing")
    going_on: Decision[a.Question] = Decision(DecisionId("1.0"), 0, a.ContinuationQuestion(SWORDSMEN, 2, ("move",)))
    assert doubt_text("end", match(), going_on, a.PassDisk(SWORDSMEN), ()) == ""


@each_row("line", ["move S N 5", "move S 45 3", "move S n 2 end"])
def test_number_behind_a_direction_is_questioned(line: str) -> None:
    text = doubt(line, a.MoveDisk(SWORDSMEN, flips(18, 17)))
    digit = line.removesuffix(" end").split()[-1]
    assert f"{digit} flips" in text
    assert f"x{digit}`" in text


@each_row("line", ["move S N x2", "move S N NE", "move S N 45", "move S N"])
def test_plain_moves_are_not_questioned(line: str) -> None:
    assert doubt(line, a.MoveDisk(SWORDSMEN, flips(18, 18))) == ""


def test_reinforcement_onto_own_disks_is_questioned() -> None:
    crowded = replace(match(), board=placed(d3=(10, 10)))
    onto, beside = (a.Reinforce(CROSSBOWMEN, 10 * INCH, y * INCH) for y in (11, 14))
    text = doubt_text("bring R", crowded, DECISION, onto, ())
    assert text == "that ends on your own Marienburg Swordsmen#2"
    assert doubt_text("bring R at 10 14", crowded, DECISION, beside, ()) == ""


def test_disk_that_is_brought_without_a_place_lies_beside_the_own_disks_in_its_zone() -> None:
    """An own disk lies in the middle of the zone; options and ruling are those of the engine."""
    text = "zone A (6, 0) to (18, 4) for 1\nA Own (12, 2)\nB Enemy (30, 30)\nA reserve: Comer\n"
    position = scripted_position(text + "disk Own: large\ndisk Enemy:\ndisk Comer: large").with_card_turn(0)
    shown = replace(match(), board=position.board)
    ((seat, question),) = position.open_questions
    decision: Decision[a.Question] = Decision(DecisionId("1.0"), seat, question)
    offered = orders.numbered_options(shown, decision, position.options())
    action = orders.parse_order("bring Comer", shown, decision, offered)
    assert isinstance(action, a.Reinforce)
    assert doubt_text("bring Comer", shown, decision, action, offered) == ""
    after = position.answer(action)
    assert (after.is_fielded("Comer"), after.pins) == (True, set())
    onto = orders.parse_order("bring Comer at 12 2", shown, decision, offered)
    assert doubt_text("bring Comer at 12 2", shown, decision, onto, offered) == "that ends on your own Own"
    assert position.answer(onto).pins == {"Comer>Own"}


def test_move_onto_own_disks_and_a_shot_at_them_are_questioned() -> None:
    own = placed(d3=(10, 10), d2=(10, 11))
    crowded = replace(match(), board=own)
    text = doubt_text("move S N", crowded, DECISION, a.MoveDisk(SWORDSMEN, flips(18)), ())
    assert text == "that ends on your own Marienburg Swordsmen#1"
    assert doubt("shoot R K", a.Shoot(CROSSBOWMEN, KARL)) == "that is aimed at your own Karl Franz"


# ---------------------------------------------------------------- the screen


def test_options_are_grouped_by_verb_and_keep_their_numbers() -> None:
    minor = NumberedOption("pass with Karl Franz", a.PassDisk(KARL), is_minor=True)
    offered = [*moves(SWORDSMEN, 2), *plain(a.Shoot(CROSSBOWMEN, MARAUDERS)), minor]
    offered.append(NumberedOption("leave the rest of the card unused", a.EndCard()))
    lines = grouped_lines(board(), offered)
    assert lines[0].startswith("  move   1 S Marienburg Swordsmen#2 (4 x 1.75 in) · 2 M ")
    assert lines[1].startswith("  shoot  3 R at k Kurgan Marauders#1 (")
    assert lines[2:] == ["  end    5 leave the rest of the card unused", "  1 more: `more`"]


def test_small_map_fits_a_screen_of_24_rows_and_shows_every_disk() -> None:
    shown = draw_small_map(board()).splitlines()
    assert len(shown) <= 17
    assert max(map(len, shown)) <= 80
    field = "".join(line[:33] for line in shown)
    fielded = [disk.id for disk in board().disks if disk.place == "battlefield"]
    assert [disk for disk in fielded if disk_letters(board())[disk] not in field] == []


def test_small_map_parts_the_letters_of_a_stack() -> None:
    field = draw_small_map(placed(d0=(10, 10), d3=(10, 10), d8=(10, 10)))
    assert all(letter in "".join(line[:33] for line in field.splitlines()) for letter in "KSk")


def test_screen_decides_which_map_is_drawn() -> None:
    ruleset = DiskwarsTerminal()
    large = ruleset.table_text(match(), None)
    assert ruleset.table_text(match(), Screen(100, 100)) == large
    assert len(ruleset.table_text(match(), Screen(80, 24)).splitlines()) < 24 < len(large.splitlines())


def test_preview_of_a_fight_counts_stamina() -> None:
    fight = placed(d0=(10, 10), d6=(10, 14))
    tired = list(fight.disks)
    tough = effective_stats.toughness(fight, ARCHAON)
    for wounds, word in ((0, "wounds"), (1, "destroys")):
        tired[ARCHAON] = replace(fight.disks[ARCHAON], damage=tough - 1, wounds=wounds)
        lines = preview_lines(replace(fight, disks=tuple(tired)), a.MoveDisk(KARL, ((0, 3 * INCH),)))
        assert f"{word} {fight.profile(ARCHAON).name}" in "\n".join(lines)


def test_small_map_has_one_list_of_the_disks_that_are_only_activated() -> None:
    now = board()
    disks = [replace(disk, activated=disk.seat == 1, damage=int(disk.id == ARCHAON)) for disk in now.disks]
    shown = draw_small_map(replace(now, disks=tuple(disks)))
    assert shown.count("activated: ") == 1
    assert "a Archaon  damage 1/5, activated" in shown
    assert "activated: k Kurgan Marauders#1" in shown


def test_ability_of_a_card_is_listed_once_for_each_target() -> None:
    users = plain(*(a.UseAbility(user, target) for target in (KARL, SWORDSMEN) for user in (KARL, 2, SWORDSMEN)))
    assert grouped_lines(board(), users) == [
        "  use    1 K on K Karl Franz · 4 K on S Marienburg Swordsmen#2",
        "  4 more: `more`",
    ]


# ---------------------------------------------------------------- ground


def with_piece(now: Board, x: int, y: int, width: int, height: int, *keywords: TerrainKeyword) -> Board:
    """Return the board with one piece, a box about this place; inches, the size in tenths of them."""
    across, high = width * INCH // 20, height * INCH // 20
    box = ((-across, -high), (across, -high), (across, high), (-across, high))
    corners = tuple((x * INCH + dx, y * INCH + dy) for dx, dy in box)
    return replace(now, terrain=(TerrainPiece(Terrain("mire", "Mire", box, keywords), corners),))


ROUGH, DANGEROUS = TerrainKeyword("rough"), TerrainKeyword("dangerous", "arcane")


def test_preview_stops_at_the_landing_that_enters_rough_ground() -> None:
    """R10.9: a disk that lies on the piece already goes on."""
    mire = with_piece(placed(d3=(10, 10)), 10, 14, 30, 10, ROUGH)
    lines = preview_lines(mire, a.MoveDisk(SWORDSMEN, flips(18, 18, 18)))
    assert lines[1] == "  flip 2 N: (10, 13.5), on Mire (Rough)"
    assert lines[2] == "  Mire is rough, which ends the move; the flips behind it are not made"
    assert lines[3].startswith("  2 of ")
    inside = replace(mire.disks[SWORDSMEN], y=12 * INCH, terrain=(0,))
    on_it = replace(mire, disks=(*mire.disks[:SWORDSMEN], inside, *mire.disks[SWORDSMEN + 1 :]))
    assert preview_lines(on_it, a.MoveDisk(SWORDSMEN, flips(18, 18)))[2].startswith("  2 of ")


def test_preview_stops_on_dangerous_ground_and_on_an_enemy() -> None:
    """R10.5, R8.5.5: what follows of a landing cuts the move short."""
    fissure = with_piece(placed(d3=(10, 10)), 10, 12, 30, 10, DANGEROUS)
    lines = preview_lines(fissure, a.MoveDisk(SWORDSMEN, flips(18, 18)))
    assert lines[0] == "  flip 1 N: (10, 11.75), on Mire (Dangerous (arcane))"
    assert lines[2].startswith("  Mire is dangerous, and you are asked again after its damage;")
    lines = preview_lines(placed(d3=(10, 10), d8=(10, 12)), a.MoveDisk(SWORDSMEN, flips(18, 18)))
    assert lines[1] == "  it pins an enemy, which ends the move; the flips behind it are not made"


def test_preview_tells_the_engage_abilities_of_both_sides() -> None:
    """R6.6: Archaon harms every enemy near him when he is engaged, before any melee."""
    lines = preview_lines(placed(d3=(10, 10), d6=(10, 13)), a.MoveDisk(SWORDSMEN, flips(18)))
    assert "  Archaon deals: 1 damage, Marienburg Swordsmen#2 then has 1 of 4" in lines


def test_small_map_shows_a_piece_that_is_narrower_than_its_cells() -> None:
    for x in range(8, 28):
        field = draw_small_map(with_piece(placed(), x, 18, 4, 4)).splitlines()
        assert any("1" in line[4:31] for line in field), x


# ---------------------------------------------------------------- words


def test_measure_counts_flips_and_not_inches() -> None:
    (*_, line) = measure_lines(placed(d3=(10, 10), d8=(10, 16)), SWORDSMEN, MARAUDERS)
    assert line.endswith(" flips in an activation")


@pytest.mark.parametrize("line", ["move S N x2 45 2", "move S N x2, E 3"])
def test_digit_is_a_direction_where_the_order_repeats_a_flip_already(line: str) -> None:
    assert doubt(line, a.MoveDisk(SWORDSMEN, flips(18, 17))) == ""


@each_row("line", ["shoot R at k", "shoot R k", "shoot R at Kurgan Marauders#1"])
def test_order_may_be_typed_as_the_option_reads(line: str) -> None:
    shot = a.Shoot(CROSSBOWMEN, MARAUDERS)
    options = plain(shot, a.Shoot(CROSSBOWMEN, ARCHAON))
    assert orders.parse_order(line, match(), DECISION, options) == shot


def test_shot_at_a_disk_in_cover_is_listed_with_the_dice_that_are_left() -> None:
    cover = with_piece(placed(d4=(10, 10), d8=(10, 14)), 10, 14, 30, 30, TerrainKeyword("cover"))
    disks = [replace(disk, terrain=(0,)) if disk.id == MARAUDERS else disk for disk in cover.disks]
    cover = replace(cover, disks=tuple(disks))
    dice = effective_stats.shot(cover, CROSSBOWMEN, 0).dice - 1
    (line,) = grouped_lines(cover, plain(a.Shoot(CROSSBOWMEN, MARAUDERS)))
    assert f", {dice} di" in line
    assert line.endswith(" in cover)")


def test_why_of_a_card_says_why_its_battle_ability_is_not_offered() -> None:
    now = board()
    sides = tuple(replace(side, revealed_card="press-on") if side.seat == 0 else side for side in now.sides)
    caster = DiskwarsUnavailable("bad_target", "disk 0 is no Caster", "R7.9", KARL, action="use_ability")
    lame = DiskwarsUnavailable("pinned", "disk 3 is pinned", "R7.8", SWORDSMEN)
    ruleset, playing = DiskwarsTerminal(), replace(match(), board=replace(now, sides=sides))
    lines = ruleset.unavailable_lines(playing, 0, [caster, lame], "Press", "diskwars")
    assert "no Caster" in lines[0]
    assert not any("pinned" in line for line in lines)
    assert ruleset.unavailable_lines(match(), 0, [lame], "Press", "diskwars")[0].startswith("'Press' is not ")


def test_card_names_who_may_use_its_battle_ability() -> None:
    damage = DealDamage(Amount(1), "arcane", "medium")
    card = CommandCard("fists", "Fists", "steady", 3, abilities=(Ability("battle", damage, user="caster"),))
    assert "; battle (Caster): 1 arcane damage " in card_text(card)


# ---------------------------------------------------------------- damage


def fissure(*wounded: int) -> Board:
    """Return the Swordsmen before a dangerous piece; the disks of these numbers have no stamina left."""
    now = with_piece(placed(d3=(10, 10)), 10, 12, 30, 10, DANGEROUS)
    worn = [replace(one, wounds=now.profile(one.id).stamina) if one.id in wounded else one for one in now.disks]
    return replace(now, disks=tuple(worn))


def test_move_onto_dangerous_ground_is_questioned_with_its_chance() -> None:
    """A d6 against a toughness of 4 wounds with 4, 5 and 6: half of the throws."""
    deadly = replace(match(), board=fissure(SWORDSMEN))
    tough = effective_stats.toughness(fissure(), SWORDSMEN)
    chance = percent_text(Fraction(7 - tough, 6))
    text = doubt_text("move S N", deadly, DECISION, a.MoveDisk(SWORDSMEN, flips(18)), ())
    danger = f"Mire: d6 arcane damage, {chance} to destroy Marienburg Swordsmen#2"
    assert text == f"that lands on dangerous ground, {danger}"
    text = doubt_text("move S N", replace(match(), board=fissure()), DECISION, a.MoveDisk(SWORDSMEN, flips(18, 18)), ())
    stamina = fissure().profile(SWORDSMEN).stamina
    assert f"{chance} to {'wound' if stamina else 'destroy'} " in text
    assert doubt_text("move S S", deadly, DECISION, a.MoveDisk(SWORDSMEN, flips(54)), ()) == ""
    assert f"    {danger}" in preview_lines(fissure(SWORDSMEN), a.MoveDisk(SWORDSMEN, flips(18)))


def test_reinforcement_onto_dangerous_ground_is_questioned() -> None:
    crowded = replace(match(), board=with_piece(placed(), 10, 12, 30, 10, DANGEROUS))
    text = doubt_text("bring R at 10 12", crowded, DECISION, a.Reinforce(CROSSBOWMEN, 10 * INCH, 12 * INCH), ())
    assert text.startswith("that lands on dangerous ground, Mire: d6 arcane damage, ")


def test_deployment_onto_own_disks_is_questioned() -> None:
    spread, stacked = (
        a.Deploy((a.Placement(KARL, 10 * INCH, 4 * INCH), a.Placement(SWORDSMEN, 10 * INCH, y * INCH))) for y in (8, 5)
    )
    assert doubt("place K 10 4, S 10 8", spread) == ""
    lies = "Marienburg Swordsmen#2 would lie on your own Karl Franz, and pin them"
    assert doubt("place K 10 4, S 10 5", stacked) == lies
    assert "pinned by your own Marienburg Swordsmen#2" in preview_lines(board(), stacked)[0]


def test_preview_of_a_shot_says_whether_a_wound_destroys() -> None:
    shot = a.Shoot(CROSSBOWMEN, MARAUDERS)
    now = placed(d4=(10, 10), d8=(10, 16))
    stamina = now.profile(MARAUDERS).stamina
    worn = [replace(one, wounds=stamina) if one.id == MARAUDERS else one for one in now.disks]
    assert " % to destroy; " in preview_lines(replace(now, disks=tuple(worn)), shot)[1]
    assert f" % to {'wound' if stamina else 'destroy'}; " in preview_lines(now, shot)[1]


def test_preview_of_a_focus_gives_its_damage() -> None:
    now = placed(d6=(10, 10), d3=(10, 14))
    caster = next(
        disk.id
        for disk in now.disks
        if any(isinstance(one, DealDamage) for one in position.focus_abilities(now, disk.id))
    )
    number = next(n for n, one in enumerate(position.focus_abilities(now, caster)) if isinstance(one, DealDamage))
    enemy = next(disk.id for disk in now.disks if disk.seat != now.disks[caster].seat)
    lines = preview_lines(now, a.Focus(caster, enemy, number))
    assert " damage to an enemy within " in lines[0]
    assert " % to " in lines[1]
