"""Consequences name what brought them about, and rolls say which faces were needed."""

from typing import Any, get_args

from diskwars_engine.rulesets.diskwars import effects
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import stats as f
from tests.engine.played_match import ARMIES, PlayedMatch, begin_random_match, mixed_action, player_of
from tests.engine.rulesets.diskwars.positions import CRITICAL, HIT, MISS, RECORD, SCATTER, scripted_position

RECORDED_BY: dict[e.CauseKind, tuple[type[Any], ...]] = {
    "flip": (e.DiskFlipped,),
    "reinforcement": (e.DiskReinforced,),
    "impact": (e.ImpactRolled,),
    "guard": (e.GuardRolled,),
    "terrain": (e.DangerRolled,),
    "attack": (e.ShotFired, e.ShotScattered),
    "rampage": (e.Rampaged,),
    "focus_ability": (e.AbilityUsed,),
    "battle_ability": (e.AbilityUsed,),
    "engage_ability": (e.TriggerResolved,),
    "passive_ability": (e.DiskFlipped,),
    "melee": (e.BlowsStruck,),
    "removal": (e.DisksRemoved,),
    "withdrawal": (e.DisksWithdrawn,),
    "end_phase": (e.TokensCleared,),
}
MAY_HAVE_NO_CAUSE = (e.DiskFlipped, e.DiskReinforced, e.SeatEliminated, e.DisksWithdrawn)
"""A player's own action brings them about, or the course of the game."""
BOWS = "disk Bows: small, shot 3 dice strength 2 physical to siege\n"


def check_causes(playing: PlayedMatch) -> set[str]:
    """Check every cause of a match; return their kinds."""
    seen: set[str] = set()
    for seq, body in enumerate(playing.bodies, 1):
        for number, event in enumerate(body.events):
            if not isinstance(event, e.CausedEvent):
                continue
            cause = event.cause
            if cause is None:
                assert isinstance(event, MAY_HAVE_NO_CAUSE), event
                continue
            seen.add(cause.kind)
            if cause.event is not None:
                record = seq if cause.record is None else cause.record
                assert (record, cause.event) < (seq, number)
                source = playing.bodies[record - 1].events[cause.event]
                assert isinstance(source, RECORDED_BY[cause.kind]), (event, source)
    return seen


def test_every_consequence_of_a_match_names_an_earlier_event_that_fits() -> None:
    seen = [check_causes(begin_random_match(seed).play(mixed_action)) for seed in range(3)]
    assert set().union(*seen) >= {"flip", "melee", "attack"}


def test_the_consequences_of_a_resignation_count_the_event_of_the_match_before_them() -> None:
    """R-59: what leaves with the player has the resignation as its cause."""
    playing = (
        PlayedMatch(5, ARMIES[:3], a.DiskwarsSettings(setup="quick", regiments=1))
        .begin()
        .play(mixed_action, records=60)
    )
    playing.commit(playing.decide(player_of(1), None, Resign()))
    check_causes(playing)


def test_every_kind_of_cause_has_an_event_that_records_it() -> None:
    assert set(RECORDED_BY) == set(get_args(e.CauseKind))
    assert all(kind in get_args(e.BoardEvent) for kinds in RECORDED_BY.values() for kind in kinds)


def test_every_caused_event_can_name_its_cause() -> None:
    for kind in get_args(e.CausedEvent):
        assert kind.__struct_fields__[-1] == "cause"
        assert kind.__struct_config__.omit_defaults


def test_a_task_that_waits_for_an_answer_keeps_its_cause() -> None:
    for kind in (t.ImpactTask, t.TriggersTask, t.ScatterTask, t.RampageTask, t.ReinforcementTask):
        assert issubclass(kind, t.CausedTask)
        assert kind.__struct_fields__[-1] == "cause"


def test_consequences_of_a_shot_name_the_shooter_and_its_event() -> None:
    """R12.4, R13.5, R12.4.2"""
    text = BOWS + "disk Ox: small T4 St3\nA Bows (4, 4)\nB Ox (9, 4)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Ox"), (HIT, HIT, CRITICAL))
    number = next(n for n, event in enumerate(table.events) if isinstance(event, e.ShotFired))
    shot = e.Cause("attack", table.number("Bows"), number)
    struck = [event for event in table.events if isinstance(event, e.CausedEvent)]
    assert [type(event) for event in struck] == [e.DamageDealt, e.DiskWounded, e.ActivationTokenChanged]
    assert {event.cause for event in struck} == {shot}


def test_a_shot_says_which_faces_strike() -> None:
    """R12.4.1: at siege range no plain hit does."""
    long = 101600 + 22225 + 38100 + 304800
    for x, needed in ((long, (HIT, CRITICAL)), (long + 1, (CRITICAL,))):
        table = scripted_position(f"{BOWS}A Bows (4, 4)\nB Sun Dragon ({x}um, 4)").with_card_turn(0)
        table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (HIT, HIT, CRITICAL))
        (shot,) = table.events_of_type(e.ShotFired)
        assert {table.board.battle_die[face - 1] for face in shot.needed} == {
            table.board.battle_die[face - 1] for face in needed
        }
        counting = sum(face in shot.needed for face in shot.dice.results)
        assert table.damage("Sun Dragon") == (2 * counting,)


def test_a_cause_in_an_earlier_record_is_named_with_that_record_and_its_event() -> None:
    """R12.3.1: the shot is fired in one record, and the scatter die rolled in the next."""
    text = BOWS + "A Bows (4, 4)\nB Sun Dragon (10, 4)\nB Maiden Guard (10.5, 4)\nB Black Orcs (11.9, 5)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, MISS, HIT))
    bows, fired = table.number("Bows"), len(table.events) - 1
    assert isinstance(table.events[fired], e.ShotFired)
    assert "attack" in table.board.cursor
    table = table.answer(a.ChooseScatter(table.number("Black Orcs")), (HIT,))
    (scattered,) = table.events_of_type(e.ShotScattered)
    assert scattered.cause == e.Cause("attack", bows, event=fired, record=RECORD)
    assert HIT in scattered.needed
    number = table.events.index(scattered)
    assert {damage.cause for damage in table.events_of_type(e.DamageDealt)} == {e.Cause("attack", bows, number)}


def test_impact_follows_from_the_flip_and_its_damage_from_impact() -> None:
    """R8.5.2"""
    text = "disk Bull: small M4; Impact 2\nA Bull (10, 10)\nB Sun Dragon (13, 10)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.move_action("Bull", 0))
    kinds = [type(event) for event in table.events]
    flip, impact = kinds.index(e.DiskFlipped), kinds.index(e.ImpactRolled)
    bull = table.number("Bull")
    assert [event.cause for event in table.events_of_type(e.DiskFlipped)] == [None]
    assert [event.cause for event in table.events_of_type(e.ImpactRolled)] == [e.Cause("flip", bull, flip)]
    assert [event.cause for event in table.events_of_type(e.DamageDealt)] == [e.Cause("impact", bull, impact)]


def test_a_melee_step_is_the_cause_of_its_damage_and_a_removal_of_an_elimination() -> None:
    """R15.3.5, R4.6"""
    text = "B Chaff (11, 10)\nA Sun Dragon (10, 10)\nB reserve: Orc Boyz\ndisk Chaff: small S1 T1"
    table = scripted_position(text).start_melee()
    kinds = [type(event) for event in table.events]
    damages = [event for event in table.events_of_type(e.DamageDealt) if table.name(event.disk) == "Chaff"]
    assert len(damages) == 1
    assert damages[0].cause == e.Cause("melee", None, kinds.index(e.BlowsStruck))
    (out,) = table.events_of_type(e.SeatEliminated)
    removal = e.Cause("removal", None, kinds.index(e.DisksRemoved))
    assert out.cause == removal
    assert [event.cause for event in table.events_of_type(e.DisksWithdrawn)] == [removal]


def test_tokens_that_leave_in_the_end_phase_are_the_cause_of_a_wound() -> None:
    """R-67"""
    text = "A Sun Dragon (30, 30)\nB Victim (10, 10) damage 4 poisoned empowered\ndisk Victim: small T4 St1"
    table = scripted_position(text).run_tasks(t.EndPhaseTask())
    kinds = [type(event) for event in table.events]
    (wound,) = table.events_of_type(e.DiskWounded)
    assert wound.cause == e.Cause("end_phase", None, kinds.index(e.TokensCleared))


def test_an_ability_that_rolls_for_a_wound_says_from_which_face_on() -> None:
    """R16.8"""
    text = "A Tyrion (10, 10)\nB Sun Dragon (14, 10)\nB Orc Boyz (30, 30)"
    table = scripted_position(text).with_card_turn(0)
    (effect,) = [
        ability.effect for ability in table.board.profile(0).abilities if isinstance(ability.effect, f.RollWound)
    ]
    assert effects.needed_faces(effect) == tuple(range(effect.minimum, 7))
    table = table.answer(table.move_action("Tyrion", 0, 0, end=False), effect.minimum)
    (resolved,) = table.events_of_type(e.TriggerResolved)
    (wound,) = table.events_of_type(e.DiskWounded)
    assert resolved.needed == effects.needed_faces(effect)
    assert wound.cause == e.Cause("engage_ability", 0, table.events.index(resolved))
