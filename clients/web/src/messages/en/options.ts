// English texts of the options of a match: the name of each, what it changes, and its values.

export const en = {
  "pack.diskwars/core": "Core set", "pack.diskwars/expansion": "Expansions",
  "pins": "Pins", "pins.help": "Which disks of a stack pin which.", "pins.strict": "strict", "pins.contact": "by contact",
  "setup": "Set-up", "setup.help": "Quick leaves out scenarios, deployment cards and terrain.", "setup.quick": "quick", "setup.full": "full",
  "regiments": "Regiments", "regiments.help": "How many regiments each army has.",
  "impact_own": "Impact on own disks", "impact_own.help": "Impact hits own disks too.",
  "reinforce_onto_enemy": "Reinforce onto enemies", "reinforce_onto_enemy.help": "A disk may come in from the reserve onto enemies.",
  "reinforce_limit": "Zones limit reinforcing", "reinforce_limit.help": "A zone takes no more disks from the reserve than its value.",
  "battle_ability_timing": "Battle abilities", "battle_ability_timing.help": "When a battle ability may be used.", "battle_ability_timing.any_time": "between any activations", "battle_ability_timing.first_or_last": "first or last",
  "defensive_swift": "Defensive terrain", "defensive_swift.help": "Which Swift it gives.", "defensive_swift.counter": "counter strength", "defensive_swift.strength": "strength", "defensive_swift.both": "both",
  "rampage_flips": "Rampage", "rampage_flips.help": "How often a rampaging disk flips.", "rampage_flips.per_attack": "once for each attack", "rampage_flips.per_chaos": "once for each chaos",
  "weakened_wounds": "Weakened disks", "weakened_wounds.help": "When damage wounds them.", "weakened_wounds.at_toughness": "at toughness", "weakened_wounds.above_toughness": "above toughness",
  "special_scenario": "Special scenario", "special_scenario.help": "One scenario in place of the drawn and dealt ones.", "special_scenario.none": "none", "special_scenario.strongholds": "Strongholds",
  "scenario": "Scenario", "scenario.help": "Who meets whom.",
  "scenario.the-pit": "The living", "scenario.grave-pit": "The living and the dead", "scenario.boarding-action": "Boarding action", "scenario.brutes": "With a brute on each side",
  "scenario.field-trial": "The same units on both sides", "scenario.barrow-road": "The living and the dead",
  "barricade": "Barricade", "barricade.help": "A barricade stands across the middle of the table.",
  "flank_test": "Test when flanked", "flank_test.help": "A unit that is charged in the flank or rear tests its leadership, or flees.",
  "break_die": "Break test", "break_die.help": "What a break test is rolled with.", "break_die.d12": "d12", "break_die.2d6": "two d6",
  "secret_orders": "Secret orders", "secret_orders.help": "All orders of a round are locked in secret and revealed together.",
} as const;
