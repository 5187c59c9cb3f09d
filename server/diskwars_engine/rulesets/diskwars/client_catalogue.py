"""Conversion of the engine's catalogue to the one that clients receive."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue, unspent_points
from diskwars_protocol.identifiers import id_title
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.rulesets.diskwars import catalogue as c
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings
from diskwars_protocol.rulesets.diskwars.effect_text import ability_text, effect_text, objective_part_text
from diskwars_protocol.rulesets.diskwars.setup_cards import Scenario
from diskwars_protocol.rulesets.diskwars.stats import Ability

T = TypeVar("T")


def build_client_catalogue(catalogue: Catalogue) -> c.DiskwarsCatalogue:
    """Convert the catalogue to what a client needs to show packs, build armies and set options."""
    packs = (catalogue.pack, *catalogue.other_packs)
    return c.DiskwarsCatalogue(
        packs=packs,
        races=_words(catalogue.races),
        traits=_words(catalogue.traits),
        field=catalogue.field,
        battle_die=catalogue.battle_die,
        disks=tuple(
            c.CatalogueDisk(disk, catalogue.copies[id], catalogue.pack_of("disks", id), _texts(disk.abilities))
            for id, disk in _sorted(catalogue.disks)
        ),
        cards=tuple(
            c.CatalogueCard(card, catalogue.pack_of("cards", id), _texts(card.abilities))
            for id, card in _sorted(catalogue.cards)
        ),
        armies=tuple(_army(army, catalogue) for _, army in _sorted(catalogue.armies)),
        scenarios=(
            *(_scenario(card, catalogue) for _, card in _sorted(catalogue.scenarios)),
            *(_scenario(card, catalogue, special=True) for _, card in _sorted(catalogue.special_scenarios)),
        ),
        deployments=tuple(
            c.CatalogueDeploymentCard(card, catalogue.pack_of("deployments", id))
            for id, card in _sorted(catalogue.deployments)
        ),
        terrain=tuple(
            c.CatalogueTerrain(card, catalogue.pack_of("terrain", id)) for id, card in _sorted(catalogue.terrain)
        ),
        settings=ruleset_settings(DiskwarsSettings),
    )


def _army(army: Army, catalogue: Catalogue) -> c.CatalogueArmy:
    return c.CatalogueArmy(
        id=army.id,
        name=army.name,
        regiments=army.regiments,
        hand=army.hand,
        unspent=unspent_points(army, catalogue.disks),
        pack=catalogue.pack_of("armies", army.id),
        short_name=army.short_name,
    )


def _scenario(card: Scenario, catalogue: Catalogue, special: bool = False) -> c.CatalogueScenario:
    return c.CatalogueScenario(
        scenario=card,
        pack=catalogue.pack_of("special_scenarios" if special else "scenarios", card.id),
        text=effect_text(card.ability),
        objective_texts=tuple(map(objective_part_text, card.objective)),
        special=special,
    )


def _texts(abilities: Iterable[Ability]) -> tuple[str, ...]:
    return tuple(map(ability_text, abilities))


def _words(ids: Iterable[str]) -> tuple[c.CatalogueWord, ...]:
    return tuple(c.CatalogueWord(id, id_title(id)) for id in sorted(set(ids)))


def _sorted(entries: Mapping[str, T]) -> list[tuple[str, T]]:
    return sorted(entries.items())
