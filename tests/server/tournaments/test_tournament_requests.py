"""Requests about tournaments: rights of organisers, entrants and guests, and what each is shown."""

import pytest
from msgspec import Raw

from diskwars_protocol.messages.accounts import MarkAsBot
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.tournaments import (
    AddOrganiserAct,
    CancelAct,
    CheckInAct,
    CorrectResultAct,
    EnterAct,
    EnterBotAct,
    GetTournament,
    OpenTournament,
    PairRoundAct,
    PauseAct,
    RemoveOrganiserAct,
    ResumeAct,
    StartAct,
    TournamentChanged,
    TournamentView,
    WithdrawAct,
)
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.tournaments.tournament_requests import MAX_BOTS, MAX_TOURNAMENTS_PER_PLAYER
from tests.server.bot_nodes import odd_program
from tests.server.in_memory_server import InMemoryServer
from tests.server.tournaments.tournament_clients import (
    act,
    act_message,
    begin,
    connect_member,
    connect_members,
    listed,
    open_tournament,
    opening,
    refusal,
    run,
    view,
)


async def test_tournament_is_opened_once_by_one_request(node: InMemoryServer) -> None:
    organiser = await connect_member(node, "Olga")
    request = opening(organiser, "again")

    first, second = await organiser.request(request), await organiser.request(request)

    assert isinstance(first, TournamentView)
    assert isinstance(second, TournamentView)
    assert first.tournament == second.tournament
    assert (first.tournament.organisers, first.is_organiser) == ((organiser.player,), True)


async def test_act_that_is_repeated_under_its_id_is_answered_as_done(node: InMemoryServer) -> None:
    organiser, pavel, anneke = await connect_members(node, "Olga", "Pavel", "Anneke")
    tournament = await open_tournament(organiser, pairs_by_hand=True)
    acts = (
        (pavel, EnterAct()),
        (anneke, EnterAct()),
        (anneke, WithdrawAct()),
        (anneke, EnterAct()),
        (organiser, StartAct()),
        (organiser, PairRoundAct()),
        (organiser, PauseAct()),
        (organiser, ResumeAct()),
        (organiser, CancelAct("rain")),
    )
    for client, wanted in acts:
        request = act_message(client, tournament, wanted)
        first = await client.request(request)
        assert isinstance(first, TournamentView), (wanted, first)
        assert await client.request(request) == first, wanted
    # Under another id it is another act, and another player has not sent this one.
    done = act_message(organiser, tournament, CancelAct("rain"), "cancel once more")
    assert (await organiser.expect_refused(done)).code == "tournament_over"
    assert (await pavel.expect_refused(act_message(pavel, tournament, StartAct(), done.id))).code == "not_organiser"


async def test_opening_that_is_repeated_needs_no_other_place(node: InMemoryServer) -> None:
    organiser = await connect_member(node, "Olga")
    starts_ms = node.clock.now + 60_000
    requests = [opening(organiser, starts_ms=starts_ms) for _ in range(MAX_TOURNAMENTS_PER_PLAYER)]
    first = [await organiser.request(request) for request in requests]
    node.clock.now = starts_ms + 1
    for request, opened in zip(requests, first, strict=True):
        again = await organiser.request(request)
        assert isinstance(again, TournamentView), again
        assert isinstance(opened, TournamentView)
        assert again.tournament.tournament == opened.tournament.tournament
    assert (await organiser.expect_refused(opening(organiser))).code == "too_many_tournaments"


async def test_guest_sees_tournaments_and_neither_opens_nor_enters_one(node: InMemoryServer) -> None:
    organiser, guest = await connect_member(node, "Olga"), await node.connect_and_greet()
    tournament = await open_tournament(organiser)

    assert (await guest.expect_refused(opening(guest))).code == "not_registered"
    assert await refusal(guest, tournament, EnterAct()) == "not_registered"
    assert (await view(guest, tournament)).entrant is None


@pytest.mark.parametrize(
    ("options", "code", "place"),
    [
        ('{"format":"swiss"}', "bad_tournament", "$.options.template"),
        ('{"format":"chess","template":{"ruleset":"counting"}}', "bad_tournament", "$.options.format"),
        ('{"format":"swiss","template":{"ruleset":"counting"},"round":3}', "bad_tournament", "$.options.round"),
        ('{"format":"swiss","template":{"ruleset":"counting"},"final_top":3}', "bad_tournament", "$.options.final_top"),
        ('{"format":"swiss","template":{"ruleset":"chess"}}', "unknown_ruleset", "$.options.template.ruleset"),
        (
            '{"format":"swiss","template":{"ruleset":"counting","settings":{"rounds":"x"}}}',
            "bad_settings",
            "$.options.template.settings.rounds",
        ),
    ],
)
async def test_options_that_do_not_fit_are_refused_with_their_place(
    node: InMemoryServer, options: str, code: str, place: str
) -> None:
    organiser = await connect_member(node, "Olga")

    refused = await organiser.expect_refused(OpenTournament(organiser.id(), "Cup", Raw(options.encode())))

    assert (refused.code, refused.place) == (code, place)


async def test_name_of_spaces_and_options_without_end_are_refused(node: InMemoryServer) -> None:
    organiser = await connect_member(node, "Olga")

    for name in ("  ", "Autumn\u200b", "\u3164", "Autumn \u202ePUC", "Autumn\nCup", "\x1b]0;owned\x07\x1b[2J"):
        refused = await organiser.expect_refused(opening(organiser, name=name))
        assert (refused.code, refused.place) == ("bad_tournament", "$.name"), ascii(name)
    long = {"ruleset": "counting", "settings": {"rounds": 1, "x": "x" * 9000}}
    assert (await organiser.expect_refused(opening(organiser, template=long))).code == "bad_tournament"


async def test_note_that_would_act_in_a_terminal_is_refused(node: InMemoryServer) -> None:
    organiser = await connect_member(node, "Olga")
    tournament = await open_tournament(organiser)
    refused = await organiser.expect_refused(act_message(organiser, tournament, CancelAct("\x1b[2Jno hall")))
    assert (refused.code, refused.place) == ("bad_tournament", "$.act.note")
    cancelled = await act(organiser, tournament, CancelAct(" no hall "))
    assert cancelled.tournament.status == "cancelled"


async def test_player_opens_a_limited_number_of_tournaments(node: InMemoryServer) -> None:
    organiser = await connect_member(node, "Olga")
    tournaments = [await open_tournament(organiser) for _ in range(MAX_TOURNAMENTS_PER_PLAYER)]

    assert (await organiser.expect_refused(opening(organiser))).code == "too_many_tournaments"
    await act(organiser, tournaments[0], CancelAct())

    assert await open_tournament(organiser)


async def test_unknown_tournament_is_refused(node: InMemoryServer) -> None:
    organiser = await connect_member(node, "Olga")

    assert (await organiser.expect_refused(GetTournament(organiser.id(), "nowhere"))).code == "unknown_tournament"
    assert await refusal(organiser, "nowhere", EnterAct()) == "unknown_tournament"


async def test_players_enter_leave_and_are_removed(node: InMemoryServer) -> None:
    organiser, ann, ben = await connect_members(node, "Olga", "Ann", "Ben")
    tournament = await open_tournament(organiser)

    assert (await act(ann, tournament, EnterAct())).entrant == 1
    assert (await act(ben, tournament, EnterAct())).entrant == 2
    await act(ann, tournament, WithdrawAct())
    shown = await act(organiser, tournament, WithdrawAct(2))

    assert [entrant.status for entrant in shown.tournament.entrants] == ["withdrawn", "withdrawn"]
    assert await refusal(ann, tournament, WithdrawAct(2)) == "not_organiser"
    assert await refusal(organiser, tournament, WithdrawAct(3)) == "unknown_entrant"
    assert await refusal(organiser, tournament, WithdrawAct()) == "not_entered"


async def test_same_request_enters_once_and_answers_again(node: InMemoryServer) -> None:
    organiser, ann = await connect_members(node, "Olga", "Ann")
    tournament = await open_tournament(organiser)
    request = act_message(ann, tournament, EnterAct(), "enter")

    answers = [await ann.request(request) for _ in range(2)]

    assert [isinstance(answer, TournamentView) and answer.entrant for answer in answers] == [1, 1]
    assert len((await view(ann, tournament)).tournament.entrants) == 1


async def test_only_organisers_start_pause_correct_and_cancel(node: InMemoryServer) -> None:
    organiser, ann, ben = await connect_members(node, "Olga", "Ann", "Ben")
    tournament = await begin(organiser, [ann, ben])
    await run(node)

    for forbidden in (StartAct(), PauseAct(), ResumeAct(), CancelAct(), CorrectResultAct(1, 1, (2, 0)), PairRoundAct()):
        assert await refusal(ann, tournament, forbidden) == "not_organiser"

    assert (await act(organiser, tournament, PauseAct())).tournament.paused_ms is not None
    assert (await act(organiser, tournament, ResumeAct())).tournament.paused_ms is None
    corrected = await act(organiser, tournament, CorrectResultAct(1, 1, (2, 0), "by hand"))
    result = corrected.tournament.rounds[0].boards[0].result
    assert result is not None
    assert (result.decided_by, result.note) == ("organiser", "by hand")
    assert (await act(organiser, tournament, CancelAct("rain"))).tournament.note == "rain"


async def test_second_organiser_organises_until_let_go(node: InMemoryServer) -> None:
    organiser, ann = await connect_members(node, "Olga", "Ann")
    tournament = await open_tournament(organiser)

    assert await refusal(organiser, tournament, AddOrganiserAct("Nobody")) == "unknown_player"
    await act(organiser, tournament, AddOrganiserAct("ann"))
    assert (await view(ann, tournament)).is_organiser
    await act(organiser, tournament, RemoveOrganiserAct("Ann"))

    assert not (await view(ann, tournament)).is_organiser
    assert await refusal(ann, tournament, AddOrganiserAct("Ann")) == "not_organiser"


async def test_entrants_check_in_themselves_or_are_checked_in(node: InMemoryServer) -> None:
    organiser, ann, ben = await connect_members(node, "Olga", "Ann", "Ben")
    starts_ms = node.clock() + 60_000
    tournament = await open_tournament(organiser, starts_ms=starts_ms, check_in_minutes=1)
    for client in (ann, ben):
        await act(client, tournament, EnterAct())

    await act(ann, tournament, CheckInAct())
    shown = await act(organiser, tournament, CheckInAct(2))

    assert [entrant.checked_in for entrant in shown.tournament.entrants] == [True, True]
    await run(node, 60)
    assert (await view(ann, tournament)).tournament.status == "running"


async def test_round_by_hand_begins_when_an_organiser_says_so(node: InMemoryServer) -> None:
    organiser, ann, ben = await connect_members(node, "Olga", "Ann", "Ben")
    tournament = await begin(organiser, [ann, ben], pairs_by_hand=True)
    await run(node)
    assert (await view(ann, tournament)).tournament.rounds == ()

    shown = await act(organiser, tournament, PairRoundAct())

    assert len(shown.tournament.rounds) == 1
    assert await refusal(organiser, tournament, PairRoundAct()) == "no_round_due"


async def test_lists_show_tournaments_by_link_to_their_people_only(node: InMemoryServer) -> None:
    organiser, ann = await connect_members(node, "Olga", "Ann")
    hidden = await open_tournament(organiser, visibility="link", name="Hidden")
    node.clock.now += 1
    shown = await open_tournament(organiser)

    assert [each.tournament for each in (await listed(organiser)).tournaments] == [shown, hidden]
    assert [each.tournament for each in (await listed(ann)).tournaments] == [shown]
    assert (await view(ann, hidden)).tournament.name == "Hidden"
    await act(ann, hidden, EnterAct())
    mine = (await listed(ann, mine=True)).tournaments
    assert [(each.tournament, each.entrants, each.is_mine) for each in mine] == [(hidden, 1, True)]


async def test_list_has_pages_and_an_end(node: InMemoryServer) -> None:
    organiser = await connect_member(node, "Olga")
    tournaments = []
    for _ in range(3):
        node.clock.now += 1
        tournaments.append(await open_tournament(organiser))
    await act(organiser, tournaments[0], CancelAct())

    first = await listed(organiser, limit=1)
    second = await listed(organiser, limit=1, page=first.next_page)

    assert [first.tournaments[0].tournament, second.tournaments[0].tournament] == [tournaments[2], tournaments[1]]
    assert second.next_page is None
    assert [each.tournament for each in (await listed(organiser, over=True)).tournaments] == [tournaments[0]]


async def test_follower_receives_every_change_of_one_tournament(node: InMemoryServer) -> None:
    organiser, ann, ben = await connect_members(node, "Olga", "Ann", "Ben")
    other, tournament = await open_tournament(organiser), await open_tournament(organiser)
    await view(ann, other, follow=True)
    await view(ann, tournament, follow=True)

    await act(ben, other, EnterAct())
    await act(ben, tournament, EnterAct())

    changed = await ann.expect(TournamentChanged)
    assert (changed.tournament, changed.seq, changed.match) == (tournament, 2, None)


async def test_connection_that_has_ended_receives_nothing(node: InMemoryServer) -> None:
    organiser, ann = await connect_members(node, "Olga", "Ann")
    tournament = await open_tournament(organiser)
    await view(ann, tournament, follow=True)

    node.tournaments.service.leave(ann.outbox)
    await act(organiser, tournament, EnterAct())

    assert not [message for message in ann.messages if isinstance(message, TournamentChanged)]


async def test_account_of_a_bot_enters_only_where_the_tournament_has_bots(node: InMemoryServer) -> None:
    organiser, bot, late = await connect_members(node, "Olga", "Archer", "Boar")
    without = await open_tournament(organiser)
    with_bots = await open_tournament(organiser, bots=True)
    await act(late, without, EnterAct())
    for client in (bot, late):
        await client.request(MarkAsBot(client.id()))

    assert await refusal(bot, without, EnterAct()) == "no_bots_here"
    await act(bot, with_bots, EnterAct())
    await act(late, without, EnterAct())  # an entrant from before stays until they leave
    await act(late, without, WithdrawAct())
    assert await refusal(late, without, EnterAct()) == "no_bots_here"


async def test_bots_enter_where_the_tournament_has_them_and_the_server_too() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        organiser = await connect_member(node, "Olga")
        without = await open_tournament(organiser)
        tournament = await open_tournament(organiser, bots=True)

        assert await refusal(organiser, without, EnterBotAct("steady")) == "no_bots_here"
        assert await refusal(organiser, tournament, EnterBotAct("nobody")) == "unknown_bot"
        for _ in range(MAX_BOTS):
            await act(organiser, tournament, EnterBotAct("steady"))
        assert await refusal(organiser, tournament, EnterBotAct("steady")) == "too_many_bots"

        assert {entrant.bot for entrant in (await view(organiser, tournament)).tournament.entrants} == {"steady"}
        await node.matches.close()


async def test_matches_of_a_tournament_are_in_no_list_of_open_matches(node: InMemoryServer) -> None:
    organiser, ann, ben = await connect_members(node, "Olga", "Ann", "Ben")
    await begin(organiser, [ann, ben])
    await run(node)
    stranger = await node.connect_and_greet()

    matches = await stranger.request(ListMatches(stranger.id(), has_free_seat=True))

    assert isinstance(matches, MatchList)
    assert matches.matches == ()
