"""What does a conversation look like, word by word?

`STORY` is one that both ends accept as it stands: numbers, hashes, openings and ids fit together. Docs, samples and
AsyncAPI show it. Beside it every action and question. Must not know rules: nobody checks that a move here is legal.
"""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Raw, Struct

from diskwars_protocol import messages as m
from diskwars_protocol import records as r
from diskwars_protocol.canonical import Path, canonical
from diskwars_protocol.fairness import SeatChain, ServerChain, command_digest, deal_commitment, seeded
from diskwars_protocol.match import (
    Acted,
    Area,
    AskReady,
    AskSeat,
    Awaiting,
    Decision,
    DecisionId,
    MatchId,
    MatchOpened,
    Options,
    Pack,
    Plan,
    PlayerId,
    Ready,
    ReplaceChain,
    Resign,
    SeatTaken,
    TakeSeat,
    WhyNot,
)
from diskwars_protocol.messages import FromClient, FromServer
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.sealed import seal

Message: TypeAlias = FromClient | FromServer

MATCH = MatchId("hbx7mrq4wz2e")
OTHER = MatchId("c9dk2n5ytxgw")
ANN = PlayerId("k4tq9wz2mh7yx3rd")
BEN = PlayerId("b8n3vd6pjs5g2qfe")
TIME = 1_767_225_600_000

_bytes = seeded(1, "examples")
_chain = ServerChain(_bytes(32))
_ann, _ben = SeatChain(_bytes(16), 4), SeatChain(_bytes(16), 4)

# ---------------------------------------------------------------- the records of one match, as Ann sees them


def _seat_awaited(slot: int) -> Decision[a.Question]:
    return Decision(DecisionId(f"2.{slot}"), slot, AskSeat())


def _seated(seq: int, seat: int, player: PlayerId, chain: SeatChain, brought: a.Entry) -> list[Struct]:
    """The append in which a player sits down with a starter army; `seq` is that of its first record."""
    named = DecisionId(f"2.{seat}")
    answer: TakeSeat[a.Entry] = TakeSeat(chain.head.hex(), a.Entry(brought.army))
    digest = command_digest(canonical([named, answer]))
    if seat == 0:
        decisions: tuple[Decision[a.Question], ...] = (_seat_awaited(1),)
    else:
        decisions = tuple(Decision(DecisionId(f"{seq + 2}.{slot}"), slot, AskReady()) for slot in range(2))
    return [
        Acted[a.Action](seat, named, answer, TIME + 1000 * seq, digest),
        SeatTaken[a.Entry](seat, player, chain.head.hex(), brought),
        Awaiting[a.Question](decisions, 0),
    ]


PACK = Pack("diskwars/core", "1", "5d" * 32)

_OPENED: list[Struct] = [
    MatchOpened[a.Settings](
        match=MATCH,
        ruleset="diskwars",
        rules="diskwars 0.1.0",
        settings=a.Settings(),
        seats=2,
        anchor=_chain.anchor.hex(),
        deal=deal_commitment(_bytes(32)),
        opener=ANN,
        at=TIME,
        packs=(PACK,),
    ),
    Awaiting[a.Question]((_seat_awaited(0), _seat_awaited(1)), 0),
]
_EMPIRE = a.Entry(
    "Empire Patrol",
    (
        a.Regiment(
            "Karl Franz",
            (
                "Hochland Pistoliers",
                "Marienburg Swordsmen",
                "Marienburg Swordsmen",
                "Reikland Crossbowmen",
                "Bright Wizard",
            ),
        ),
    ),
    ("Press On", "Aimed Volley", "All Together"),
)
_GREENSKINS = a.Entry(
    "Greenskin Patrol",
    (a.Regiment("Grimgor Ironhide", ("Wolf Riders", "Orc Boyz", "Arrer Boyz", "Night Goblins", "Stone Fangz Shaman")),),
    ("Double Time", "Fists of Mork", "Feint"),
)
_ANN_SAT = _seated(3, 0, ANN, _ann, _EMPIRE)
_BEN_SAT = _seated(6, 1, BEN, _ben, _GREENSKINS)

HEADER = canonical(r.Header(match=MATCH, ruleset="diskwars"))


def _wire(seq: int, event: Struct) -> r.WireRecord:
    """A record as Ann on seat 0 gets it: whoever sits down keeps to himself what he brings."""
    brought = ("army", "regiments", "hand")
    sealed: tuple[Path, ...] = ()
    if isinstance(event, Acted):
        sealed = (*(("action", "entry", field) for field in brought), ("digest",))
    elif isinstance(event, SeatTaken):
        sealed = tuple(("entry", field) for field in brought)
    body, openings = seal(canonical(event), sealed, lambda: _bytes(16))
    shown = openings if getattr(event, "seat", None) == 0 else ()
    return r.WireRecord(seq, salt=_bytes(16).hex(), body=Raw(body), open=shown)


def _frame(first: int, events: Sequence[Struct]) -> m.Records:
    records = tuple(_wire(seq, event) for seq, event in enumerate(events, first))
    return m.Records(MATCH, first, records[-1].seq, records)


_FRAMES = (_frame(1, _OPENED), _frame(3, _ANN_SAT), _frame(6, _BEN_SAT))


def _hash(frames: Sequence[m.Records]) -> str:
    """The hash of the chain after these frames."""
    found = r.genesis(HEADER)
    for frame in frames:
        for record in frame.records:
            found = r.check(record, found)
    return found.hex()


# ---------------------------------------------------------------- the conversation

_WELCOME = m.Welcome(
    version=m.VERSION,
    player=ANN,
    token=f"{ANN}.aV2xAA.Hq3nV1cYw0bJr8sTzK5uLx2pQdE4mFgA7oNiR9vB6yC",
    time=TIME,
    rulesets=("diskwars",),
    server="diskwars 0.1.0",
)
_OPTIONS: Options[a.Action] = Options(
    (a.PassDisk(3), a.EndCard()),
    (Plan(a.MoveDisk(3, ((57150, 0),)), disk=3, flips=4, length=57150, areas=(Area(28575, 28575, 885825, 885825),)),),
    (WhyNot("disk_pinned", "disk 5 is pinned by disk 12", "R6.3", disk=5, numbers={"by": 12}),),
)
_TAKE_SEAT = Raw(canonical(TakeSeat(_ann.head.hex(), a.Entry("Empire Patrol"))))

FIRST_SOCKET: tuple[Message, ...] = (
    m.Hello(client="diskwars-terminal 0.1.0"),
    _WELCOME,
    m.ListMatches("1f0c", status="running"),
    m.MatchesAre("1f0c", (m.MatchListed(OTHER, "diskwars", "running", (BEN, ANN), TIME - 1800000, TIME - 4000),)),
    m.OpenMatch("2a77", "diskwars", 2, Raw(b'{"pins":"strict"}')),
    m.Opened("2a77", MATCH),
    m.Watching(MATCH, "diskwars", 0, 2, Raw(HEADER), _hash(())),
    _FRAMES[0],
    m.Act("3b5e", MATCH, DecisionId("2.0"), _TAKE_SEAT),
    _FRAMES[1],
    m.Accepted("3b5e", MATCH, 3, 5),
    m.Act("4c19", MATCH, DecisionId("2.0"), _TAKE_SEAT),
    m.Refused(
        "4c19",
        "not_your_turn",
        "no decision of yours is open",
        place="$.decision",
        match=MATCH,
        open=Raw(canonical((_seat_awaited(1),))),
    ),
)
SECOND_SOCKET: tuple[Message, ...] = (
    m.Hello(client="diskwars-terminal 0.1.0", token=_WELCOME.token, resume=(m.Resume(MATCH, 5),)),
    _WELCOME,
    m.Watching(MATCH, "diskwars", 5, 8, Raw(HEADER), _hash(_FRAMES[:2]), seat=0),
    _FRAMES[2],
    m.Watch("5d40", OTHER, after=118),
    m.Watching(
        OTHER,
        "diskwars",
        118,
        118,
        Raw(canonical(r.Header(match=OTHER, ruleset="diskwars"))),
        _bytes(32).hex(),
        seat=1,
        id="5d40",
    ),
    m.AskOptions("6e83", OTHER, DecisionId("118.0")),
    m.OptionsAre("6e83", OTHER, DecisionId("118.0"), Raw(canonical(_OPTIONS))),
    m.Unwatch("7f2b", OTHER),
    m.Unwatched(OTHER, "7f2b"),
    m.Closing(m.CLOSES["going_away"], "going_away", "the server is restarted", retry_after_ms=500),
)
STORY = FIRST_SOCKET + SECOND_SOCKET
"""The messages of both ends in the order in which they are said. Between the two sockets the link was lost."""


def example(kind: type[Struct]) -> Message:
    """The first message of a type in the story."""
    return next(message for message in STORY if isinstance(message, kind))


# ---------------------------------------------------------------- every action and every question of Diskwars

ACTIONS: tuple[a.Action, ...] = (
    TakeSeat(_ann.head.hex(), a.Entry("Empire Patrol")),
    Ready(_ann.link(1).hex()),
    Resign(),
    ReplaceChain(_ben.head.hex()),
    a.ChooseFirst(1),
    a.SetOrder((2, 0, 1)),
    a.ChooseScenario("Forced March"),
    a.LayDeployment("Rendezvous", 1, 355600),
    a.PlaceTerrain("Forest", 0, 457200, 457200, 9),
    a.EndScouting(),
    a.Deploy((a.Placing(0, 457200, 76200), a.Placing(1, 558800, 76200))),
    a.LockCard("Press On", _bytes(16).hex(), _ann.link(2).hex()),
    a.MoveDisk(1, ((0, 57150), (34290, 45720)), end=False),
    a.Shoot(4, 9, shot=0),
    a.Focus(5, target=9, ability=0),
    a.PassDisk(2),
    a.Reinforce(3, 457200, 28575),
    a.UseAbility(0, target=8),
    a.EndCard(),
    a.ChooseScatter(8),
    a.OrderTriggers((1, 0)),
    a.ChooseUse(2),
    a.ChooseEngagement(2),
    a.ChooseTargets(((1, 8), (2, 8))),
)
QUESTIONS: tuple[a.Question, ...] = (
    AskSeat(),
    AskReady(),
    a.AskFirst(),
    a.AskOrder(),
    a.AskScenario(),
    a.AskDeploymentCard(("Rendezvous", "Scout"), ((0, 355600), (444500, 914400))),
    a.AskTerrain(("Forest",)),
    a.AskDeployment(((0, 3), (1, 2)), 5),
    a.AskScout((1, 3)),
    a.AskCard(),
    a.AskActivation("Press On", 3, ability=False),
    a.AskContinue(1, 2, ("move", "shoot")),
    a.AskScatter(4, (8, 10)),
    a.AskTriggers((a.Trigger(1, 8, 0), a.Trigger(2, 8, 0))),
    a.AskUse(a.Trigger(1, 8, 0), (1, 2), may=True),
    a.AskReinforcement(0, "short", (5, 6)),
    a.AskRampage(4, (8,), overlap=True),
    a.AskEngagement((0, 2)),
    a.AskTargets(2, "normal", "attacker", ((1, (8,)), (2, (8, 9)))),
)
