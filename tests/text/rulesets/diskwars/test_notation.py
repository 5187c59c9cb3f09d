"""Positions survive writing and reading, handwritten texts mean what they say, and errors are found."""

import re
from typing import Literal, TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, RESERVE, WITHDRAWN, Board, Disk, Side
from diskwars_protocol.rulesets.diskwars.events import ArmyIdentity, Engagement, Link, Pin
from diskwars_protocol.rulesets.diskwars.keyword_forms import KEYWORDS
from diskwars_protocol.rulesets.diskwars.setup_cards import Terrain, TerrainKeyword, TerrainPiece, Zone
from diskwars_protocol.rulesets.diskwars.stats import (
    Ability,
    Amount,
    CommandCard,
    DealDamage,
    Keyword,
    Profile,
    RemoveActivationToken,
    Shot,
)
from diskwars_protocol.rulesets.diskwars.terrain import TERRAIN_KEYWORDS
from diskwars_text.rulesets.diskwars.lexer import NotationError, disk_labels, inches_text, parse_length
from diskwars_text.rulesets.diskwars.notation import format_position, option_value_text
from diskwars_text.rulesets.diskwars.parser import parse_position
from diskwars_text.rulesets.diskwars.stat_lines import format_card, format_disk
from tests.rows import each_row
from tests.text.rulesets.diskwars.same_position import same_position

INCH = 25400

FIGURES = """
disk Tyrion: hero of High Elves (Order), medium, M4 S5 C4 T5 St1
disk Swordsmen: small
disk Steam Tank: large, Impact 3
disk Orc Boyz: unit of Orcs (Destruction), S5 C3 T4
card Charge!: bold 3
card Hold the Line: steady 2
"""

HAND_WRITTEN = (
    FIGURES
    + """
# Tyrion has landed on both
field 36x36in  pins contact
round 2 of 6  phase melee  order B A  playing A

A Tyrion (12.30, 4.00) z3 damage 2 wound 1 activated
B Orc Boyz#1 (13, 4.5) in z2 empowered
B Orc Boyz#2 (330.2mm, 101600um)         # lands last
A reserve: Swordsmen x2
A casualties: Steam Tank
A hand: Hold the Line
B hand: 2 hidden
B locked: hidden
A revealed: Charge!
A points: 3
zone A (0, 0) to (36, 6) for 5
"""
)


def board_of(text: str) -> Board:
    return parse_position(FIGURES + text)


# ---------------------------------------------------------------- by hand


def test_a_text_by_hand_is_read_as_the_board_it_describes() -> None:
    board = parse_position(HAND_WRITTEN)
    tyrion, first, second, *rest = board.disks
    assert tyrion == Disk(0, 0, 0, BATTLEFIELD, 312420, 101600, 3, damage=2, wounds=1, activated=True)
    assert first == Disk(1, 1, 3, BATTLEFIELD, 330200, 114300, 2, empowered=True)
    assert second == Disk(2, 1, 3, BATTLEFIELD, 330200, 101600, 4)
    assert rest == [Disk(3, 0, 1, RESERVE), Disk(4, 0, 1, RESERVE), Disk(5, 0, 2, CASUALTY)]
    assert (board.round, board.rounds, board.phase, board.order, board.active_seat) == (2, 6, "melee", (1, 0), 0)
    assert board.settings.pins == "contact"
    assert board.top_z == 4
    assert board.sides[0] == Side(0, ("hold-the-line",), 1, revealed_card="charge", points=3)
    assert board.sides[1] == Side(1, HIDDEN, 2, has_locked=True, locked_card=HIDDEN, locked_salt=HIDDEN)
    assert board.zones == (Zone(0, 0, 0, 36 * INCH, 6 * INCH, 5),)


def test_values_left_out_of_a_text_are_the_usual_ones() -> None:
    board = parse_position("")
    assert (board.field.width, board.field.height) == (914400, 914400)
    assert (board.field.short, board.field.medium, board.field.long) == (76200, 152400, 304800)
    assert (board.round, board.rounds, board.phase, board.order) == (1, 5, "activation", (0, 1))
    assert (board.active_seat, board.active_disk, board.pins, board.cursor, board.top_z) == (None, None, (), "", 0)
    assert sorted(board.battle_die) == ["chaos", "critical", "hit", "miss", "miss", "scatter"]
    assert board.sides == (Side(0, ()), Side(1, ()))


def test_profiles_and_cards_may_come_from_outside_and_only_those_used_are_kept() -> None:
    known = {profile.name: profile for profile in board_of("").profiles}
    cards = {card.name: card for card in board_of("").cards}
    board = parse_position("B Orc Boyz (3, 3)\nA hand: Charge!", known, cards)
    assert board.profiles == (known["Orc Boyz"],)
    assert board.cards == (cards["Charge!"],)


def test_a_disk_without_height_lies_above_the_disks_of_the_lines_before_it() -> None:
    board = board_of("A Tyrion (3, 3) z7\nA Swordsmen (3, 3)\nA Steam Tank (20, 20)")
    assert [disk.z for disk in board.disks] == [7, 8, 9]


def test_pins_that_are_not_given_are_those_of_the_disks_as_they_lie() -> None:
    board = board_of("A Swordsmen (10, 10)\nB Orc Boyz (10.5, 10)\nA Tyrion (11, 10)\nA Steam Tank (30, 30)")
    assert tuple(map(tuple, board.pins)) == ((1, 0), (2, 1))


def test_the_setting_says_which_pins_follow() -> None:
    stack = "A Steam Tank (10, 10)\nB Orc Boyz (10.4, 10)\nA Tyrion (11, 10)"
    assert tuple(map(tuple, board_of("pins strict\n" + stack).pins)) == ((1, 0), (2, 1))
    assert tuple(map(tuple, board_of("pins contact\n" + stack).pins)) == ((1, 0), (2, 0), (2, 1))


def test_pins_that_are_given_are_all_there_are() -> None:
    lies = "A Swordsmen (10, 10)\nB Orc Boyz (10.5, 10)\nA Tyrion (11, 10)"
    assert tuple(map(tuple, board_of(f"{lies} pins Swordsmen").pins)) == ((2, 0),)
    assert tuple(map(tuple, board_of(f"{lies}\npins: Tyrion>Orc Boyz, Orc Boyz>Swordsmen").pins)) == ((1, 0), (2, 1))
    assert board_of(f"{lies}\npins: none").pins == ()


def test_a_disk_that_left_the_match_while_it_acted_is_text_both_ways() -> None:
    board = board_of("B Tyrion (3, 3)\nA Swordsmen gone acting")
    assert (board.disks[1].place, board.active_disk) == (WITHDRAWN, 1)
    assert parse_position(format_position(board)) == board


def test_a_seat_that_is_named_is_there() -> None:
    assert len(board_of("C Tyrion (3, 3)").sides) == 3
    assert board_of("seats 4").order == (0, 1, 2, 3)
    assert board_of("out B").sides[1].eliminated


def test_several_disks_of_one_name_are_numbered_by_their_order() -> None:
    board = board_of("A reserve: Orc Boyz, Tyrion\nB Orc Boyz (3, 3)")
    assert disk_labels(board) == ("Orc Boyz#1", "Tyrion", "Orc Boyz#2")


def test_a_number_that_a_text_gives_a_disk_holds_in_that_text() -> None:
    board = board_of(
        "A Orc Boyz#7 (3, 3)\nA Orc Boyz#2 (9, 9)\nB Tyrion (3, 3) pins Orc Boyz#7\npins: Tyrion>Orc Boyz#2"
    )
    assert tuple(map(tuple, board.pins)) == ((2, 0), (2, 1))


# ---------------------------------------------------------------- both ways

WRITTEN_POSITIONS = """\
field 36x36in  pins contact
round 2 of 6  phase melee  order B A  playing A

A Tyrion  (12.30,  4.00)  z3  damage 2  wounds 1  activated  pins Orc Boyz#1
A reserve: Swordsmen x2
A casualties: Steam Tank
A hand: Hold the Line
A revealed: Charge!
A points: 3

B Orc Boyz#1  (13.00,  4.50)  z2  empowered
B Orc Boyz#2  (13.00,  4.00)  z4  pins Tyrion, Orc Boyz#1
B hand: 2 hidden
B locked: hidden

zone A (0, 0) to (36, 6) for 5
numbers 0 3-5 1-2

disk Tyrion: hero of High Elves (Order), medium, M4 S5 C4 T5 St1
disk Swordsmen: unit (Order), small, M5 S4 C3 T4
disk Steam Tank: unit (Order), large, M3 S4 C3 T4; Impact 3
disk Orc Boyz: unit of Orcs (Destruction), small, M5 S5 C3 T4
card Charge!: bold 3
card Hold the Line: steady 2
"""


def test_a_position_is_written_for_people() -> None:
    assert format_position(parse_position(HAND_WRITTEN)) == WRITTEN_POSITIONS


def test_the_table_alone_is_written_without_hands_locks_and_figures() -> None:
    board = parse_position(HAND_WRITTEN)
    table = format_position(
        replace(board, sides=(board.sides[0], replace(board.sides[1], locked_card="Charge!"))), whole=False
    )
    assert "A hand: 1 hidden" in table
    assert "B locked: hidden" in table
    assert "disk" not in table
    known = {profile.name: profile for profile in board.profiles}
    assert same_position(parse_position(table, known, {card.name: card for card in board.cards}), board)


_LENGTHS = st.integers(0, 914400)
_SMALL = st.integers(0, 9)
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
_UNUSUAL = (
    "Tyrion",
    "Orc Boyz",
    "x2",
    "Foo x3",
    "pins",
    "none",
    "A",
    'a "b"',
    "a#1",
    "a, b",
    "Ö,(>",
    "  ",
    "d6",
    "M5 x",
)
_NAMES = st.sampled_from(_UNUSUAL) | _TEXTS
_WORDS = st.just("") | _NAMES
_IDS = st.sampled_from(("caster", "orc-boyz", "d6", "x2"))
_NO_IDS = st.none() | _IDS
_AMOUNTS = st.builds(Amount, flat=st.integers(-9, 9), d6=st.integers(0, 3))
_REACHES = st.sampled_from(f.REACHES)
_DAMAGES = st.sampled_from(("physical", "arcane", "untyped", "true"))
_EFFECTS = st.one_of(
    st.builds(DealDamage, _AMOUNTS, _DAMAGES, _REACHES, st.none() | _REACHES),
    st.builds(f.DealDamageNear, _AMOUNTS, _DAMAGES, _REACHES),
    st.builds(RemoveActivationToken, _IDS, _REACHES),
    st.builds(f.ReduceToughness, _SMALL, _REACHES),
    st.builds(f.RollWound, _SMALL),
    st.builds(f.Empower, _REACHES, _NO_IDS),
    st.builds(f.Heal, _AMOUNTS, _REACHES, _NO_IDS),
    st.builds(f.AddActivationToken, _REACHES),
    st.builds(f.ReinforceNear, _REACHES, _NO_IDS, _SMALL),
    st.builds(f.FightEngagement),
    st.builds(f.IncreaseRange, _SMALL, _NO_IDS),
    st.builds(f.IncreaseToughness, _SMALL, _NO_IDS, st.none() | _REACHES),
    st.builds(f.IncreaseMeleeStrength, _SMALL, _SMALL, _NO_IDS, st.none() | _REACHES),
    st.builds(f.RemoveEmpowerment, _REACHES),
    st.builds(f.Rampage),
    st.builds(f.DamageAround, _SMALL, _DAMAGES, _REACHES),
)
_TIMINGS = st.sampled_from(("engage", "focus", "battle", "passive"))
_ABILITIES = st.lists(st.builds(Ability, _TIMINGS, _EFFECTS, _NO_IDS, st.booleans(), st.booleans()), max_size=2).map(
    tuple
)
_SHOTS = st.builds(Shot, _SMALL, _AMOUNTS, _DAMAGES, _REACHES, st.none() | _REACHES)
_KINDS: st.SearchStrategy[Literal["hero", "unit"]] = st.sampled_from(("hero", "unit"))
_FACTIONS: st.SearchStrategy[f.Faction] = st.sampled_from(("order", "destruction"))


_OFFSETS = st.integers(-914400, 914400)
_CORNERS = st.lists(st.tuples(_OFFSETS, _OFFSETS), min_size=3, max_size=5).map(tuple)
_KEYWORDS = st.sampled_from(
    [
        Keyword(id, Amount(2, 1) if form.has_amount else None, kind)
        for id, form in KEYWORDS.items()
        for kind in form.kinds or (None,)
    ]
)
_TERRAIN_KEYWORDS = st.sampled_from(
    [
        TerrainKeyword(id, damage_type)
        for id, form in TERRAIN_KEYWORDS.items()
        for damage_type in form.damage_types or (None,)
    ]
)
_PIECES = st.builds(
    TerrainPiece,
    st.builds(Terrain, st.just("piece"), _NAMES, _CORNERS, st.lists(_TERRAIN_KEYWORDS, max_size=2).map(tuple)),
    _CORNERS,
)
_GROUNDS: st.SearchStrategy[tuple[int, ...]] = st.sampled_from(((), (0,), (0, 1), (1,)))


@st.composite
def profiles(draw: st.DrawFn, id: str, name: str) -> Profile:
    """Any disk, printed with whatever its struct can hold."""
    figures = {field.name: draw(_SMALL) for field in fields(Profile) if field.type is int}
    figures["radius"] = draw(st.sampled_from((22225, 28575, 38100)) | _LENGTHS)
    size: f.Size = draw(st.sampled_from(("small", "medium", "large")))
    plain = Profile(
        id,
        name,
        draw(_KINDS),
        draw(_FACTIONS),
        size,
        race=draw(st.none() | _IDS),
        radius=0,
        movement=0,
        strength=0,
        counter_strength=0,
        toughness=0,
        unique=draw(st.booleans()),
        elite=draw(st.booleans()),
        traits=tuple(draw(st.lists(_IDS.filter(bool), max_size=2))),
        keywords=tuple(draw(st.lists(_KEYWORDS, max_size=2))),
        shots=tuple(draw(st.lists(_SHOTS, max_size=2))),
        abilities=draw(_ABILITIES),
    )
    return replace(plain, **figures)


T = TypeVar("T", Pin, Link)


def _built(kind: type[T], pairs: st.SearchStrategy[list[tuple[int, int]]]) -> st.SearchStrategy[tuple[T, ...]]:
    return pairs.map(lambda drawn: tuple(kind(*pair) for pair in drawn))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Return any board that a fold could make, and many that none could."""
    seats = draw(st.integers(1, 4))
    names = draw(st.lists(_NAMES, min_size=1, max_size=4, unique=True))
    known = tuple(draw(profiles(f"disk-{number}", name)) for number, name in enumerate(names))
    cards = tuple(
        draw(_card(f"card-{number}", name))
        for number, name in enumerate(draw(st.lists(_NAMES, max_size=3, unique=True)))
    )
    count = draw(st.integers(0, 7))
    heights = draw(st.permutations(range(1, count + 1)))
    disks = tuple(draw(_disks(number, seats, len(known), heights[number])) for number in range(count))
    numbers = st.integers(0, max(0, count - 1))
    pairs = st.lists(st.tuples(numbers, numbers), max_size=4, unique=True) if count else st.just([])
    some = st.lists(numbers, max_size=3).map(tuple) if count else st.just(())
    engagement = st.builds(Engagement, some, some, _built(Link, pairs), some, st.booleans())
    engagements = tuple(draw(st.lists(engagement, max_size=2)))
    base = parse_position("round 0")
    return replace(
        base,
        settings=replace(base.settings, pins=draw(st.sampled_from(("strict", "contact")))),
        field=replace(base.field, width=draw(_LENGTHS), height=draw(_LENGTHS), short=draw(_LENGTHS)),
        battle_die=draw(st.permutations(base.battle_die).map(tuple)),
        profiles=known,
        cards=cards,
        zones=tuple(draw(st.lists(st.builds(Zone, st.integers(0, seats - 1), *[_LENGTHS] * 4, _SMALL), max_size=2))),
        terrain=tuple(draw(st.lists(_PIECES, max_size=2))),
        rounds=draw(_SMALL),
        disks=disks,
        sides=tuple(draw(_sides(seat, [card.id for card in cards])) for seat in range(seats)),
        pins=tuple(sorted(draw(_built(Pin, pairs)))),
        order=tuple(draw(st.permutations(range(seats)))) if draw(st.booleans()) else (),
        round=draw(_SMALL),
        phase=draw(st.sampled_from(("setup", "activation", "melee", "end", "over"))),
        top_z=draw(_SMALL),
        active_seat=draw(st.none() | st.integers(0, seats - 1)),
        active_disk=draw(st.none() | numbers) if count else None,
        engagements=engagements,
        active_engagement=draw(st.none() | st.integers(0, len(engagements) - 1)) if engagements else None,
        cursor=draw(st.sampled_from(("", '1[["card",0,"a \\"b\\" # c"]]', "2[]"))),
        revealed_salts=tuple(draw(st.lists(_TEXTS, max_size=3))),
    )


def _card(id: str, name: str) -> st.SearchStrategy[CommandCard]:
    strategies = st.sampled_from(("bold", "steady", "devious", "slow"))
    return st.builds(CommandCard, st.just(id), st.just(name), strategies, _SMALL, st.none() | _FACTIONS, _ABILITIES)


@st.composite
def _disks(draw: st.DrawFn, number: int, seats: int, known: int, height: int) -> Disk:
    place = draw(st.sampled_from((BATTLEFIELD, BATTLEFIELD, RESERVE, CASUALTY)))
    disk = Disk(number, draw(st.integers(0, seats - 1)), draw(st.integers(0, known - 1)), place)
    if place == BATTLEFIELD:
        disk = replace(disk, x=draw(_LENGTHS), y=draw(_LENGTHS), z=height, terrain=draw(_GROUNDS))
    if draw(st.booleans()):
        disk = replace(disk, damage=draw(_SMALL), wounds=draw(_SMALL), activated=True, empowered=True, weakened=2)
    return disk


@st.composite
def _sides(draw: st.DrawFn, seat: int, cards: list[str]) -> Side:
    some = st.lists(st.sampled_from(cards), max_size=3).map(tuple) if cards else st.just(())
    one = st.sampled_from(cards) if cards else st.none()
    has_locked = draw(st.booleans())
    locked_card = draw(st.just(HIDDEN) | one) if has_locked else None
    if has_locked and locked_card is None:
        locked_card = HIDDEN
    return Side(
        seat,
        hand=draw(st.none() | st.just(HIDDEN) | some),
        card_count=draw(_SMALL),
        has_locked=has_locked,
        locked_card=locked_card,
        locked_salt=HIDDEN if locked_card == HIDDEN else draw(st.none() | _TEXTS) if locked_card else None,
        revealed_card=draw(st.none() | one),
        discards=draw(some),
        eliminated=draw(st.booleans()),
        points=draw(_SMALL),
        army=draw(st.none() | st.builds(ArmyIdentity, _NAMES, _NO_IDS)),
    )


@settings(max_examples=60, deadline=None)
@given(boards())
def test_reading_what_was_written_gives_the_same_board(board: Board) -> None:
    assert parse_position(format_position(board)) == board


@given(_LENGTHS | st.integers(-(10**9), 10**9))
def test_every_length_in_inches_reads_back_to_the_micrometre(length: int) -> None:
    assert parse_length(inches_text(length)) == length
    assert parse_length(inches_text(length, 2)) == length


def test_lengths_are_as_short_as_can_be() -> None:
    assert [inches_text(length) for length in (0, 25400, 44450, 312420, 312421, 127)] == [
        "0", "1", "1.75", "12.3", "12.30004", "0.005",
    ]  # fmt: skip
    assert inches_text(25400, 2) == "1.00"
    assert parse_length("25.4mm") == parse_length("25400um") == parse_length("1in") == 25400
    assert parse_length("12.") is None


def test_printed_figures_are_written_for_people() -> None:
    profile = Profile(
        "stone-fangz-shaman", "Stone Fangz Shaman", "unit", "destruction",
        "medium", 30000, 4, 2, 3, 4,
        race="orcs-and-goblins", stamina=1, cost=7, elite=True, traits=("caster",),
        keywords=(Keyword("magic", Amount(2)), Keyword("slow", kind="both"), Keyword("impact", Amount(-1, 2))),
        shots=(Shot(3, Amount(0, 1), "physical", "long", "short"),),
        abilities=(
            Ability("engage", DealDamage(Amount(2), "arcane", "medium", "short"), unstable=True),
            Ability("focus", RemoveActivationToken("orc-boyz", "short"), user="big-boss"),
        ),
    )  # fmt: skip
    line = format_disk(profile)
    assert line == (
        "disk Stone Fangz Shaman: unit of Orcs and Goblins (Destruction), medium, M4 S2 C3 T4 St1, radius 1.1811, "
        "cost 7, elite, trait caster; Magic 2, Slow (both), Impact 2d6-1, "
        "shot 3 dice strength d6 physical to long beyond short, engage deal_damage 2 arcane medium short unstable, "
        "focus remove_activation_token orc-boyz short by big-boss"
    )
    assert parse_position(line).profiles == (profile,)


def test_a_figure_that_is_as_usual_is_left_out_only_at_the_end() -> None:
    effects: dict[str, f.Effect] = {
        "increase_melee_strength 0 1": f.IncreaseMeleeStrength(0, 1),
        'increase_melee_strength 0 1 "" short': f.IncreaseMeleeStrength(0, 1, reach="short"),
    }
    for text, effect in effects.items():
        card = CommandCard("comet", "Comet", "slow", 2, None, (Ability("passive", effect),))
        assert format_card(card) == f"card Comet: slow 2, passive {text}"
        assert parse_position(format_card(card)).cards == (card,)


def test_a_card_is_written_for_people() -> None:
    card = CommandCard(
        "comet",
        "Comet",
        "slow",
        2,
        "order",
        (Ability("battle", DealDamage(Amount(1, 1), "arcane", "long"), user="caster"),),
    )
    assert format_card(card) == "card Comet: slow 2, Order, battle deal_damage d6+1 arcane long by caster"
    assert parse_position(format_card(card)).cards == (card,)


def test_the_notation_knows_every_field_of_a_board() -> None:
    """A field that is added to the board has to be written and read too; then it belongs into this list."""
    assert {
        kind.__name__: " ".join(field.name for field in fields(kind)) for kind in (Board, Disk, Side, Engagement)
    } == {
        "Board": "settings field battle_die profiles cards zones rounds disks sides layout pins order round phase "
        "top_z active_seat active_disk engagements active_engagement cursor terrain "
        "revealed_salts",
        "Disk": "id seat profile place x y z damage wounds activated empowered weakened poisoned terrain",
        "Side": "seat hand card_count has_locked locked_card locked_salt revealed_card discards eliminated points army "
        "drawn_scenarios objective objective_revealed",
        "Engagement": "attackers defenders links strikers resolved",
    }


@each_row(
    "option",
    ["impact_own no", "reinforce_limit yes", "battle_ability_timing first_or_last", "weakened_wounds above_toughness"],
)
def test_an_option_that_is_not_as_usual_is_written_and_read(option: str) -> None:
    text = f"option {option}"
    board = board_of(text)
    assert board.settings != board_of("").settings
    assert text in format_position(board)
    assert parse_position(format_position(board)) == board


def test_every_option_of_a_match_can_be_read_and_a_wrong_one_is_reported() -> None:
    for field in fields(type(parse_position("").settings)):
        value = option_value_text(getattr(parse_position("").settings, field.name))
        assert board_of(f"option {field.name} {value}") == board_of("")
    with pytest.raises(NotationError, match=r'"maybe" is no value of the option impact_own'):
        board_of("option impact_own maybe")
    with pytest.raises(NotationError, match=r'"impct_own" is no option of a match; did you mean "impact_own"'):
        board_of("option impct_own no")


def test_the_same_name_twice_cannot_be_written() -> None:
    board = board_of("")
    with pytest.raises(ValueError, match="two disks with the same id"):
        format_position(replace(board, profiles=(*board.profiles, replace(board.profiles[0], toughness=9))))


# ---------------------------------------------------------------- terrain

_GULLY = "terrain Gully at (10, 10) (14, 10) (14, 14) (10, 14); Dangerous (physical), Rough"


def test_terrain_is_read_with_its_corners_and_keywords_and_written_alike() -> None:
    board = board_of(_GULLY)
    (piece,) = board.terrain
    assert piece.terrain.name == "Gully"
    assert piece.corners == ((254000, 254000), (355600, 254000), (355600, 355600), (254000, 355600))
    assert piece.terrain.keywords == (TerrainKeyword("dangerous", damage_type="physical"), TerrainKeyword("rough"))
    assert _GULLY in format_position(board)
    assert parse_position(format_position(board)) == board


def test_printed_outline_of_terrain_is_written_where_it_differs() -> None:
    board = board_of(f"{_GULLY}; printed (-2, -2) (2, -2) (2, 2) (-2, 2)")
    assert board.terrain[0].terrain.corners[0] == (-50800, -50800)
    assert "; printed (-2, -2)" in format_position(board)
    assert parse_position(format_position(board)) == board


@each_row("name", ["Look at me", "at", "Gully; Rough", "Der Wald (alt)"])
def test_terrain_of_an_unusual_name_is_text_both_ways(name: str) -> None:
    board = board_of(_GULLY)
    named = replace(board.terrain[0], terrain=replace(board.terrain[0].terrain, name=name, keywords=()))
    board = replace(board, terrain=(named,))
    assert parse_position(format_position(board)) == board


def test_a_disk_lies_on_the_terrain_that_it_overlaps_unless_the_text_says_otherwise() -> None:
    board = board_of(f"{_GULLY}\nA Tyrion (12, 12)\nB Orc Boyz (20, 20)")
    assert [disk.terrain for disk in board.disks] == [(0,), ()]
    assert "ground" not in format_position(board)
    other = board_of(f"{_GULLY}\nA Tyrion (12, 12) ground none\nB Orc Boyz (20, 20) ground 0")
    assert [disk.terrain for disk in other.disks] == [(), (0,)]
    assert parse_position(format_position(other)) == other


def test_terrain_makes_another_position() -> None:
    assert not same_position(board_of(_GULLY), board_of(""))


@each_row(
    ("text", "problem"),
    [
        ("terrain Gully (1, 2)", 'expected "at"'),
        ("terrain Gully at (1, 2) (3, 4)", "expected at least three corners"),
        ("terrain at (1, 2) (3, 4) (5, 6)", "expected a piece of terrain"),
        ("terrain Gully at (1, 2) (3, 4) (5, 9) and", 'unexpected "and"'),
    ],
)
def test_error_about_terrain_is_reported(text: str, problem: str) -> None:
    with pytest.raises(NotationError, match=re.escape(problem)):
        parse_position(text)


# ---------------------------------------------------------------- the same position

TERRAIN_POSITIONS = (
    "A Tyrion (12, 4) damage 2\nB Orc Boyz (12.5, 4)\nB Orc Boyz (20, 20) activated\nA reserve: Swordsmen"
)


def test_numbers_of_disks_and_exact_heights_make_no_other_position() -> None:
    other = (
        "A reserve: Swordsmen\nB Orc Boyz (20, 20) z20 activated\nA Tyrion (12, 4) z12 damage 2\nB Orc Boyz (12.5, 4)"
    )
    assert same_position(board_of(TERRAIN_POSITIONS), board_of(other))


@each_row(
    "other",
    [
        TERRAIN_POSITIONS.replace("damage 2", "damage 3"),
        TERRAIN_POSITIONS.replace("12.5", "12.6"),
        TERRAIN_POSITIONS.replace("B Orc Boyz (12.5", "A Orc Boyz (12.5"),
        TERRAIN_POSITIONS.replace("A reserve", "A casualties"),
        TERRAIN_POSITIONS.replace("(12, 4)", "(12, 4) z9").replace("(12.5, 4)", "(12.5, 4) z1")
        + "\npins: Orc Boyz#1>Tyrion",
        TERRAIN_POSITIONS.replace("activated", "empowered"),
        TERRAIN_POSITIONS.replace("activated", "activated acting"),
        TERRAIN_POSITIONS + "\npins: none",
        TERRAIN_POSITIONS + "\nround 2",
        TERRAIN_POSITIONS + "\nB points: 1",
        TERRAIN_POSITIONS + "\nA discards: Charge!",
    ],
)
def test_anything_else_on_the_table_makes_another_position(other: str) -> None:
    assert not same_position(board_of(TERRAIN_POSITIONS), board_of(other))


def test_hands_and_tasks_do_not_change_the_position() -> None:
    board = board_of(TERRAIN_POSITIONS)
    rest = replace(board, cursor='1[["end_phase"]]', profiles=tuple(replace(p, cost=3) for p in board.profiles))
    assert same_position(board, rest)


# ---------------------------------------------------------------- slips

SYNTAX_ERRORS = {
    "A Tyron (1, 2)": ("1:3", 'no disk is called "Tyron"; did you mean "Tyrion"?'),
    "A Orc Boys (1, 2)": ("1:3", 'no disk is called "Orc Boys"; did you mean "Orc Boyz"?'),
    "A Tyrion (1, 2) damoge 2": ("1:17", '"damoge" is no word about a disk; did you mean "damage"?'),
    "A Tyrion (1, 2) damage two": ("1:24", "expected a number: how much damage"),
    "A Tyrion (1; 2)": ("1:12", 'expected ","'),
    "A Tyrion (1, x)": ("1:14", "expected a length in inches, or with mm or um: y"),
    "A Tyrion (1, 2": ("1:15", 'expected ")"'),
    "A Tyrion": (
        "1:9",
        'expected place (coordinates, "reserve", "casualty" or "gone"); known are "casualty", "gone", "reserve"',
    ),
    "A Tyrion reserve z3": ("1:18", '"z3" is no word about a disk; known are "acting", "activated", "damage", '),
    "A Tyrion (1, 2) z3\nB Orc Boyz (9, 9) z3": ("2:19", "a second disk at the height z3"),
    "B Orc Boyz#1 (1, 2)\nB Orc Boyz#1 (9, 9)": ("2:3", "a second Orc Boyz#1"),
    "A Tyrion (1, 2) pins Orc Boyz": ("1:22", 'no disk here is called "Orc Boyz"; known are "Tyrion"'),
    "B Orc Boyz (1, 2)\nB Orc Boyz (9, 9)\npins: Orc Boyz>Orc Boyz": (
        "3:7",
        '2 disks are called "Orc Boyz": Orc Boyz#1 … ',
    ),
    "A Tyrion (1, 2)\npins: Tyrion-Tyrion": ("2:7", 'no disk here is called "Tyrion-Tyrion"; did you mean "Tyrion"?'),
    "A reserve: Tyrion,": ("1:19", "expected a disk"),
    'A reserve: "Tyrion': ("1:12", "a quotation mark without its end"),
    "A hand: Charge": ("1:9", 'no command card is called "Charge"; did you mean "Charge!"?'),
    "A hnd: Charge!": ("1:3", '"hnd" is no thing of a player; did you mean "hand"?'),
    "phse melee": ("1:1", '"phse" is no word of a position; did you mean "phase"?'),
    "round 1  phase mele": ("1:16", '"mele" is no phase; did you mean "melee"?'),
    "order A E": ("1:9", '"E" is no word of a position'),
    "field 36": ("1:7", "expected the size of the field, such as 36x36in"),
    "zone A (0, 0) to (3, 3)": ("1:24", 'expected "for"'),
    "numbers 1": ("1:1", "expected each number from 0 to -1 once"),
    "cursor: 7": ("1:9", "no cursor: Expected `str`, got `int`"),
    "engagement: none; fights": ("1:19", '"fights" is no word about an engagement; did you mean "fighting"?'),
    "disk Tyrion: small": ("1:1", 'a second line for the disk "Tyrion"'),
    "disk Foo: smoll": (
        "1:11",
        '"smoll" is neither a word of a disk line nor, with a capital, a keyword; did you mean "small"?',
    ),
    "disk Foo: small X3": ("1:17", '"X3" is no figure of a disk (a keyword follows a comma)'),
    "disk Foo: Immune": ("1:17", "Immune is printed with one of (physical) (arcane) (ranged) (impact) (guard)"),
    "disk Foo: Immune (magic)": ("1:19", '"magic" is no kind of Immune'),
    "disk Foo: Resistant (guard": ("1:27", 'expected ")"'),
    "disk Foo: shot 3 dice strength d7": ("1:32", "expected an amount like 2, d6 or 2d6+1"),
    "disk Foo: shot 3 dice strength 2 physical to lng": ("1:46", '"lng" is no reach; did you mean "long"?'),
    "disk Foo: engage deal_damage_nar 2": ("1:18", '"deal_damage_nar" is no effect; did you mean "deal_damage_near"?'),
    "disk Foo: engage deal_damage 2 cold short": ("1:11", "invalid enum value 'cold' - at $.effect.damage"),
    "card Foo: bald 2": ("1:11", '"bald" is no strategy; did you mean "bold"?'),
    "card Foo: bold 2, charge": ("1:19", "expected an ability; known are"),
    "die hit hot": ("1:9", '"hot" is no side of a battle die; did you mean "hit"?'),
}


@each_row("text", SYNTAX_ERRORS)
def test_error_is_reported_with_its_place_and_a_suggestion(text: str) -> None:
    place, problem = SYNTAX_ERRORS[text]
    with pytest.raises(NotationError) as caught:
        board_of(text)
    shift = FIGURES.count("\n")
    assert f"{caught.value.line - shift}:{caught.value.column}" == place
    assert caught.value.problem.startswith(problem)


def test_the_message_of_a_slip_points_at_it() -> None:
    with pytest.raises(NotationError) as caught:
        parse_position("round 1\nround 2  phase mele")
    assert str(caught.value) == (
        'line 2, column 16: "mele" is no phase; did you mean "melee"?\n  round 2  phase mele\n                 ^'
    )


@settings(deadline=None)
@given(st.text(max_size=60) | st.lists(st.sampled_from(WRITTEN_POSITIONS.split()), max_size=12).map(" ".join))
def test_any_other_text_is_a_sound_board_or_a_slip(text: str) -> None:
    try:
        board = board_of(text)
    except NotationError:
        return
    assert msgspec.json.decode(msgspec.json.encode(board), type=Board) == board
