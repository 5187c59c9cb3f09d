"""Every effect of the rules that a forecast has to know: a position, what the engine decides, and what both faces say.

tests/vectors/forecast_effects.json holds the rows for the page; docs/forecasts.md shows them as a table. A row that a
face does not work out says "not forecast" there.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.rulesets.diskwars.positions import HIT, ScriptedPosition, scripted_position
from tests.engine.rulesets.diskwars.rules.forecast_cases import PROFILES, consequences, decided
from tests.engine.rulesets.diskwars.rules.test_forecast_vectors import FixedDice, board_text

Json: TypeAlias = Any  # what json.loads gives

ROOT = Path(__file__).parents[4]
FILE = ROOT / "tests" / "vectors" / "forecast_effects.json"
ABOUT = [
    "Effects of the rules that a forecast has to know: a board, an order, and what the engine decides on it.",
    "`page` is a part of what the page says of it; `card` is the revealed card of the first seat.",
]


class Effect(NamedTuple):
    """An effect with a position that shows it.

    `words` are the ids of keywords and effects that it is about; `act` is the order, as `parse_act` reads it. `page`
    and `terminal` are what each face says of it.
    """

    rule: str
    subject: str
    words: tuple[str, ...]
    position: str
    act: str
    page: str
    terminal: str
    card: str = "press-on"


FIELD = "disk Own: small M4 S3 C2 T4\ndisk Foe: small M4 S3 C2 T4\n"
MIRE = "terrain Mire at (4, 6) (8, 6) (8, 9) (4, 9); "
EFFECTS = (
    Effect("R6.1", "pins of a landing", (), "A Own (6, 6)\nB Foe (6, 9)", "move Own 90", "Pins Foe.", "pins Foe"),
    Effect(
        "R6.3",
        "own disks pinned",
        (),
        "A Own (6, 6)\nA Karl Franz (6, 9)\nB Foe (20, 20)",
        "move Own 90",
        "Pins your own Karl Franz.",
        "pins your own Karl Franz",
    ),
    Effect(
        "R8.5.2",
        "Impact",
        ("impact",),
        "disk Own: small M4 S3 C2 T4, Impact 2\nA Own (6, 6)\nB Foe (6, 9) damage 2",
        "move Own 90",
        "Impact 2 strikes Foe. Own deals 2 of 4 to Foe and destroys it.",
        "Impact 2: 2 damage destroys Foe",
    ),
    Effect(
        "R8.5.2",
        "Impact whose amount is rolled",
        (),
        "disk Own: small M4 S3 C2 T4, Impact d6\nA Own (6, 6)\nB Foe (6, 9)",
        "move Own 90",
        "Not forecast: what follows of this damage, which is rolled.",
        "not forecast: Impact d6 on Foe, which is rolled",
    ),
    Effect(
        "R10.7",
        "Fortified ground",
        ("fortified",),
        "terrain Keep at (5, 8) (7, 8) (7, 10) (5, 10); Fortified\ndisk Own: small M4 S3 C2 T4, Impact 4\n"
        "A Own (6, 6)\nB Foe (6, 9)",
        "move Own 90",
        "Keep: immune to Impact.",
        "on Keep (Fortified)",
    ),
    Effect(
        "R16.2",
        "Guard",
        ("guard",),
        "disk Foe: small M4 S3 C2 T4, Guard 2\nA Own (6, 6) damage 2\nB Foe (6, 9)",
        "move Own 90",
        "Foe has Guard 2. Foe deals 2 of 4 to Own and destroys it.",
        "Foe has Guard 2: 2 damage destroys Own",
    ),
    Effect(
        "R13.3",
        "Immune",
        ("immune",),
        "disk Own: small M4 S3 C2 T4, Impact 2\ndisk Foe: small T4, Immune (physical)\n"
        "A Own (6, 6)\nB Foe (6, 9) damage 3",
        "move Own 90",
        "Impact 2 strikes Foe.",
        "Impact 2: 0 damage, Foe then has 3 of 4",
    ),
    Effect(
        "R13.3",
        "Resistant",
        ("resistant",),
        "disk Own: small M4 S3 C2 T4, Impact 2\ndisk Foe: small T4, Resistant (physical)\nA Own (6, 6)\n"
        "B Foe (6, 9) damage 2",
        "move Own 90",
        "Impact 2 strikes Foe.",
        "Impact 2: 1 damage, Foe then has 3 of 4",
    ),
    Effect(
        "R6.6",
        "engage ability that deals damage near",
        ("deal_damage_near",),
        "A Archaon (6, 6)\nB Foe (6, 9) damage 1",
        "move Archaon 90",
        "On landing: Archaon deals 1 of 4 to Foe and destroys it.",
        "Archaon deals: 1 damage destroys Foe",
    ),
    Effect(
        "R6.6",
        "engage ability that deals damage",
        ("deal_damage",),
        "A Banshee (6, 6)\nB Foe (6, 9) damage 2",
        "move Banshee 90",
        "On landing: Banshee deals 2 of 4 to Foe and destroys it.",
        "Banshee deals: 2 damage destroys Foe",
    ),
    Effect(
        "R16.8",
        "engage ability that rolls for a wound",
        ("roll_wound",),
        "A Tyrion (6, 6)\nB Foe (6, 9)",
        "move Tyrion 90",
        "Tyrion: ",
        "Tyrion engages: a wound on 5 or more",
    ),
    Effect(
        "R6.6",
        "engage ability that gives an activation token",
        ("add_activation_token",),
        "A Azhag the Slaughterer (6, 6)\nB Foe (6, 9)",
        "move Azhag the Slaughterer 90",
        "Azhag the Slaughterer: ",
        "Azhag the Slaughterer engages: an activation token",
    ),
    Effect(
        "R6.6",
        "engage ability that empowers",
        ("empower",),
        "A Valkia the Bloody (6, 6)\nB Foe (6, 9)",
        "move Valkia the Bloody 90",
        "Valkia the Bloody: ",
        "Valkia the Bloody engages: empowers",
    ),
    Effect(
        "R-33",
        "toughness lowered by an engage ability",
        ("reduce_toughness",),
        "A Malekith (6, 6)\nB Foe (6, 9) damage 3",
        "move Malekith 90",
        "Foe loses toughness and is destroyed: damage 3, toughness 3.",
        "Foe loses toughness and is destroyed: damage 3, toughness 3",
    ),
    Effect(
        "R-45",
        "an aura that is left",
        ("increase_toughness",),
        "A Grom the Paunch (3.2, 10)\nA Night Goblins (10, 10) damage 3\nB Foe (20, 20)",
        "move Night Goblins 0",
        "Night Goblins loses toughness and is destroyed: damage 3, toughness 3.",
        "Night Goblins loses toughness and is destroyed: damage 3, toughness 3",
    ),
    Effect(
        "R15.3.6",
        "an aura of strength",
        ("increase_melee_strength",),
        "A Grimgor Ironhide (6, 4)\nA Orc Boyz (9, 6)\nB Foe (12, 6)\nB Own (12, 7)",
        "move Orc Boyz 0",
        "Melee as things stand: Orc Boyz deals",
        "in the melee (normal) Orc Boyz strikes",
    ),
    Effect(
        "R16.7",
        "empowerment lost",
        ("remove_empowerment",),
        "A Own (6, 6) empowered damage 4\nB Plaguebearers (6, 12)\nB Foe (20, 20)",
        "move Own 90",
        "Plaguebearers takes the empowerment of Own.",
        "Own loses its empowerment to Plaguebearers",
    ),
    Effect(
        "R6.4",
        "pins laid bare by a removal",
        (),
        "disk Own: small M4 S3 C2 T4, Impact 4\nB Banshee (6, 9)\nB Foe (6, 9.3)\nA Karl Franz (20, 20)\nA Own (6, 6)",
        "move Own 90",
        "On landing: Banshee deals 2 of 4 to Own.",
        "Banshee deals: 2 damage, Own then has 2 of 4",
    ),
    Effect(
        "R19.19",
        "the order of several abilities",
        (),
        "A Archaon (6, 6)\nB Banshee (6, 9)",
        "move Archaon 90",
        "Not forecast: another order of the abilities.",
        "not forecast: another order of these abilities",
    ),
    Effect(
        "R8.6",
        "Relentless in a move that goes on",
        ("relentless",),
        "disk Own: small M4 S3 C2 T9, Relentless\nA Own (6, 6)\nB Foe (6, 9)",
        "move Own 90 270",
        "After flip 1 you decide again whether to go on.",
        "it pins an enemy, and you are asked again; the flips behind it are not made",
    ),
    Effect(
        "R8.7",
        "a flight passes what it does not land on",
        ("flying",),
        "disk Own: small M4 S3 C2 T4, Flying\nA Own (6, 6)\nB Foe (6, 8)",
        "move Own 90 90 90",
        "Pins nobody",
        "3 of 4 flips",
    ),
    Effect(
        "R10.5",
        "Dangerous ground",
        ("dangerous",),
        MIRE + "Dangerous (physical)\nA Own (6, 4)\nB Foe (20, 20)",
        "move Own 90",
        "Mire is dangerous: d6 physical damage.",
        "Mire: d6 physical damage, 50 % to destroy Own",
    ),
    Effect(
        "R10.9",
        "Rough ground",
        ("rough",),
        MIRE + "Rough\nA Own (6, 4)\nB Foe (20, 20)",
        "move Own 90",
        "Mire is rough: the move ends here.",
        "on Mire (Rough)",
    ),
    Effect(
        "R8.8",
        "Strider",
        ("strider",),
        MIRE + "Rough\ndisk Own: small M4 S3 C2 T4, Strider\nA Own (6, 4)\nB Foe (20, 20)",
        "move Own 90 90",
        "Pins nobody",
        "2 of 4 flips",
    ),
    Effect(
        "R15.3",
        "speeds of a melee",
        ("swift", "slow"),
        "disk Own: small M4 S4 C2 T4, Swift (strength)\ndisk Foe: small T4 C4, Slow (both)\nA Own (6, 6)\nB Foe (6, 9)",
        "move Own 90",
        "Melee as things stand: Own deals 4 of 4 to Foe and destroys it.",
        "in the melee (swift) Own strikes Foe: 4 damage destroys Foe",
    ),
    Effect(
        "R10.6",
        "Defensive ground",
        ("defensive",),
        "terrain Wall at (5, 8) (7, 8) (7, 10) (5, 10); Defensive\ndisk Foe: small T4 C4\nA Own (6, 6)\nB Foe (6, 9)",
        "move Own 90",
        "Melee as things stand: Foe deals 4 of 4 to Own and destroys it.",
        "in the melee (swift) Foe strikes Own: 4 damage destroys Own",
    ),
    Effect(
        "R14.4",
        "Frenzy",
        ("frenzy",),
        "disk Own: small M4 S4 C2 T9, Frenzy\nA Own (6, 6)\nB Foe (5.1, 9)\nB Banshee (6.9, 9)",
        "move Own 90",
        "Own deals 4",
        "Own strikes Banshee",
    ),
    Effect(
        "R13.5",
        "stamina",
        (),
        "disk Foe: small T4 St1\nA Own (6, 6) empowered\nB Foe (6, 9)",
        "move Own 90",
        "Own deals 4 of 4 to Foe and wounds it.",
        "Own strikes Foe: 4 damage wounds Foe",
    ),
    Effect(
        "R9.4",
        "a reinforcement has no Impact",
        (),
        "zone A (0, 0) to (36, 36) for 9\ndisk Own: small M4 S3 C2 T4, Impact 4\nA Karl Franz (20, 20)\n"
        "A reserve: Own\nB Foe (6, 9)",
        "reinforce Own 6 9",
        "Melee as things stand: Own deals 3 of 4 to Foe.",
        "Own strikes Foe: 3 damage, Foe then has 3 of 4",
    ),
    Effect(
        "R12.4",
        "a shot that destroys the bearer of an aura",
        (),
        "A Bolt Thrower (6, 6)\nB Banners (6, 9) damage 3 weakened 1\nB Foe (6, 11) damage 4",
        "shoot Bolt Thrower Banners",
        "If Banners is destroyed: Foe loses toughness and is destroyed: damage 4, toughness 4.",
        "if Banners is destroyed: Foe loses toughness and is destroyed: damage 4, toughness 4",
    ),
    Effect(
        "R-47",
        "damage around the target of a shot",
        ("damage_around",),
        "A Flame Cannon (6, 6)\nB Foe (6, 9)\nA Own (6, 11)",
        "shoot Flame Cannon Foe",
        "If it strikes Foe: 2 damage also to Own.",
        "if it strikes Foe, 2 damage to Own",
    ),
    Effect(
        "R12.6",
        "Rampage",
        ("rampage",),
        "A Hellcannon (6, 6)\nB Foe (6, 11)",
        "shoot Hellcannon Foe",
        "Not forecast: Hellcannon flips toward the nearest disk if a die shows chaos.",
        "not forecast: Hellcannon flips toward the nearest disk if a die shows chaos",
    ),
    Effect(
        "R16.4",
        "Poison",
        ("poison",),
        "A Skink Skirmishers (6, 6)\nB Foe (6, 9)",
        "shoot Skink Skirmishers Foe",
        "Its damage is poisoned.",
        "its damage is poisoned",
    ),
    Effect(
        "R8.3",
        "Magic, whose amount is printed",
        ("magic",),
        "A Sorcerer of Tzeentch (6, 6)\nB Foe (6, 9) damage 1",
        "focus Sorcerer of Tzeentch Foe",
        "Sorcerer of Tzeentch deals 3 of 4 to Foe and destroys it.",
        "100 % to destroy Foe",
    ),
    Effect(
        "R-40",
        "healing",
        ("heal",),
        "A Luthor Huss (6, 6)\nA Own (6, 9) damage 3\nB Foe (20, 20)",
        "focus Luthor Huss Own",
        "Own",
        "takes 3 damage off",
    ),
    Effect(
        "R16.6",
        "activation token taken off",
        ("remove_activation_token",),
        "A Big Boss (6, 6)\nA Boar Boyz (6, 10) activated\nB Foe (20, 20)",
        "focus Big Boss Boar Boyz",
        "loses its activation token",
        "takes the activation token off",
    ),
    Effect(
        "R9.6",
        "reinforcement by an ability",
        ("reinforce_near",),
        "A Kairos Fateweaver (6, 6)\nA reserve: Own\nB Foe (20, 20)",
        "focus Kairos Fateweaver  1",
        "Not forecast: what follows of it.",
        "not forecast: what follows of it",
    ),
    Effect(
        "R15.5",
        "a fight that a card begins",
        ("fight_engagement",),
        "B Foe (6, 6)\nA Kurgan Marauders (6, 7)",
        "use Kurgan Marauders",
        "Not forecast: what follows of it.",
        "not forecast: what follows of it",
        card="blood-for-the-blood-god",
    ),
    Effect(
        "R7.8",
        "card that raises toughness",
        (),
        "A Own (6, 6)\nB Foe (6, 9)",
        "move Own 90",
        "of 5",
        "of 5",
        card="wait-for-it",
    ),
)
ELSEWHERE = {
    "blocks_sight": "options offer only targets in sight",
    "cave": "options offer only targets that are seen",
    "cover": "random shots: a die less",
    "high_ground": "options offer only targets in sight",
    "windmill": "options offer the places",
    "emplace": "options offer no move",
    "flank": "options offer the places",
    "mobile": "options offer what is left to do",
    "scout": "options offer the move",
    "stalwart": "options offer the disk",
    "increase_range": "random shots: the range of the shot",
    "increase_movement": "the flips of a move",
    "increase_shot_strength": "random shots: the strength of the shot",
}
"""Keywords and effects that change what is offered, or numbers that random rows hold."""


TABLE_BEGIN, TABLE_END = "<!-- effects -->\n", "<!-- end of effects -->\n"


def effects_text() -> str:
    """Return the vectors of all rows."""
    text = json.dumps({"about": ABOUT, "effects": [row_of(effect) for effect in EFFECTS]}, separators=(",", ":"))
    return text.replace('{"rule"', '\n{"rule"') + "\n"


def effects_table() -> str:
    """Return the rows as a table for docs/forecasts.md."""
    lines = ["| rule | effect | the page says | the terminal says |", "|---|---|---|---|"]
    lines += [f"| {one.rule} | {one.subject} | {one.page.strip()} | {one.terminal} |" for one in EFFECTS]
    lines += ["", "| keyword or effect | where it counts |", "|---|---|"]
    lines += [f"| `{word}` | {where} |" for word, where in ELSEWHERE.items()]
    return "\n".join(lines) + "\n"


def position_of(effect: Effect) -> ScriptedPosition:
    used = "".join(
        f"{line}\n"
        for line in FIELD.splitlines()
        if ((name := line.split(":")[0]) + ":" not in effect.position and f" {name.split()[1]} (" in effect.position)
        or (f"reserve: {name.split()[1]}" in effect.position and name + ":" not in effect.position)
    )
    return scripted_position(used + effect.position.replace(") ", ")  "), PROFILES).with_card_turn(0, effect.card)


def parse_act(table: ScriptedPosition, act: str) -> a.Action:
    """Read `move NAME DEGREES ...`, `reinforce NAME X Y`, `shoot NAME TARGET`, `use NAME`, `focus NAME TARGET`.

    A focus without a target names the number of its ability instead.
    """
    verb, rest = act.split(" ", 1)
    names = sorted((name for name in map(table.name, range(len(table.board.disks)))), key=len, reverse=True)
    name = next(one for one in names if rest.startswith(one))
    after = rest[len(name) :].strip()
    match verb:
        case "move":
            move = table.move_action(name, *map(int, after.split()), end=False)
            return msgspec.structs.replace(move, over_own_disks=True)
        case "reinforce":
            x, y = (int(float(one) * 25_400) for one in after.split())
            return a.Reinforce(table.number(name), x, y)
        case "shoot":
            return table.shoot_action(name, after)
        case "use":
            return table.ability_action(name)
        case _:
            ability = int(after) if after.isdigit() else 0
            return table.focus_action(name, None if after.isdigit() else after, ability)


def row_of(effect: Effect) -> Json:
    """Return the row of an effect: its board, the order, and what the engine decides."""
    table = position_of(effect)
    action = parse_act(table, effect.act)
    dice = FixedDice()
    if isinstance(action, a.Shoot):
        fired = decided(table, action, dice)
        assert fired is not None, effect
        count = next(len(event.dice.results) for event in fired.events if isinstance(event, e.ShotFired))
        dice = FixedDice((HIT,) * count, 6)
    outcome = decided(table, action, dice)
    assert outcome is not None, effect
    return {
        "rule": effect.rule,
        "subject": effect.subject,
        "board": board_text(table.board),
        "action": msgspec.to_builtins(action),
        "card": effect.card,
        "page": effect.page,
        "brings": consequences(table, outcome),
    }
