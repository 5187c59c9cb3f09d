"""Verification of the rules: decide the recorded actions again with the recorded figures and dice."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_client.published_dice import DiceStep, PublishedChain
from diskwars_engine.match import Command, MatchOpening, MatchRules, MatchSecrets
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_protocol import match as m
from diskwars_protocol.canonical import Json, JsonPath, format_path
from diskwars_protocol.match import Pack, PlayerId
from diskwars_protocol.records import BadRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.setup_cards import Scenario
from diskwars_protocol.rulesets.diskwars.stats import Field
from diskwars_protocol.sealed import Sealed

T = TypeVar("T")


def rules_verifier_for(
    events: Sequence[e.Event | None], steps: Sequence[DiceStep], pack: Catalogue | None
) -> "RulesVerifier | None":
    """None when the file does not hold what is needed; what is wrong with it is found where it stands."""
    try:
        return RulesVerifier([event for event in events if event is not None], steps, pack)
    except (LookupError, ValueError):
        return None


class RulesVerifier:
    """Decides every action of a finished match once more, with its dice and its figures."""

    def __init__(self, events: Sequence[e.Event], steps: Sequence[DiceStep], pack: Catalogue | None) -> None:
        opened, ended = events[0], events[-1]
        if not isinstance(opened, m.MatchOpened) or not isinstance(ended, m.MatchEnded):
            raise ValueError("a whole match goes from match_opened to match_ended")
        self._started = any(isinstance(event, e.MatchStarted) for event in events)
        links = [opened.anchor, *(step.link for step in steps)]
        self._secrets = MatchSecrets(b"", bytes.fromhex(ended.deal_secret), PublishedChain(links))
        self._rules: MatchRules[a.DiskwarsSettings, a.Loadout, a.Action, a.Question, e.BoardEvent, Board] = MatchRules(
            Diskwars(pack or _recorded_catalogue(events))
        )

    def redecide(
        self, seq: int, match: DiskwarsMatch | None, append: Sequence[e.Event | None]
    ) -> Sequence[e.Event | None]:
        """Return what the rules make of the action that this append begins with; `seq` is that of its first record."""
        first = append[0]
        if not self._started and isinstance(first, m.Acted):
            self._check_unstarted(seq, append)
            if isinstance(first.action, m.TakeSeat):
                return append  # a match that never began shows no figure to judge its armies by
        try:
            if isinstance(first, m.MatchOpened):
                return self._redecide_opening(first)
            if isinstance(first, m.Acted) and match is not None:
                command = Command(acting_player(match, append), first.decision, first.action, first.at)
                return self._rules.decide_events(match, seq - 1, command, self._secrets)
        except Illegal as illegal:
            raise BadRecord(seq, f"the rules refuse this action, {illegal}") from None
        except Exception as fault:  # a stranger's file may ask for anything
            raise BadRecord(seq, f"this action cannot be decided again, {type(fault).__name__}: {fault}") from None
        raise BadRecord(seq, "an append begins with an action")

    def _check_unstarted(self, seq: int, append: Sequence[e.Event | None]) -> None:
        """With the first step of the dice a match begins."""
        for number, event in enumerate(append, seq + 1):
            if isinstance(event, m.StepBegan):
                raise BadRecord(number, "by the rules match_started comes here")

    def _redecide_opening(self, first: m.MatchOpened[a.DiskwarsSettings]) -> Sequence[e.Event]:
        opening = MatchOpening(
            first.match, first.settings, first.seats, first.opener, first.at, first.repeatable, first.rules
        )
        opened, *rest = self._rules.open(opening, self._secrets)
        return [
            replace(opened, deal_commitment=first.deal_commitment),
            *rest,
        ]  # compared with its secret where that is opened, at the end


def acting_player(match: DiskwarsMatch, append: Sequence[e.Event | None]) -> PlayerId:
    """Return the player who acted; when the action takes the seat, the player is named only afterwards."""
    first = append[0]
    if not isinstance(first, m.Acted):
        return PlayerId("")
    if isinstance(first.action, m.TakeSeat):
        return next((event.player for event in append if isinstance(event, m.SeatTaken)), PlayerId(""))
    return match.seats[first.seat].player


def known_pack(events: Sequence[e.Event | None], catalogues: Sequence[Catalogue]) -> Catalogue | None:
    """Return the packs that the match names, if the reader knows those with their hashes."""
    named = packs_of(events)
    known = ((catalogue, (catalogue.pack, *catalogue.other_packs)) for catalogue in catalogues)
    return next((catalogue for catalogue, packs in known if [p.hash for p in packs] == [p.hash for p in named]), None)


def packs_of(events: Sequence[e.Event | None]) -> tuple[Pack, ...]:
    """Return the packs that the match says it was played with, or will be."""
    for event in events:
        if isinstance(event, m.MatchOpened | e.MatchStarted) and event.packs:
            return event.packs
    return ()


def with_pack_figures(event: e.MatchStarted, pack: Catalogue) -> e.MatchStarted:
    """Return the record as it has to be with the figures of the pack."""
    is_full = event.settings.setup == "full"
    return replace(
        event,
        field=pack.field,
        battle_die=pack.battle_die,
        profiles=tuple(pack.disks.get(profile.id, profile) for profile in event.profiles),
        cards=tuple(pack.cards.values()),
        packs=(pack.pack, *pack.other_packs),
        scenarios=_scenarios(event.settings, pack),
        deployments=_sorted_by_id(pack.deployments) if is_full else (),
        terrain=_sorted_by_id(pack.terrain) if is_full else (),
    )


def _scenarios(settings: a.DiskwarsSettings, pack: Catalogue) -> tuple[Scenario, ...]:
    """R-74: a special scenario is the only one of its match."""
    if settings.setup != "full":
        return ()
    if settings.special != "none":
        return tuple(card for id, card in pack.special_scenarios.items() if id == settings.special)
    return _sorted_by_id(pack.scenarios)


def _sorted_by_id(named: Mapping[str, T]) -> tuple[T, ...]:
    return tuple(named[id] for id in sorted(named))


def _recorded_catalogue(events: Sequence[e.Event]) -> Catalogue:
    """What was on the table, as the match itself records it: its figures, and the starter armies that were named."""
    started = next((event for event in events if isinstance(event, e.MatchStarted)), None)
    named = {event.seat for event in events if isinstance(event, m.Acted) and _is_starter_army(event.action)}
    packs = packs_of(events) or (Pack("", "", ""),)
    armies = [army_of(event.loadout) for event in events if isinstance(event, m.SeatTaken) and event.seat in named]
    return Catalogue(
        pack=packs[0],
        other_packs=packs[1:],
        field=started.field if started else Field(0, 0, 0, 0, 0),
        sizes={},
        battle_die=started.battle_die if started else (),
        disks={profile.id: profile for profile in started.profiles} if started else {},
        copies={},
        cards={card.id: card for card in started.cards} if started else {},
        armies={army.id: army for army in armies},
        scenarios={card.id: card for card in started.scenarios} if started else {},
        special_scenarios={str(started.settings.special): card for card in started.scenarios} if started else {},
        deployments={card.id: card for card in started.deployments} if started else {},
        terrain={card.id: card for card in started.terrain} if started else {},
    )


def _is_starter_army(action: a.Action) -> bool:
    """Return whether a loadout names a starter army instead of listing disks."""
    return isinstance(action, m.TakeSeat) and not action.loadout.regiments


def is_hidden(entry: a.Loadout) -> bool:
    return any(isinstance(part, Sealed) for part in (entry.army, entry.name, entry.regiments, entry.hand))


def army_of(entry: a.Loadout) -> Army:
    if isinstance(entry.army, Sealed) or isinstance(entry.name, Sealed):
        raise ValueError("an army that is hidden cannot be judged")
    if isinstance(entry.regiments, Sealed) or isinstance(entry.hand, Sealed):
        raise ValueError("an army that is hidden cannot be judged")
    return Army(entry.army, entry.name, entry.regiments, entry.hand)


def difference(event: e.Event, right: e.Event) -> str:
    """Return which field of an event is not as the rules make it."""
    if type(event) is not type(right):
        return f"by the rules {event_kind(right)} comes here, not {event_kind(event)}"
    if event == right:
        return f"{event_kind(event)}: it holds more than there is to tell, or tells it in other words"
    path, is_, should = first_difference(msgspec.to_builtins(event), msgspec.to_builtins(right), ())
    return f"{event_kind(event)}: by the rules {format_path(path)} is {should}, not {is_}"


def first_difference(one: Json, other: Json, path: JsonPath) -> tuple[JsonPath, str, str]:
    """Return the innermost path at which two values differ, and both values there."""
    for step, left, right in _child_pairs(one, other):
        if left != right:
            return first_difference(left, right, (*path, step))
    return path, msgspec.json.encode(one).decode(), msgspec.json.encode(other).decode()


def _child_pairs(one: Json, other: Json) -> list[tuple[str | int, Json, Json]]:
    """Return the parts of two values of one shape, side by side; none where the shapes differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping) and list(one) == list(other):
        return [(name, one[name], other[name]) for name in one]
    if _is_sequence(one) and _is_sequence(other) and len(one) == len(other):
        return [(number, *pair) for number, pair in enumerate(zip(one, other, strict=True))]
    return []


def _is_sequence(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def event_kind(event: Struct | None) -> str:
    return "a shell" if event is None else str(event.__struct_config__.tag)
