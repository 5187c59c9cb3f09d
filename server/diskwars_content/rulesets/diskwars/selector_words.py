"""Words by which effects select disks: a trait, a race, a kind or the id of a disk. Each means one thing only."""

from collections.abc import Collection, Iterator

from diskwars_content.rulesets.diskwars.entry_checks import Fault
from diskwars_content.rulesets.diskwars.keyword_text import quote
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue

KINDS_OF_DISKS = ("hero", "unit")


def word_list_faults(
    races: Collection[str],
    traits: Collection[str],
    known_races: Collection[str],
    known_traits: Collection[str],
    known_disks: Collection[str],
) -> Iterator[Fault]:
    """Yield a fault for each race and trait of a list that is something else too; the known ones are of other packs."""
    for number, word in enumerate(races):
        yield from _word_faults(("races", number), word, known_traits, "trait", known_disks)
    for number, word in enumerate(traits):
        yield from _word_faults(("traits", number), word, (*races, *known_races), "race", known_disks)


def _word_faults(
    place: tuple[str, int], word: str, others: Collection[str], noun: str, disks: Collection[str]
) -> Iterator[Fault]:
    if word in others:
        yield place, f"{quote(word)} is a {noun} too: effects could not tell them apart"
    elif word in KINDS_OF_DISKS:
        yield place, f"{quote(word)} is a kind of disk too: effects could not tell them apart"
    elif word in disks:
        yield place, f"{quote(word)} is the id of a disk too: effects could not tell them apart"


def is_selector_word(id: str, races: Collection[str], traits: Collection[str]) -> bool:
    """Whether the id of a disk would select more than the disk."""
    return id in traits or id in races or id in KINDS_OF_DISKS


def combined_word_faults(first: Catalogue, other: Catalogue) -> Iterator[str]:
    """Yield a fault for each word that means one thing in one pack and another in the other."""
    for word in sorted({*first.traits} & {*other.races} | {*first.races} & {*other.traits}):
        yield f'"{word}" is a trait in one pack and a race in the other'
    for pack, other_pack in ((first, other), (other, first)):
        for word in sorted({*pack.disks} & {*other_pack.traits, *other_pack.races}):
            yield f'"{word}" is a disk of {pack.pack.id}, and a trait or a race of {other_pack.pack.id}'
