"""Is every match still told word for word as it was?

Each transcript in `diskwars/` belongs to a recipe here: whole matches, which go on from the actions written in their
own transcript, and set pieces, which stand in the recipe. With DISKWARS_GOLDEN=1 they are written anew.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from diskwars_cli.__main__ import main
from diskwars_protocol import match as m
from diskwars_protocol.match import seat_letter
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.played_match import (
    ARMIES,
    IS_WRITING,
    QUICK,
    RULES,
    Choose,
    Playing,
    answered,
    greedily,
    mixed,
    on_the_board,
)
from tests.engine.positions import SALT, Faces, Table, figure_text, lay
from tests.golden.transcript import Transcript, actions_of

FOLDER = Path(__file__).parent / "diskwars"
LARGEST = 400_000
DRAWN = (e.RoundBegan, m.MatchEnded)
"""After these the field of a whole match is drawn."""


# ---------------------------------------------------------------- whole matches


class Whole(NamedTuple):
    """A match from its first record to its last."""

    title: str
    seed: int
    armies: tuple[str, ...]
    choose: Choose
    settings: a.Settings = QUICK


WHOLE = {
    "greedy-match": Whole("Two greedy bots play five rounds", 17, ("Chaos Patrol", "Empire Patrol"), greedily),
    "elimination": Whole("A match that ends by elimination", 4, ("High Elf Patrol", "Greenskin Patrol"), greedily),
    "tie": Whole("A match that ends with equal points", 6, ("Chaos Patrol", "Empire Patrol"), greedily),
    "nobody-wins": Whole(
        "A match whose last disks fall together", 7795, ("Chaos Patrol", "Greenskin Patrol"), greedily
    ),
    "three-players": Whole("Three greedy bots, with a full set-up", 7, ARMIES[:3], greedily, a.Settings(setup="full")),
    "four-players": Whole("Four greedy bots, with a full set-up", 9, ARMIES, greedily, a.Settings(setup="full")),
    "wild-match": Whole(
        "A match of random answers, with the option `contact`",
        1,
        ("Empire Patrol", "High Elf Patrol"),
        mixed,
        a.Settings("contact", setup="quick"),
    ),
}


def told_whole(whole: Whole, recorded: list[a.Action]) -> str:
    """The transcript of a match whose seats answer as they did before."""
    playing = Playing(whole.seed, whole.armies, whole.settings)
    seats = ", ".join(f"seat {seat_letter(seat)} {army}" for seat, army in enumerate(whole.armies))
    script = Transcript(f"{whole.title}. Seed {whole.seed}; {seats}.", range(len(whole.armies)))
    script.append("the match is opened", None, playing.events, None, playing.rules.redact)
    left, choose = on_the_board(recorded), whole.choose if IS_WRITING else None
    while playing.state.status != "ended":
        decision = playing.state.decisions[0]
        action, events = answered(playing, decision, left, choose)
        playing.record(events)
        heading = f"{seat_letter(decision.seat)} answers {decision.question.__struct_config__.tag}"
        script.append(heading, action, events, playing.state.board, playing.rules.redact)
        if playing.state.board is not None and any(isinstance(event, DRAWN) for event in events):
            script.draw(playing.state.board)
    return str(script)


# ---------------------------------------------------------------- set pieces


class Move(NamedTuple):
    """One answer of a set piece, with the dice it is given."""

    action: Callable[[Table], a.Action]
    dice: tuple[Faces, ...] = ()


class Piece(NamedTuple):
    title: str
    text: str
    start: Callable[[Table], Table]
    moves: tuple[Move, ...]


ROT = """
A Archaon       (10, 10)
A Flamers       (12, 15)
B Orc Boyz      (14, 10)  damage 2
B River Troll   (14, 14)  damage 4
B Sun Dragon    (24, 24)
"""
FISTS = """
A Stone Fangz Shaman   (10, 10)
A Orc Boyz             (14, 13)
B Militia Spearmen     (14, 10)
B High Mage            (16, 10)
B Sun Dragon           (24, 24)
"""
WINDS = """
A Militia Archers  (4, 10)
A Bolt Thrower     (4, 15)
B Orc Boyz         (20, 10)
B Night Goblins    (22, 11)
B River Troll      (32, 15)
"""
BOSS = """
A Big Boss     (10, 10)
A Orc Boyz     (13, 10)  activated
A Black Orcs   (7, 10)   activated
B Maiden Guard (17, 10)
B Sun Dragon   (24, 24)
"""
CANNON = """
A Hellcannon   (10, 10)
A Flamers      (20, 30)
B High Mage    (32, 10)
B Orc Boyz     (14, 11)
B Sun Dragon   (24, 24)
"""
PORTAL = """
A Kairos Fateweaver  (10, 10)
A reserve: Flamers, Bloodcrushers
B High Mage          (14, 14)
B Sun Dragon         (24, 24)
"""
PLAGUE = """
A Bloodthirster   (10, 10)  empowered damage 6
A Hellstriders    (10, 15)  empowered
B Plaguebearers   (17, 13)
B Sun Dragon      (24, 24)
"""
TANK = """
A Steam Tank   (10, 10)
B Orc Boyz     (13, 10)
B River Troll  (10, 17)
B Sun Dragon   (24, 24)
"""
BLOOD = """
B River Troll      (11.5, 10)
A Kurgan Marauders (10, 10)
B Orc Boyz         (9, 10)
A Flamers          (20, 20)
B Sun Dragon       (24, 24)
"""
VALKIA = """
A Valkia the Bloody  (10, 10)
A Flamers            (10, 12)
B Luthor Huss        (14, 10)
B Sun Dragon         (24, 24)
"""
GROM = """
A Grom the Paunch  (10, 10)
A Night Goblins    (14, 10)  damage 3
A Orc Boyz         (14, 14)  damage 3
B Sun Dragon       (24, 24)
"""
WORDS = """
A Guards       (10, 10)
A Asps         (13, 16)
A Gunners      (20, 10)
B Bull         (13, 10)
B Ogre         (20, 10.5)
B Sun Dragon   (24, 24)
disk Guards: small T6, Guard 2
disk Asps: small, Poison, Mobile, shot 2 dice strength 1 physical to long
disk Gunners: small, Stalwart, shot 2 dice strength 2 physical to medium
disk Bull: medium M4 T6, Relentless, Impact 1
disk Ogre: small T6
"""
GROUND = """
terrain Gully at (8, 8) (12, 8) (12, 12) (8, 12); Dangerous (physical)
terrain Mere at (13, 8) (16, 8) (16, 12) (13, 12); Rough
terrain Dark Wood at (20, 18) (23, 18) (23, 23) (20, 23); Blocks Sight
terrain Broken Keep at (25, 16) (28, 16) (28, 20) (25, 20); Cover
terrain Ruined Windmill at (4, 20) (8, 20) (8, 24) (4, 24); Windmill
A Runners    (6.75, 10)
A Gunners    (16, 18)
A Watch      (6, 22)
A reserve: Runners
B Ogre       (26, 18)
B Sun Dragon (32, 32)
disk Runners: small, M5 T6
disk Gunners: small, shot 3 dice strength 2 physical to long
disk Watch: small
disk Ogre: small T6
"""

PIECES = {
    "terrain": Piece(
        "Runners cross a gully and stop in a mere; Gunners see past a wood; the windmill lets others in",
        GROUND,
        lambda t: t.plays(0, left=3),
        (
            Move(lambda t: t.moves("Runners#1", 0, 0, 0, 0, end=False), (2,)),
            Move(lambda t: t.moves("Runners#1", 0, 0, 0, end=False), (1,)),
            Move(lambda t: t.moves("Runners#1", 0, 0, end=False), (1,)),
            Move(lambda t: t.moves("Runners#1", 0, 0)),
            Move(lambda t: t.shoots("Gunners", "Ogre"), ((1, 2),)),
            Move(lambda t: a.Reinforce(t.number("Runners#2"), 17 * 25400 // 2, 22 * 25400)),
        ),
    ),
    "hellcannon": Piece(
        "The Hellcannon shoots, shows chaos, and has to flip onto the Orc Boyz",
        CANNON,
        lambda t: t.plays(0, left=2),
        (
            Move(lambda t: t.shoots("Hellcannon", "High Mage"), (3, (4, 5, 2))),
            Move(lambda t: t.moves("Hellcannon", 15)),
        ),
    ),
    "kairos": Piece(
        "Kairos brings in the Flamers, who get an activation token",
        PORTAL,
        lambda t: t.plays(0, left=2),
        (
            Move(lambda t: t.focuses("Kairos Fateweaver", ability=1)),
            Move(lambda t: a.Reinforce(t.number("Flamers"), 12 * 25400, 12 * 25400)),
        ),
    ),
    "plaguebearers": Piece(
        "The Bloodthirster flies past the Plaguebearers, loses its empowerment, and with it a wound",
        PLAGUE,
        lambda t: t.plays(0, left=2),
        (Move(lambda t: t.moves("Bloodthirster", 0, 0, 0)), Move(lambda t: t.moves("Hellstriders", 90))),
    ),
    "steam-tank": Piece(
        "The Steam Tank picks the attack whose range is met, then flips onto the Orc Boyz",
        TANK,
        lambda t: t.plays(0, left=1),
        (
            Move(lambda t: t.shoots("Steam Tank", "River Troll", 0), ((1, 1, 5),)),
            Move(lambda t: t.moves("Steam Tank", 0)),
        ),
    ),
    "blood-for-the-blood-god": Piece(
        "The embattled Marauders fight the engagement below them, before the melee phase",
        BLOOD,
        lambda t: t.plays(0, "Blood for the Blood God", left=1),
        (Move(lambda t: t.uses("Kurgan Marauders")), Move(lambda t: t.picks("Kurgan Marauders"))),
    ),
    "valkia": Piece(
        "Valkia engages Luthor Huss and may empower somebody near her",
        VALKIA,
        lambda t: t.plays(0, left=1),
        (
            Move(lambda t: t.moves("Valkia the Bloody", 0, 0)),
            Move(lambda t: a.ChooseUse(t.number("Flamers"))),
        ),
    ),
    "grom": Piece(
        "Grom goes away, and the Night Goblins are as frail as before",
        GROM,
        lambda t: t.plays(0, left=1),
        (Move(lambda t: t.moves("Grom the Paunch", 180, 180)),),
    ),
    "keywords": Piece(
        "A relentless Bull runs onto Guards, Asps poison it, pinned Gunners stand and shoot",
        WORDS,
        lambda t: t.plays(1, left=1, then=(e.CardTurn(0, "Press On", 2, ability=False), e.PhaseWork("end"))),
        (
            Move(lambda t: t.moves("Bull", 180, 180)),
            Move(lambda t: t.passes("Bull")),
            Move(lambda t: t.shoots("Asps", "Bull"), ((1, 5),)),
            Move(lambda t: t.passes("Asps")),
            Move(lambda t: t.shoots("Gunners", "Ogre"), ((1, 2),)),
        ),
    ),
    "archaon": Piece(
        "Archaon lands on two enemies, and the Sun Dragon on him (figure 4)",
        figure_text("figure-04"),
        lambda t: t.plays(0, left=1, then=(e.CardTurn(1, "Press On", 1, ability=False),)),
        (Move(lambda t: t.moves("Archaon", 90)), Move(lambda t: t.moves("Sun Dragon", 180, 180))),
    ),
    "tyrion": Piece(
        "Tyrion kills the Swordsmen and engages the Steam Tank below them (figure 10)",
        figure_text("figure-10"),
        lambda t: t.fights(),
        (Move(lambda t: t.picks("Tyrion"), (5,)),),
    ),
    "fists-of-mork": Piece(
        "Fists of Mork strike the Spearmen and each disk near them, own ones too",
        FISTS,
        lambda t: t.plays(0, "Fists of Mork"),
        (Move(lambda t: t.uses("Stone Fangz Shaman", "Militia Spearmen"), (5,)), Move(lambda t: a.EndCard())),
    ),
    "nurgles-rot": Piece(
        "Nurgle's Rot lowers a toughness, and the Flamers' damage then suffices",
        ROT,
        lambda t: t.plays(0, "Nurgle's Rot", left=1),
        (
            Move(lambda t: t.uses("Archaon", "Orc Boyz")),
            Move(lambda t: t.shoots("Flamers", "Orc Boyz"), ((1, 5),)),
        ),
    ),
    "winds-of-morai-heg": Piece(
        "Winds of Morai-Heg carry the arrows one band further",
        WINDS,
        lambda t: t.plays(0, "Winds of Morai-Heg", left=2),
        (
            Move(lambda t: t.shoots("Militia Archers", "Orc Boyz"), ((2, 3), (1,))),
            Move(lambda t: t.shoots("Bolt Thrower", "River Troll"), ((1, 2, 3, 4),)),
        ),
    ),
    "big-boss": Piece(
        "The Big Boss takes the token off the Orc Boyz, who then charge",
        BOSS,
        lambda t: t.plays(0, "Press On", left=2),
        (Move(lambda t: t.focuses("Big Boss", "Orc Boyz")), Move(lambda t: t.moves("Orc Boyz", 0, 0))),
    ),
    "locking-cards": Piece(
        "Two cards are locked in secret and revealed together",
        "A Orc Boyz  (10, 10)\nB Sun Dragon  (24, 24)\nA hand: Press On, Feint\nB hand: Hold Fast, All Together",
        lambda t: t.works(e.PhaseWork("activation")),
        (
            Move(lambda t: a.LockCard("Feint", SALT)),
            Move(lambda t: a.LockCard("Hold Fast", SALT)),
            Move(lambda t: t.uses("Sun Dragon", "Sun Dragon")),
        ),
    ),
}


def told_piece(piece: Piece, recorded: list[a.Action]) -> str:
    """The transcript of a set piece. Its answers stand in the recipe, so those recorded are not needed."""
    laid = lay(piece.text)
    script = Transcript(piece.title, (side.seat for side in laid.board.sides))
    script.begin(laid.board, piece.text)
    table = piece.start(laid)
    if table.events:
        script.append("it begins", None, table.events, table.board, redact)
    for move in piece.moves:
        seat, ask = table.asks[0]
        action = move.action(table)
        table = table.answer(action, *move.dice, seat=seat)
        heading = f"{seat_letter(seat)} answers {ask.__struct_config__.tag}"
        script.append(heading, action, table.events, table.board, redact)
    script.draw(table.board)
    return str(script)


def redact(event: Any, viewer: m.Viewer) -> Any:
    return RULES.redact(event, viewer)


# ---------------------------------------------------------------- the comparison


def told(name: str, recorded: list[a.Action]) -> str:
    return told_whole(WHOLE[name], recorded) if name in WHOLE else told_piece(PIECES[name], recorded)


@pytest.mark.parametrize("name", [*WHOLE, *PIECES])
def test_the_match_is_told_as_its_transcript_has_it(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    before = file.read_text("utf-8") if file.exists() else ""
    if IS_WRITING:
        file.write_text(told(name, actions_of(before)), "utf-8")
        before = file.read_text("utf-8")
    assert before, f"{file.name} is missing: write it with DISKWARS_GOLDEN=1 and read it"
    assert told(name, actions_of(before)) == before
    assert len(before.encode()) < LARGEST


def test_every_transcript_belongs_to_a_recipe() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == {*WHOLE, *PIECES}


def test_every_rule_that_a_transcript_gives_as_a_reason_is_printed_by_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = {id for file in FOLDER.glob("*.txt") for id in reasons_in(file.read_text("utf-8"))}
    assert {"R8.5.1", "R12.2", "R15.3.3", "R-33", "R3.4.1"} <= named
    assert main(["rules", *sorted(named)]) == 0
    headings = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("R")}
    assert headings == named


def reasons_in(script: str) -> set[str]:
    """The rules in every `because [...]` of a transcript: each is the first word of its part."""
    lists = re.findall(r"because \[([^\]]*)\]", script)
    assert len(lists) == script.count("because [")
    return {part.split()[0] for found in lists for part in found.split("; ")}


def test_the_transcripts_of_whole_matches_end_as_they_say() -> None:
    ends = {name: (FOLDER / f"{name}.txt").read_text("utf-8").rsplit("MatchEnded", 1)[1] for name in WHOLE}
    assert "why victory points" in ends["greedy-match"]
    assert "why elimination" in ends["elimination"]
    assert "why initiative, after equal points" in ends["tie"]
    assert "winner none, why everybody eliminated" in ends["nobody-wins"]
