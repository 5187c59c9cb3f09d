"""Rights of viewers in one match: what of it each may see, as whom, and up to which record."""

from collections.abc import Callable, Collection
from functools import cached_property

from msgspec import Struct

from diskwars_engine.match import AnyRules
from diskwars_protocol.match.ids import ALL, PlayerId, Viewer
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import AnyMatch, MatchStatus
from diskwars_server.refusals import Refusal

MAX_REMEMBERED_PLAYERS = 1000
"""Players of whom a locked match remembers that they have entered it."""

ANONYMOUS = PlayerId("")
"""The anonymous viewer, for requests over HTTP."""


class RightsFacts(Struct, frozen=True):
    """What is known of a match without its state: how it stands, its options, and the players of its seats."""

    status: MatchStatus
    match_options: MatchOptions
    players: tuple[PlayerId | None, ...]


class WatchRights:
    """The rights in one match after its last published record, which `Feed.publish` keeps up to date."""

    def __init__(
        self,
        rules: AnyRules,
        read_state: Callable[[], AnyMatch],
        head: int,
        round_start: int = 0,
        entered: Collection[PlayerId] | None = None,
    ) -> None:
        """`read_state` returns the state after record `head`; `round_start` is that of the match's log.

        `entered` are those who may watch a locked match beside its players; None for one that is not locked.
        """
        self.rules, self._read_state, self.head, self.round_start = rules, read_state, head, round_start
        self._resting_facts: RightsFacts | None = None
        """Those of the state that was forgotten: while it is, no record comes."""
        self.importer: PlayerId | None = None
        """The player who imported the match. None for a match that was played on this server."""
        self._entered = None if entered is None else set(entered)

    @cached_property
    def state(self) -> AnyMatch:
        """The state after the last published record."""
        return self._read_state()

    @property
    def facts(self) -> RightsFacts:
        """What those may ask for who look at all matches: it unpacks no state."""
        state: AnyMatch | None = self.__dict__.get("state")
        if state is None and self._resting_facts is not None:
            return self._resting_facts
        return _facts_of(self.state if state is None else state)

    def forget_state(self) -> None:
        """Read the state again when it is used again."""
        self._resting_facts = self.facts
        self.__dict__.pop("state", None)

    def admit(self, player: PlayerId) -> None:
        """Let a player watch who has entered the match, if it is locked."""
        if self._entered is None:
            return
        if len(self._entered) >= MAX_REMEMBERED_PLAYERS:
            self._entered.clear()  # those who watch go on, and others are looked up again
        self._entered.add(player)

    def dismiss(self, player: PlayerId) -> None:
        """Let a player no longer begin to watch a locked match who had entered it."""
        if self._entered is not None:
            self._entered.discard(player)

    def require_watchable(self, player: PlayerId) -> None:
        """Raise Refusal for a player who may not watch the match now."""
        if self._is_locked_for(player):
            raise self.locked_refusal()
        if not self.may_watch(player):
            raise Refusal("not_watchable", place="$.match")

    def locked_refusal(self) -> Refusal:
        """Return the refusal of those who have not entered; it says where only members of a club may."""
        if self.facts.match_options.club is None:
            return Refusal("locked", place="$.match")
        return Refusal("locked", "the match is for members of its club", "$.match", numbers={"members_only": 1})

    def require_record(self, player: PlayerId, seq: int) -> None:
        """Raise Refusal for a record that does not exist yet, or not for this player."""
        last = self.last_shown(player)
        if seq > last:
            numbers = {"requested": seq, "head": last}
            raise Refusal("bad_resume", f"the last record is {last}", place="$.after", numbers=numbers)

    def may_watch(self, player: PlayerId) -> bool:
        """Return whether a player may watch: those with a seat, or the file, always; others as the options say.

        Before the match begins everybody may, because taking a seat needs watching.
        """
        if self._is_locked_for(player):
            return False
        if self.state.status == "open" or self.rules.seat_of(self.state, player) is not None:
            return True
        if self.importer is not None and player == self.importer:
            return True
        watchers = self.state.match_options.watchers
        return watchers in ("live", "round_later") or (watchers == "after_end" and self.state.status == "ended")

    def _is_locked_for(self, player: PlayerId) -> bool:
        is_outside = self._entered is not None and player not in self._entered
        return is_outside and self.rules.seat_of(self.state, player) is None

    def is_delayed(self, player: PlayerId) -> bool:
        """Return whether a player sees each round of the match only once it is over."""
        is_possible = self.state.match_options.watchers == "round_later" and self.state.status == "running"
        return is_possible and self.rules.seat_of(self.state, player) is None

    def will_be_delayed(self, player: PlayerId) -> bool:
        """Return whether a player will be delayed once the match has begun, unless they take a seat."""
        is_possible = self.state.match_options.watchers == "round_later" and self.state.status == "open"
        return is_possible and self.rules.seat_of(self.state, player) is None

    def sees_now(self, player: PlayerId) -> bool:
        """Return whether a player may see the match as it is now."""
        return self.may_watch(player) and not self.is_delayed(player)

    def last_shown(self, player: PlayerId) -> int:
        """Return the last record that a player may see who may watch the match."""
        return self.round_start - 1 if self.is_delayed(player) else self.head

    def is_shown_to_all(self, seq: int) -> bool:
        """Return whether lists name the match to everybody, and everybody may see it up to a record."""
        is_listed = self.state.match_options.visibility == "public"
        return is_listed and self.may_watch(ANONYMOUS) and seq <= self.last_shown(ANONYMOUS)

    def viewer_of(self, player: PlayerId, reveal_secrets: bool) -> Viewer:
        """Return as whom a player sees the match now."""
        return ALL if reveal_secrets else self.rules.viewer_of(self.state, player)

    def vacated_in(self, viewer: Viewer) -> int:
        """Return the last record that a player saw who had this viewer's seat before; 0 where there was none."""
        return self.state.seats[viewer].vacated_in or 0 if viewer >= 0 else 0


def _facts_of(state: AnyMatch) -> RightsFacts:
    return RightsFacts(state.status, state.match_options, tuple(seat.player for seat in state.seats))
