"""Verification of the rules: decide the recorded actions again with the recorded figures and dice."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeGuard, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_client.published_dice import DiceStep, PublishedChain
from diskwars_engine.match import Command, MatchOpening, MatchRules, MatchSecrets
from diskwars_engine.record_codec import RecordCodec, RecordMeta
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_protocol import match as m
from diskwars_protocol.canonical import Json, JsonPath, format_path
from diskwars_protocol.fairness import SALT_BYTES
from diskwars_protocol.match import Pack, PlayerId, Seat
from diskwars_protocol.records import BadRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.setup_cards import Scenario
from diskwars_protocol.rulesets.diskwars.stats import Field
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from diskwars_protocol.sealed import Sealed

T = TypeVar("T")


def rules_verifier_for(
    bodies: Sequence[DiskwarsBody], steps: Sequence[DiceStep], pack: Catalogue | None
) -> "RulesVerifier | None":
    """None when the file does not hold what is needed; what is wrong with it is found where it stands."""
    try:
        return RulesVerifier(bodies, steps, pack)
    except (LookupError, ValueError):
        return None


class RulesVerifier:
    """Decides every action of a finished match once more, with its dice and its figures."""

    def __init__(self, bodies: Sequence[DiskwarsBody], steps: Sequence[DiceStep], pack: Catalogue | None) -> None:
        opened, ended = bodies[0].events[0], bodies[-1].events[-1]
        if not isinstance(opened, m.MatchOpened) or not isinstance(ended, m.MatchEnded):
            raise ValueError("a whole match goes from match_opened to match_ended")
        self._started = any(isinstance(event, e.MatchStarted) for event in events_of(bodies))
        links = [opened.anchor, *(step.link for step in steps)]
        self._secrets = MatchSecrets(b"", bytes.fromhex(ended.deal_secret), PublishedChain(links))
        self._rules: MatchRules[a.DiskwarsSettings, a.Loadout, a.Action, a.Question, e.BoardEvent, Board] = MatchRules(
            Diskwars(pack or _recorded_catalogue(bodies))
        )
        self._codec = RecordCodec(self._rules, opened.match, opened.seats)

    def redecide(self, seq: int, match: DiskwarsMatch | None, body: DiskwarsBody) -> DiskwarsBody:
        """Return what the rules make of the action of this record, number `seq`."""
        if not self._started:
            self._check_unstarted(seq, body)
            if isinstance(body.action, m.TakeSeat):
                return body  # a match that never began shows no figure to judge its armies by
        try:
            if body.action is None:
                return self._redecide_opening(body)
            if match is not None:
                command = Command(acting_player(match, body), body.decision, body.action, body.at)
                self._check_default(seq, match, body)
                return self._rules.decide(match, seq - 1, command, self._secrets).body
        except Illegal as illegal:
            raise BadRecord(seq, f"the rules refuse this action, {illegal}") from None
        except Exception as fault:  # a stranger's file may ask for anything
            raise BadRecord(seq, f"this action cannot be decided again, {type(fault).__name__}: {fault}") from None
        raise BadRecord(seq, "a match begins with match_opened")

    def seats_that_see(self, seq: int, body: DiskwarsBody) -> dict[JsonPath, tuple[Seat, ...]]:
        """Return which seats may see each secret of a record from the beginning, by its path."""
        meta = RecordMeta(PlayerId(""), "", "")
        sealed = self._codec.seal(body, seq, b"", meta, lambda: bytes(SALT_BYTES))
        return {opening.path: opening.seats for opening in sealed.openings}

    def _check_default(self, seq: int, match: DiskwarsMatch, body: DiskwarsBody) -> None:
        """For a seat whose time is up the house plays the action of the rules and no other."""
        if not body.by_house:
            return
        decision = next((open_ for open_ in match.decisions if open_.id == body.decision), None)
        if decision is None:
            return  # refused by the rules as any action that answers no open decision
        if body.action != self._rules.default(match, decision, self._secrets):
            raise BadRecord(seq, "the house has not answered as the rules do for a seat whose time is up")

    def _check_unstarted(self, seq: int, body: DiskwarsBody) -> None:
        """With the first step of the dice a match begins."""
        if any(isinstance(event, m.StepBegan) for event in body.events):
            raise BadRecord(seq, "by the rules match_started comes after the first step of the dice")

    def _redecide_opening(self, body: DiskwarsBody) -> DiskwarsBody:
        first = body.events[0] if body.events else None
        if not isinstance(first, m.MatchOpened):
            raise ValueError("no action, and no match_opened")
        opening = MatchOpening(
            match=first.match,
            settings=first.settings,
            seats=first.seats,
            opener=first.opener,
            at=body.at,
            repeatable=first.repeatable,
            rules=first.rules,
            options=first.options,
        )
        right = self._rules.open(opening, self._secrets).body
        opened = replace(
            right.events[0], deal_commitment=first.deal_commitment
        )  # held against its secret where that is opened, at the end
        return replace(right, events=(opened,))


def events_of(bodies: Iterable[DiskwarsBody]) -> list[e.Event]:
    """All events that are not hidden as a whole."""
    return [event for body in bodies for event in body.events if not isinstance(event, Sealed)]


def acting_player(match: DiskwarsMatch, body: DiskwarsBody) -> PlayerId:
    """Return the player who acted; taking a seat names its player only afterwards."""
    if body.by_house:
        return m.HOUSE
    if isinstance(body.action, m.TakeSeat):
        return next((event.player for event in body.events if isinstance(event, m.SeatTaken)), PlayerId(""))
    return PlayerId("") if body.seat is None else match.seats[body.seat].player


def known_pack(events: Sequence[e.Event], catalogues: Sequence[Catalogue]) -> Catalogue | None:
    """Return the packs that the match names, if the reader knows those with their hashes."""
    named = packs_of(events)
    known = ((catalogue, (catalogue.pack, *catalogue.other_packs)) for catalogue in catalogues)
    return next((catalogue for catalogue, packs in known if [p.hash for p in packs] == [p.hash for p in named]), None)


def packs_of(events: Sequence[e.Event]) -> tuple[Pack, ...]:
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


def _recorded_catalogue(bodies: Sequence[DiskwarsBody]) -> Catalogue:
    """What was on the table, as the match itself records it: its figures, and the starter armies that were named."""
    events = events_of(bodies)
    started = next((event for event in events if isinstance(event, e.MatchStarted)), None)
    named = {body.seat for body in bodies if body.action is not None and _is_starter_army(body.action)}
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


def difference(body: DiskwarsBody, right: DiskwarsBody) -> str:
    """In what a record is not as the rules make it."""
    for event, should in zip(body.events, right.events, strict=False):
        if type(event) is not type(should):
            return f"by the rules {event_kind(should)} comes here, not {event_kind(event)}"
        if event != should:
            path, is_, ought = first_difference(_plain(event), _plain(should), ())
            return f"{event_kind(event)}: by the rules {format_path(path)} is {ought}, not {is_}"
    extra, missing = body.events[len(right.events) :], right.events[len(body.events) :]
    if extra:
        return f"by the rules nothing follows here, not {event_kind(extra[0])}"
    if missing:
        return f"by the rules {event_kind(missing[0])} comes here, not the end of the record"
    for name in m.RecordBody.__struct_fields__:
        if getattr(body, name) != getattr(right, name):
            path, is_, ought = first_difference(_plain(getattr(body, name)), _plain(getattr(right, name)), (name,))
            return f"by the rules {format_path(path)} is {ought}, not {is_}"
    return "it holds more than there is to tell, or tells it in other words"


def _plain(value: object) -> Json:
    plain: Json = msgspec.json.decode(msgspec.json.encode(value))
    return plain


def first_difference(one: Json, other: Json, path: JsonPath) -> tuple[JsonPath, str, str]:
    """Return the innermost path at which two values differ, and both values there.

    An object lacks a field that has its default; then the difference is that of the whole objects.
    """
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


def event_kind(event: Struct) -> str:
    return str(event.__struct_config__.tag)
