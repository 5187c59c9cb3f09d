"""Tournaments through the SDK: bots of a real server play one to its end while it is followed."""

import asyncio

import msgspec
import pytest

from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_protocol.tournaments.options import MatchTemplate, TournamentOptions
from tests.client.local_server import running_server

PASSWORD = "the griffon flies at dawn"


def options(**others: object) -> TournamentOptions:
    plain = TournamentOptions("swiss", MatchTemplate("pit"))
    return msgspec.structs.replace(plain, **others)


async def test_tournament_is_opened_entered_and_organised() -> None:
    async with running_server(seed=None) as url, connect(url) as ann, connect(url) as ben:
        await ann.accounts.register("Ann", PASSWORD)
        await ben.accounts.register("Ben", PASSWORD)
        opened = await ann.tournaments.open("Cup", options(pairs_by_hand=True))
        tournament = opened.tournament.tournament
        assert [shown.tournament for shown in (await ben.tournaments.list()).tournaments] == [tournament]
        await ann.tournaments.add_organiser(tournament, "Ben")
        assert (await ben.tournaments.get(tournament)).is_organiser
        await ann.tournaments.remove_organiser(tournament, "Ben")
        for client in (ann, ben):
            await client.tournaments.enter(tournament)
        await ben.tournaments.withdraw(tournament)
        await ben.tournaments.enter(tournament)
        with pytest.raises(CommandRefused, match="no_check_in"):
            await ben.tournaments.check_in(tournament)
        with pytest.raises(CommandRefused, match="unknown_bot"):
            await ann.tournaments.enter_bot(tournament, "random")
        await ann.tournaments.start(tournament)
        await ann.tournaments.pause(tournament)
        await ann.tournaments.resume(tournament)
        paired = await ann.tournaments.pair_round(tournament)
        assert len(paired.tournament.rounds) == 1
        corrected = await ann.tournaments.correct_result(tournament, 1, 1, (1, 1), "agreed")
        assert corrected.tournament.rounds[0].boards[0].result is not None
        cancelled = await ann.tournaments.cancel(tournament, "rain")
        assert cancelled.tournament.note == "rain"


async def test_follower_sees_every_change_until_the_end() -> None:
    async with running_server(seed=None) as url, connect(url) as ann, connect(url) as ben, asyncio.timeout(40):
        await ann.accounts.register("Ann", PASSWORD)
        await ben.accounts.register("Ben", PASSWORD)
        tournament = (await ann.tournaments.open("Cup", options())).tournament.tournament
        seen = []
        async for shown in ben.tournaments.follow(tournament):
            seen.append((shown.tournament.status, len(shown.tournament.entrants)))
            if len(seen) == 1:
                await ann.tournaments.enter(tournament)
            elif shown.tournament.status == "open":
                await ann.tournaments.cancel(tournament)

        assert seen == [("open", 0), ("open", 1), ("cancelled", 1)]
