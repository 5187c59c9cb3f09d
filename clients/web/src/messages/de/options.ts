// German texts of the options of a match: the name of each, what it changes, and its values.

import type { en } from "../en/options";

export const de: Readonly<Record<keyof typeof en, string>> = {
  "pack.diskwars/core": "Grundspiel", "pack.diskwars/expansion": "Erweiterungen",
  "pins": "Binden", "pins.help": "Welche Scheiben eines Stapels welche binden.", "pins.strict": "streng", "pins.contact": "bei Berührung",
  "setup": "Aufbau", "setup.help": "Der schnelle Aufbau kommt ohne Szenarien, Aufstellungskarten und Gelände aus.", "setup.quick": "schnell", "setup.full": "voll",
  "regiments": "Regimenter", "regiments.help": "Wie viele Regimenter jede Armee hat.",
  "impact_own": "Aufprall auf eigene Scheiben", "impact_own.help": "Aufprall trifft auch eigene Scheiben.",
  "reinforce_onto_enemy": "Verstärken auf Feinde", "reinforce_onto_enemy.help": "Eine Scheibe darf aus der Reserve auf Feinde kommen.",
  "reinforce_limit": "Zonen begrenzen das Verstärken", "reinforce_limit.help": "Eine Zone nimmt nicht mehr Scheiben aus der Reserve als ihren Wert.",
  "battle_ability_timing": "Schlachtfähigkeiten", "battle_ability_timing.help": "Wann eine Schlachtfähigkeit genutzt werden darf.", "battle_ability_timing.any_time": "zwischen allen Aktivierungen", "battle_ability_timing.first_or_last": "zuerst oder zuletzt",
  "defensive_swift": "Verteidigendes Gelände", "defensive_swift.help": "Welches Schnell es gibt.", "defensive_swift.counter": "Konterstärke", "defensive_swift.strength": "Stärke", "defensive_swift.both": "beides",
  "rampage_flips": "Toben", "rampage_flips.help": "Wie oft eine tobende Scheibe wendet.", "rampage_flips.per_attack": "einmal je Angriff", "rampage_flips.per_chaos": "einmal je Chaos",
  "weakened_wounds": "Geschwächte Scheiben", "weakened_wounds.help": "Wann Schaden sie verwundet.", "weakened_wounds.at_toughness": "ab der Zähigkeit", "weakened_wounds.above_toughness": "über der Zähigkeit",
  "special_scenario": "Besonderes Szenario", "special_scenario.help": "Ein Szenario anstelle der gezogenen und ausgeteilten.", "special_scenario.none": "keines", "special_scenario.strongholds": "Strongholds",
  "scenario": "Szenario", "scenario.help": "Wer auf wen trifft.",
  "scenario.the-pit": "Die Lebenden", "scenario.grave-pit": "Die Lebenden und die Toten", "scenario.boarding-action": "Entern", "scenario.brutes": "Mit einem Hünen auf jeder Seite",
  "scenario.field-trial": "Gleiche Einheiten auf beiden Seiten", "scenario.barrow-road": "Die Lebenden und die Toten",
  "barricade": "Barrikade", "barricade.help": "Eine Barrikade steht quer über der Mitte des Tisches.",
  "flank_test": "Test bei Flankenangriff", "flank_test.help": "Eine Einheit, die in Flanke oder Rücken angegriffen wird, macht einen Führungstest und flieht, wenn er misslingt.",
  "break_die": "Bruchtest", "break_die.help": "Womit ein Bruchtest gewürfelt wird.", "break_die.d12": "W12", "break_die.2d6": "zwei W6",
  "secret_orders": "Geheime Befehle", "secret_orders.help": "Alle Befehle einer Runde werden geheim festgelegt und zusammen aufgedeckt.",
};
