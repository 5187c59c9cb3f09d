"""The loop that runs tournaments, with real matches: it opens them, takes results and pairs rounds."""

import asyncio

import pytest

from diskwars_protocol.match.actions import TakeSeat
from diskwars_protocol.messages.tournaments import (
    EnterAct,
    EnterBotAct,
    PauseAct,
    ResumeAct,
    StartAct,
    TournamentChanged,
)
from diskwars_protocol.tournaments.fold import fold_tournament
from diskwars_protocol.tournaments.standings import standings_of
from diskwars_server.bus.bus import LocalBus
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.tournaments.runner import LEASE_MS
from tests.server.bot_nodes import odd_program, playing_bots
from tests.server.counting_ruleset import CountingLoadout
from tests.server.in_memory_server import HEAD, InMemoryClient, InMemoryServer
from tests.server.tournaments.tournament_clients import (
    act,
    begin,
    boards_of,
    client_of,
    connect_member,
    connect_members,
    open_tournament,
    play,
    run,
    sit_down,
    view,
)


async def play_round(node: InMemoryServer, clients: list[InMemoryClient], tournament: str) -> None:
    """Play the open boards; who came first wins."""
    shown = await view(clients[0], tournament)
    for board in boards_of(shown):
        if board.result is None:
            await play(board, clients, shown, (6, 1) if board.entrants[0] < board.entrants[1] else (1, 6))
    await run(node, 3)


async def test_swiss_with_a_final_is_played_to_its_end(node: InMemoryServer) -> None:
    clients = await connect_members(node, "Ann", "Ben", "Cid", "Dan")
    tournament = await begin(clients[0], clients, rounds=2, final_top=2)
    await run(node)
    for _ in range(3):
        await play_round(node, clients, tournament)

    shown = await view(clients[0], tournament)

    assert shown.tournament.status == "ended"
    assert [round_.stage for round_ in shown.tournament.rounds] == ["main", "main", "final"]
    assert len(shown.standings) == 4
    assert [row.entrant for row in shown.standings] == list(shown.tournament.ranking)
    assert [place.place for place in shown.bracket] == ["F"]
    records = await node.database.tournaments.read(tournament)
    assert standings_of(fold_tournament(tournament, records)) == shown.standings


async def test_match_is_opened_with_the_template_and_its_seats_are_kept(node: InMemoryServer) -> None:
    ann, ben, stranger = await connect_members(node, "Ann", "Ben", "Eve")
    template = {"ruleset": "counting", "settings": {"rounds": 3}, "match_options": {"watchers": "round_later"}}
    tournament = await begin(ann, [ann, ben], template=template)
    await run(node)
    shown = await view(ann, tournament)
    (board,) = boards_of(shown)

    state = await node.state(board.match)
    assert (state.settings.rounds, state.match_options.watchers) == (3, "round_later")
    first = client_of([ann, ben], shown.tournament.entrant(board.entrants[0]).player)
    await stranger.watch(board.match)
    await first.watch(board.match)
    for client, seat in ((stranger, 0), (first, 1)):
        decision = await client.decision(board.match, seat)
        refused = await client.expect_refused(
            client.act_message(board.match, decision, TakeSeat(HEAD, CountingLoadout("x", 1)))
        )
        assert refused.code == "seat_taken"
    await first.take_seat(board.match, 0)


async def test_entrants_receive_their_match_and_seat(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann", "Ben")
    tournament = await begin(ann, [ann, ben])
    await run(node)

    received = [await client.expect(TournamentChanged) for client in (ann, ben)]

    (board,) = boards_of(await view(ann, tournament))
    assert {message.match for message in received} == {board.match}
    assert {message.seat for message in received} == {0, 1}


async def test_matches_that_have_begun_are_shown(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann", "Ben")
    tournament = await begin(ann, [ann, ben])
    await run(node)
    shown = await view(ann, tournament)
    assert shown.begun == ()
    (board,) = boards_of(shown)

    await sit_down(board, [ann, ben], shown, 0, 1)

    assert (await view(ann, tournament)).begun == (board.match,)


async def test_absent_player_forfeits_and_the_match_is_closed(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann", "Ben")
    tournament = await begin(ann, [ann, ben], no_show_minutes=5)
    await run(node)
    shown = await view(ann, tournament)
    (board,) = boards_of(shown)
    present = client_of([ann, ben], shown.tournament.entrant(board.entrants[1]).player)
    await present.watch(board.match)
    await present.take_seat(board.match, 1)

    await run(node, 5 * 60)

    after = await view(ann, tournament)
    result = boards_of(after)[0].result
    assert result is not None
    assert (result.half_points, result.decided_by) == ((0, 2), "no_show")
    assert after.tournament.status == "ended"
    game = await node.matches.find(board.match)
    await game.wait_idle()
    assert game.state.status == "ended"


async def test_player_in_a_seat_who_is_not_ready_forfeits(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann", "Ben")
    tournament = await begin(ann, [ann, ben], no_show_minutes=5)
    await run(node)
    shown = await view(ann, tournament)
    (board,) = boards_of(shown)
    for seat, number in enumerate(board.entrants):
        client = client_of([ann, ben], shown.tournament.entrant(number).player)
        await client.watch(board.match)
        await client.take_seat(board.match, seat)
    present = client_of([ann, ben], shown.tournament.entrant(board.entrants[1]).player)
    await present.be_ready(board.match, 1)

    await run(node, 5 * 60)

    result = boards_of(await view(ann, tournament))[0].result
    assert result is not None
    assert result.half_points == (0, 2)


async def test_no_match_is_opened_in_a_pause(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann", "Ben")
    tournament = await open_tournament(ann)
    for client in (ann, ben):
        await act(client, tournament, EnterAct())
    await act(ann, tournament, StartAct())
    await act(ann, tournament, PauseAct())
    await run(node, 10)
    assert (await view(ann, tournament)).tournament.rounds == ()

    await act(ann, tournament, ResumeAct())
    await run(node)

    assert len((await view(ann, tournament)).tournament.rounds) == 1


async def test_another_node_goes_on_where_one_has_died() -> None:
    async with MemoryDatabase() as database:
        bus = LocalBus()
        first = InMemoryServer(database, bus=bus)
        clients = await connect_members(first, "Ann", "Ben", "Cid", "Dan")
        tournament = await begin(clients[0], clients, rounds=2)
        # It has claimed the tournament and opened nothing: it dies.
        assert await database.tournaments.claim_due(first.clock(), 16, LEASE_MS) == [tournament]
        second = InMemoryServer(database, clock=first.clock, bus=bus)

        await run(second)
        assert (await view(clients[0], tournament)).tournament.rounds == ()
        await run(second, LEASE_MS / 1000)

        shown = await view(clients[0], tournament)
        assert len(boards_of(shown)) == 2
        await play_round(second, clients, tournament)
        assert len((await view(clients[0], tournament)).tournament.rounds) == 2
        for node in (first, second):
            await node.matches.close()


async def test_two_nodes_at_once_pair_a_round_and_open_its_matches_once(database: Database) -> None:
    bus = LocalBus()
    first = InMemoryServer(database, bus=bus)
    second = InMemoryServer(database, clock=first.clock, bus=bus)
    clients = await connect_members(first, "Ann", "Ben", "Cid", "Dan")
    tournament = await begin(clients[0], clients)

    await asyncio.gather(*(node.tournaments.runner.work_on(tournament) for node in (first, second)))

    shown = await view(clients[0], tournament)
    assert len(shown.tournament.rounds) == 1
    heads = await database.events.heads([board.match for board in boards_of(shown)])
    assert sorted(heads.values()) == [1, 1]
    for node in (first, second):
        await node.matches.close()


async def test_match_that_was_paired_and_not_opened_is_opened_later(node: InMemoryServer) -> None:
    ann, ben = await connect_members(node, "Ann", "Ben")
    tournament = await begin(ann, [ann, ben])
    state = await node.tournaments.streams.load(tournament)
    events = await node.tournaments.runner.pair(state)
    await node.tournaments.streams.append(state, events, ann.player, "pair")  # and then the node dies
    (board,) = boards_of(await view(ann, tournament))
    assert await node.database.events.heads([board.match]) == {}

    await run(node)

    assert await node.database.events.heads([board.match]) == {board.match: 1}


async def test_tournament_that_cannot_be_worked_on_keeps_no_other_back(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = await connect_members(node, "Ann", "Ben")
    broken, well = await begin(ann, [ann, ben]), await begin(ann, [ann, ben])
    load = node.tournaments.streams.load

    async def load_or_fail(tournament: str) -> object:
        if tournament == broken:
            raise RuntimeError("broken")
        return await load(tournament)

    monkeypatch.setattr(node.tournaments.streams, "load", load_or_fail)
    await run(node)
    monkeypatch.undo()

    assert len((await view(ann, well)).tournament.rounds) == 1
    assert (await view(ann, broken)).tournament.rounds == ()
    await run(node, 60)
    assert len((await view(ann, broken)).tournament.rounds) == 1


async def test_bots_play_a_tournament_among_themselves() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        organiser = await connect_member(node, "Olga")
        tournament = await open_tournament(organiser, bots=True, rounds=1)
        for _ in range(2):
            await act(organiser, tournament, EnterBotAct("steady"))
        await act(organiser, tournament, StartAct())
        async with playing_bots(node), asyncio.timeout(30):
            while (shown := await view(organiser, tournament)).tournament.status == "running":
                await run(node, 3)
                await asyncio.sleep(0.01)

        assert shown.tournament.status == "ended"
        result = boards_of(shown)[0].result
        assert result is not None
        assert result.decided_by == "match"
        await node.matches.close()
