"""Play a whole match in memory, from the first record to the last.

Players with nonce chains of their own answer every decision, with the choosers of the client or as a test prescribes.
Everything goes through `MatchRules`, as on the server; a seed makes it repeatable.
"""

import hashlib
import os
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy
from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_content.rule_register import load_register
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.match import Command, MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat
from diskwars_protocol.match.decisions import Decision, Result
from diskwars_protocol.match.ids import ALL, HOUSE, PUBLIC, DecisionId, MatchId, PlayerId, Seat, Viewer
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions
from diskwars_protocol.match.state import chain_head
from diskwars_protocol.records.fairness import (
    SALT_BYTES,
    SEAT_LINK_BYTES,
    SERVER_CHAIN_LENGTH,
    SERVER_LINK_BYTES,
    SeatChain,
    ServerChain,
    seeded_entropy,
)
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody as Body

DiskwarsRules: TypeAlias = MatchRules[a.Action, a.Question, Board]
Chooser: TypeAlias = Callable[["PlayedMatch", Decision[a.Question]], a.Action]

IS_UPDATING_GOLDEN = os.environ.get("DISKWARS_GOLDEN") == "1"
"""Whether recorded matches are written again instead of compared."""
SEATS: tuple[Seat, ...] = (0, 1)
VIEWERS: tuple[Viewer, ...] = (*SEATS, PUBLIC, ALL)
CHAIN_LENGTH = 256
"""Links of a seat's nonce chain: enough for any match that is played here."""
QUICK_SETTINGS = a.DiskwarsSettings(setup="quick", regiments=1)
"""Most tests are about what comes after the set-up."""
ARMIES = ("chaos-patrol", "empire-patrol", "greenskin-patrol", "high-elf-patrol")


def build_rules(catalogue: Catalogue) -> DiskwarsRules:
    return MatchRules(Diskwars(catalogue))


RULES = build_rules(core_pack())
EVENT_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(RULES.vocabulary.event)
ACTION_DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(RULES.vocabulary.action)


def player_of(seat: Seat) -> PlayerId:
    return PlayerId(f"player-{'abcd'[seat]}")


ANNOUNCEMENTS = (
    e.MatchStarted,  # the figures of the match
    e.HandTaken,  # what a player has brought
    e.RoundBegan,
    e.PhaseBegan,
    e.CardLocked,  # what a player has chosen
    e.CardBegan,
    e.ActivationBegan,
    e.CardsDiscarded,
)
"""Events that only say where the game is, or what a player has done. All others are outcomes, and say why."""


def cited_rules(event: Any) -> list[str]:
    """Return the rules that an event names: at least one where it is an outcome, and each of them in the register."""
    because = getattr(event, "reasons", ())
    is_outcome = isinstance(event, Result | e.BoardEvent) and not isinstance(event, ANNOUNCEMENTS)
    if isinstance(event, Result) and event.end_reason in ("abandoned", "closed"):
        is_outcome = False  # it had not begun: no rule of the game has ended it
    assert because or not is_outcome, f"{event} gives no reason"
    named = [reason.rule for reason in because]
    assert set(named) <= set(load_register().rules)
    return named


class CachedServerChain(ServerChain):
    """The server's chain, every link worked out once: hundreds of matches are played."""

    def __init__(self, far_end: bytes) -> None:
        super().__init__(far_end)
        self._found: dict[int, bytes] = {}

    def link(self, k: int) -> bytes:
        if k not in self._found:
            self._found[k] = super().link(k)
        return self._found[k]


def _far_end(seed: int) -> bytes:
    """The seeds of recorded matches were searched for with chains of 4,096 links; so far down theirs are ours."""
    link = seeded_entropy(seed, "server")(SERVER_LINK_BYTES)
    for _ in range(4_096 - SERVER_CHAIN_LENGTH):
        link = hashlib.sha256(link).digest()
    return link


class PlayedMatch:
    """One match under way: its rules, its records so far, its state, and who plays."""

    def __init__(
        self,
        seed: int,
        armies: Sequence[str] = ("chaos-patrol", "empire-patrol"),
        settings: a.DiskwarsSettings | None = None,
        rules: DiskwarsRules = RULES,
        options: MatchOptions = DEFAULT_MATCH_OPTIONS,
    ) -> None:
        self.rules = rules
        self.idle_ms = 0
        self.chance = random.Random(seed)
        self.armies = armies
        far_end = _far_end(seed)
        self.secrets = MatchSecrets(far_end, seeded_entropy(seed, "deal")(SERVER_LINK_BYTES))
        self.secrets.chain = CachedServerChain(far_end)
        self.seats = tuple(range(len(armies)))
        self.chains = [
            SeatChain(seeded_entropy(seed, f"seat {seat}")(SEAT_LINK_BYTES), length=CHAIN_LENGTH) for seat in self.seats
        ]
        self._seed = seed
        self.bodies: list[Body] = []
        self.cited_rules: set[str] = set()
        opening = MatchOpening(
            MatchId(f"match-{seed}"),
            settings or QUICK_SETTINGS,
            len(self.seats),
            player_of(0),
            0,
            True,
            options=options,
        )
        self.state: DiskwarsMatch = self.rules.fold(None, self._record_append(rules.open(opening, self.secrets).body))

    def _record_append(self, body: Body) -> Body:
        self.bodies.append(body)
        for outcome in (*body.events, *([body.result] if body.result else [])):
            self.cited_rules.update(cited_rules(outcome))
        return body

    @property
    def events(self) -> list[Any]:
        """The events of all records."""
        return [event for body in self.bodies for event in body.events]

    def seen_by(self, viewer: Viewer) -> list[Body]:
        """The records as a viewer gets them."""
        return [self.rules.redact_body(body, viewer) for body in self.bodies]

    # ---- one command

    def decide(self, who: PlayerId, decision: str | None, action: a.Action) -> Body:
        """Return what a command would record; nothing is changed. Raises `Illegal`."""
        command: Command[a.Action] = Command(
            who, None if decision is None else DecisionId(decision), action, len(self.bodies) * 1000 + self.idle_ms
        )
        return self.rules.decide(self.state, len(self.bodies), command, self.secrets).body

    def commit(self, body: Body) -> Body:
        """A record is kept, and the state goes on with it."""
        self.state = self.rules.fold(self.state, self._record_append(body))
        return body

    def answer(self, decision: Decision[a.Question], action: a.Action) -> Body:
        """The seat asked answers. A card lock gets the player's own salt and link."""
        return self.commit(self.decide(player_of(decision.seat), decision.id, self.with_secrets(decision, action)))

    def time_out(self, decision: Decision[a.Question], idle_ms: int) -> Body:
        """The seat does not answer for so long, and the house does."""
        self.idle_ms += idle_ms
        return self.commit(self.decide(HOUSE, decision.id, default_action(self, decision)))

    def with_secrets(self, decision: Decision[a.Question], action: a.Action) -> a.Action:
        if isinstance(action, a.LockCard):
            # not from a stream: a match that is replayed for a while draws no salt twice
            salt = seeded_entropy(self._seed, f"salt {decision.id} {decision.seat}")(SALT_BYTES).hex()
            return a.LockCard(action.card, salt, self.next_seat_link(decision.seat))
        return action

    def next_seat_link(self, seat: Seat) -> str:
        """Return the link that opens the seat's chain next."""
        head, chain = chain_head(self.state.seats[seat]), self.chains[seat]
        at = next(k for k in range(256) if chain.link(k).hex() == head)
        return chain.link(at + 1).hex()

    # ---- a whole match

    def begin(self) -> "PlayedMatch":
        """All players are seated and ready: the first question of the board is open."""
        for seat, army in zip(self.seats, self.armies, strict=True):
            self.take_seat(seat, a.Loadout(army))
        return self.make_ready()

    def take_seat(self, seat: Seat, loadout: a.Loadout) -> Body:
        """A player takes a seat with a loadout."""
        decision = next(decision for decision in self.state.decisions if decision.seat == seat)
        return self.answer(decision, TakeSeat(self.chains[seat].head.hex(), loadout))

    def make_ready(self) -> "PlayedMatch":
        for seat in self.seats:
            decision = next(decision for decision in self.state.decisions if decision.seat == seat)
            self.answer(decision, Ready(self.next_seat_link(seat)))
        return self

    def play(self, choose: Chooser, records: int = 2000) -> "PlayedMatch":
        """Play on to the end, or for this many more records."""
        for _ in range(records):
            if self.state.status == "ended":
                return self
            decision = self.chance.choice(self.state.decisions)
            self.answer(decision, choose(self, decision))
        assert records < 2000, "the match does not end"
        return self

    @property
    def board(self) -> Board:
        board: Board | None = self.state.board
        assert board is not None
        return board


def replay_or_choose(
    playing: PlayedMatch, decision: Decision[a.Question], remaining: list[a.Action], choose: Chooser | None
) -> tuple[a.Action, Body]:
    """Return the next of the recorded actions, and what it records now.

    With a chooser the match goes on by itself from where they end, or are legal no longer. Sitting down and being
    ready follow from the seed, so they are not looked for among the recorded actions.
    """
    action = _opening_action(playing, decision) or (remaining.pop(0) if remaining else None)
    try:
        if action is not None:
            return action, playing.decide(player_of(decision.seat), decision.id, action)
    except Illegal:
        if choose is None:
            raise
    assert choose is not None, "the recorded actions end before the match: write them again with DISKWARS_GOLDEN=1"
    remaining.clear()
    action = playing.with_secrets(decision, choose(playing, decision))
    return action, playing.decide(player_of(decision.seat), decision.id, action)


def _opening_action(playing: PlayedMatch, decision: Decision[a.Question]) -> a.Action | None:
    match decision.question:
        case SeatQuestion():
            return TakeSeat(playing.chains[decision.seat].head.hex(), a.Loadout(playing.armies[decision.seat]))
        case ReadyQuestion():
            return Ready(playing.next_seat_link(decision.seat))
        case _:
            return None


def board_actions(actions: Iterable[a.Action]) -> list[a.Action]:
    """Return those that `answered` looks for."""
    return [action for action in actions if not isinstance(action, TakeSeat | Ready)]


# ---------------------------------------------------------------- choosers


def greedy_action(playing: PlayedMatch, decision: Decision[a.Question]) -> a.Action:
    view = playing.rules.view(playing.state, decision.seat)
    return choose_greedy(view, decision, playing.rules.options(playing.state, decision), playing.chance)


def random_action(playing: PlayedMatch, decision: Decision[a.Question]) -> a.Action:
    view = playing.rules.view(playing.state, decision.seat)
    return choose_random(view, decision, playing.rules.options(playing.state, decision), playing.chance)


def default_action(playing: PlayedMatch, decision: Decision[a.Question]) -> a.Action:
    return playing.rules.default(playing.state, decision, playing.secrets)


def mixed_action(playing: PlayedMatch, decision: Decision[a.Question]) -> a.Action:
    """Sensible enough that disks meet, wild enough that everything happens."""
    way: Chooser = playing.chance.choices((greedy_action, random_action, default_action), (50, 40, 10))[0]
    return way(playing, decision)


def begin_random_match(seed: int) -> PlayedMatch:
    """Return a match of two armies of the core pack, seated and ready, by any of the options."""
    chance = random.Random(seed)
    settings = a.DiskwarsSettings(setup="quick", pins=chance.choice(("strict", "contact")), regiments=1)
    return PlayedMatch(seed, chance.choices(ARMIES, k=2), settings).begin()


# ---------------------------------------------------------------- what others see


def until(kind: type[Any], bodies: Sequence[Body]) -> list[Body]:
    """The records up to the first event of a kind; of the one that holds it, what comes before."""
    found: list[Body] = []
    for body in bodies:
        place = next((n for n, event in enumerate(body.events) if isinstance(event, kind)), None)
        if place is not None:
            before = replace(
                body, events=body.events[:place], decisions=None, draw_index=None, cursor=None, result=None
            )
            return [*found, before]
        found.append(body)
    return found


def without_commitments(bodies: Sequence[Body]) -> list[bytes]:
    """Records as canonical JSON, commitments to cards blanked: they depend on the card by design, and tell nothing."""
    return [msgspec.json.encode(replace(body, events=tuple(map(_blank, body.events)))) for body in bodies]


def _blank(event: Any) -> Any:
    return replace(event, commitment="") if isinstance(event, e.CardLocked) else event
