"""Do matches with the disks and cards of both packs and with every option hold together?

Armies of any disks at all, also such as nobody may build, so that everything meets everything. Random legal play.
"""

import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_bots.bots import choose_greedy
from diskwars_content import core, expansion, together
from diskwars_engine.rulesets.diskwars import loadout
from diskwars_engine.rulesets.diskwars.catalogue import Army
from diskwars_protocol.match import PUBLIC, Decision, Options, Viewer
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_text.notation import read, write
from tests.engine.played_match import Playing, mixed, player, rules_of

BOTH = together(core(), expansion())


def any_army(name: str, chance: random.Random) -> Army:
    """A hero, nine other disks of his faction and five cards."""
    hero = chance.choice([disk for disk in BOTH.disks.values() if disk.kind == "hero"])
    units = [disk.name for disk in BOTH.disks.values() if disk.kind == "unit" and disk.faction == hero.faction]
    cards = [card.name for card in BOTH.cards.values() if card.faction in ("", hero.faction)]
    return Army(name, (a.Regiment(hero.name, tuple(chance.choices(units, k=9))),), tuple(chance.sample(cards, 5)))


def any_settings(chance: random.Random) -> a.Settings:
    return a.Settings(
        setup="quick",
        pins=chance.choice(("strict", "contact")),
        impact_own=chance.random() < 0.5,
        reinforce_onto_enemy=chance.random() < 0.7,
        reinforce_limit=chance.random() < 0.3,
        ability_timing=chance.choice(("any", "ends")),
        hellcannon=chance.choice(("one", "each")),
        rot=chance.choice(("reaches", "exceeds")),
    )


def begun(seed: int, seats: int = 2) -> Playing:
    chance = random.Random(seed)
    armies = {name: any_army(name, chance) for name in ("east", "north", "south", "west")[:seats]}
    rules = rules_of(replace(BOTH, armies=armies))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loadout, "army_faults", lambda *_: ())
        return Playing(seed, tuple(armies), any_settings(chance), rules).begin()


def step(playing: Playing) -> list[Any]:
    """Somebody answers, by whim or by greed."""
    decision = playing.chance.choice(playing.state.decisions)
    if playing.chance.random() < 0.5:
        return playing.answer(decision, greedily(playing, decision))
    return playing.answer(decision, mixed(playing, decision))


def greedily(playing: Playing, decision: Decision[a.Question]) -> a.Action:
    seen = playing.rules.view(playing.state, decision.seat)
    return choose_greedy(seen, decision, playing.rules.options(playing.state, decision), playing.chance)


def offered(options: Options[a.Action]) -> list[a.Action]:
    return [*options.actions, *(plan.example for plan in options.parametric)]


@pytest.mark.parametrize("seed", range(12))
def test_whatever_meets_no_invariant_breaks_and_nobody_is_stuck(seed: int) -> None:
    playing = begun(seed, 2 + seed % 3)
    while playing.state.status != "ended":
        assert playing.state.decisions
        step(playing)
        assert playing.rules.ruleset.check(playing.board) == []


@pytest.mark.parametrize("seed", range(100, 104))
def test_every_option_that_is_offered_is_accepted_also_the_default(seed: int) -> None:
    playing = begun(seed)
    while playing.state.status != "ended":
        for decision in playing.state.decisions:
            if not isinstance(decision.question, a.AskCard) and playing.chance.random() < 0.1:
                for action in offered(playing.rules.options(playing.state, decision)):
                    assert playing.decide(player(decision.seat), decision.id, action)
        step(playing)


@pytest.mark.parametrize("seed", range(200, 203))
def test_every_viewer_folds_to_what_he_may_see_and_every_position_is_text_both_ways(seed: int) -> None:
    playing = begun(seed)
    viewers: tuple[Viewer, ...] = (*playing.seats, PUBLIC)
    views = {who: playing.rules.fold_all([playing.rules.redact(e, who) for e in playing.events]) for who in viewers}
    while playing.state.status != "ended":
        for event in step(playing):
            views = {who: playing.rules.apply(view, playing.rules.redact(event, who)) for who, view in views.items()}
        assert all(view == playing.rules.view(playing.state, who) for who, view in views.items())
        if playing.chance.random() < 0.1:
            assert read(write(playing.board)) == playing.board


def test_every_new_question_and_event_is_met_in_random_play() -> None:
    """Otherwise the tests above would look at nothing."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        playing = begun(seed)
        while playing.state.status != "ended":
            seen.update(type(decision.question).__name__ for decision in playing.state.decisions)
            seen.update(type(event).__name__ for event in step(playing))
        if set(seen) >= WANTED:
            break
    assert set(seen) >= WANTED


WANTED = {"AskUse", "AskRampage", "AskReinforcement", "GuardRolled", "Rampaged", "DiskHealed", "DiskPoisoned"}
