"""Challenges: one player asks another by name, and one match is opened, whichever of many answers comes first."""

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.match.match_options import BankClock, MatchClock, MatchOptions, PerDecisionClock
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
from diskwars_protocol.messages.chat import MutePlayer
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch
from diskwars_server.bus.bus import LocalBus
from diskwars_server.limits.rate_limits import MS_PER_DAY, MS_PER_HOUR
from diskwars_server.lobby.challenges import CHALLENGES_PER_PLAYER, life_ms_of
from diskwars_server.store.challenges import MAX_SENT
from diskwars_server.store.database import Database
from tests.server.counting_ruleset import CountingRules
from tests.server.in_memory_server import InMemoryClient, InMemoryServer
from tests.server.tournaments.tournament_clients import connect_member, connect_members

ANN, BEN, CID = "Ann of Nuln", "Ben of Ulm", "Cid of Marburg"


def request(client: InMemoryClient, name: str = BEN, id: str = "", **changes: Any) -> ChallengePlayer:
    wanted = ChallengePlayer(id or client.id(), name, "counting", Raw(b'{"rounds":1}'))
    return msgspec.structs.replace(wanted, **changes)


async def challenge(client: InMemoryClient, name: str = BEN, **changes: Any) -> Challenge:
    answer = await client.request(request(client, name, **changes))
    assert isinstance(answer, ChallengeView), answer
    return answer.challenge


async def accept(client: InMemoryClient, challenge: Challenge) -> Challenge:
    answer = await client.request(AcceptChallenge(client.id(), challenge.challenge))
    assert isinstance(answer, ChallengeView), answer
    return answer.challenge


async def list_challenges(client: InMemoryClient) -> ChallengeList:
    answer = await client.request(ListChallenges(client.id()))
    assert isinstance(answer, ChallengeList), answer
    return answer


async def test_accepted_challenge_leads_both_into_one_match(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    sent = await challenge(ann)
    assert (sent.challenger, sent.challenged, sent.status) == (ann.player, ben.player, "open")
    assert (sent.seat, sent.match) == (None, None), "the lot is shown once it counts"
    assert (await ben.expect(ChallengeChanged)).challenge == sent
    accepted = await accept(ben, sent)
    assert accepted.match is not None
    assert accepted.seat is not None
    while (changed := await ann.expect(ChallengeChanged)).challenge.status == "open":
        pass
    assert changed.challenge == accepted
    for client, seat in ((ann, accepted.seat), (ben, 1 - accepted.seat)):
        await client.watch(accepted.match)
        await client.take_seat(accepted.match, seat)
    state = await node.state(accepted.match)
    assert state.settings.rounds == 1
    assert {seat.player for seat in state.seats} == {ann.player, ben.player}


@pytest.mark.parametrize("seat", [0, 1])
async def test_seat_that_was_chosen_is_kept_for_the_challenger(node: InMemoryServer, seat: int) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    accepted = await accept(ben, await challenge(ann, seat=seat))
    assert accepted.seat == seat
    assert accepted.match is not None
    await ben.watch(accepted.match)
    with pytest.raises(AssertionError, match="seat_taken"):
        await ben.take_seat(accepted.match, seat)
    await ben.take_seat(accepted.match, 1 - seat)


async def test_nobody_else_enters_the_match(node: InMemoryServer) -> None:
    ann, ben, cid = await connect_members(node, ANN, BEN, CID)
    accepted = await accept(ben, await challenge(ann))
    assert accepted.match is not None
    assert (await cid.expect_refused(Watch(cid.id(), accepted.match))).code == "locked"


async def test_reason_of_a_refusal_reaches_the_challenger(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    sent = await challenge(ann)
    answer = await ben.request(DeclineChallenge(ben.id(), sent.challenge, "too_slow"))
    assert isinstance(answer, ChallengeView)
    assert (answer.challenge.status, answer.challenge.reason) == ("declined", "too_slow")
    assert [known.reason for known in (await list_challenges(ann)).challenges] == ["too_slow"]
    assert (await ben.expect_refused(AcceptChallenge(ben.id(), sent.challenge))).code == "challenge_over"
    assert (await challenge(ann)).status == "open", "another one may follow"


async def test_challenge_that_was_taken_back_cannot_be_accepted(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    sent = await challenge(ann)
    for _ in range(2):
        answer = await ann.request(WithdrawChallenge(ann.id(), sent.challenge))
        assert isinstance(answer, ChallengeView)
        assert answer.challenge.status == "withdrawn"
    assert (await ben.expect_refused(AcceptChallenge(ben.id(), sent.challenge))).code == "challenge_over"


async def test_same_request_is_one_challenge_and_one_match(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    wanted = request(ann)
    first, again = await ann.request(wanted), await ann.request(wanted)
    assert first == again
    assert isinstance(first, ChallengeView)
    assert await accept(ben, first.challenge) == await accept(ben, first.challenge)
    assert isinstance(again := await ann.request(wanted), ChallengeView)
    assert again.challenge.status == "accepted"


@pytest.mark.parametrize(
    ("options", "life_ms"),
    [
        (PerDecisionClock(3 * 86_400), 3 * MS_PER_DAY),
        (BankClock(7 * 86_400), 7 * MS_PER_DAY),
        (PerDecisionClock(60), MS_PER_HOUR),
        (BankClock(900, 10), MS_PER_HOUR),
        (None, 14 * MS_PER_DAY),
    ],
)
def test_challenge_lives_as_long_as_its_clock(options: MatchClock | None, life_ms: int) -> None:
    assert life_ms_of(MatchOptions(clock=options)) == life_ms


def test_match_without_a_clock_has_an_end_to_its_challenge() -> None:
    assert life_ms_of(MatchOptions(abandoned_after_days=0)) == 14 * MS_PER_DAY
    assert life_ms_of(MatchOptions(abandoned_after_days=2)) == 2 * MS_PER_DAY


async def test_challenge_is_over_after_its_time(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    sent = await challenge(ann, match_options=Raw(b'{"clock":{"type":"per_decision","decision_seconds":60}}'))
    assert sent.expires_ms == node.clock() + MS_PER_HOUR
    node.clock.now = sent.expires_ms
    assert (await ben.expect_refused(AcceptChallenge(ben.id(), sent.challenge))).code == "challenge_over"
    assert (await list_challenges(ben)).challenges == ()
    assert (await challenge(ann)).status == "open"


@pytest.mark.parametrize(
    ("changes", "code", "place"),
    [
        ({"name": ANN}, "own_challenge", "$.name"),
        ({"name": "Nobody"}, "unknown_player", "$.name"),
        ({"name": "bot greedy"}, "unknown_player", "$.name"),
        ({"ruleset": "chess"}, "unknown_ruleset", "$.ruleset"),
        ({"settings": Raw(b'{"rounds":"many"}')}, "bad_settings", "$.settings.rounds"),
        ({"match_options": Raw(b'{"watchers":"cats"}')}, "bad_match_options", "$.match_options.watchers"),
        ({"match_options": Raw(b'{"rematch_of":"m"}')}, "bad_match_options", "$.match_options.rematch_of"),
        ({"packs": ("none",)}, "unknown_pack", "$.packs[0]"),
    ],
)
async def test_what_cannot_be_is_refused(node: InMemoryServer, changes: dict[str, Any], code: str, place: str) -> None:
    ann, _ = await connect_members(node, ANN, BEN)
    refused = await ann.expect_refused(request(ann, **changes))
    assert (refused.code, refused.place) == (code, place)


async def test_guests_neither_challenge_nor_are_challenged(node: InMemoryServer) -> None:
    ann, guest = await connect_member(node, ANN), await node.connect_and_greet()
    assert (await guest.expect_refused(request(guest, ANN))).code == "not_registered"
    assert (await guest.expect_refused(AllowChallenges(guest.id(), allowed=False))).code == "not_registered"
    assert (await list_challenges(guest)).challenges == ()
    assert (await ann.expect_refused(request(ann, "Guest 2QFE"))).code == "unknown_player"


async def test_player_who_muted_the_challenger_seems_to_take_no_challenges(node: InMemoryServer) -> None:
    ann, ben, cid = await connect_members(node, ANN, BEN, CID)
    await ben.request(MutePlayer(ben.id(), ann.player))
    muted = await ann.expect_refused(request(ann))
    assert (await challenge(cid)).status == "open"
    listed = await ben.request(AllowChallenges(ben.id(), allowed=False))
    assert isinstance(listed, ChallengeList)
    assert (listed.allowed, len(listed.challenges)) == (False, 1), "what is open stays open"
    turned_off = await ann.expect_refused(request(ann))
    assert muted.code == "takes_no_challenges"
    assert msgspec.structs.replace(muted, id="") == msgspec.structs.replace(turned_off, id="")


async def test_others_answer_no_challenge_and_the_two_only_their_own_way(node: InMemoryServer) -> None:
    ann, ben, cid = await connect_members(node, ANN, BEN, CID)
    sent = await challenge(ann)
    for client, answer in (
        (cid, AcceptChallenge("", sent.challenge)),
        (cid, WithdrawChallenge("", sent.challenge)),
        (ann, AcceptChallenge("", sent.challenge)),
        (ann, DeclineChallenge("", sent.challenge)),
        (ben, WithdrawChallenge("", sent.challenge)),
        (ben, AcceptChallenge("", "nothing")),
    ):
        refused = await client.expect_refused(msgspec.structs.replace(answer, id=client.id()))
        assert refused.code == "unknown_challenge"
    assert (await accept(ben, sent)).status == "accepted"


async def test_second_challenge_to_the_same_player_is_refused(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, ANN, BEN)
    await challenge(ann)
    refused = await ann.expect_refused(request(ann))
    assert (refused.code, refused.place) == ("challenged_already", "$.name")
    assert (await challenge(ben, ANN)).status == "open"


async def test_challenges_of_one_player_are_limited_at_once_and_in_an_hour(node: InMemoryServer) -> None:
    ann, *others = await connect_members(node, ANN, *(f"Player {letter}" for letter in "ABCDEFGHIJK"))
    assert len(others) == MAX_SENT + 1
    names = [f"Player {letter}" for letter in "ABCDEFGHIJK"]
    for name in names[:MAX_SENT]:
        await challenge(ann, name)
    refused = await ann.expect_refused(request(ann, names[MAX_SENT]))
    assert (refused.code, refused.numbers) == ("too_many_challenges", {"challenges": MAX_SENT})
    last = (await list_challenges(ann)).challenges[0]
    for _ in range(CHALLENGES_PER_PLAYER.units - MAX_SENT - 1):
        await ann.request(WithdrawChallenge(ann.id(), last.challenge))
        last = await challenge(ann, names[MAX_SENT])
    await ann.request(WithdrawChallenge(ann.id(), last.challenge))
    refused = await ann.expect_refused(request(ann, names[MAX_SENT]))
    assert refused.code == "too_many_challenges"
    assert refused.retry_after_ms


async def test_limit_of_open_matches_is_the_challengers(database: Database) -> None:
    node = InMemoryServer(database, each=1)
    ann, ben = await connect_members(node, ANN, BEN)
    sent = await challenge(ann)
    match = await ann.open_match()
    assert (await ann.expect_refused(request(ann, id="other"))).code == "too_many_open"
    refused = await ben.expect_refused(AcceptChallenge(ben.id(), sent.challenge))
    assert (refused.code, "the challenger" in refused.text) == ("too_many_open", True)
    assert (await list_challenges(ben)).challenges[0].status == "open", "it can be accepted later"
    assert match
    await node.matches.close()


# ---------------------------------------------------------------- races and restarts


async def two_nodes(database: Database) -> tuple[list[InMemoryServer], InMemoryClient, InMemoryClient]:
    """Return two nodes with a player on each; nothing they publish reaches the other."""
    nodes = [InMemoryServer(database, bus=LocalBus(), seed=seed) for seed in (1, 2)]
    return nodes, await connect_member(nodes[0], ANN), await connect_member(nodes[1], BEN)


async def test_acceptance_on_two_nodes_at_once_opens_one_match(database: Database) -> None:
    nodes, ann, ben = await two_nodes(database)
    sent = await challenge(ann)
    elsewhere = await nodes[0].connect_and_greet(ben.token)
    answers = await asyncio.gather(accept(ben, sent), accept(elsewhere, sent))
    assert answers[0] == answers[1]
    assert answers[0].match is not None
    states = [await node.state(answers[0].match) for node in nodes]
    assert states[0].server_link == states[1].server_link
    for node in nodes:
        await node.matches.close()


@pytest.mark.parametrize("round", range(4))
async def test_of_acceptance_and_withdrawal_at_once_one_counts(database: Database, round: int) -> None:
    nodes, ann, ben = await two_nodes(database)
    sent = await challenge(ann)
    requests = [
        ben.request(AcceptChallenge(ben.id(), sent.challenge)),
        ann.request(WithdrawChallenge(ann.id(), sent.challenge)),
    ]
    answers = await asyncio.gather(*(requests if round % 2 else requests[::-1]))
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    (settled,) = [answer.challenge for answer in answers if isinstance(answer, ChallengeView)]
    assert [answer.code for answer in refused] == ["challenge_over"]
    stored = await database.challenges.find(sent.challenge)
    assert stored is not None
    assert stored.status == settled.status
    opened = await database.events.heads([stored.match])
    assert bool(opened) == (settled.status == "accepted")
    for node in nodes:
        await node.matches.close()


async def test_acceptance_after_the_time_opens_nothing(database: Database) -> None:
    nodes, ann, ben = await two_nodes(database)
    sent = await challenge(ann)
    nodes[1].clock.now = sent.expires_ms
    assert (await ben.expect_refused(AcceptChallenge(ben.id(), sent.challenge))).code == "challenge_over"
    stored = await database.challenges.find(sent.challenge)
    assert stored is not None
    assert not await database.events.heads([stored.match])
    for node in nodes:
        await node.matches.close()


async def test_match_is_opened_by_a_list_after_the_node_that_accepted_has_ended(database: Database) -> None:
    node = InMemoryServer(database)
    ann, ben = await connect_members(node, ANN, BEN)
    sent = await challenge(ann)

    async def die(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    node.openings.open = die  # type: ignore[method-assign, assignment]
    assert (await ben.expect_refused(AcceptChallenge(ben.id(), sent.challenge))).code == "fault"
    await node.matches.close()

    again = InMemoryServer(database)
    back = await again.connect_and_greet(ann.token)
    (listed,) = (await list_challenges(back)).challenges
    assert listed.match is not None
    assert (await again.state(listed.match)).status == "open"
    await again.matches.close()


async def test_challenge_outlives_a_restart(database: Database) -> None:
    node = InMemoryServer(database)
    ann, ben = await connect_members(node, ANN, BEN)
    sent = await challenge(ann)
    await node.matches.close()
    again = InMemoryServer(database)
    back = await again.connect_and_greet(ben.token)
    assert (await list_challenges(back)).challenges == (sent,)
    assert (await accept(back, sent)).status == "accepted"
    await again.matches.close()


async def test_other_challenge_under_the_same_id_is_refused(node: InMemoryServer) -> None:
    ann, _ = await connect_members(node, ANN, BEN)
    await connect_members(node, CID)
    first = request(ann, BEN)
    sent = await ann.request(first)
    assert await ann.request(first) == sent
    refused = await ann.expect_refused(msgspec.structs.replace(first, name=CID))
    assert (refused.code, refused.place) == ("duplicate_differs", "$.id")


async def test_challenge_whose_ruleset_is_gone_stays_open_and_can_be_declined(database: Database) -> None:
    node = InMemoryServer(database)
    ann, ben = await connect_members(node, ANN, BEN)
    sent = await challenge(ann)
    await node.matches.close()
    later = InMemoryServer(database, rulesets={"other": CountingRules()}, clock=node.clock)
    again = await later.connect_and_greet(ben.token)
    await again.expect_refused(AcceptChallenge(again.id(), sent.challenge))
    answer = await again.request(DeclineChallenge(again.id(), sent.challenge))
    assert isinstance(answer, ChallengeView), answer
    assert answer.challenge.status == "declined"
    await later.matches.close()
