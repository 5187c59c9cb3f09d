"""Secrets of a running match are on no path that leads out of the server, until the rules open them.

Salts, tokens, dice secrets, passwords and invite codes are values that can be recognised; the locked card is found by
comparing two matches that differ in nothing else. `test_leak` compares what sessions send; this follows every path.
"""

import logging
from collections.abc import Sequence

import msgspec
import pytest
from msgspec import Raw

from diskwars_cli.look_back.file_verifier import judge_file
from diskwars_cli.look_back.picture_process import draw_file, draw_match
from diskwars_client.replays import replay_file
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import PUBLIC, DecisionId, MatchId, PlayerId
from diskwars_protocol.match.luck import luck_report
from diskwars_protocol.match.replay_scenes import MatchScenes
from diskwars_protocol.messages import ClientMessage
from diskwars_protocol.messages.accounts import GetPlayers
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_protocol.messages.chat import ChatSent, GetChat, JoinChat, SendChat
from diskwars_protocol.messages.decisions import Act, GetOptions
from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.history import GetRecords
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, SearchMatches
from diskwars_protocol.messages.lobby import CreateInvite, InviteCreated, ListInvites, UseInvite
from diskwars_protocol.messages.notices import WebhookTarget
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.seats import KickPlayer
from diskwars_protocol.messages.watching import Watch
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_server.broadcast.watch_rights import ANONYMOUS
from diskwars_server.http.link_previews import preview_tags, with_head
from diskwars_server.http.page_files import StaticFile
from diskwars_server.http.routes import HttpService
from diskwars_server.limits.address_quotas import make_unlimited
from diskwars_server.notices.deliverer import NoticeDeliverer
from diskwars_server.notices.dispatcher import NoticeDispatcher
from diskwars_server.notices.links import NoticeLinks
from diskwars_server.notices.outcomes import Sent
from diskwars_server.notices.texts import Message
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.notices import PRESENCE_MS, Delivery, StoredChannel
from diskwars_text.scene_picture import draw_scene, view_of
from tests.server.in_memory_server import InMemoryServer
from tests.server.test_leak import (
    ConsecutiveIds,
    act_on,
    action_of,
    assert_no_leak,
    caught_up,
    lock_first_card,
    masked_frames,
)

PASSWORD = "the griffon flies at dawn"
PLAYERS_TEXT = "my wizard holds the left bridge"
"""A message from one player to the other; watchers read it after the end only."""
PATHS_OF_PLAYERS = frozenset({"other", "file of the other seat", "branch of other"})
NAMES = ("own", "other", "public", "late")


def drawn_scenes(raw: bytes) -> list[str]:
    """Return the frames of an animated replay as they are drawn: what is written in them can be searched."""
    course = msgspec.json.decode(draw_match(raw, "json"), type=MatchScenes)
    return [draw_scene(course, scene, view_of(course, 480)) for scene in course.scenes]


class LeakWalk:
    """A match in which seat 0 has locked a card, and what others found out about it, by path."""

    def __init__(self, node: InMemoryServer, card: int) -> None:
        self.node = node
        self.salt = f"{card + 1:02x}" * 16
        """The salt of the lock, which stays hidden until all cards are revealed."""
        self.own, self.other, self.public, self.late = (ConsecutiveIds(node, name) for name in NAMES)
        self.match = MatchId("")
        self.hidden: list[str] = []
        self.found: dict[str, Sequence[bytes]] = {}

    async def play(self, card: int) -> None:
        for guest in (self.own, self.other, self.public):
            await guest.greet(self.node.tokens.issue(PlayerId(guest.name)))
            channel = StoredChannel(guest.player, "c1", WebhookTarget("https://example.org/"), "working", 1)
            await self.node.database.notices.add_channel(channel, 1)
        opened = await self.own.request(OpenMatch("open", "diskwars", 2))
        assert isinstance(opened, Opened)
        self.match = opened.match
        for guest in (self.other, self.public):
            await guest.request(Watch(guest.id_of("watch"), self.match))
        await lock_first_card(self.match, (self.own, self.other), card)
        for guest in (self.own, self.other, self.public):
            await guest.request(JoinChat(guest.id_of("chat"), self.match))
        sent = await self.own.request(SendChat(self.own.id_of("say"), self.match, "players", PLAYERS_TEXT))
        assert isinstance(sent, ChatSent), sent
        invited = await self.own.request(CreateInvite(self.own.id_of("invite"), self.match))
        assert isinstance(invited, InviteCreated)
        locked = OpenMatch("locked", "diskwars", 2, password=PASSWORD)
        assert isinstance(await self.own.request(locked), Opened)
        secrets = await self.node.database.vault.secrets(self.match)
        assert set(secrets) >= {"far_end", "deal"}
        own_tokens = [self.own.token, self.node.tokens.issue(PlayerId("own"))]
        self.hidden = [self.salt, PASSWORD, invited.code, *own_tokens, *(value.hex() for value in secrets.values())]

    async def follow_sessions(self) -> None:
        """Live, resumed and late, from a snapshot, ranges, lists, searches, names, and the texts of refusals."""
        await assert_no_leak(self.match, self.other, self.public)
        late, match = self.late, self.match
        await late.greet(self.node.tokens.issue(PlayerId("late")), ResumeRequest(match, 0))
        for request in (
            Watch(late.id_of("watch"), match, snapshot=True, push_options=True),
            GetRecords(late.id_of("records"), match, 0),
            Watch(late.id_of("watch"), match, reveal_secrets=True),
            SearchMatches(late.id_of("search"), player=PlayerId("own")),
            GetPlayers(late.id_of("players"), (PlayerId("own"), PlayerId("other"))),
            ListInvites(late.id_of("invites"), match),
            UseInvite(late.id_of("use"), "invite-xxxxxxxxxxxxxxxx"),
            Act(late.id_of("act"), match, Raw(b'{"type":"resign"}'), None),
            Act(late.id_of("act"), match, Raw(b'{"type":"lock_card","card":"x"}'), None),
            OpenMatch("open", "diskwars", 2, Raw(b'{"rounds":"' + self.own.player.encode() + b'"}')),
        ):
            await late.request(request)
        for guest in (self.other, self.public, self.late):
            # Each was sent its own token; nobody else's may be there.
            self.found[guest.name] = [frame for frame in guest.frames if b'"type":"welcome"' not in frame]

    async def follow_chat(self) -> None:
        """The players' channel, live, on joining and page by page, for those who only watch."""
        for guest in (self.public, self.late):
            await guest.request(JoinChat(guest.id_of("chat"), self.match))
            await guest.request(GetChat(guest.id_of("earlier"), self.match, "players", 100))
            self.found[f"chat of {guest.name}"] = [frame for frame in guest.frames if b'"type":"welcome"' not in frame]

    async def follow_branch(self) -> None:
        """A match that a spectator and the other seat play on from here: what they may not see is drawn at random."""
        head = (await self.node.matches.find(self.match)).head
        for guest in (self.public, self.other):
            opened = await guest.request(BranchMatch(guest.id_of("branch"), self.match, head))
            assert isinstance(opened, BranchOpened), opened
            assert opened.resampled
            await guest.request(Watch(guest.id_of("watch"), opened.match, snapshot=True))
            game = await self.node.matches.find(opened.match)
            # Everything of the branch, also what is sealed in it: its opener sees that once it has begun.
            stored = await self.node.database.events.read(opened.match)
            secrets = [record.secret or b"" for record in stored]
            file = await game.exports.export_public(ANONYMOUS, 1)
            self.found[f"branch of {guest.name}"] = [*file.splitlines(), *secrets]

    async def follow_files(self) -> None:
        """The match file before the end over HTTP, its replay and its pictures, and an import of it."""
        game = await self.node.matches.find(self.match)
        page = HttpService(self.node.matches, make_unlimited(), {})
        served = await page._match_file(self.match, "")
        public = await game.exports.export_public(ANONYMOUS, game.head)
        assert served.body == public
        other = await game.exports.export(PlayerId("other"))
        replay = replay_file(public, PUBLIC)
        states = [msgspec.json.encode(replay.state(seq)) for seq in range(1, replay.last + 1)]
        self.found["file"] = public.splitlines()
        self.found["file of the other seat"] = other.splitlines()
        self.found["replay"] = states
        self.found["marks"] = [msgspec.json.encode(replay.marks)]
        self.found["luck"] = [repr(luck_report(replay)).encode()]
        self.found["picture"] = [draw_file(public, game.head)]
        self.found["scenes"] = [draw_match(public, "json")]
        self.found["animated picture"] = [frame.encode() for frame in drawn_scenes(public)]
        self.found["import"] = [msgspec.json.encode(judge_file(public))]

    async def follow_notices(self) -> None:
        """What players who are away get by mail, push and webhooks."""
        sent: list[bytes] = []

        async def send(channel: StoredChannel, delivery: Delivery, message: Message) -> Sent:
            sent.append(msgspec.json.encode((channel.player, delivery.texts, message)))
            return Sent()

        node, notices = self.node, self.node.database.notices
        links = NoticeLinks(b"k" * 32, node.clock, "https://disks.example.org")
        dispatcher = NoticeDispatcher(
            node.matches, notices, node.database.events, node.database.challenges, lambda _: False, node.clock
        )
        accounts = node.database.accounts
        deliverer = NoticeDeliverer(
            notices,
            node.matches,
            accounts,
            node.database.challenges,
            {"webhook": send},
            links,
            node.clock,
            node.clock,
        )
        node.clock.now += PRESENCE_MS
        await dispatcher.dispatch_due()
        await deliverer.step()
        self.found["notices"] = sorted(sent)  # each delivery has a random id, which is the order of sending

    def follow_records_of_the_server(self, caplog: pytest.LogCaptureFixture) -> None:
        self.found["metrics"] = [self.node.session_context.metrics.render()]
        self.found["logs"] = [str(vars(record)).encode() for record in caplog.records]


async def walk(card: int, caplog: pytest.LogCaptureFixture) -> LeakWalk:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, rulesets={"diskwars": Diskwars(core_pack())}, sends_notices=True)
        walked = LeakWalk(node, card)
        await walked.play(card)
        await walked.follow_sessions()
        await walked.follow_chat()
        await walked.follow_files()
        await walked.follow_branch()
        await walked.follow_notices()
        walked.follow_records_of_the_server(caplog)
        await node.matches.close()
        return walked


async def test_hidden_values_are_found_on_no_path(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "diskwars_server")
    walked = await walk(0, caplog)
    assert set(walked.found) > {"other", "public", "late", "file", "replay", "picture", "import", "metrics", "logs"}
    assert set(walked.found) > {
        "branch of public",
        "branch of other",
        "chat of public",
        "chat of late",
        "luck",
        "notices",
    }
    assert walked.found["notices"]
    assert any(PLAYERS_TEXT.encode() in frame for frame in walked.other.frames)
    leaks = [
        (path, value[:12])
        for path, pieces in walked.found.items()
        for value in (*walked.hidden, *([PLAYERS_TEXT] if path not in PATHS_OF_PLAYERS else []))
        if any(value.encode() in piece for piece in pieces)
    ]
    assert leaks == []


async def test_no_path_tells_which_card_was_locked(caplog: pytest.LogCaptureFixture) -> None:
    first, second = await walk(0, caplog), await walk(1, caplog)
    for path in set(first.found) - {"metrics", "logs"}:
        assert masked_frames(list(first.found[path])) == masked_frames(list(second.found[path])), path


async def test_hidden_values_are_found_once_the_rules_open_them() -> None:
    """The search of the tests above can find something: after the end the file holds the salt of the lock."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, rulesets={"diskwars": Diskwars(core_pack())})
        walked = LeakWalk(node, 0)
        await walked.play(0)
        resign = Act(walked.own.id_of("act"), walked.match, action_of(Resign()), None)
        await walked.own.expect_accepted(resign)
        game = await node.matches.find(walked.match)
        raw = await game.exports.export(ANONYMOUS)
        assert walked.salt.encode() in raw
        assert [value.encode() in raw for value in walked.hidden[1:5]] == [False] * 4
        await node.matches.close()


# ---------------------------------------------------------------- a round later


LIST_PUSH = b'{"type":"matches_changed"'


async def play_until_cards(walked: LeakWalk, acts: int) -> None:
    """Open a match that is seen a round later, play to the first command card, and then `acts` actions more."""
    seats = walked.own, walked.other
    for guest in (*seats, walked.public):
        await guest.greet(walked.node.tokens.issue(PlayerId(guest.name)))
    options = Raw(b'{"watchers":"round_later"}')
    opened = await walked.own.request(OpenMatch("open", "diskwars", 2, match_options=options))
    assert isinstance(opened, Opened)
    walked.match = opened.match
    for guest in (walked.other, walked.public):
        await guest.request(Watch(guest.id_of("watch"), walked.match))
    await walked.public.request(FollowMatches(walked.public.id_of("follow")))
    left = None
    while left != 0:
        await caught_up(*seats)
        seat, decision = next((seat, one) for seat, guest in enumerate(seats) if (one := guest.asked_of(seat)))
        if left is None and isinstance(decision.question, a.CommandCardQuestion):
            left = acts
            shown = (await walked.node.matches.find(walked.match)).rights.last_shown(ANONYMOUS)
            while walked.public.records[walked.match][-1].seq < shown:
                assert await walked.public.next_message() is not None
        if left != 0:
            await act_on(seats[seat], walked.match, decision, seat, (left or 0) % 2)
            left = None if left is None else left - 1
    await caught_up(*seats)


async def spy_a_round_later(acts: int) -> tuple[int, dict[str, Sequence[bytes]]]:
    """Return the head of such a match, and what spectators found of it, by path."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, rulesets={"diskwars": Diskwars(core_pack())})
        walked = LeakWalk(node, 0)
        await play_until_cards(walked, acts)
        match, late, public = walked.match, walked.late, walked.public
        await late.greet(node.tokens.issue(PlayerId("late")), ResumeRequest(match, 0))
        for guest in (public, late):
            requests: tuple[ClientMessage, ...] = (
                Watch(guest.id_of("watch"), match, push_options=True),
                Watch(guest.id_of("watch"), match, snapshot=True, push_openings=True),
                Watch(guest.id_of("watch"), match, reveal_secrets=True),
                *(Watch(guest.id_of("watch"), match, after) for after in range(1, 40)),
                GetRecords(guest.id_of("records"), match, 0),
                GetOptions(guest.id_of("options"), match, DecisionId("9.0")),
                Act(guest.id_of("act"), match, Raw(b'{"type":"resign"}'), None),
                Act(guest.id_of("act"), match, action_of(a.EndCard()), DecisionId("9.0")),
                CloseMatch(guest.id_of("close"), match),
                KickPlayer(guest.id_of("kick"), match, 0),
                ListMatches(guest.id_of("list")),
                SearchMatches(guest.id_of("search"), player=PlayerId("own")),
                GetPlayers(guest.id_of("players"), (PlayerId("own"), PlayerId("other"))),
                JoinChat(guest.id_of("chat"), match),
            )
            for request in requests:
                await guest.request(request)
        game = await node.matches.find(match)
        served = bytes((await HttpService(node.matches, make_unlimited(), {})._match_file(match, "")).body)
        replay = replay_file(served, PUBLIC)
        listing = await node.matches.find_listing(match)
        assert listing is not None
        page = StaticFile.of(b"<title>A page</title>", "text/html", is_text=True)
        frames = public.frames + late.frames
        pushed = [frame for frame in frames if frame.startswith(LIST_PUSH)]
        found: dict[str, Sequence[bytes]] = {
            "session": [frame for frame in frames if not frame.startswith(LIST_PUSH)],
            # How many changes of a list come in one push depends on the machine; the last tells all of them.
            "list": pushed[-1:],
            "file": served.splitlines(),
            "replay": [msgspec.json.encode(replay.state(seq)) for seq in range(1, replay.last + 1)],
            "marks": [msgspec.json.encode(replay.marks)],
            "luck": [repr(luck_report(replay)).encode()],
            "picture": [draw_file(served, game.rights.last_shown(ANONYMOUS))],
            "scenes": [draw_match(served, "json")],
            "animated picture": [frame.encode() for frame in drawn_scenes(served)],
            "preview": [with_head(page, preview_tags("https://example.org", listing, None, has_picture=True)).body],
            "import": [msgspec.json.encode(judge_file(served))],
        }
        await node.matches.close()
        return game.head, found


async def test_delayed_spectator_learns_nothing_newer_on_any_path() -> None:
    """Two matches differ only in what was done in the round under way; spectators find the same, byte for byte."""
    (early, before), (late, after) = await spy_a_round_later(0), await spy_a_round_later(2)
    assert late == early + 2
    assert before["list"]
    for path, frames in before.items():
        assert frames == after[path], path
