"""Challenges: ask another player for a match, by name, and answer those who ask."""

import asyncio
import contextlib

import msgspec
from msgspec import Struct

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, DEFAULT_RULESET, MatchOptions
from diskwars_protocol.messages.challenges import (
    AcceptChallenge,
    AllowChallenges,
    Challenge,
    ChallengeChanged,
    ChallengeList,
    ChallengePlayer,
    ChallengeRequest,
    ChallengeView,
    DeclineChallenge,
    DeclineReason,
    ListChallenges,
    WithdrawChallenge,
)

POLL_SECONDS = 30.0
"""A challenge that is waited for is asked for again after this time: a message about a change may get lost."""


class ChallengeTopic:
    """Requests about challenges, as `client.challenges`. Each raises CommandRefused."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._changed = asyncio.Event()

    async def send(
        self,
        name: str,
        ruleset: str = DEFAULT_RULESET,
        settings: Struct | dict[str, object] | None = None,
        match_options: MatchOptions = DEFAULT_MATCH_OPTIONS,
        *,
        packs: tuple[str, ...] | None = None,
        seat: int | None = None,
    ) -> Challenge:
        """Challenge the player of an account; without a `seat`, the challenger's goes by lot."""
        raw = msgspec.Raw(b"{}" if settings is None else msgspec.json.encode(settings))
        options = msgspec.Raw(msgspec.json.encode(match_options))
        return await self._request(ChallengePlayer(new_command_id(), name, ruleset, raw, options, packs, seat))

    async def accept(self, challenge: str) -> Challenge:
        """Accept a challenge. It names the match that was opened: `watch` it and take the own seat."""
        return await self._request(AcceptChallenge(new_command_id(), challenge))

    async def decline(self, challenge: str, reason: DeclineReason = "unspecified") -> Challenge:
        return await self._request(DeclineChallenge(new_command_id(), challenge, reason))

    async def withdraw(self, challenge: str) -> Challenge:
        """Take an own challenge back."""
        return await self._request(WithdrawChallenge(new_command_id(), challenge))

    async def list(self) -> ChallengeList:
        """Return the challenges to and from this player that are open, or were answered lately."""
        return await self._requester.request(ListChallenges(new_command_id()), ChallengeList)

    async def allow(self, allowed: bool = True) -> ChallengeList:
        """Take challenges, or take none."""
        return await self._requester.request(AllowChallenges(new_command_id(), allowed), ChallengeList)

    async def wait_for_answer(self, challenge: str) -> Challenge | None:
        """Return a challenge once it was answered or taken back; None where its time is over."""
        while True:
            self._changed.clear()
            known = {shown.challenge: shown for shown in (await self.list()).challenges}.get(challenge)
            if known is None or known.status != "open":
                return known
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._changed.wait()

    async def wait_for_change(self, seconds: float) -> None:
        """Return when a challenge to or from this player has changed since the last list, or after this time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        self._changed.clear()

    async def _request(self, request: ChallengeRequest) -> Challenge:
        return (await self._requester.request(request, ChallengeView)).challenge

    def _on_changed(self, changed: ChallengeChanged) -> None:
        self._changed.set()
