"""Requests about tournaments: open one, list, show and follow them, and act in one."""

from collections.abc import Callable, Collection, Container, Sequence
from functools import partial

from msgspec import Raw
from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.tournaments import (
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
    TournamentSummary,
    TournamentView,
    WithdrawAct,
)
from diskwars_protocol.tournaments.brackets import bracket_of
from diskwars_protocol.tournaments.events import MAX_NOTE_LENGTH, TournamentEvent
from diskwars_protocol.tournaments.options import MAX_TOURNAMENT_NAME_LENGTH, TournamentOptions
from diskwars_protocol.tournaments.standings import standings_of
from diskwars_protocol.tournaments.state import Entrant, Tournament, TournamentStatus
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.community.texts import check_text_or_refuse
from diskwars_server.matches.list_pages import match_before
from diskwars_server.matches.ruleset_values import decode_or_refuse, json_decoder
from diskwars_server.matches.services import Clock
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.names import known_keys
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal, decide_or_refuse
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.clubs import may_see_club
from diskwars_server.store.tournaments import UNFINISHED, TournamentListing, Tournaments
from diskwars_server.tournaments.arranged_matches import ArrangedMatches
from diskwars_server.tournaments.club_rights import ClubRights, organisers_of
from diskwars_server.tournaments.rules import entries, organising
from diskwars_server.tournaments.rules.opening import open_tournament
from diskwars_server.tournaments.rules.progress import open_boards
from diskwars_server.tournaments.rules.rounds import wants_round
from diskwars_server.tournaments.runner import TournamentRunner, draw_seeds
from diskwars_server.tournaments.streams import TournamentStreams

MAX_TOURNAMENTS_PER_PLAYER = 10
"""Tournaments that one player may have opened and that are not over."""
MAX_BOTS = 16
"""Bots in one tournament."""
MAX_TEXT_BYTES = 8_000
"""The options of a tournament in JSON."""
OVER: tuple[TournamentStatus, ...] = ("ended", "cancelled")
KnowsBot = Callable[[str, str], bool]
"""Returns whether this server has a bot of a name for a ruleset."""


class TournamentService:
    """Answers requests about tournaments. Every handler may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        streams: TournamentStreams,
        store: Tournaments,
        accounts: Accounts,
        matches: ArrangedMatches,
        runner: TournamentRunner,
        tokens: TokenIssuer,
        club_rights: ClubRights,
        knows_bot: KnowsBot,
        clock: Clock,
    ) -> None:
        self._streams, self._store, self._accounts = streams, store, accounts
        self._matches, self._runner, self._tokens = matches, runner, tokens
        self._club_rights, self._knows_bot, self._clock = club_rights, knows_bot, clock
        self._followed: dict[Outbox, str] = {}
        streams.on_change(self._on_change)

    def handlers(self) -> Handlers[User]:
        return (
            Handler(OpenTournament, self._open),
            Handler(ListTournaments, self._list, waits_turn=True),
            Handler(GetTournament, self._get, waits_turn=True),
            Handler(ActInTournament, self._act),
        )

    def leave(self, outbox: Outbox) -> None:
        self._followed.pop(outbox, None)

    def _on_change(self, tournament: str, seq: int) -> None:
        changed = TournamentChanged(tournament, seq)
        for outbox, followed in list(self._followed.items()):
            if followed == tournament:
                outbox.send(changed)

    # ---------------------------------------------------------------- requests

    async def _open(self, user: User, request: OpenTournament) -> TournamentView:
        _require_account(user)
        tournament = self._tokens.derive_match_id(user.player, f"tournament {request.id}")
        if (stored := await self._find_opened(tournament)) is not None:
            return await self._view(request.id, stored, user.player)
        options = await self._club_rights.complete(self._read_options(request.options), user.player)
        name = check_text_or_refuse(request.name, MAX_TOURNAMENT_NAME_LENGTH, "bad_tournament", "$.name")
        opened = decide_or_refuse(lambda: open_tournament(name, options, user.player, self._clock()))
        self._matches.check_template(options.template)
        if await self._store.count_unfinished(user.player) >= MAX_TOURNAMENTS_PER_PLAYER:
            numbers = {"tournaments": MAX_TOURNAMENTS_PER_PLAYER}
            raise Refusal("too_many_tournaments", numbers=numbers)
        state = await self._streams.open(tournament, opened, user.player, request.id)
        return await self._view(request.id, state, user.player)

    async def _find_opened(self, tournament: str) -> Tournament | None:
        """Return the tournament that the same request has opened before: repeated, it needs no place for another."""
        try:
            return await self._streams.load(tournament)
        except Refusal:
            return None

    def _read_options(self, raw: Raw) -> TournamentOptions:
        if len(raw) > MAX_TEXT_BYTES:
            raise Refusal("bad_tournament", "the options are too long", "$.options")
        options: TournamentOptions = decode_or_refuse(
            raw, json_decoder(TournamentOptions), "bad_tournament", "$.options"
        )
        return options

    async def _list(self, user: User, request: ListTournaments) -> TournamentList:
        before = None if request.page is None else match_before(request.page)
        statuses = OVER if request.over else UNFINISHED
        clubs, is_member = None, False
        if request.club is not None or request.clubs:
            own = await self._club_rights.find_own(user.player)
            clubs = list(own) if request.club is None else [request.club]
            is_member = set(clubs) <= set(own)
            # Its tournaments would say of a private club that it is there.
            if not is_member and not await self._club_rights.find_seen(clubs, user.player):
                return TournamentList(request.id, ())
        # One more than the page holds tells whether another follows.
        found = await self._store.list_tournaments(
            user.player, statuses, request.limit + 1, before, is_own=request.mine, clubs=clubs, is_member=is_member
        )
        shown, is_last = found[: request.limit], len(found) <= request.limit
        next_page = None if is_last else f"{shown[-1].created_ms}.{shown[-1].tournament}"
        seen = await self._club_rights.find_seen((listing.club for listing in shown if listing.club), user.player)
        return TournamentList(
            request.id, tuple(_summary_of(listing, user.player, seen) for listing in shown), next_page
        )

    async def _get(self, user: User, request: GetTournament) -> TournamentView:
        if request.follow:
            self._followed[user.outbox] = request.tournament  # before it is read, so that no change is missed
        return await self._view(request.id, await self._streams.load(request.tournament), user.player)

    async def _act(self, user: User, request: ActInTournament) -> TournamentView:
        _require_account(user)
        decide = partial(self._decide, player=user.player, act=request.act)
        try:
            state = await self._streams.act(request.tournament, decide, user.player, request.id)
        except Refusal:
            # A request that is repeated may be refused because of what it has done itself.
            if not await self._store.has_command(request.tournament, user.player, request.id):
                raise
            state = await self._streams.load(request.tournament)
        return await self._view(request.id, state, user.player)

    # ---------------------------------------------------------------- acts

    async def _decide(self, state: Tournament, player: PlayerId, act: TournamentAct) -> Sequence[TournamentEvent]:
        """Return what an act leads to. Raises Refusal."""
        organisers = organisers_of(state, await self._club_rights.find(state.options.club))
        match act:
            case EnterAct():
                await self._club_rights.require_member(state.options.club, player)
                await self._require_person(state, player)
                return decide_or_refuse(lambda: entries.enter(state, player))
            case WithdrawAct() | CheckInAct():
                return decide_or_refuse(lambda: self._decide_about_entrant(state, player, act, organisers))
            case PairRoundAct():
                decide_or_refuse(lambda: organising.require_organiser(organisers, player))
                return await self._pair(state)
            case AddOrganiserAct() | RemoveOrganiserAct():
                decide_or_refuse(lambda: organising.require_organiser(organisers, player))
                return await self._decide_about_organiser(state, act)
            case _:
                decide_or_refuse(lambda: organising.require_organiser(organisers, player))
                return decide_or_refuse(lambda: self._organise(state, act))

    async def _require_person(self, state: Tournament, player: PlayerId) -> None:
        """Raise Refusal for the account of a bot where the tournament has no bots; one that has entered stays."""
        entrant = state.entrant_of(player)
        if state.options.bots or (entrant is not None and entrant.status != "withdrawn"):
            return
        if await self._accounts.find_bots((player,)):
            raise Refusal("no_bots_here")

    def _decide_about_entrant(
        self, state: Tournament, player: PlayerId, act: WithdrawAct | CheckInAct, organisers: Collection[str]
    ) -> Sequence[TournamentEvent]:
        entrant, is_own = _find_entrant(state, player, act.entrant, organisers)
        if isinstance(act, CheckInAct):
            return entries.check_in(state, entrant, self._clock())
        return entries.withdraw(state, entrant, "left" if is_own else "removed")

    def _organise(
        self,
        state: Tournament,
        act: EnterBotAct | StartAct | PauseAct | ResumeAct | CancelAct | CorrectResultAct,
    ) -> Sequence[TournamentEvent]:
        match act:
            case EnterBotAct():
                return self._enter_bot(state, act.bot)
            case StartAct():
                return organising.start(state, self._clock(), draw_seeds)
            case PauseAct():
                return organising.pause(state)
            case ResumeAct():
                return organising.resume(state, self._clock())
            case CancelAct():
                return organising.cancel(state, _check_note(act.note))
            case CorrectResultAct():
                note = _check_note(act.note)
                return organising.correct_result(state, act.round, act.board, act.half_points, note)

    def _enter_bot(self, state: Tournament, bot: str) -> Sequence[TournamentEvent]:
        if not self._knows_bot(state.options.template.ruleset, bot):
            raise Refusal("unknown_bot", place="$.act.bot")
        if sum(entrant.bot is not None and entrant.status != "withdrawn" for entrant in state.entrants) >= MAX_BOTS:
            raise Refusal("too_many_bots", f"{MAX_BOTS} bots may be in a tournament", numbers={"bots": MAX_BOTS})
        return entries.enter_bot(state, bot)

    async def _pair(self, state: Tournament) -> Sequence[TournamentEvent]:
        if not state.options.pairs_by_hand or not wants_round(state, self._clock()):
            raise Refusal("no_round_due")
        return await self._runner.pair(state)

    async def _decide_about_organiser(
        self, state: Tournament, act: AddOrganiserAct | RemoveOrganiserAct
    ) -> Sequence[TournamentEvent]:
        other = await self._find_account(act.name)
        if isinstance(act, AddOrganiserAct):
            await self._club_rights.require_member(state.options.club, other, "$.act.name")
            return decide_or_refuse(lambda: organising.add_organiser(state, other))
        return decide_or_refuse(lambda: organising.remove_organiser(state, other))

    async def _find_account(self, name: str) -> PlayerId:
        for key in known_keys(name):
            account = await self._accounts.find_name(key)
            if account is not None:
                return PlayerId(account.player)
        raise Refusal("unknown_player", place="$.act.name")

    # ---------------------------------------------------------------- what is shown

    async def _view(self, id: str, state: Tournament, viewer: PlayerId) -> TournamentView:
        entrant = state.entrant_of(viewer)
        boards = [board for _, board in open_boards(state)]
        facts = await self._matches.find_facts(boards, ()) if boards else {}
        club = await self._club_rights.find(state.options.club)
        is_hidden = club is not None and not may_see_club(club, viewer)
        return TournamentView(
            id,
            replace(state, options=replace(state.options, club=None)) if is_hidden else state,
            standings_of(state),
            tuple(bracket_of(state)),
            tuple(board.match for board in boards if board.match in facts and facts[board.match].has_begun),
            None if entrant is None else entrant.number,
            is_organiser=viewer in organisers_of(state, club),
        )


def _check_note(note: str | None) -> str | None:
    return None if note is None else check_text_or_refuse(note, MAX_NOTE_LENGTH, "bad_tournament", "$.act.note")


def _require_account(user: User) -> None:
    if not user.has_account:
        raise Refusal("not_registered", "tournaments are for players with an account")


def _find_entrant(
    state: Tournament, player: PlayerId, number: int | None, organisers: Collection[str]
) -> tuple[Entrant, bool]:
    """Return the entrant that an act is about, and whether it is the player's own. Raises Illegal."""
    own = state.entrant_of(player)
    if number is None or (own is not None and own.number == number):
        return entries.require_entrant(state, player), True
    organising.require_organiser(organisers, player)
    if number > len(state.entrants):
        raise Illegal("unknown_entrant", "the tournament has no entrant of this number", place="$.act.entrant")
    return state.entrant(number), False


def _summary_of(listing: TournamentListing, viewer: str, seen_clubs: Container[str]) -> TournamentSummary:
    return TournamentSummary(
        listing.tournament,
        listing.name,
        listing.status,
        listing.format,
        listing.ruleset,
        PlayerId(listing.organiser),
        listing.entrants,
        listing.entrant_limit,
        listing.created_ms,
        listing.rounds,
        listing.round_count,
        listing.starts_ms,
        is_paused=listing.is_paused,
        is_mine=viewer in listing.players,
        winner=PlayerId(listing.winner) if listing.winner else None,
        winner_bot=listing.winner_bot or None,
        club=listing.club if listing.club in seen_clubs else None,
    )
