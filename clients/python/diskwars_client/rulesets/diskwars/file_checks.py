"""Checks of a Diskwars match file: locked cards, and figures and armies against the packs that the match names."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from diskwars_client.plugs.file_checks import FileChecks, events_of
from diskwars_client.plugs.record_difference import first_difference
from diskwars_engine.ruleset import AnyRuleset, Illegal
from diskwars_engine.rulesets.diskwars import RULES_VERSION, Diskwars
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue
from diskwars_engine.rulesets.diskwars.setup.loadout import complete_loadout
from diskwars_protocol.identifiers import Identified
from diskwars_protocol.match.actions import TakeSeat
from diskwars_protocol.match.decisions import Pack, Result
from diskwars_protocol.match.events import BranchBegan, SeatTaken, StepBegan
from diskwars_protocol.match.ids import MAX_SEATS, MatchId, seat_letter
from diskwars_protocol.records.canonical import format_path
from diskwars_protocol.records.fairness import card_commitment
from diskwars_protocol.records.figures import figures_of, with_recorded_names
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.setup_cards import Scenario
from diskwars_protocol.rulesets.diskwars.stats import Field
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody

T = TypeVar("T")
IdentifiedT = TypeVar("IdentifiedT", bound=Identified)


class DiskwarsFileChecks(FileChecks):
    """Checks of the cards and figures of one file."""

    rules_version = RULES_VERSION

    def __init__(self, match: MatchId, bodies: Sequence[DiskwarsBody], rulesets: Iterable[AnyRuleset]) -> None:
        super().__init__(match, bodies, rulesets)
        self._pack = self.local_ruleset.content if isinstance(self.local_ruleset, Diskwars) else None
        self._has_started = any(isinstance(event, e.MatchStarted | BranchBegan) for event in events_of(bodies))
        self._commitments: dict[int, dict[int, str]] = {}
        self._given: set[int] = set()

    @property
    def has_unknown_figures(self) -> bool:
        return self._has_started and self._pack is None

    def ruleset(self) -> AnyRuleset:
        if self._pack is None:
            return Diskwars(_recorded_catalogue(self.bodies, self.packs))
        started = next((event for event in events_of(self.bodies) if isinstance(event, e.MatchStarted)), None)
        return Diskwars(self._pack if started is None else _with_recorded_names(self._pack, started))

    def can_redecide(self, seq: int, body: DiskwarsBody) -> bool:
        """A match that never began shows no figure to judge its armies by; with the first dice step it begins."""
        if self._has_started:
            return True
        if any(isinstance(event, StepBegan) for event in body.events):
            raise BadRecord(seq, "by the rules match_started comes after the first step of the dice")
        return not isinstance(body.action, TakeSeat)

    def check_event(self, seq: int, match: DiskwarsMatch | None, event: Any) -> None:
        match event:
            case e.MatchStarted():
                self._check_figures(seq, match, event)
            case BranchBegan():
                board = event.board or (match and match.position and match.position.board)
                self._given = {side.seat for side in board.sides if side.has_locked} if board else set()
            case e.CardLocked():
                self._check_lock(seq, event)
            case e.CardsRevealed():
                self._check_reveal(seq, event)
            case e.DamageDealt():
                _check_damage(seq, match, event)
            case _:
                pass  # checked against the rules only

    def check_result(self, seq: int, match: DiskwarsMatch, result: Result) -> None:
        points = () if match.board is None else tuple(side.points for side in match.board.sides)
        if result.scores and result.scores != points:
            raise BadRecord(seq, "the scores are not the points of the sides")

    def _check_figures(self, seq: int, match: DiskwarsMatch | None, event: e.MatchStarted) -> None:
        """Check the figures against the pack whose hash the match names, and its armies against the rules."""
        if match is not None and match.settings != event.settings:
            raise BadRecord(seq, "match_started: these are not the settings that the match was opened with")
        if self._pack is None or match is None:
            return
        recorded, right = figures_of(event), figures_of(_with_pack_figures(event, self._pack))
        if recorded != right:
            path, is_, should = first_difference(recorded, right, ())
            raise BadRecord(seq, f"match_started: by the pack it names {format_path(path)} is {should}, not {is_}")
        for seat, seat_state in enumerate(match.seats):
            self._check_army(seq, event, seat, seat_state.loadout)

    def _check_army(self, seq: int, event: e.MatchStarted, seat: int, loadout: a.Loadout | None) -> None:
        """Check that a loadout is legal, as far as it is visible, and that the board has its disks."""
        assert self._pack is not None
        own = tuple(event.profiles[disk.profile].id for disk in event.disks if disk.seat == seat)
        army = self._pack.armies.get(event.armies[seat].id or "")
        if loadout is not None and not _is_hidden(loadout):
            try:
                army = _army_of(complete_loadout(self._pack, event.settings, loadout), "")
            except Illegal as illegal:
                raise BadRecord(
                    seq, f"the army of seat {seat_letter(seat)} is none by the pack: {illegal.text}"
                ) from None
        if army is not None and (army.id or None, army.disks) != (event.armies[seat].id, own):
            title = army.id or "its loadout"
            raise BadRecord(seq, f"match_started: the disks of seat {seat_letter(seat)} are not those of {title}")

    def _check_lock(self, seq: int, event: e.CardLocked) -> None:
        if isinstance(event.card, str) and isinstance(event.salt, str):
            self._check_card(seq, event.step, e.RevealedCard(event.seat, event.card, event.salt), event.commitment)
        self._commitments.setdefault(event.step, {})[event.seat] = event.commitment

    def _check_reveal(self, seq: int, event: e.CardsRevealed) -> None:
        locked, given = self._commitments.get(event.step, {}), self._given
        self._given = set()  # locked in the parent of a branch: the commitments stand there
        if sorted(shown.seat for shown in event.cards) != sorted({*locked, *given}):
            raise BadRecord(seq, f"not the seats that had locked a card for step {event.step}")
        for shown in event.cards:
            if shown.seat not in given:
                self._check_card(seq, event.step, shown, locked[shown.seat])

    def _check_card(self, seq: int, step: int, shown: e.RevealedCard, promised: str) -> None:
        try:
            salt = bytes.fromhex(shown.salt)
            commitment = card_commitment(self.match, step, shown.seat, shown.card, salt)
        except ValueError:
            commitment = ""
        if commitment != promised:
            raise BadRecord(
                seq, f'seat {seat_letter(shown.seat)} had not committed itself to "{shown.card}" in step {step}'
            )


def _check_damage(seq: int, match: DiskwarsMatch | None, event: e.DamageDealt) -> None:
    if match is None or match.board is None:
        return
    before = match.board.disks[event.disk].damage
    if event.tokens != before + event.taken:
        why = f"disk {event.disk} had {before} damage and takes {event.taken}, which is not {event.tokens}"
        raise BadRecord(seq, f"damage_dealt: {why}")


def _with_pack_figures(event: e.MatchStarted, pack: Catalogue) -> e.MatchStarted:
    """Return the event as it would be with the figures of the pack."""
    is_full = event.settings.setup == "full"
    return replace(
        event,
        field=pack.field,
        battle_die=pack.battle_die,
        profiles=tuple(pack.disks.get(profile.id, profile) for profile in event.profiles),
        cards=tuple(pack.cards.values()),
        scenarios=_scenarios(event.settings, pack),
        deployments=_sorted_by_id(pack.deployments) if is_full else (),
        terrain=_sorted_by_id(pack.terrain) if is_full else (),
    )


def _with_recorded_names(pack: Catalogue, started: e.MatchStarted) -> Catalogue:
    """Return the reader's figures with the names of the match: a name may have been corrected since."""
    armies = {army.id: army.name for army in started.armies if army.id}
    return replace(
        pack,
        disks=_by_id(with_recorded_names(pack.disks.values(), started.profiles)),
        cards=_by_id(with_recorded_names(pack.cards.values(), started.cards)),
        armies={id: replace(army, name=armies.get(id, army.name) or "") for id, army in pack.armies.items()},
        scenarios=_by_id(with_recorded_names(pack.scenarios.values(), started.scenarios)),
        special_scenarios=_by_id(with_recorded_names(pack.special_scenarios.values(), started.scenarios)),
        deployments=_by_id(with_recorded_names(pack.deployments.values(), started.deployments)),
        terrain=_by_id(with_recorded_names(pack.terrain.values(), started.terrain)),
    )


def _by_id(entries: Iterable[IdentifiedT]) -> dict[str, IdentifiedT]:
    return {entry.id: entry for entry in entries}


def _scenarios(settings: a.DiskwarsSettings, pack: Catalogue) -> tuple[Scenario, ...]:
    """R-74: a special scenario is the only one of its match."""
    if settings.setup != "full":
        return ()
    if settings.special_scenario != "none":
        return tuple(card for id, card in pack.special_scenarios.items() if id == settings.special_scenario)
    return _sorted_by_id(pack.scenarios)


def _sorted_by_id(named: Mapping[str, T]) -> tuple[T, ...]:
    return tuple(named[id] for id in sorted(named))


def _recorded_catalogue(bodies: Sequence[DiskwarsBody], packs: tuple[Pack, ...]) -> Catalogue:
    """Return the content that a match itself records: its figures, and the starter armies that were named."""
    events = events_of(bodies)
    started = next((event for event in events if isinstance(event, e.MatchStarted)), None)
    named = {body.seat for body in bodies if body.action is not None and _is_starter_army(body.action)}
    packs = packs or (Pack("", "", ""),)
    taken = [event for event in events if isinstance(event, SeatTaken) and event.seat in named]
    names = [army.name for army in started.armies] if started else [None] * MAX_SEATS
    armies = [_army_of(event.loadout, names[event.seat]) for event in taken]
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
        special_scenarios={str(started.settings.special_scenario): card for card in started.scenarios}
        if started
        else {},
        deployments={card.id: card for card in started.deployments} if started else {},
        terrain={card.id: card for card in started.terrain} if started else {},
    )


def _is_starter_army(action: a.Action) -> bool:
    """Return whether a loadout names a starter army instead of listing disks."""
    return isinstance(action, TakeSeat) and not action.loadout.regiments


def _is_hidden(loadout: a.Loadout) -> bool:
    return any(isinstance(part, Sealed) for part in (loadout.army, loadout.regiments, loadout.hand))


def _army_of(loadout: a.Loadout, name: str | None) -> Army:
    if isinstance(loadout.army, Sealed) or isinstance(loadout.regiments, Sealed) or isinstance(loadout.hand, Sealed):
        raise ValueError("an army that is hidden cannot be judged")
    return Army(loadout.army, name or "", loadout.regiments, loadout.hand)
