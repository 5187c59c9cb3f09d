"""A client that loses its connection at any time, any number of times, receives exactly the uninterrupted stream.

A client's and a server's end are connected in memory, over a wire that can be cut after any frame.
"""

from collections import deque
from collections.abc import Collection

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw

from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.connection import ConnectionState, ServerConnection, encode
from diskwars_protocol.connection.streams import Head, VerifiedRange, VerifiedRecords
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.messages import Request, ServerMessage
from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue
from diskwars_protocol.messages.challenges import ChallengeChanged
from diskwars_protocol.messages.chat import ChatPosted
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.clubs import ClubChanged
from diskwars_protocol.messages.decisions import Accepted, Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, PROTOCOL_VERSION, Hello, RulesetSummary, Welcome
from diskwars_protocol.messages.history import GetRecords, Openings, RecordRange
from diskwars_protocol.messages.lists import ListMatches, MatchesChanged, MatchList
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.rematches import RematchChanged
from diskwars_protocol.messages.seats import SeatBot
from diskwars_protocol.messages.seeks import MatchFound
from diskwars_protocol.messages.tournaments import TournamentChanged
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch, WatchersChanged, Watching
from tests.protocol.connection.record_streams import make_stream
from tests.rows import each_row

PLAYER = PlayerId("p1")


class SimulatedServer:
    """A server in a few lines: what it has decided outlives every connection, and no command is done twice."""

    def __init__(self) -> None:
        self.logs = {MatchId("old"): make_stream(3, 1, 2, match="old")}
        self.opened: dict[str, MatchId] = {}
        self.accepted: dict[tuple[MatchId, str], Accepted] = {}

    def open(self, ask: OpenMatch) -> Opened:
        if ask.id not in self.opened:
            self.opened[ask.id] = MatchId(f"match-{ask.id}")
            self.logs[self.opened[ask.id]] = make_stream(2, match=f"match-{ask.id}")
        return Opened(ask.id, self.opened[ask.id])

    def act(self, ask: Act) -> Accepted:
        """Return each command makes an append of its own; then somebody else does something too."""
        key = (ask.match, ask.id)
        if key not in self.accepted:
            log = self.logs[ask.match]
            _, last = log.append(1 + len(ask.id) % 4)
            self.accepted[key] = Accepted(ask.id, ask.match, last)
            log.append(2)
        return self.accepted[key]


class SimulatedSession:
    """One connection to the house: what it has told of each match, and the frames that wait to be sent."""

    def __init__(self, house: SimulatedServer) -> None:
        self.house = house
        self.end = ServerConnection()
        self.last_sent: dict[MatchId, int] = {}
        self.outbox: deque[bytes] = deque()

    def receive(self, frame: bytes) -> None:
        message = self.end.receive(frame.decode())
        match message:
            case Refused():
                self.send(message)
            case Hello():
                self.send(
                    Welcome(
                        PROTOCOL_VERSION,
                        PLAYER,
                        "token",
                        0,
                        (RulesetSummary("diskwars", (2,)),),
                        DEFAULT_CLIENT_LIMITS,
                    )
                )
                for resume in message.resume:
                    self.watch(resume.match, resume.after)
            case _:
                self.answer(message)

    def answer(self, ask: Request) -> None:
        match ask:
            case OpenMatch():
                opened = self.house.open(ask)
                self.send(opened)
                self.watch(opened.match, 0)
            case Watch():
                self.watch(ask.match, ask.after, ask.id)
            case Unwatch():
                del self.last_sent[ask.match]
                self.send(Unwatched(ask.match, ask.id))
            case Act():
                accepted = self.house.act(ask)
                self.send_records(ask.match)
                self.send(accepted)
            case CloseMatch() | SeatBot():
                self.send(Refused("not_opener", "", ask.id, match=ask.match))
            case GetOptions():
                self.send(OptionsResponse(ask.match, ask.decision, Raw(b"{}"), ask.id))
            case GetRecords():
                self.send(RecordRange(ask.id, ask.match, ask.after, "0" * 64, ()))
            case ListMatches():
                self.send(MatchList(ask.id, ()))
            case GetCatalogue():
                self.send(CatalogueResponse(ask.id, ask.ruleset, "0" * 64))
            case CheckArmy():
                self.send(ArmyChecked(ask.id, ask.ruleset))
            case _:
                self.send(Refused("not_registered", "", ask.id))

    def watch(self, match: MatchId, after: int, id: str | None = None) -> None:
        self.send(self.house.logs[match].watching(after, id))
        self.last_sent[match] = after
        self.send_records(match)

    def send_records(self, match: MatchId) -> None:
        """Everything of a watched match that was not sent yet, before anything else."""
        if match not in self.last_sent:
            return
        for records in self.house.logs[match].frames(self.last_sent[match]):
            self.send(records)
            self.last_sent[match] = records.records[-1].seq

    def send(self, message: ServerMessage) -> None:
        self.outbox.append(self.end.send(message))


def request_script() -> list[Request]:
    """Return what the client wants, in this order. It opens a match, watches an old one, and plays in both."""
    new, old = MatchId("match-open"), MatchId("old")
    wanted: list[Request] = [OpenMatch("open", "diskwars", 2), ListMatches("list"), Watch("watch", old)]
    for number in range(4):
        wanted.append(Act(f"{'x' * number}x", new, Raw(b'{"type":"ready"}'), DecisionId("2.0")))
        wanted.append(Act(f"{'y' * number}y", old, Raw(b"{}"), DecisionId("6.0")))
    wanted.insert(7, GetOptions("options", new, DecisionId("2.0")))
    wanted.append(Unwatch("unwatch", old))
    wanted.append(Act("last", new, Raw(b"{}"), DecisionId("2.1")))
    return wanted


WINDOW = 3
"""Commands that the client sends before it waits: several, so that more than one is under way when a link drops."""


class ConnectionPair:
    """Client and house with a wire between them. One step carries one frame, in turn from each side."""

    def __init__(self, house: SimulatedServer) -> None:
        self.house = house
        self.client = ClientConnection("pair")
        self.session = SimulatedSession(house)
        self.outbox = deque([self.client.send_hello()])
        self.wanted = deque(request_script())
        self.bodies: dict[MatchId, list[bytes | None]] = {}
        self.heads: dict[MatchId, Head] = {}
        self.answers: list[tuple[str, bytes]] = []
        self.steps = 0

    @property
    def is_finished(self) -> bool:
        return not (self.wanted or self.client.unanswered or self.outbox or self.session.outbox)

    def cut(self) -> None:
        """The link drops: what is on the wire, either way, is gone. Then a new one is made."""
        self.client.connection_lost()
        self.session = SimulatedSession(self.house)
        self.outbox = deque([self.client.send_hello()])

    def step(self) -> None:
        self.steps += 1
        self._next_request()
        if self.outbox and (self.steps % 2 or not self.session.outbox):
            self.session.receive(self.outbox.popleft())
        elif self.session.outbox:
            self._receive(self.session.outbox.popleft())
        self._next_request()

    def _next_request(self) -> None:
        while self.wanted and self.client.state is ConnectionState.OPEN and len(self.client.unanswered) < WINDOW:
            self.outbox.append(self.client.send(self.wanted.popleft()))

    def _receive(self, frame: bytes) -> None:
        heard = self.client.receive(frame.decode())
        match heard:
            case Welcome():
                self.outbox.extend(self.client.resend_unanswered())
            case VerifiedRecords():
                bodies = self.bodies.setdefault(heard.match, [])
                assert heard.first == len(bodies) + 1
                bodies.extend(heard.bodies)
                self.heads[heard.match] = heard.head
            case Watching():  # its head depends on when it was asked
                self.answers += [(heard.id, b"")] if heard.id else []
            case Closing() | Openings() | ChatPosted() | WatchersChanged() | MatchesChanged() | None:
                pass
            case MatchFound() | RematchChanged() | TournamentChanged() | ChallengeChanged() | ClubChanged():
                pass
            case VerifiedRange():
                self.answers.append((heard.id, b""))
            case _ if heard.id is not None:
                self.answers.append((heard.id, encode(heard)))
            case _:
                pass


def play_script(cuts: Collection[int]) -> ConnectionPair:
    """Return the whole script, the link being cut after each of these steps."""
    pair = ConnectionPair(SimulatedServer())
    while not pair.is_finished:
        pair.step()
        if pair.steps in cuts:
            pair.cut()
        assert pair.steps < 3000
    return pair


UNINTERRUPTED = play_script(())


def assert_same_outcome(pair: ConnectionPair) -> None:
    """Assert that the same records were received and every command was answered once and alike."""
    assert {log.match: log.hashes for log in pair.house.logs.values()} == {
        log.match: log.hashes for log in UNINTERRUPTED.house.logs.values()
    }
    assert pair.bodies == UNINTERRUPTED.bodies
    assert pair.heads == UNINTERRUPTED.heads
    assert pair.answers == UNINTERRUPTED.answers


def test_without_a_cut_every_command_is_answered_in_order_and_every_record_arrives() -> None:
    assert [id for id, _ in UNINTERRUPTED.answers] == [ask.id for ask in request_script()]
    logs = UNINTERRUPTED.house.logs
    assert {match: len(bodies) for match, bodies in UNINTERRUPTED.bodies.items()} == {
        match: log.head for match, log in logs.items()
    }
    assert UNINTERRUPTED.heads == {match: Head(log.head, log.hashes[-1].hex()) for match, log in logs.items()}


@each_row("step", range(1, UNINTERRUPTED.steps + 1))
def test_a_link_lost_after_any_one_frame_changes_nothing(step: int) -> None:
    assert_same_outcome(play_script({step}))


@each_row("every", range(8, 40))
def test_a_link_that_drops_over_and_over_only_takes_longer(every: int) -> None:
    pair = play_script(range(every, 3000, every))
    assert pair.steps > UNINTERRUPTED.steps
    assert_same_outcome(pair)


@settings(max_examples=150, deadline=None)
@given(st.sets(st.integers(1, 3 * UNINTERRUPTED.steps), max_size=25))
def test_a_link_lost_at_any_moments_whatever_changes_nothing(cuts: set[int]) -> None:
    assert_same_outcome(play_script(cuts))
