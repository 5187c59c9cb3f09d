"""Matches with the disks and cards of both packs and every option keep all invariants.

Random legal play with armies of any disks, including illegal armies, so that all cards meet each other.
"""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy
from diskwars_content.rulesets.diskwars import combine_packs, core_pack, expansion_pack
from diskwars_engine.rulesets.diskwars.catalogue import Army
from diskwars_engine.rulesets.diskwars.setup import loadout
from diskwars_protocol.identifiers import make_id
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import PUBLIC, Viewer
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody as Body
from diskwars_text.rulesets.diskwars.notation import format_position
from diskwars_text.rulesets.diskwars.parser import parse_position
from tests.effort import count_of
from tests.engine.played_match import PlayedMatch, build_rules, mixed_action, player_of

BOTH_PACKS = combine_packs(core_pack(), expansion_pack())


def any_army(name: str, chance: random.Random) -> Army:
    """Return a hero, nine other disks of his faction and five cards."""
    hero = chance.choice([disk for disk in BOTH_PACKS.disks.values() if disk.kind == "hero"])
    units = [disk.id for disk in BOTH_PACKS.disks.values() if disk.kind == "unit" and disk.faction == hero.faction]
    cards = [card.id for card in BOTH_PACKS.cards.values() if card.faction in (None, hero.faction)]
    return Army(
        make_id(name), name, (a.Regiment(hero.id, tuple(chance.choices(units, k=9))),), tuple(chance.sample(cards, 5))
    )


def any_settings(chance: random.Random) -> a.DiskwarsSettings:
    return a.DiskwarsSettings(
        setup="quick",
        pins=chance.choice(("strict", "contact")),
        impact_own=chance.random() < 0.5,
        reinforce_onto_enemy=chance.random() < 0.7,
        reinforce_limit=chance.random() < 0.3,
        battle_ability_timing=chance.choice(("any_time", "first_or_last")),
        rampage_flips=chance.choice(("per_attack", "per_chaos")),
        weakened_wounds=chance.choice(("at_toughness", "above_toughness")),
        regiments=1,
    )


def begin_match(seed: int, seats: int = 2) -> PlayedMatch:
    chance = random.Random(seed)
    armies = {name: any_army(name, chance) for name in ("east", "north", "south", "west")[:seats]}
    rules = build_rules(replace(BOTH_PACKS, armies=armies))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loadout, "army_faults", lambda *_: ())
        return PlayedMatch(seed, tuple(armies), any_settings(chance), rules).begin()


def play_step(playing: PlayedMatch) -> Body:
    """Somebody answers, by whim or by greed."""
    decision = playing.chance.choice(playing.state.decisions)
    if playing.chance.random() < 0.5:
        return playing.answer(decision, greedy_step(playing, decision))
    return playing.answer(decision, mixed_action(playing, decision))


def greedy_step(playing: PlayedMatch, decision: Decision[a.Question]) -> a.Action:
    seen = playing.rules.view(playing.state, decision.seat)
    return choose_greedy(seen, decision, playing.rules.options(playing.state, decision), playing.chance)


def offered_actions(options: DiskwarsOptions) -> list[a.Action]:
    return [*options.actions, *(plan.example for plan in options.parametric)]


@pytest.mark.parametrize("seed", range(count_of(12, 6)))
def test_whatever_meets_no_invariant_breaks_and_nobody_is_stuck(seed: int) -> None:
    playing = begin_match(seed, 2 + seed % 3)
    while playing.state.status != "ended":
        assert playing.state.decisions
        play_step(playing)
        assert playing.rules.ruleset.check(playing.board) == []


@pytest.mark.parametrize("seed", range(100, 104))
def test_every_option_that_is_offered_is_accepted_also_the_default(seed: int) -> None:
    playing = begin_match(seed)
    while playing.state.status != "ended":
        for decision in playing.state.decisions:
            if not isinstance(decision.question, a.CommandCardQuestion) and playing.chance.random() < 0.1:
                for action in offered_actions(playing.rules.options(playing.state, decision)):
                    assert playing.decide(player_of(decision.seat), decision.id, action).decisions != ()
        play_step(playing)


@pytest.mark.parametrize("seed", range(200, 203))
def test_every_viewer_folds_to_the_view_and_every_position_survives_as_text(seed: int) -> None:
    playing = begin_match(seed)
    viewers: tuple[Viewer, ...] = (*playing.seats, PUBLIC)
    views = {who: playing.rules.fold_log(playing.seen_by(who)) for who in viewers}
    while playing.state.status != "ended":
        body = play_step(playing)
        views = {who: playing.rules.fold(view, playing.rules.redact_body(body, who)) for who, view in views.items()}
        assert all(view == playing.rules.view(playing.state, who) for who, view in views.items())
        if playing.chance.random() < 0.1:
            assert parse_position(format_position(playing.board)) == playing.board


def test_every_new_question_and_event_is_met_in_random_play() -> None:
    """Otherwise the tests above would look at nothing."""
    seen: Counter[str] = Counter()
    for seed in range(3, 60):  # today the first five are enough
        playing = begin_match(seed)
        while playing.state.status != "ended":
            seen.update(type(decision.question).__name__ for decision in playing.state.decisions)
            seen.update(type(event).__name__ for event in play_step(playing).events)
        if set(seen) >= WANTED_EVENTS:
            break
    assert set(seen) >= WANTED_EVENTS


WANTED_EVENTS = {
    "EngageAbilityQuestion",
    "RampageQuestion",
    "ReinforcementQuestion",
    "GuardRolled",
    "Rampaged",
    "DiskHealed",
    "DiskPoisoned",
}
