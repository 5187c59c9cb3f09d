"""Set pieces: short positions in which seats answer with chosen dice, for transcripts and for the rules page."""

from collections.abc import Callable
from typing import NamedTuple

from diskwars_engine.rulesets.diskwars.tasks import ActivationPhaseTask, CommandCardTask, EndPhaseTask
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.rulesets.diskwars.positions import SALT, ScriptedFaces, ScriptedPosition, read_figure


class ScriptedMove(NamedTuple):
    """One answer of a set piece, with the dice it is given."""

    action: Callable[[ScriptedPosition], a.Action]
    dice: tuple[ScriptedFaces, ...] = ()


class MatchExcerpt(NamedTuple):
    title: str
    text: str
    start: Callable[[ScriptedPosition], ScriptedPosition]
    moves: tuple[ScriptedMove, ...]


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

EXCERPTS = {
    "terrain": MatchExcerpt(
        "Runners cross a gully and stop in a mere; Gunners see past a wood; the windmill lets others in",
        GROUND,
        lambda t: t.with_card_turn(0, left=3),
        (
            ScriptedMove(lambda t: t.move_action("Runners#1", 0, 0, 0, 0, end=False), (2,)),
            ScriptedMove(lambda t: t.move_action("Runners#1", 0, 0, 0, end=False), (1,)),
            ScriptedMove(lambda t: t.move_action("Runners#1", 0, 0, end=False), (1,)),
            ScriptedMove(lambda t: t.move_action("Runners#1", 0, 0)),
            ScriptedMove(lambda t: t.shoot_action("Gunners", "Ogre"), ((1, 2),)),
            ScriptedMove(lambda t: a.Reinforce(t.number("Runners#2"), 17 * 25400 // 2, 22 * 25400)),
        ),
    ),
    "hellcannon": MatchExcerpt(
        "The Hellcannon shoots, shows chaos, and has to flip onto the Orc Boyz",
        CANNON,
        lambda t: t.with_card_turn(0, left=2),
        (
            ScriptedMove(lambda t: t.shoot_action("Hellcannon", "High Mage"), (3, (4, 5, 2))),
            ScriptedMove(lambda t: t.move_action("Hellcannon", 15)),
        ),
    ),
    "kairos": MatchExcerpt(
        "Kairos brings in the Flamers, who get an activation token",
        PORTAL,
        lambda t: t.with_card_turn(0, left=2),
        (
            ScriptedMove(lambda t: t.focus_action("Kairos Fateweaver", ability=1)),
            ScriptedMove(lambda t: a.Reinforce(t.number("Flamers"), 12 * 25400, 12 * 25400)),
        ),
    ),
    "plaguebearers": MatchExcerpt(
        "The Bloodthirster flies past the Plaguebearers, loses its empowerment, and with it a wound",
        PLAGUE,
        lambda t: t.with_card_turn(0, left=2),
        (
            ScriptedMove(lambda t: t.move_action("Bloodthirster", 0, 0, 0)),
            ScriptedMove(lambda t: t.move_action("Hellstriders", 90)),
        ),
    ),
    "steam-tank": MatchExcerpt(
        "The Steam Tank picks the attack whose range is met, then flips onto the Orc Boyz",
        TANK,
        lambda t: t.with_card_turn(0, left=1),
        (
            ScriptedMove(lambda t: t.shoot_action("Steam Tank", "River Troll", 0), ((1, 1, 5),)),
            ScriptedMove(lambda t: t.move_action("Steam Tank", 0)),
        ),
    ),
    "blood-for-the-blood-god": MatchExcerpt(
        "The embattled Marauders fight the engagement below them, before the melee phase",
        BLOOD,
        lambda t: t.with_card_turn(0, "blood-for-the-blood-god", left=1),
        (
            ScriptedMove(lambda t: t.ability_action("Kurgan Marauders")),
            ScriptedMove(lambda t: t.engagement_action("Kurgan Marauders")),
        ),
    ),
    "valkia": MatchExcerpt(
        "Valkia engages Luthor Huss and may empower somebody near her",
        VALKIA,
        lambda t: t.with_card_turn(0, left=1),
        (
            ScriptedMove(lambda t: t.move_action("Valkia the Bloody", 0, 0)),
            ScriptedMove(lambda t: a.UseEngageAbility(t.number("Flamers"))),
        ),
    ),
    "grom": MatchExcerpt(
        "Grom goes away, and the Night Goblins are as frail as before",
        GROM,
        lambda t: t.with_card_turn(0, left=1),
        (ScriptedMove(lambda t: t.move_action("Grom the Paunch", 180, 180)),),
    ),
    "keywords": MatchExcerpt(
        "A relentless Bull runs onto Guards, Asps poison it, pinned Gunners stand and shoot",
        WORDS,
        lambda t: t.with_card_turn(
            1, left=1, then=(CommandCardTask(0, "press-on", 2, ability_available=False), EndPhaseTask())
        ),
        (
            ScriptedMove(lambda t: t.move_action("Bull", 180, 180)),
            ScriptedMove(lambda t: t.pass_action("Bull")),
            ScriptedMove(lambda t: t.shoot_action("Asps", "Bull"), ((1, 5),)),
            ScriptedMove(lambda t: t.pass_action("Asps")),
            ScriptedMove(lambda t: t.shoot_action("Gunners", "Ogre"), ((1, 2),)),
        ),
    ),
    "archaon": MatchExcerpt(
        "Archaon lands on two enemies, and the Sun Dragon on him (figure 4)",
        read_figure("figure-04"),
        lambda t: t.with_card_turn(0, left=1, then=(CommandCardTask(1, "press-on", 1, ability_available=False),)),
        (
            ScriptedMove(lambda t: t.move_action("Archaon", 90)),
            ScriptedMove(lambda t: t.move_action("Sun Dragon", 180, 180)),
        ),
    ),
    "tyrion": MatchExcerpt(
        "Tyrion kills the Swordsmen and engages the Steam Tank below them (figure 10)",
        read_figure("figure-10"),
        lambda t: t.start_melee(),
        (ScriptedMove(lambda t: t.engagement_action("Tyrion"), (5,)),),
    ),
    "fists-of-mork": MatchExcerpt(
        "Fists of Mork strike the Spearmen and each disk near them, own ones too",
        FISTS,
        lambda t: t.with_card_turn(0, "fists-of-mork"),
        (
            ScriptedMove(lambda t: t.ability_action("Stone Fangz Shaman", "Militia Spearmen"), (5,)),
            ScriptedMove(lambda t: a.EndCard()),
        ),
    ),
    "nurgles-rot": MatchExcerpt(
        "Nurgle's Rot lowers a toughness, and the Flamers' damage then suffices",
        ROT,
        lambda t: t.with_card_turn(0, "nurgles-rot", left=1),
        (
            ScriptedMove(lambda t: t.ability_action("Archaon", "Orc Boyz")),
            ScriptedMove(lambda t: t.shoot_action("Flamers", "Orc Boyz"), ((1, 5),)),
        ),
    ),
    "winds-of-morai-heg": MatchExcerpt(
        "Winds of Morai-Heg carry the arrows one band further",
        WINDS,
        lambda t: t.with_card_turn(0, "winds-of-morai-heg", left=2),
        (
            ScriptedMove(lambda t: t.shoot_action("Militia Archers", "Orc Boyz"), ((2, 3), (1,))),
            ScriptedMove(lambda t: t.shoot_action("Bolt Thrower", "River Troll"), ((1, 2, 3, 4),)),
        ),
    ),
    "big-boss": MatchExcerpt(
        "The Big Boss takes the token off the Orc Boyz, who then charge",
        BOSS,
        lambda t: t.with_card_turn(0, "press-on", left=2),
        (
            ScriptedMove(lambda t: t.focus_action("Big Boss", "Orc Boyz")),
            ScriptedMove(lambda t: t.move_action("Orc Boyz", 0, 0)),
        ),
    ),
    "locking-cards": MatchExcerpt(
        "Two cards are locked in secret and revealed together",
        "A Orc Boyz  (10, 10)\nB Sun Dragon  (24, 24)\nA hand: Press On, Feint\nB hand: Hold Fast, All Together",
        lambda t: t.run_tasks(ActivationPhaseTask()),
        (
            ScriptedMove(lambda t: a.LockCard("feint", SALT)),
            ScriptedMove(lambda t: a.LockCard("hold-fast", SALT)),
            ScriptedMove(lambda t: t.ability_action("Sun Dragon", "Sun Dragon")),
        ),
    ),
}
