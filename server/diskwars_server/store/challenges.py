"""The port that stores challenges between players, and who takes none."""

import hashlib
from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from diskwars_protocol.messages.challenges import ChallengeStatus, DeclineReason
from diskwars_server.store.notices import PRESENCE_MS, PlannedNotice

MAX_SENT = 10
"""Open challenges from one player."""
MAX_RECEIVED = 20
"""Open challenges to one player from those whom they do not follow, so that strangers leave room for friends."""
KEPT_MS = 86_400_000
"""For which a challenge stays that is answered, taken back, or past its time."""
MAX_LISTED = 200
"""Challenges of one player in a list; those that are open come first."""

ChallengeObstacle: TypeAlias = Literal[
    "challenged_already", "too_many_challenges", "too_many_challengers", "unknown_player"
]
"""Why a challenge is not stored, as the code of a refusal."""


class ChallengeTerms(Struct, frozen=True, omit_defaults=True):
    """The match that a challenge is for: settings and options are complete JSON."""

    ruleset: str
    settings: str
    match_options: str
    packs: tuple[str, ...] | None = None


class StoredChallenge(Struct, frozen=True):
    """A challenge, and the match that is opened once it is accepted; its id is known before.

    `seat` is the challenger's. With `is_by_lot` it was drawn, and stays hidden until the challenge is accepted.
    """

    challenge: str
    challenger: str
    challenged: str
    match: str
    terms: ChallengeTerms
    seat: int
    is_by_lot: bool
    created_ms: int
    expires_ms: int
    status: ChallengeStatus = "open"
    settled_ms: int = 0
    reason: DeclineReason | None = None

    def is_open(self, now_ms: int) -> bool:
        return self.status == "open" and now_ms < self.expires_ms

    @property
    def players(self) -> tuple[str, str]:
        """The players by seat."""
        return (self.challenger, self.challenged) if self.seat == 0 else (self.challenged, self.challenger)


class Challenges(Protocol):
    """All challenges. Every method may raise `StoreUnavailable`. `Accounts.delete` removes those of a player."""

    async def add(self, challenge: StoredChallenge, *, notifies: bool = False) -> StoredChallenge | ChallengeObstacle:
        """Store a challenge, or return why not; one of the same id is returned as it is.

        One transaction, whichever nodes the players are connected to: there is one open challenge at most from one
        player to another, and no more than the limits from and to each. Those whom the challenged player follows are
        not counted. There is none from or to a deleted account. With `notifies` a notice to the challenged player is
        planned in it, if they have a channel. What has been over for `KEPT_MS` is forgotten.
        """

    async def find(self, challenge: str) -> StoredChallenge | None:
        """Return a challenge."""

    async def find_by_match(self, matches: Sequence[str]) -> dict[str, StoredChallenge]:
        """Return challenges by their matches, opened or not; other matches are left out."""

    async def list_of_player(self, player: str, now_ms: int) -> list[StoredChallenge]:
        """Return the challenges to and from a player that are open or were settled within `KEPT_MS`, newest first.

        Those that were never answered in time are left out. No more than `MAX_LISTED`, open ones before others.
        """

    async def settle(
        self, challenge: str, status: ChallengeStatus, now_ms: int, reason: DeclineReason | None = None
    ) -> bool:
        """Accept, decline or withdraw a challenge, once. False where it is not open any more."""

    async def allow(self, player: str, *, allowed: bool) -> None:
        """Store whether a player takes challenges."""

    async def is_allowed(self, player: str) -> bool:
        """Return whether a player takes challenges; every player does at first."""


def draw_seat(match: str) -> int:
    """Return the challenger's seat by lot: it follows from a match id that nobody can choose."""
    return hashlib.sha256(f"seat of {match}".encode()).digest()[0] % 2


def plan_challenge_notice(challenge: StoredChallenge) -> PlannedNotice:
    """Return the notice to the challenged player, sent unless they answer within half a minute."""
    seat = 1 - challenge.seat
    return PlannedNotice(
        challenge.challenged, challenge.match, "challenge", seat, challenge.created_ms + PRESENCE_MS, seq=1
    )
