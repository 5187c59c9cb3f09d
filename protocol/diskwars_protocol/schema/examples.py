"""One consistent conversation as an example, and a sample of every action and question.

Both ends accept `CONVERSATION` as it is: numbers, hashes, openings and ids fit together. Docs, samples and AsyncAPI
show it. What is the ruleset's in it comes from the samples of the registered one that is shown.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from diskwars_protocol.clubs.events import SeasonRow
from diskwars_protocol.clubs.options import ClubOptions
from diskwars_protocol.clubs.state import ClubMember, Season
from diskwars_protocol.match.actions import (
    AnswerOffer,
    MakeOffer,
    Ready,
    ReadyQuestion,
    ReplaceChain,
    Resign,
    ResumePlay,
    SeatQuestion,
    TakeBack,
    TakebackOffer,
    TakeSeat,
)
from diskwars_protocol.match.decisions import Decision, Result
from diskwars_protocol.match.events import MatchOpened, SeatTaken
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, BranchPoint
from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.messages import ClientMessage, ServerMessage
from diskwars_protocol.messages.accounts import (
    Account,
    AccountChanged,
    AnswerDeviceLogin,
    ApiTokenMade,
    BotAccountList,
    ChangePassword,
    DeleteAccount,
    Device,
    DeviceList,
    DeviceLoginView,
    FollowedPlayer,
    FollowedPlayers,
    FollowPlayer,
    GetDeviceLogin,
    GetOwnData,
    GetPlayers,
    ListBotAccounts,
    ListDevices,
    ListFollowed,
    LogIn,
    LogOut,
    MakeApiToken,
    MakeRecoveryCodes,
    MarkAsBot,
    NameGuest,
    OwnChatMessage,
    OwnData,
    OwnReport,
    PlayerList,
    PlayerSummary,
    RecoverAccount,
    RecoveryCodes,
    Register,
    Rename,
    RevokeDevice,
    ShowPresence,
    SignedIn,
    UnfollowPlayer,
)
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue
from diskwars_protocol.messages.challenges import (
    AcceptChallenge,
    AllowChallenges,
    Challenge,
    ChallengeChanged,
    ChallengeList,
    ChallengePlayer,
    ChallengeView,
    DeclineChallenge,
    ListChallenges,
    WithdrawChallenge,
)
from diskwars_protocol.messages.chat import (
    ChatJoined,
    ChatMessage,
    ChatPage,
    ChatPosted,
    ChatSent,
    GetChat,
    JoinChat,
    ListMutedPlayers,
    MutedPlayers,
    MutePlayer,
    SendChat,
)
from diskwars_protocol.messages.closing import CLOSE_CODES, Closing
from diskwars_protocol.messages.clubs import (
    AcceptClubInvitation,
    ActInClub,
    BeginSeasonAct,
    ClubChanged,
    ClubInvitation,
    ClubInvitationFound,
    ClubInvited,
    ClubLadder,
    ClubList,
    ClubSummary,
    ClubView,
    FindClubInvitation,
    GetClub,
    GetClubLadder,
    InviteToClub,
    ListClubs,
    OpenClub,
)
from diskwars_protocol.messages.decisions import Accepted, Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.files import (
    MAX_PART_BYTES,
    FinishImport,
    ImportPart,
    ImportPartReceived,
    ImportStarted,
    MatchImported,
    StartImport,
)
from diskwars_protocol.messages.handshake import (
    DEFAULT_CLIENT_LIMITS,
    PROTOCOL_VERSION,
    Hello,
    ResumeRequest,
    RulesetSummary,
    Welcome,
)
from diskwars_protocol.messages.history import GetRecords, Openings, RecordOpenings, RecordRange, Records
from diskwars_protocol.messages.lesson_progress import AddLessonProgress, GuidedMatch, LessonProgress
from diskwars_protocol.messages.lists import (
    FollowMatches,
    ListMatches,
    MatchesChanged,
    MatchList,
    SearchMatches,
    Unfollowed,
    UnfollowMatches,
)
from diskwars_protocol.messages.lobby import (
    CreateInvite,
    Entered,
    EnterMatch,
    Invite,
    InviteCreated,
    InviteList,
    ListInvites,
    RevokeInvite,
    UseInvite,
)
from diskwars_protocol.messages.match_summary import MatchOptionsSummary, MatchSummary, SeatSummary
from diskwars_protocol.messages.notices import (
    AddNoticeChannel,
    ChannelKind,
    EmailTarget,
    GetNotices,
    LookAt,
    LookedAt,
    NoticeChannel,
    NoticePreferences,
    NoticeRule,
    NoticeSettings,
    QuietHours,
    RemoveNoticeChannel,
    SetNotices,
    TryNoticeChannel,
)
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.ratings import (
    ArmyResults,
    ArmyStatistics,
    FormerName,
    GetArmyStatistics,
    GetLeaderboard,
    GetPlayerStatistics,
    GetRatingHistory,
    Leaderboard,
    LeaderboardEntry,
    PlayerRating,
    PlayerStatistics,
    RatingChange,
    RatingHistory,
)
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.rematches import DeclineRematch, OfferRematch, Rematch, RematchChanged
from diskwars_protocol.messages.reports import ContentReported, PlayerReported, ReportContent, ReportPlayer
from diskwars_protocol.messages.reviews import MatchReview, ReviewedMoment, ReviewMatch
from diskwars_protocol.messages.seats import KickPlayer, SeatBot
from diskwars_protocol.messages.seeks import MatchFound, Seeking, SeekMatch, StopSeeking
from diskwars_protocol.messages.tournaments import (
    ActInTournament,
    CorrectResultAct,
    GetTournament,
    ListTournaments,
    OpenTournament,
    TournamentChanged,
    TournamentList,
    TournamentSummary,
    TournamentView,
)
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch, WatchersChanged, Watching
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import JsonPath, encode_canonical
from diskwars_protocol.records.fairness import SeatChain, ServerChain, command_digest, deal_commitment, seeded_entropy
from diskwars_protocol.records.sealed import seal
from diskwars_protocol.rulesets.ruleset_samples import SeatSample, complete_samples, make_sample
from diskwars_protocol.rulesets.samples import SHOWN
from diskwars_protocol.tournaments.options import MatchTemplate, TournamentOptions
from diskwars_protocol.tournaments.standings import standings_of
from diskwars_protocol.tournaments.state import BoardResult, Entrant, Tournament, TournamentBoard, TournamentRound

AnyMessage: TypeAlias = ClientMessage | ServerMessage
ExampleBody: TypeAlias = RecordBody[Any, Any, Any]

RULESET = SHOWN.vocabulary.name
MATCH = MatchId("hbx7mrq4wz2e")
OTHER_MATCH = MatchId("c9dk2n5ytxgw")
UNSTARTED_MATCH = MatchId("p3vdq8ztk4hs")
ENDED_MATCH = MatchId("w6ynb4gfr8tm")
PLAYER_ANN = PlayerId("k4tq9wz2mh7yx3rd")
PLAYER_BEN = PlayerId("b8n3vd6pjs5g2qfe")
START_TIME_MS = 1_767_225_600_000

_bytes = seeded_entropy(1, "examples")
_chain = ServerChain(_bytes(32))
_ann, _ben = SeatChain(_bytes(16), 4), SeatChain(_bytes(16), 4)

# ---------------------------------------------------------------- the records of one match, as Ann sees them


def _seat_decision(slot: int) -> Decision[Any]:
    return Decision(DecisionId(f"1.{slot}"), slot, SeatQuestion())


def _seat_taken_events(seq: int, seat: int, player: PlayerId, chain: SeatChain, brought: SeatSample) -> ExampleBody:
    """Return the record in which a player takes a seat ; `seq` is its number."""
    named = DecisionId(f"1.{seat}")
    answer: TakeSeat[Any] = TakeSeat(chain.head.hex(), brought.requested)
    if seat == 0:
        decisions: tuple[Decision[Any], ...] = (_seat_decision(1),)
    else:
        decisions = tuple(Decision(DecisionId(f"{seq}.{slot}"), slot, ReadyQuestion()) for slot in range(2))
    return RecordBody(
        at_ms=START_TIME_MS + 1000 * seq,
        seat=seat,
        decision=named,
        action=answer,
        digest=command_digest(encode_canonical([named, answer])),
        events=(SeatTaken(seat, player, chain.head.hex(), brought.complete),),
        decisions=decisions,
    )


_OPENING_EVENTS: ExampleBody = RecordBody(
    at_ms=START_TIME_MS,
    events=(
        MatchOpened(
            match=MATCH,
            ruleset=RULESET,
            rules_version=1,
            settings=msgspec.json.decode(SHOWN.match_settings, type=SHOWN.vocabulary.settings),
            seat_count=2,
            anchor=_chain.anchor.hex(),
            deal_commitment=deal_commitment(_bytes(32)),
            opener=PLAYER_ANN,
            match_options=DEFAULT_MATCH_OPTIONS,
            packs=SHOWN.packs,
        ),
    ),
    decisions=(_seat_decision(0), _seat_decision(1)),
)
_ANN_SEATED = _seat_taken_events(2, 0, PLAYER_ANN, _ann, SHOWN.seats[0])
_BEN_SEATED = _seat_taken_events(3, 1, PLAYER_BEN, _ben, SHOWN.seats[1])

HEADER = encode_canonical(r.MatchHeader(format=r.FORMAT, match=MATCH, ruleset=RULESET))


def _records_message(seq: int, body: ExampleBody) -> Records:
    """Return a record as Ann on seat 0 receives it: the loadout of another seat is sealed."""
    brought = SHOWN.hidden_fields
    sealed: tuple[JsonPath, ...] = ()
    if body.action is not None:
        acted = tuple(("action", "loadout", field) for field in brought)
        sealed = (*acted, ("digest",), *(("events", 0, "loadout", field) for field in brought))
    stored, openings = seal(encode_canonical(body), sealed, lambda: _bytes(16))
    shown = openings if body.seat == 0 else ()
    return Records(MATCH, (r.WireRecord(seq, _bytes(16).hex(), Raw(stored), shown),))


_RECORDS_MESSAGES = (
    _records_message(1, _OPENING_EVENTS),
    _records_message(2, _ANN_SEATED),
    _records_message(3, _BEN_SEATED),
)


def _hash_after(frames: Sequence[Records]) -> str:
    """Return the hash of the chain after these frames."""
    chain = r.genesis_hash(HEADER)
    for frame in frames:
        for record in frame.records:
            chain = r.check_wire_record(record, chain)
    return chain.hex()


# ---------------------------------------------------------------- the conversation

_SNAPSHOT = Raw(
    encode_canonical(
        SHOWN.vocabulary.fold_log(
            [
                SHOWN.vocabulary.decode_body(r.unsealed_body(record))
                for message in _RECORDS_MESSAGES
                for record in message.records
            ]
        )
    )
)
"""The state to which the three records fold for Ann."""

_WELCOME = Welcome(
    version=PROTOCOL_VERSION,
    player=PLAYER_ANN,
    token=f"{PLAYER_ANN}.aV2xAA.Hq3nV1cYw0bJr8sTzK5uLx2pQdE4mFgA7oNiR9vB6yC",
    server_time_ms=START_TIME_MS,
    rulesets=(RulesetSummary(RULESET, seat_counts=(2, 3, 4), bots=("greedy", "random")),),
    limits=DEFAULT_CLIENT_LIMITS,
    server="diskwars 0.1.0",
)
_TAKE_SEAT = Raw(encode_canonical(TakeSeat(_ann.head.hex(), SHOWN.seats[0].requested)))

FIRST_CONNECTION: tuple[AnyMessage, ...] = (
    Hello((PROTOCOL_VERSION,), "diskwars-terminal 0.1.0"),
    _WELCOME,
    ListMatches("1f0c", status="running", limit=1),
    MatchList(
        "1f0c",
        (
            MatchSummary(
                OTHER_MATCH,
                RULESET,
                "running",
                (SeatSummary(PLAYER_BEN), SeatSummary(PLAYER_ANN)),
                START_TIME_MS - 1800000,
                START_TIME_MS - 4000,
                MatchOptionsSummary(),
            ),
        ),
        f"{START_TIME_MS - 1800000}.{OTHER_MATCH}",
    ),
    SearchMatches("1f1a", player_name="Ben", won=True, ruleset=RULESET, min_records=50, limit=1),
    MatchList(
        "1f1a",
        (
            MatchSummary(
                OTHER_MATCH,
                RULESET,
                "ended",
                (SeatSummary(PLAYER_BEN), SeatSummary(PLAYER_ANN)),
                START_TIME_MS - 1800000,
                START_TIME_MS - 4000,
                MatchOptionsSummary(),
                Result("resignation", (0,)),
                records=71,
            ),
        ),
    ),
    GetCatalogue("1f0d", RULESET),
    CatalogueResponse("1f0d", RULESET, "c3" * 32, content=Raw(encode_canonical(SHOWN.catalogue))),
    CheckArmy("1f0e", RULESET, Raw(encode_canonical(SHOWN.faulty_loadout)), Raw(SHOWN.check_settings)),
    ArmyChecked("1f0e", RULESET, (SHOWN.loadout_fault,)),
    OpenMatch(
        "2a77",
        RULESET,
        2,
        Raw(SHOWN.match_settings),
        Raw(b'{"visibility":"link","clock":{"type":"per_decision","decision_seconds":120}}'),
    ),
    Opened("2a77", MATCH),
    Watching(MATCH, RULESET, 0, 1, Raw(HEADER), _hash_after(())),
    _RECORDS_MESSAGES[0],
    Act("3b5e", MATCH, _TAKE_SEAT, DecisionId("1.0")),
    _RECORDS_MESSAGES[1],
    Accepted("3b5e", MATCH, 2),
    Act("4c19", MATCH, _TAKE_SEAT, DecisionId("1.0")),
    Refused(
        "already_seated",
        "you sit on seat A",
        "4c19",
        match=MATCH,
        open_decisions=Raw(encode_canonical((_seat_decision(1),))),
    ),
    SeatBot("4d01", UNSTARTED_MATCH, "greedy", 1, Raw(encode_canonical(SHOWN.seats[1].requested))),
    Accepted("4d01", UNSTARTED_MATCH, 2),
    KickPlayer("4d03", UNSTARTED_MATCH, 1),
    Accepted("4d03", UNSTARTED_MATCH, 3),
    CloseMatch("4d02", UNSTARTED_MATCH),
    Accepted("4d02", UNSTARTED_MATCH, 4),
)
_SEEN_OPENING = replace(_RECORDS_MESSAGES[1].records[0].openings[3], seats=(0,))

SECOND_CONNECTION: tuple[AnyMessage, ...] = (
    Hello((PROTOCOL_VERSION,), "diskwars-terminal 0.1.0", _WELCOME.token, (ResumeRequest(MATCH, 2),)),
    _WELCOME,
    Watching(MATCH, RULESET, 2, 3, Raw(HEADER), _hash_after(_RECORDS_MESSAGES[:2]), seat=0),
    _RECORDS_MESSAGES[2],
    Watch("5b07", MATCH, snapshot=True, push_options=True),
    Watching(MATCH, RULESET, 3, 3, Raw(HEADER), _hash_after(_RECORDS_MESSAGES), seat=0, id="5b07", snapshot=_SNAPSHOT),
    GetRecords("5c1e", MATCH, after=0, limit=1),
    RecordRange("5c1e", MATCH, 0, _hash_after(()), _RECORDS_MESSAGES[0].records),
    Watch("5d40", OTHER_MATCH, after=118),
    Watching(
        OTHER_MATCH,
        RULESET,
        118,
        118,
        Raw(encode_canonical(r.MatchHeader(format=r.FORMAT, match=OTHER_MATCH, ruleset=RULESET))),
        _bytes(32).hex(),
        seat=1,
        id="5d40",
    ),
    GetOptions("6e83", OTHER_MATCH, DecisionId("118.0"), include_unavailable=True),
    OptionsResponse(OTHER_MATCH, DecisionId("118.0"), Raw(encode_canonical(SHOWN.options)), "6e83"),
    Watch("6f50", ENDED_MATCH, after=31, push_openings=True),
    Watching(
        ENDED_MATCH,
        RULESET,
        31,
        31,
        Raw(encode_canonical(r.MatchHeader(format=r.FORMAT, match=ENDED_MATCH, ruleset=RULESET))),
        _bytes(32).hex(),
        seat=0,
        id="6f50",
    ),
    Openings(ENDED_MATCH, (RecordOpenings(2, (_SEEN_OPENING,)),), complete=True),
    WatchersChanged(OTHER_MATCH, 2),
    Unwatch("7f2b", OTHER_MATCH),
    Unwatched(OTHER_MATCH, "7f2b"),
    Closing(CLOSE_CODES["going_away"], "going_away", "the server is restarted", retry_after_ms=500),
)
_DEVICE_TOKEN = "device_yEXAMPLExq3nV1cYw0bJr8sTzK5uLx2pQdE4mFgA7o"
_ANNS_ACCOUNT = Account("Ann of Altdorf", "q7ynb4gfr8tmc")
_ANNS_DEVICES = (
    Device("q7ynb4gfr8tmc", START_TIME_MS + 60_000, START_TIME_MS + 60_000, "laptop", is_current=True),
    Device("m3vdq8ztk4hsa", START_TIME_MS - 86_400_000, START_TIME_MS - 3_600_000, "phone"),
)
ACCOUNT_EXAMPLES: tuple[AnyMessage, ...] = (
    Register("8a10", "Ann of Altdorf", "the griffon flies at dawn", "laptop"),
    SignedIn("8a10", PLAYER_ANN, _DEVICE_TOKEN, _ANNS_ACCOUNT),
    LogIn("8a11", "Ann of Altdorf", "the griffon flies at dawn", "phone"),
    ListDevices("8a12"),
    DeviceList("8a12", _ANNS_DEVICES),
    RevokeDevice("8a13", "m3vdq8ztk4hsa"),
    MakeApiToken("8a1d", ("play", "watch"), "my bot"),
    ApiTokenMade("8a1d", "api_yEXAMPLExq3nV1cYw0bJr8sTzK5uLx2pQdE4mFgA7o", "b5ncv7wqk2rhx"),
    ChangePassword("8a14", "the griffon flies at dawn", "the griffon sleeps at noon", revoke_others=True),
    Rename("8a15", "Ann of Nuln"),
    AccountChanged("8a15", replace(_ANNS_ACCOUNT, name="Ann of Nuln")),
    NameGuest("8a1c", "Marek of Altdorf"),
    AccountChanged("8a1c"),
    GetPlayers("8a16", (PLAYER_ANN, PLAYER_BEN)),
    PlayerList(
        "8a16",
        (
            PlayerSummary(PLAYER_ANN, "Ann of Nuln", "registered", 2_865_184_420, is_online=True),
            PlayerSummary(PLAYER_BEN, "Guest 2QFE", "guest", 1_017_323_871, hides_presence=True),
        ),
    ),
    MakeRecoveryCodes("8a19", "the griffon flies at dawn"),
    RecoveryCodes("8a19", ("k7rm-tx4d-qh2w-nb9s", "c3vp-8zkf-m5ya-gt6h")),
    RecoverAccount("8a1a", "Ann of Altdorf", "k7rm-tx4d-qh2w-nb9s", "the griffon sleeps at noon", "phone"),
    FollowPlayer("8a1e", "Ben of Ulm"),
    FollowedPlayers("8a1e", (FollowedPlayer(PLAYER_BEN, "Ben of Ulm", 1_017_323_871, is_online=True),)),
    UnfollowPlayer("8a1f", PLAYER_BEN),
    ListFollowed("8a20"),
    MarkAsBot("8a30"),
    AccountChanged("8a30", Account("Archer of Nuln", _ANNS_ACCOUNT.device, is_bot=True)),
    ListBotAccounts("8a31"),
    BotAccountList(
        "8a31",
        (PlayerSummary(PLAYER_BEN, "Archer of Nuln", "registered", 1_017_323_871, is_online=True, is_bot=True),),
    ),
    ShowPresence("8a21", shown=True),
    AddLessonProgress("8a22", ("turn",), GuidedMatch(MATCH, START_TIME_MS, ("command_card",))),
    LessonProgress("8a22", ("turn", "land"), GuidedMatch(MATCH, START_TIME_MS, ("deployment", "command_card"))),
    GetDeviceLogin("8a23", "BDKR-WQXZ"),
    AnswerDeviceLogin("8a24", "BDKR-WQXZ", approved=True),
    DeviceLoginView("8a24", "approved", START_TIME_MS, "my bot", ("play", "watch")),
    LogOut("8a17"),
    GetOwnData("8a25"),
    OwnData(
        "8a25",
        PLAYER_ANN,
        "Ann of Nuln",
        START_TIME_MS,
        messages=(OwnChatMessage(MATCH, "players", 7, START_TIME_MS, "Good luck!"),),
        reports=(OwnReport("match", MATCH, 41, START_TIME_MS, "Insults me in the chat since round 2.", PLAYER_BEN),),
    ),
    DeleteAccount("8a18", "the griffon sleeps at noon"),
)
"""Messages about accounts, each under an id of its own: they are no part of the conversation."""
_INVITE_CODE = "invite-hq3nvcyw7bjr8stz"
LOBBY_EXAMPLES: tuple[AnyMessage, ...] = (
    FollowMatches("8b01", ruleset=RULESET, has_free_seat=True, settings={"regiments": 1}, pace="no_clock"),
    MatchesChanged(
        (
            MatchSummary(
                UNSTARTED_MATCH,
                RULESET,
                "open",
                (SeatSummary(PLAYER_BEN), SeatSummary()),
                START_TIME_MS,
                START_TIME_MS + 1000,
                MatchOptionsSummary(),
                is_locked=True,
                settings={"regiments": 1},
            ),
        ),
        (OTHER_MATCH,),
    ),
    UnfollowMatches("8b02"),
    Unfollowed("8b02"),
    EnterMatch("8b10", OTHER_MATCH, "the griffon flies at dawn"),
    Entered("8b10", OTHER_MATCH),
    CreateInvite("8b11", UNSTARTED_MATCH, army="Greenskin Patrol", uses=1),
    InviteCreated("8b11", "r5ynb4gfr8", _INVITE_CODE),
    UseInvite("8b12", _INVITE_CODE),
    ListInvites("8b13", UNSTARTED_MATCH),
    InviteList("8b13", (Invite("r5ynb4gfr8", START_TIME_MS, "Greenskin Patrol", uses_left=1),)),
    RevokeInvite("8b14", UNSTARTED_MATCH, "r5ynb4gfr8"),
    OfferRematch("8b15", ENDED_MATCH),
    Rematch("8b15", ENDED_MATCH, (0, 1), seat=1, next_match=UNSTARTED_MATCH),
    RematchChanged(ENDED_MATCH, (0,), seat=0),
    DeclineRematch("8b20", ENDED_MATCH),
    SeekMatch("8b17", RULESET, 2),
    Seeking("8b17", START_TIME_MS + 600_000, 5_000),
    MatchFound(UNSTARTED_MATCH, RULESET, 1, (PLAYER_BEN, PLAYER_ANN)),
    StopSeeking("8b18"),
    BranchMatch("8b16", OTHER_MATCH, 40, Raw(b'{"takebacks":true}')),
    BranchOpened("8b16", UNSTARTED_MATCH, BranchPoint(OTHER_MATCH, 40), resampled=True),
    ReviewMatch("8b17", OTHER_MATCH, 0),
    MatchReview(
        "8b17",
        OTHER_MATCH,
        0,
        (
            ReviewedMoment(
                41,
                Raw(b'{"type":"pass_disk","disk":3}'),
                Raw(b'{"type":"shoot","disk":3,"target":9,"shot":0}'),
                417,
                583,
                52,
            ),
        ),
        60,
    ),
)
"""Messages about matches from outside of them, each under an id of its own."""
FILE_EXAMPLES: tuple[AnyMessage, ...] = (
    StartImport("8d01", 5),
    ImportStarted("8d01", MAX_PART_BYTES, 30),
    ImportPart("8d02", 0, "eJyrBgA="),
    ImportPartReceived("8d02", 5),
    FinishImport("8d03"),
    MatchImported("8d03", OTHER_MATCH, 147, is_new=True),
)
"""The upload of a match file, which is shorter than any."""
RATING_EXAMPLES: tuple[AnyMessage, ...] = (
    GetLeaderboard("8c01", RULESET, limit=2),
    Leaderboard(
        "8c01",
        RULESET,
        (
            LeaderboardEntry(1, PLAYER_ANN, "Ann of Nuln", 18_214, 2_905, games=31, wins=19, losses=11, draws=1),
            LeaderboardEntry(2, PLAYER_BEN, "Ben", 17_036, 3_120, games=22, wins=12, losses=10, draws=0),
        ),
        f"2.17036.{PLAYER_BEN}",
    ),
    GetPlayerStatistics("8c02", player_name="Ann of Nuln"),
    PlayerStatistics(
        "8c02",
        PLAYER_ANN,
        "Ann of Nuln",
        "registered",
        (PlayerRating(RULESET, 18_214, 2_905, games=31, wins=19, losses=11, draws=1),),
        (ArmyResults(RULESET, 40, 23, 16, 1, points=512, records=3_870, army="empire-patrol"),),
        (FormerName("Ann of Altdorf", START_TIME_MS),),
    ),
    GetArmyStatistics("8c03", RULESET),
    ArmyStatistics(
        "8c03",
        RULESET,
        (ArmyResults(RULESET, 812, 401, 398, 13, points=10_215, records=79_220, army="empire-patrol"),),
    ),
    GetRatingHistory("8c04", RULESET, PLAYER_ANN, limit=1),
    RatingHistory("8c04", PLAYER_ANN, RULESET, (RatingChange(START_TIME_MS, 18_214, 2_905, MATCH),), "1041"),
)
"""Messages about ratings and statistics, each under an id of its own."""
_CHAT_MESSAGE = ChatMessage("players", 3, PLAYER_ANN, "Ann of Nuln", START_TIME_MS + 90_000, "Well aimed. Your move!")
CHAT_EXAMPLES: tuple[AnyMessage, ...] = (
    JoinChat("8d01", MATCH),
    ChatJoined(
        "8d01",
        MATCH,
        ("players",),
        (ChatMessage("players", 2, PLAYER_BEN, "Archer of Nuln", START_TIME_MS + 60_000, "Good luck!", is_bot=True),),
    ),
    SendChat("8d02", MATCH, "players", "Well aimed. Your move!"),
    ChatPosted(MATCH, _CHAT_MESSAGE),
    ChatSent("8d02", MATCH, "players", 3),
    GetChat("8d03", MATCH, "players", before=4, limit=1),
    ChatPage("8d03", MATCH, (_CHAT_MESSAGE,)),
    MutePlayer("8d04", PLAYER_BEN),
    MutedPlayers("8d04", (PLAYER_BEN,)),
    ListMutedPlayers("8d05"),
    ReportPlayer("8d06", MATCH, 41, PLAYER_BEN, "Insults me in the chat since round 2."),
    PlayerReported("8d06", MATCH),
    ReportContent("8d07", "club", "tc4kq2m7xw5n", "The house rules name a player with an insult."),
    ContentReported("8d07", "club", "tc4kq2m7xw5n"),
)
"""Messages of the chat and about reports, each under an id of its own."""
_PUSH_KEY = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"
_PREFERENCES = NoticePreferences(
    (NoticeRule("match_ended", ("push",)),), QuietHours(1320, 420, hour_left_passes=True), None, "Europe/Berlin"
)
_MAIL = NoticeChannel("gtnhy87xev4airj", "email", "ann@example.org", "unconfirmed", START_TIME_MS)
_OFFERED: tuple[ChannelKind, ...] = ("email", "push", "webhook")
NOTICE_EXAMPLES: tuple[AnyMessage, ...] = (
    AddNoticeChannel("8e01", EmailTarget("ann@example.org")),
    NoticeSettings("8e01", NoticePreferences(), (_MAIL,), _OFFERED, _PUSH_KEY),
    SetNotices("8e02", _PREFERENCES),
    GetNotices("8e03"),
    TryNoticeChannel("8e04", "gtnhy87xev4airj"),
    RemoveNoticeChannel("8e05", "gtnhy87xev4airj"),
    LookAt("8e06", MATCH),
    LookedAt("8e06"),
)
"""Messages about notices, each under an id of its own."""
_TOURNAMENT = "tq7bmrh4wz2e"
_TOURNAMENT_OPTIONS = TournamentOptions(
    "swiss",
    MatchTemplate(RULESET, Raw(b'{"regiments":2}'), Raw(b'{"watchers":"round_later"}')),
    rounds=3,
    final_top=2,
    round_minutes=10_080,
)
_DECIDED = BoardResult((2, 0), "match", (12, 4), "resignation")
_TOURNAMENT_BOARDS = (TournamentBoard(1, (1, 2), MATCH, result=_DECIDED),)
_SHOWN_TOURNAMENT = Tournament(
    _TOURNAMENT,
    "Autumn Swiss",
    _TOURNAMENT_OPTIONS,
    START_TIME_MS,
    (PLAYER_ANN,),
    "running",
    (Entrant(1, PLAYER_ANN, seed=1), Entrant(2, PLAYER_BEN, seed=2), Entrant(3, bot="greedy", seed=3)),
    (TournamentRound(1, START_TIME_MS + 60_000, _TOURNAMENT_BOARDS, byes=(3,), is_over=True),),
    seeds=(1, 2, 3),
    round_count=3,
    started_ms=START_TIME_MS + 60_000,
    seq=7,
    at_ms=START_TIME_MS + 90_000,
)
TOURNAMENT_EXAMPLES: tuple[AnyMessage, ...] = (
    OpenTournament("8f01", "Autumn Swiss", Raw(msgspec.json.encode(_TOURNAMENT_OPTIONS))),
    ListTournaments("8f02", mine=True, limit=10),
    TournamentList(
        "8f02",
        (
            TournamentSummary(
                _TOURNAMENT,
                "Autumn Swiss",
                "running",
                "swiss",
                RULESET,
                PLAYER_ANN,
                3,
                64,
                START_TIME_MS,
                rounds=1,
                round_count=3,
                is_mine=True,
            ),
        ),
    ),
    ActInTournament("8f03", _TOURNAMENT, CorrectResultAct(1, 1, (2, 0), "agreed by both")),
    GetTournament("8f04", _TOURNAMENT, follow=True),
    TournamentView(
        "8f04",
        _SHOWN_TOURNAMENT,
        standings_of(_SHOWN_TOURNAMENT),
        entrant=1,
        is_organiser=True,
    ),
    TournamentChanged(_TOURNAMENT, 8, UNSTARTED_MATCH, 1),
)
"""Messages about tournaments, each under an id of its own."""
_CHALLENGE = Challenge(
    "ch5kq2m7xw4n",
    PLAYER_ANN,
    PLAYER_BEN,
    "open",
    RULESET,
    Raw(b'{"regiments":2}'),
    Raw(b'{"clock":{"type":"per_decision","decision_seconds":259200}}'),
    START_TIME_MS,
    START_TIME_MS + 259_200_000,
)
_ACCEPTED_CHALLENGE = replace(_CHALLENGE, status="accepted", seat=1, match=UNSTARTED_MATCH)
CHALLENGE_EXAMPLES: tuple[AnyMessage, ...] = (
    ChallengePlayer("8f10", "Ben of Ulm", RULESET, _CHALLENGE.settings, _CHALLENGE.match_options),
    ChallengeView("8f10", _CHALLENGE),
    ChallengeChanged(replace(_CHALLENGE, status="declined", reason="later")),
    AcceptChallenge("8f11", _CHALLENGE.challenge),
    ChallengeView("8f11", _ACCEPTED_CHALLENGE),
    DeclineChallenge("8f12", _CHALLENGE.challenge, "later"),
    WithdrawChallenge("8f13", _CHALLENGE.challenge),
    ListChallenges("8f14"),
    ChallengeList("8f14", (_CHALLENGE,)),
    AllowChallenges("8f15", allowed=False),
)
"""Messages about challenges, each under an id of its own."""
_CLUB = "tc4kq2m7xw5n"
_CLUB_OPTIONS = ClubOptions(house_rules="Watchers see a round later. Bots may fill an odd number.")
_CLUB_MEMBERS = (
    ClubMember(PLAYER_ANN, START_TIME_MS, "leader", START_TIME_MS),
    ClubMember(PLAYER_BEN, START_TIME_MS + 60_000, role_since_ms=START_TIME_MS + 60_000),
)
_CLUB_ROWS = (SeasonRow(PLAYER_BEN, 1_240, wins=3, losses=1), SeasonRow(PLAYER_ANN, wins=1, draws=1, losses=3))
_INVITATION_CODE = f"club-{_CLUB}-k4tq9wz2mh7yx3rd"
CLUB_EXAMPLES: tuple[AnyMessage, ...] = (
    OpenClub("8f20", "Thursday Club", Raw(msgspec.json.encode(_CLUB_OPTIONS))),
    ListClubs("8f21", mine=True, limit=10),
    ClubList("8f21", (ClubSummary(_CLUB, "Thursday Club", "public", "invitation", 2, START_TIME_MS, "leader"),)),
    GetClub("8f22", _CLUB, follow=True),
    ClubView(
        "8f22",
        _CLUB,
        "Thursday Club",
        _CLUB_OPTIONS,
        START_TIME_MS,
        "open",
        _CLUB_MEMBERS,
        (
            Season(1, "Summer", START_TIME_MS, ended_ms=START_TIME_MS + 90_000, standings=_CLUB_ROWS),
            Season(2, "Autumn", START_TIME_MS + 95_000, START_TIME_MS + 7_776_000_000),
        ),
        7,
        "leader",
        (PLAYER_BEN,),
        (ClubInvitation("iq2m7xw5n4", PLAYER_ANN, START_TIME_MS),),
    ),
    GetClubLadder("8f23", _CLUB),
    ClubLadder("8f23", _CLUB, RULESET, _CLUB_ROWS, 2),
    InviteToClub("8f24", _CLUB),
    ClubInvited("8f24", "iq2m7xw5n4", _INVITATION_CODE),
    FindClubInvitation("8f25", _INVITATION_CODE),
    ClubInvitationFound("8f25", ClubSummary(_CLUB, "Thursday Club", "public", "invitation", 2, START_TIME_MS)),
    AcceptClubInvitation("8f26", _INVITATION_CODE),
    ActInClub("8f27", _CLUB, BeginSeasonAct("Autumn", START_TIME_MS + 7_776_000_000)),
    ClubChanged(_CLUB, 8),
)
"""Messages about clubs, each under an id of its own."""
CONVERSATION = FIRST_CONNECTION + SECOND_CONNECTION
"""The messages of both ends in the order in which they are sent. Between the two sockets the connection was lost."""


def find_example(kind: type[Struct]) -> AnyMessage:
    """Return the first message of a type in the examples; for a type that is not in them, one with plain values."""
    shown = (
        CONVERSATION
        + ACCOUNT_EXAMPLES
        + LOBBY_EXAMPLES
        + RATING_EXAMPLES
        + CHAT_EXAMPLES
        + FILE_EXAMPLES
        + NOTICE_EXAMPLES
        + TOURNAMENT_EXAMPLES
        + CHALLENGE_EXAMPLES
        + CLUB_EXAMPLES
    )
    example = next((message for message in shown if isinstance(message, kind)), None)
    sample: AnyMessage = make_sample(kind) if example is None else example
    return sample


# ---------------------------------------------------------------- every action and every question

_SHARED_ACTIONS = (
    TakeSeat(_ann.head.hex(), SHOWN.seats[0].requested),
    Ready(_ann.link(1).hex()),
    Resign(),
    ReplaceChain(_ben.head.hex()),
    MakeOffer(TakebackOffer(57)),
    AnswerOffer(61, agree=True),
    TakeBack(57),
    ResumePlay(),
)

ACTIONS: tuple[Any, ...] = complete_samples(SHOWN.vocabulary.action, (*_SHARED_ACTIONS, *SHOWN.actions))
QUESTIONS: tuple[Any, ...] = complete_samples(
    SHOWN.vocabulary.question, (SeatQuestion(), ReadyQuestion(), *SHOWN.questions)
)
