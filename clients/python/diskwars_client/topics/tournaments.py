"""Tournaments: open, list, show and follow them, and act in one."""

import asyncio
from collections.abc import AsyncIterator

import msgspec

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.messages.reports import ContentReported, ReportContent
from diskwars_protocol.messages.tournaments import (
    MAX_LISTED_TOURNAMENTS,
    ActInTournament,
    AddOrganiserAct,
    CancelAct,
    CheckInAct,
    CorrectResultAct,
    EnterAct,
    EnterBotAct,
    GetTournament,
    ListTournaments,
    OpenTournament,
    PairRoundAct,
    PauseAct,
    RemoveOrganiserAct,
    ResumeAct,
    StartAct,
    TournamentAct,
    TournamentChanged,
    TournamentList,
    TournamentView,
    WithdrawAct,
)
from diskwars_protocol.tournaments.options import TournamentOptions

POLL_SECONDS = 30.0
"""A followed tournament is asked for again after this time: a message about a change may get lost."""


class TournamentTopic:
    """Requests about tournaments, as `client.tournaments`. Each raises CommandRefused."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._changed = asyncio.Event()

    async def open(self, name: str, options: TournamentOptions) -> TournamentView:
        """Open a tournament, which this player organises."""
        raw = msgspec.Raw(msgspec.json.encode(options))
        return await self._requester.request(OpenTournament(new_command_id(), name, raw), TournamentView)

    async def list(
        self,
        *,
        over: bool = False,
        mine: bool = False,
        page: str | None = None,
        limit: int = MAX_LISTED_TOURNAMENTS,
        club: str | None = None,
        clubs: bool = False,
    ) -> TournamentList:
        """Return one page of the tournaments that are open or running, or of those that are over.

        With `club` those of one club, with `clubs` those of all clubs that this player is in.
        """
        request = ListTournaments(new_command_id(), over, mine, page, limit, club, clubs)
        return await self._requester.request(request, TournamentList)

    async def get(self, tournament: str) -> TournamentView:
        """Return a tournament as it is now."""
        return await self._requester.request(GetTournament(new_command_id(), tournament), TournamentView)

    async def follow(self, tournament: str) -> AsyncIterator[TournamentView]:
        """Yield a tournament as it is, and again after every change, until it is over."""
        while True:
            self._changed.clear()
            request = GetTournament(new_command_id(), tournament, follow=True)
            shown = await self._requester.request(request, TournamentView)
            yield shown
            if shown.tournament.status in ("ended", "cancelled"):
                return
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._changed.wait()
            except TimeoutError:
                pass  # a connection that was lost follows nothing any more

    # ------------------------------------------------------------ entrants

    async def enter(self, tournament: str) -> TournamentView:
        """Enter, also after a withdrawal."""
        return await self.act(tournament, EnterAct())

    async def enter_bot(self, tournament: str, bot: str) -> TournamentView:
        """Let a bot of the server in, as an organiser."""
        return await self.act(tournament, EnterBotAct(bot))

    async def withdraw(self, tournament: str, entrant: int | None = None) -> TournamentView:
        """Withdraw, or as an organiser remove an entrant."""
        return await self.act(tournament, WithdrawAct(entrant))

    async def check_in(self, tournament: str, entrant: int | None = None) -> TournamentView:
        """Say that one is there, or as an organiser that an entrant is."""
        return await self.act(tournament, CheckInAct(entrant))

    async def report(self, tournament: str, text: str) -> None:
        """Report the name or the notes of a tournament to the operators."""
        request = ReportContent(new_command_id(), "tournament", tournament, text)
        await self._requester.request(request, ContentReported)

    # ------------------------------------------------------------ organisers

    async def start(self, tournament: str) -> TournamentView:
        return await self.act(tournament, StartAct())

    async def pair_round(self, tournament: str) -> TournamentView:
        """Begin the next round, where rounds are begun by hand."""
        return await self.act(tournament, PairRoundAct())

    async def pause(self, tournament: str) -> TournamentView:
        return await self.act(tournament, PauseAct())

    async def resume(self, tournament: str) -> TournamentView:
        return await self.act(tournament, ResumeAct())

    async def cancel(self, tournament: str, note: str | None = None) -> TournamentView:
        """End a tournament without a winner."""
        return await self.act(tournament, CancelAct(note))

    async def correct_result(
        self, tournament: str, round: int, board: int, half_points: tuple[int, int], note: str | None = None
    ) -> TournamentView:
        """Decide a match, or replace its result; the half points are in the order of its entrants."""
        return await self.act(tournament, CorrectResultAct(round, board, half_points, note))

    async def add_organiser(self, tournament: str, name: str) -> TournamentView:
        """Let the player of an account organise too."""
        return await self.act(tournament, AddOrganiserAct(name))

    async def remove_organiser(self, tournament: str, name: str) -> TournamentView:
        return await self.act(tournament, RemoveOrganiserAct(name))

    async def act(self, tournament: str, act: TournamentAct) -> TournamentView:
        """Do something in a tournament; return what it is like then."""
        return await self._requester.request(ActInTournament(new_command_id(), tournament, act), TournamentView)

    def _on_changed(self, changed: TournamentChanged) -> None:
        self._changed.set()
