"""One consistent conversation as an example, and a sample of every action and question.

Both ends accept `CONVERSATION` as it is: numbers, hashes, openings and ids fit together. Docs, samples and AsyncAPI
show it.
The moves in it are not checked for legality."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Raw, Struct

from diskwars_protocol import messages as m
from diskwars_protocol import records as r
from diskwars_protocol.canonical import JsonPath, encode_canonical
from diskwars_protocol.fairness import SeatChain, ServerChain, command_digest, deal_commitment, seeded_entropy
from diskwars_protocol.match import (
    Decision,
    DecisionId,
    MatchId,
    MatchOpened,
    Pack,
    PlayerId,
    Ready,
    ReadyQuestion,
    RecordBody,
    ReplaceChain,
    Resign,
    SeatQuestion,
    SeatTaken,
    TakeSeat,
)
from diskwars_protocol.match_options import DEFAULT_MATCH_OPTIONS
from diskwars_protocol.messages import ClientMessage, ServerMessage
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import catalogue as c
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import Ability, CommandCard, Empower, Field
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from diskwars_protocol.sealed import seal
from diskwars_protocol.setting_options import setting_options

AnyMessage: TypeAlias = ClientMessage | ServerMessage

MATCH = MatchId("hbx7mrq4wz2e")
OTHER_MATCH = MatchId("c9dk2n5ytxgw")
UNSTARTED_MATCH = MatchId("p3vdq8ztk4hs")
PLAYER_ANN = PlayerId("k4tq9wz2mh7yx3rd")
PLAYER_BEN = PlayerId("b8n3vd6pjs5g2qfe")
START_TIME_MS = 1_767_225_600_000

_bytes = seeded_entropy(1, "examples")
_chain = ServerChain(_bytes(32))
_ann, _ben = SeatChain(_bytes(16), 4), SeatChain(_bytes(16), 4)

# ---------------------------------------------------------------- the records of one match, as Ann sees them


def _seat_decision(slot: int) -> Decision[a.Question]:
    return Decision(DecisionId(f"1.{slot}"), slot, SeatQuestion())


def _seat_taken_events(seq: int, seat: int, player: PlayerId, chain: SeatChain, loadout: a.Loadout) -> DiskwarsBody:
    """Return the record in which a player takes a seat with a starter army; `seq` is its number."""
    named = DecisionId(f"1.{seat}")
    answer: TakeSeat[a.Loadout] = TakeSeat(chain.head.hex(), a.Loadout(loadout.army))
    if seat == 0:
        decisions: tuple[Decision[a.Question], ...] = (_seat_decision(1),)
    else:
        decisions = tuple(Decision(DecisionId(f"{seq}.{slot}"), slot, ReadyQuestion()) for slot in range(2))
    return RecordBody(
        at_ms=START_TIME_MS + 1000 * seq,
        seat=seat,
        decision=named,
        action=answer,
        digest=command_digest(encode_canonical([named, answer])),
        events=(SeatTaken(seat, player, chain.head.hex(), loadout),),
        decisions=decisions,
    )


PACK = Pack("diskwars/core", "1", "5d" * 32)

_OPENING_EVENTS: DiskwarsBody = RecordBody(
    at_ms=START_TIME_MS,
    events=(
        MatchOpened(
            match=MATCH,
            ruleset="diskwars",
            rules=1,
            settings=a.DiskwarsSettings(),
            seats=2,
            anchor=_chain.anchor.hex(),
            deal_commitment=deal_commitment(_bytes(32)),
            opener=PLAYER_ANN,
            options=DEFAULT_MATCH_OPTIONS,
            packs=(PACK,),
        ),
    ),
    decisions=(_seat_decision(0), _seat_decision(1)),
)
_EMPIRE = a.Loadout(
    "empire-patrol",
    (
        a.Regiment(
            "karl-franz",
            (
                "hochland-pistoliers",
                "marienburg-swordsmen",
                "marienburg-swordsmen",
                "reikland-crossbowmen",
                "bright-wizard",
            ),
        ),
    ),
    ("press-on", "aimed-volley", "all-together"),
)
_GREENSKINS = a.Loadout(
    "greenskin-patrol",
    (a.Regiment("grimgor-ironhide", ("wolf-riders", "orc-boyz", "arrer-boyz", "night-goblins", "stone-fangz-shaman")),),
    ("double-time", "fists-of-mork", "feint"),
)
_ANN_SEATED = _seat_taken_events(2, 0, PLAYER_ANN, _ann, _EMPIRE)
_BEN_SEATED = _seat_taken_events(3, 1, PLAYER_BEN, _ben, _GREENSKINS)

HEADER = encode_canonical(r.MatchHeader(match=MATCH, ruleset="diskwars"))


def _records_message(seq: int, body: DiskwarsBody) -> m.Records:
    """Return a record as Ann on seat 0 receives it: the loadout of another seat is sealed."""
    brought = ("army", "regiments", "hand")
    sealed: tuple[JsonPath, ...] = ()
    if body.action is not None:
        acted = tuple(("action", "loadout", field) for field in brought)
        sealed = (*acted, ("digest",), *(("events", 0, "loadout", field) for field in brought))
    stored, openings = seal(encode_canonical(body), sealed, lambda: _bytes(16))
    shown = openings if body.seat == 0 else ()
    return m.Records(MATCH, (r.WireRecord(seq, _bytes(16).hex(), Raw(stored), shown),))


_RECORDS_MESSAGES = (
    _records_message(1, _OPENING_EVENTS),
    _records_message(2, _ANN_SEATED),
    _records_message(3, _BEN_SEATED),
)


def _hash_after(frames: Sequence[m.Records]) -> str:
    """Return the hash of the chain after these frames."""
    found = r.genesis_hash(HEADER)
    for frame in frames:
        for record in frame.records:
            found = r.check_wire_record(record, found)
    return found.hex()


# ---------------------------------------------------------------- the conversation

_SNAPSHOT = Raw(
    encode_canonical(
        DISKWARS.fold_log(
            [
                DISKWARS.decode_body(r.unsealed_body(record))
                for message in _RECORDS_MESSAGES
                for record in message.records
            ]
        )
    )
)
"""What the three records fold to for Ann."""

_WELCOME = m.Welcome(
    version=m.PROTOCOL_VERSION,
    player=PLAYER_ANN,
    token=f"{PLAYER_ANN}.aV2xAA.Hq3nV1cYw0bJr8sTzK5uLx2pQdE4mFgA7oNiR9vB6yC",
    server_time_ms=START_TIME_MS,
    rulesets=("diskwars",),
    server="diskwars 0.1.0",
)
_OPTIONS: DiskwarsOptions = DiskwarsOptions(
    (a.PassDisk(3), a.EndCard()),
    (
        DiskwarsOption(
            a.MoveDisk(3, ((57150, 0),)), disk=3, flips=4, length=57150, areas=(Area(28575, 28575, 885825, 885825),)
        ),
    ),
    (DiskwarsUnavailable("disk_pinned", "disk 5 is pinned by disk 12", "R6.3", disk=5, numbers={"by": 12}),),
)
_TAKE_SEAT = Raw(encode_canonical(TakeSeat(_ann.head.hex(), a.Loadout("empire-patrol"))))

_CATALOGUE = c.DiskwarsCatalogue(
    packs=(Pack("diskwars/core", "1", "5d" * 32),),
    races=(c.CatalogueWord("empire", "Empire"),),
    traits=(c.CatalogueWord("caster", "Caster"),),
    field=Field(914400, 914400, 76200, 152400, 304800),
    battle_die=("hit", "critical", "scatter", "chaos", "miss", "miss"),
    disks=(),
    cards=(
        c.CatalogueCard(
            CommandCard("hold-fast", "Hold Fast", "steady", 3, abilities=(Ability("battle", Empower("medium")),)),
            "diskwars/core",
            ("battle: empowers an own disk within medium range",),
        ),
    ),
    armies=(),
    scenarios=(),
    deployments=(),
    terrain=(),
    options=setting_options(a.DiskwarsSettings)[:3],
)
_FAULTY_LOADOUT = a.Loadout("", (a.Regiment("karl-franz", ("steam-tank", "steam-tank")),), ("feint",))
_LOADOUT_FAULT = m.LoadoutFault(
    "too_many_copies",
    '2 copies of "Steam Tank", at most 1 of a large disk in one regiment',
    "R2.4",
    "$.regiments[0].units[1]",
    "leave out 1",
    {"found": 2, "most": 1},
)

FIRST_CONNECTION: tuple[AnyMessage, ...] = (
    m.Hello(client="diskwars-terminal 0.1.0"),
    _WELCOME,
    m.ListMatches("1f0c", status="running", limit=1),
    m.MatchList(
        "1f0c",
        (
            m.MatchSummary(
                OTHER_MATCH,
                "diskwars",
                "running",
                (PLAYER_BEN, PLAYER_ANN),
                START_TIME_MS - 1800000,
                START_TIME_MS - 4000,
            ),
        ),
        f"{START_TIME_MS - 1800000}.{OTHER_MATCH}",
    ),
    m.GetCatalogue("1f0d", "diskwars"),
    m.CatalogueResponse("1f0d", "diskwars", "c3" * 32, content=Raw(encode_canonical(_CATALOGUE))),
    m.CheckArmy("1f0e", "diskwars", Raw(encode_canonical(_FAULTY_LOADOUT)), Raw(b'{"regiments":1}')),
    m.ArmyChecked("1f0e", "diskwars", (_LOADOUT_FAULT,)),
    m.OpenMatch(
        "2a77",
        "diskwars",
        2,
        Raw(b'{"pins":"strict"}'),
        Raw(b'{"visibility":"link","clock":{"decision_seconds":120}}'),
    ),
    m.Opened("2a77", MATCH),
    m.Watching(MATCH, "diskwars", 0, 1, Raw(HEADER), _hash_after(())),
    _RECORDS_MESSAGES[0],
    m.Act("3b5e", MATCH, DecisionId("1.0"), _TAKE_SEAT),
    _RECORDS_MESSAGES[1],
    m.Accepted("3b5e", MATCH, 2),
    m.Act("4c19", MATCH, DecisionId("1.0"), _TAKE_SEAT),
    m.Refused(
        "4c19",
        "not_your_turn",
        "no decision of yours is open",
        place="$.decision",
        match=MATCH,
        open_decisions=Raw(encode_canonical((_seat_decision(1),))),
    ),
    m.CloseMatch("4d02", UNSTARTED_MATCH),
    m.Accepted("4d02", UNSTARTED_MATCH, 2),
)
SECOND_CONNECTION: tuple[AnyMessage, ...] = (
    m.Hello(client="diskwars-terminal 0.1.0", token=_WELCOME.token, resume=(m.ResumeRequest(MATCH, 2),)),
    _WELCOME,
    m.Watching(MATCH, "diskwars", 2, 3, Raw(HEADER), _hash_after(_RECORDS_MESSAGES[:2]), seat=0),
    _RECORDS_MESSAGES[2],
    m.Watch("5b07", MATCH, snapshot=True, push_options=True),
    m.Watching(
        MATCH, "diskwars", 3, 3, Raw(HEADER), _hash_after(_RECORDS_MESSAGES), seat=0, id="5b07", snapshot=_SNAPSHOT
    ),
    m.GetRecords("5c1e", MATCH, after=0, limit=1),
    m.RecordRange("5c1e", MATCH, 0, _hash_after(()), _RECORDS_MESSAGES[0].records),
    m.Watch("5d40", OTHER_MATCH, after=118),
    m.Watching(
        OTHER_MATCH,
        "diskwars",
        118,
        118,
        Raw(encode_canonical(r.MatchHeader(match=OTHER_MATCH, ruleset="diskwars"))),
        _bytes(32).hex(),
        seat=1,
        id="5d40",
    ),
    m.GetOptions("6e83", OTHER_MATCH, DecisionId("118.0"), include_unavailable=True),
    m.OptionsResponse("6e83", OTHER_MATCH, DecisionId("118.0"), Raw(encode_canonical(_OPTIONS))),
    m.Unwatch("7f2b", OTHER_MATCH),
    m.Unwatched(OTHER_MATCH, "7f2b"),
    m.Closing(m.CLOSE_CODES["going_away"], "going_away", "the server is restarted", retry_after_ms=500),
)
CONVERSATION = FIRST_CONNECTION + SECOND_CONNECTION
"""The messages of both ends in the order in which they are said. Between the two sockets the link was lost."""


def find_example(kind: type[Struct]) -> AnyMessage:
    """Return the first message of a type in the story."""
    return next(message for message in CONVERSATION if isinstance(message, kind))


# ---------------------------------------------------------------- every action and every question of Diskwars

ACTIONS: tuple[a.Action, ...] = (
    TakeSeat(_ann.head.hex(), a.Loadout("empire-patrol")),
    Ready(_ann.link(1).hex()),
    Resign(),
    ReplaceChain(_ben.head.hex()),
    a.ChooseFirstPlayer(1),
    a.SetOrder((2, 0, 1)),
    a.ChooseScenario("forced-march"),
    a.LayDeploymentCard("rendezvous", 1, 355600),
    a.PlaceTerrain("cave-dark-wood", 0, 457200, 457200, 9),
    a.EndScouting(),
    a.Deploy((a.Placement(0, 457200, 76200), a.Placement(1, 558800, 76200))),
    a.LockCard("press-on", _bytes(16).hex(), _ann.link(2).hex()),
    a.MoveDisk(1, ((0, 57150), (34290, 45720)), end_activation=False),
    a.Shoot(4, 9, shot=0),
    a.Focus(5, target=9, ability=0),
    a.PassDisk(2),
    a.Reinforce(3, 457200, 28575),
    a.UseAbility(0, target=8),
    a.EndCard(),
    a.ChooseScatter(8),
    a.OrderTriggers((1, 0)),
    a.UseEngageAbility(2),
    a.ChooseEngagement(2),
    a.ChooseTargets((a.MeleeTarget(1, 8), a.MeleeTarget(2, 8))),
)
QUESTIONS: tuple[a.Question, ...] = (
    SeatQuestion(),
    ReadyQuestion(),
    a.FirstPlayerQuestion(),
    a.InitiativeOrderQuestion(),
    a.ScenarioQuestion(),
    a.DeploymentCardQuestion(("rendezvous", "scout"), (a.EdgeSpan(0, 355600), a.EdgeSpan(444500, 914400))),
    a.TerrainQuestion(("cave-dark-wood",)),
    a.DeploymentQuestion((a.ZoneLimit(0, 3), a.ZoneLimit(1, 2)), 5),
    a.ScoutQuestion((1, 3)),
    a.CommandCardQuestion(),
    a.ActivationQuestion("press-on", 3, ability_available=False),
    a.ContinuationQuestion(1, 2, ("move", "shoot")),
    a.ScatterQuestion(4, (8, 10)),
    a.TriggerOrderQuestion((a.Trigger(1, 8, 0), a.Trigger(2, 8, 0))),
    a.EngageAbilityQuestion(a.Trigger(1, 8, 0), (1, 2), optional=True),
    a.ReinforcementQuestion(0, "short", (5, 6)),
    a.RampageQuestion(4, (8,), must_overlap=True),
    a.EngagementQuestion((0, 2)),
    a.MeleeTargetsQuestion(2, "normal", "attacker", (a.StrikerChoice(1, (8,)), a.StrikerChoice(2, (8, 9)))),
)
