// German texts of what is wrong with an army, and of what mends it, by the code of the fault. In English the server words both.

/** `name` is the disk or card that the fault is about, or the hero of its regiment; `hero` leads the regiment; `over` and `missing` are how many are too many or too few. */
export const armyFaults: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  unknown_disk_type: ["Die Scheibe {name} gibt es hier nicht", "Lass sie weg."],
  unknown_card: ["Die Karte {name} gibt es hier nicht", "Nimm eine andere."],
  wrong_number_of_regiments: ["{found} {found|Regiment|Regimenter}, nötig: {range}", "{change}"],
  not_a_hero: ["{name} ist kein Held", "Beginne das Regiment mit einem Helden."],
  second_hero: [
    "{name} ist ein zweiter Held im Regiment von {hero}",
    "Beginne mit ihm ein eigenes Regiment, oder lass ihn weg.",
  ],
  wrong_faction: ["{name} gehört zur anderen Fraktion", "Lass die Scheibe weg, oder nimm nur Helden einer Fraktion."],
  "wrong_faction.hand": ["{name} verlangt einen Helden der anderen Fraktion", "Nimm eine andere Karte."],
  wrong_race: [
    "{name} hat eine andere Rasse als {hero}",
    "Gib die Scheibe einem Helden ihrer Rasse, oder lass sie weg.",
  ],
  too_many_points: [
    "Die Einheiten von {name} kosten {cost}, der Held hat {points} Punkte",
    "Lass Einheiten für {over} {over|Punkt|Punkte} weg.",
  ],
  too_few_small_disks: [
    "{small} {small|kleine Scheibe|kleine Scheiben} und {others} größere im Regiment von {name}: für jede größere ist eine kleine nötig",
    "Füge {missing} kleine hinzu, oder lass {missing} größere weg.",
  ],
  too_many_copies: ["{found}-mal {name}, höchstens {most} je Regiment", "Lass {over} weg."],
  too_many_elites: ["{found} Elitescheiben im Regiment von {hero}, höchstens {most}", "Lass {over} weg."],
  unique_disk_repeated: ["{name} ist einmalig und {found}-mal in der Armee", "Lass {over} weg."],
  no_unique_hero: ["Kein Held der Armee ist einmalig", "Lass einen einmaligen Helden ein Regiment führen."],
  wrong_number_of_cards: ["{found} {found|Befehlskarte|Befehlskarten}, nötig: {wanted}", "{change}"],
  card_repeated: ["{found}-mal die Karte {name}, höchstens 1", "Lass {over} weg."],
};
export const [addSome, leaveSomeOut] = ["Füge {missing} hinzu.", "Lass {over} weg."] as const;
