"""The codes of refusals and of faults of an army that only Diskwars gives, beside the refusals of every match."""

from typing import Literal, TypeAlias

from diskwars_protocol.match.ids import RefusalCode

DISKWARS_REFUSAL_CODES: dict[RefusalCode, str] = {
    "unknown_army": "there is no army of this name",
    "illegal_army": "the army breaks rules of army building; the text names each, the place belongs to the first",
    "unknown_disk": "there is no disk of this number",
    "not_your_disk": "the disk is another player's",
    "not_on_field": "the disk is not on the battlefield",
    "not_in_reserve": "the disk is not in the reserve",
    "disk_pinned": "a pinned disk cannot be activated",
    "disk_activated": "the disk has been activated already",
    "illegal_flip": "the vector is not one diameter long",
    "too_many_flips": "the path is longer than the movement allows",
    "off_field": "a disk has to land wholly on the battlefield",
    "outside_zone": "a disk has to lie wholly in a deployment zone of its player",
    "overlaps_enemy": "the disk would lie on an enemy",
    "wrong_count": "the number of disks is wrong",
    "no_such_shot": "the disk has no such ranged attack",
    "out_of_range": "the target is out of range",
    "no_sight": "terrain hides the target",
    "bad_target": "this disk cannot be the target",
    "no_such_ability": "there is no such ability to use",
    "not_in_hand": "the card is not in the hand",
}
"""Each code with what it means. Stable: pages and bots word their own texts from them."""

ArmyFaultCode: TypeAlias = Literal[
    "ambiguous_name",
    "unknown_disk_type",
    "unknown_card",
    "wrong_number_of_regiments",
    "not_a_hero",
    "second_hero",
    "wrong_faction",
    "wrong_race",
    "too_many_points",
    "too_few_small_disks",
    "too_many_copies",
    "too_many_elites",
    "unique_disk_repeated",
    "no_unique_hero",
    "wrong_number_of_cards",
    "card_repeated",
]
"""Reasons why an army is illegal, of each `LoadoutFault`; one that names no army at all gives a code of a refusal."""
