"""Requests about clubs: open one, list, show and follow them, act in one, and come in by an invitation."""

from collections.abc import Collection, Sequence
from functools import partial

from msgspec import Raw

from diskwars_protocol.clubs.events import ClubEvent, ClubOpened, SeasonRow
from diskwars_protocol.clubs.options import (
    MAX_CLUB_NAME_LENGTH,
    MAX_HOUSE_RULES_LENGTH,
    MAX_SEASON_NAME_LENGTH,
    ClubOptions,
)
from diskwars_protocol.clubs.state import Club
from diskwars_protocol.match.ids import HOUSE, PlayerId
from diskwars_protocol.messages.clubs import (
    AcceptClubInvitation,
    ActInClub,
    BeginSeasonAct,
    CloseClubAct,
    ClubAct,
    ClubChanged,
    ClubInvitationFound,
    ClubInvited,
    ClubLadder,
    ClubList,
    ClubView,
    EditClubAct,
    EndSeasonAct,
    FindClubInvitation,
    GetClub,
    GetClubLadder,
    GiveRoleAct,
    InviteToClub,
    JoinClubAct,
    LeaveClubAct,
    ListClubs,
    OpenClub,
    RemoveMemberAct,
    RevokeInvitationAct,
)
from diskwars_protocol.suggestions import json_quote, suggest
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.clubs import rules
from diskwars_server.clubs.invitations import club_of_code, find_invitation, make_code
from diskwars_server.clubs.ladders import Ladders, ruleset_of
from diskwars_server.clubs.streams import ClubStreams
from diskwars_server.clubs.views import summary_of_club, summary_of_listing, view_of
from diskwars_server.community.texts import check_text_or_refuse
from diskwars_server.limits.rate_limits import MS_PER_HOUR, RateLimit, RateLimiter
from diskwars_server.matches.list_pages import match_before
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.ruleset_values import decode_or_refuse, json_decoder
from diskwars_server.matches.services import Services
from diskwars_server.players.attempts import AttemptLimiter
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.shown_presence import ShownPresence
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal, decide_or_refuse
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.clubs import Clubs, may_see_club

MAX_CLUBS_PER_PLAYER = 20
"""Clubs that are not closed."""
MAX_TEXT_BYTES = 8_000
"""The options of a club in JSON."""
ACTS_PER_PLAYER = RateLimit(120, MS_PER_HOUR)
"""Each may store a record for good."""


class ClubService:
    """Answers requests about clubs. Every handler may raise Refusal and StoreUnavailable."""

    def __init__(
        self,
        streams: ClubStreams,
        store: Clubs,
        accounts: Accounts,
        services: Services,
        ladders: Ladders,
        tokens: TokenIssuer,
        attempts: AttemptLimiter,
        presence: ShownPresence,
        rules: RulesOnOffer,
    ) -> None:
        self._streams, self._store, self._accounts, self._ladders = streams, store, accounts, ladders
        self._tokens, self._attempts, self._presence = tokens, attempts, presence
        self._rules, self._clock = rules, services.clock
        self._acts = RateLimiter[PlayerId](ACTS_PER_PLAYER, services.monotonic)
        self._followed: dict[Outbox, str] = {}
        streams.on_change(self._on_change)

    def handlers(self) -> Handlers[User]:
        return (
            Handler(OpenClub, self._open),
            Handler(ListClubs, self._list, waits_turn=True),
            Handler(GetClub, self._get, waits_turn=True),
            Handler(GetClubLadder, self._get_ladder, waits_turn=True),
            Handler(ActInClub, self._act),
            Handler(InviteToClub, self._invite),
            Handler(FindClubInvitation, self._find_invitation),
            Handler(AcceptClubInvitation, self._accept),
        )

    def leave(self, outbox: Outbox) -> None:
        self._followed.pop(outbox, None)

    def _on_change(self, club: str, seq: int) -> None:
        for outbox, followed in list(self._followed.items()):
            if followed == club:
                # Once only: a removed member of a private club learns no more of it.
                del self._followed[outbox]
                outbox.send(ClubChanged(club, seq))

    # ---------------------------------------------------------------- requests

    async def _open(self, user: User, request: OpenClub) -> ClubView:
        _require_account(user)
        options = self._read_options(request.options, "$.options")
        name = check_text_or_refuse(request.name, MAX_CLUB_NAME_LENGTH, "bad_club", "$.name")
        club = self._tokens.derive_match_id(user.player, f"club {request.id}")
        self._count_act(user)
        state = await self._find_opened(club)
        if state is None:
            await self._require_few_clubs(user)
            state = await self._streams.open(club, ClubOpened(name, options, user.player), user.player, request.id)
        return await self._view(request.id, state, user)

    async def _find_opened(self, club: str) -> Club | None:
        """Return the club that the same request has opened before: repeated, it needs no place for another."""
        try:
            return await self._streams.load(club)
        except Refusal:
            return None

    async def _list(self, user: User, request: ListClubs) -> ClubList:
        before = None if request.page is None else match_before(request.page)
        # One more than the page holds tells whether another follows.
        found = await self._store.list_clubs(user.player, request.limit + 1, before, is_own=request.mine)
        shown, is_last = found[: request.limit], len(found) <= request.limit
        next_page = None if is_last else f"{shown[-1].created_ms}.{shown[-1].club}"
        return ClubList(request.id, tuple(summary_of_listing(club, user.player) for club in shown), next_page)

    async def _get(self, user: User, request: GetClub) -> ClubView:
        if request.follow:
            self._followed[user.outbox] = request.club  # before it is read, so that no change is missed
        try:
            state = await self._find(request.club, user)
        except Refusal:
            self.leave(user.outbox)
            raise
        return await self._view(request.id, state, user)

    async def _get_ladder(self, user: User, request: GetClubLadder) -> ClubLadder:
        state = await self._find(request.club, user)
        if request.season is not None:
            ended = [season for season in state.seasons if season.number == request.season and season.ended_ms]
            if not ended:
                raise Refusal("no_season", "the club has had no such season that is over", "$.season")
            ruleset = ruleset_of(state, ended[0])
            return ClubLadder(request.id, state.club, ruleset, ended[0].standings, season=request.season)
        season, rows = state.season, await self._ladders.find(state)
        return ClubLadder(request.id, state.club, ruleset_of(state, season), rows, season.number if season else None)

    async def _act(self, user: User, request: ActInClub) -> ClubView:
        _require_account(user)
        self._count_act(user)
        found = await self._find(request.club, user)
        try:
            if isinstance(request.act, JoinClubAct) and found.member(user.player) is None:
                await self._require_few_clubs(user)
            decide = partial(self._decide, user=user, act=request.act)
            state = await self._streams.act(request.club, decide, user.player, request.id)
        except Refusal:
            # A request that is repeated may be refused because of what it has done itself.
            if not await self._store.has_command(request.club, user.player, request.id):
                raise
            state = await self._find(request.club, user)
        return await self._view(request.id, state, user)

    async def _find(self, club: str, user: User) -> Club:
        """Return a club that a player may see, without members whose accounts are gone. Raises Refusal."""
        state = await self._streams.load(club)
        if not may_see_club(state, user.player):
            raise Refusal("unknown_club", place="$.club")
        return await self._forget_deleted(state)

    async def _forget_deleted(self, state: Club) -> Club:
        accounts = await self._accounts.find_players([member.player for member in state.members])
        deleted = [player for player, account in accounts.items() if account.is_deleted]
        if not deleted or state.status == "closed":
            return state

        async def end_memberships(state: Club) -> Sequence[ClubEvent]:
            gone = [player for player in deleted if state.member(player) is not None]
            if not gone:
                return ()
            standings = await self._count_final(state) if len(gone) == len(state.members) else ()
            return rules.end_memberships(state, gone, "account_deleted", standings)

        # It is stored at the first look after it, by the server: the player who looks did not do it.
        return await self._streams.act(state.club, end_memberships, HOUSE, f"deleted {deleted[0]}")

    async def _count_final(self, state: Club) -> Sequence[SeasonRow]:
        """Return the standings with which the season under way ends; none where none is."""
        return () if state.season is None else await self._ladders.count(state)

    # ---------------------------------------------------------------- acts

    async def _decide(self, state: Club, user: User, act: ClubAct) -> Sequence[ClubEvent]:
        """Return what an act leads to. Raises Refusal."""
        # A private club may have been left since it was found.
        if not may_see_club(state, user.player):
            raise Refusal("unknown_club", place="$.club")
        decide_or_refuse(lambda: rules.require_open(state))
        match act:
            case EndSeasonAct():
                decide_or_refuse(lambda: rules.require_officer(state, user.player))
                standings = await self._count_final(state)
                return decide_or_refuse(lambda: rules.end_season(state, standings))
            case CloseClubAct():
                decide_or_refuse(lambda: rules.require_leader(state, user.player))
                standings = await self._count_final(state)
                return decide_or_refuse(lambda: rules.close(state, user.player, standings))
            case LeaveClubAct():
                is_last = state.member(user.player) is not None and len(state.members) == 1
                return rules.leave(state, user.player, await self._count_final(state) if is_last else ())
            case _:
                return decide_or_refuse(lambda: self._decide_at_once(state, user.player, act))

    def _decide_at_once(
        self,
        state: Club,
        player: PlayerId,
        act: JoinClubAct | EditClubAct | RemoveMemberAct | GiveRoleAct | RevokeInvitationAct | BeginSeasonAct,
    ) -> Sequence[ClubEvent]:
        """Return what an act leads to that needs no standings. Raises Illegal and Refusal."""
        match act:
            case JoinClubAct():
                return rules.join(state, player)
            case EditClubAct():
                name = check_text_or_refuse(act.name, MAX_CLUB_NAME_LENGTH, "bad_club", "$.act.name")
                kept_packs = state.options.packs or ()
                return rules.edit(state, player, name, self._read_options(act.options, "$.act.options", kept_packs))
            case RemoveMemberAct():
                return rules.remove(state, player, PlayerId(act.player))
            case GiveRoleAct():
                return rules.give_role(state, player, PlayerId(act.player), act.role)
            case RevokeInvitationAct():
                return rules.revoke(state, player, act.invitation)
            case BeginSeasonAct():
                name = check_text_or_refuse(act.name, MAX_SEASON_NAME_LENGTH, "bad_club", "$.act.name")
                return rules.begin_season(state, player, name, act.ends_ms, self._clock())

    def _read_options(self, raw: Raw, place: str, kept_packs: Collection[str] = ()) -> ClubOptions:
        """Decode the options of a club. It may keep packs that it named when this server had them. Raises Refusal."""
        if len(raw) > MAX_TEXT_BYTES:
            raise Refusal("bad_club", "the options are too long", place)
        options: ClubOptions = decode_or_refuse(raw, json_decoder(ClubOptions), "bad_club", place)
        rulesets = tuple(self._rules)
        if options.ruleset not in rulesets:
            raise Refusal("bad_club", "this server does not play this ruleset", f"{place}.ruleset")
        known = {pack for ruleset in rulesets for pack in self._rules.packs_of(ruleset)}
        for number, pack in enumerate(options.packs or ()):
            if pack not in known and pack not in kept_packs:
                problem = f"there is no content pack {json_quote(pack)} here{suggest(pack, sorted(known))}"
                raise Refusal("unknown_pack", problem, f"{place}.packs[{number}]")
        if options.house_rules is not None:
            check_text_or_refuse(options.house_rules, MAX_HOUSE_RULES_LENGTH, "bad_club", f"{place}.house_rules")
        return options

    # ---------------------------------------------------------------- invitations

    async def _invite(self, user: User, request: InviteToClub) -> ClubInvited:
        _require_account(user)
        self._count_act(user)
        await self._find(request.club, user)
        invitation, code, code_hash = make_code(self._tokens, user.player, request.club, request.id)

        async def decide(state: Club) -> Sequence[ClubEvent]:
            decide_or_refuse(lambda: rules.require_open(state))
            return decide_or_refuse(
                lambda: rules.invite(state, user.player, invitation, code_hash, request.expires_ms, self._clock())
            )

        await self._streams.act(request.club, decide, user.player, request.id)
        return ClubInvited(request.id, invitation, code)

    async def _find_invitation(self, user: User, request: FindClubInvitation) -> ClubInvitationFound:
        state = await self._load_by_code(user, request.code)
        return ClubInvitationFound(request.id, summary_of_club(state, user.player))

    async def _accept(self, user: User, request: AcceptClubInvitation) -> ClubView:
        _require_account(user)
        self._count_act(user)
        state = await self._load_by_code(user, request.code)
        if state.member(user.player) is None:
            await self._require_few_clubs(user)

        async def decide(state: Club) -> Sequence[ClubEvent]:
            if state.member(user.player) is not None:
                return ()
            invitation = find_invitation(state, request.code, self._clock())
            return decide_or_refuse(lambda: rules.accept(state, user.player, invitation))

        state = await self._streams.act(state.club, decide, user.player, request.id)
        return await self._view(request.id, state, user)

    async def _load_by_code(self, user: User, code: str) -> Club:
        """Return the club of a code. Raises Refusal.

        Guesses are limited by address and not by club: nobody guesses 80 bits, and a limit of a club would let
        strangers keep newcomers out of it.
        """
        club = club_of_code(code)
        with self._attempts.admit(None, user.address) as attempt:
            try:
                state = await self._streams.load(club)
            except Refusal:  # the same words as for a wrong secret: nobody learns which clubs are there
                raise Refusal("bad_invitation", place="$.code") from None
            # Members see the club without a code: a request that is repeated after its code has expired is done.
            if state.member(user.player) is None:
                invitation = find_invitation(state, code, self._clock())
                decide_or_refuse(lambda: rules.require_usable(state, user.player, invitation))
            attempt.is_right = True
        return await self._forget_deleted(state)

    # ---------------------------------------------------------------- limits and views

    def _count_act(self, user: User) -> None:
        if wait_ms := self._acts.take(user.player):
            raise Refusal("busy", "you have done much in clubs lately", retry_after_ms=wait_ms)

    async def _require_few_clubs(self, user: User) -> None:
        if await self._store.count_own(user.player) >= MAX_CLUBS_PER_PLAYER:
            raise Refusal("too_many_clubs", numbers={"clubs": MAX_CLUBS_PER_PLAYER})

    async def _view(self, id: str, state: Club, user: User) -> ClubView:
        present: set[str] = set()
        if state.member(user.player) is not None:
            online = [member.player for member in state.members if self._presence.is_online(member.player)]
            present = {*await self._presence.find_showing(online)}
        return view_of(id, state, user.player, present, self._clock())


def _require_account(user: User) -> None:
    if not user.has_account:
        raise Refusal("not_registered", "clubs are for players with an account")
