"""Matches that a client watches: their handles, and how each is watched again after a loss."""

import asyncio
from collections.abc import Coroutine

import msgspec

from diskwars_client.errors import ClientError, CommandRefused, MatchUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.request_sender import RequestSender
from diskwars_client.requester import new_command_id
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.watch_mode import DEFAULT_WATCH_MODE, WatchMode
from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.streams import Head, VerifiedRange, VerifiedRecords
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId, Seat
from diskwars_protocol.messages.decisions import Accepted, Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.history import GetRecords, Openings
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.seats import KickPlayer
from diskwars_protocol.messages.watching import Unwatch, Unwatched, WatchersChanged, Watching
from diskwars_protocol.records.fairness import Entropy


class WatchedMatches:
    """Handles of the matches that a client watches, by match. They send their requests through it."""

    def __init__(
        self,
        connection: ClientConnection,
        requests: RequestSender,
        entropy: Entropy,
        retry_policy: RetryPolicy,
        *,
        resumes: set[asyncio.Task[None]],
        reading_wanted: asyncio.Event,
    ) -> None:
        self._connection, self._requests = connection, requests
        self._entropy, self._retry_policy = entropy, retry_policy
        self._resumes, self._reading_wanted = resumes, reading_wanted
        self._handles: dict[MatchId, MatchHandle] = {}
        self._opening_modes: dict[str, WatchMode] = {}

    @property
    def ids(self) -> tuple[MatchId, ...]:
        return tuple(self._handles)

    # ------------------------------------------------------------ opening and watching

    async def open(self, request: OpenMatch, mode: WatchMode) -> MatchHandle:
        """Open a match, which is watched from then on. Raises CommandRefused."""
        await self._make_room()
        self._opening_modes[request.id] = mode
        try:
            opened = await self._requests.request(request, Opened)
        finally:
            self._opening_modes.pop(request.id, None)
        return self._handle_for(opened.match)

    async def watch(
        self, match: MatchId, *, history: bool, reveal_secrets: bool, mode: WatchMode | None
    ) -> MatchHandle:
        """Follow a match, as `Client.watch` documents."""
        known = self._handles.get(match)
        if known is not None and not known.stream.is_stopped:
            wanted = known.stream.mode if mode is None else mode
            await self._change_mode(known, _with_secrets(wanted, reveal_secrets), history)
            return known
        await self._make_room()
        self._handles.pop(match, None)
        mode = _with_secrets(mode or DEFAULT_WATCH_MODE, reveal_secrets)
        handle = self._handle_for(match, mode)
        head = self._connection.head(match)
        try:
            await self._requests.request(mode.request(new_command_id(), match, snapshot=not history), Watching)
            if head is not None:
                await handle.stream.check_contains(head)
        except ClientError:
            self._handles.pop(match, None)
            raise
        return handle

    async def _change_mode(self, handle: MatchHandle, mode: WatchMode, history: bool) -> None:
        """Watch a match in another mode. Only other secrets need its records once more. Raises CommandRefused."""
        if mode == handle.stream.mode:
            return
        is_restarted = mode.reveal_secrets != handle.stream.mode.reveal_secrets
        after, snapshot = (0, not history) if is_restarted else (handle.head, False)
        await self._requests.request(mode.request(new_command_id(), handle.id, after, snapshot), Watching)
        handle.stream.mode = mode

    async def _make_room(self) -> None:
        """Leave the oldest finished matches where no more may be watched."""
        finished = [handle for handle in self._handles.values() if handle.stream.is_finished]
        excess = len(self._handles) - self._connection.limits.watched_matches + 1
        for handle in finished[: max(0, excess)]:
            if handle.id in self._connection.watched:
                await self.unwatch(handle.id)
            self._handles.pop(handle.id, None)

    def _handle_for(self, match: MatchId, mode: WatchMode = DEFAULT_WATCH_MODE) -> MatchHandle:
        if match not in self._handles:
            self._handles[match] = MatchHandle(match, self, self._entropy, mode)
        return self._handles[match]

    # ------------------------------------------------------------ requests of handles

    @property
    def player(self) -> PlayerId:
        return self._connection.player

    async def act(
        self, match: MatchId, decision: DecisionId | None, action: bytes, chain_head: str | None = None
    ) -> Accepted:
        request = Act(new_command_id(), match, msgspec.Raw(action), decision, chain_head)
        return await self._requests.request(request, Accepted)

    async def kick_player(self, match: MatchId, seat: Seat) -> None:
        await self._requests.request(KickPlayer(new_command_id(), match, seat), Accepted)

    async def options(self, match: MatchId, decision: DecisionId, include_unavailable: bool) -> bytes:
        request = GetOptions(new_command_id(), match, decision, include_unavailable)
        return bytes((await self._requests.request(request, OptionsResponse)).options)

    async def records(self, match: MatchId, after: int, limit: int) -> VerifiedRange:
        return await self._requests.request(GetRecords(new_command_id(), match, after, limit), VerifiedRange)

    def schedule_refresh(self, match: MatchId) -> None:
        handle = self._handles.get(match)
        if handle is not None:
            self._start_resume(self._resume(handle, 0, snapshot=True))

    async def unwatch(self, match: MatchId) -> None:
        await self._requests.request(Unwatch(new_command_id(), match), Unwatched)
        self._handles.pop(match, None)

    def resume_reading(self) -> None:
        self._reading_wanted.set()

    # ------------------------------------------------------------ messages of the server

    def on_opened(self, opened: Opened) -> None:
        """Watch a match that this client has opened, in the mode that it asked for."""
        self._handle_for(opened.match, self._opening_modes.get(opened.id, DEFAULT_WATCH_MODE))
        self._requests.resolve(opened.id, opened)

    def on_watching(self, watching: Watching) -> None:
        """Take up a match from its head or from a snapshot, which has to go on from what was known."""
        handle = self._handle_for(watching.match)
        known = handle.stream.known_head
        handle.stream._on_watching(watching)
        self._requests.resolve(watching.id, watching)
        if known is not None and watching.snapshot:
            self._start_resume(self._check_continuation(handle, known))

    async def _check_continuation(self, handle: MatchHandle, known: Head) -> None:
        """Check that a new snapshot stands for a log that goes on from what this handle knew. It is shown meanwhile."""
        try:
            await handle.stream.check_contains(known)
        except ClientError as fault:
            handle.stream._on_end(MatchUnavailable(str(fault)))

    async def on_records(self, facts: VerifiedRecords) -> None:
        """Give records to their handle; read no further while that is full and no task waits for what comes next."""
        handle = self._handles.get(facts.match)
        if (
            handle is None or handle.stream.known_vocabulary is None
        ):  # of a watch before this handle's, on its way still
            return
        handle.stream._on_records(facts)
        while handle.stream.updates.is_full and not self._is_awaited():
            self._reading_wanted.clear()
            await self._reading_wanted.wait()

    def _is_awaited(self) -> bool:
        """Return whether a task waits for a response, or for news of any match: all come on the one socket."""
        return self._requests.is_awaited or any(handle.stream.updates.is_awaited for handle in self._handles.values())

    def on_match_message(self, message: OptionsResponse | Openings | WatchersChanged) -> None:
        """Give what was pushed to the handle of its match."""
        handle = self._handles.get(message.match)
        match message:
            case _ if handle is None:
                pass
            case OptionsResponse():
                handle.stream._on_options(message)
            case Openings():
                handle.stream._on_openings(message)
            case WatchersChanged():
                handle.stream._on_watchers(message)

    def on_refused(self, refused: Refused) -> None:
        """Give a refusal to the request that it answers; without one the server has let go of a match."""
        handle = None if refused.match is None else self._handles.get(refused.match)
        fault = CommandRefused(refused, None if handle is None else handle.stream.known_vocabulary)
        is_answer = self._requests.refuse(refused.id, fault)
        if not is_answer and refused.id is None and handle is not None:
            self._schedule_resume(handle, fault)

    def on_unwatched(self, unwatched: Unwatched) -> None:
        """Watch a match again that the server has let go of, unless the client asked for it."""
        self._requests.resolve(unwatched.id, unwatched)
        if unwatched.id is None and unwatched.match in self._handles:
            self._schedule_resume(self._handles[unwatched.match], None)

    # ------------------------------------------------------------ resuming

    def without_history(self) -> list[MatchId]:
        """Return the matches that a resume takes from a snapshot, as they were watched before."""
        return [
            handle.id
            for handle in self._handles.values()
            if handle.stream.known_head and not handle.stream.log.has_history
        ]

    def _schedule_resume(self, handle: MatchHandle, fault: CommandRefused | None) -> None:
        """Let a handle go on where it stopped, unless the server said for good that it lets go of the match."""
        if handle.is_over:
            return
        if fault is not None and fault.retry_after_ms is None:
            handle.stream._on_end(MatchUnavailable(str(fault)))
            return
        self._start_resume(self._resume(handle, (fault.retry_after_ms or 0) / 1000 if fault else 0))

    def _start_resume(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._resumes.add(task)
        task.add_done_callback(self._resumes.discard)

    async def _resume(self, handle: MatchHandle, pause: float, snapshot: bool = False) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._retry_policy.give_up_seconds  # an outage of its database is one of the server
        while True:
            await asyncio.sleep(pause)
            is_whole = snapshot or not handle.stream.log.has_history
            request = handle.stream.mode.request(new_command_id(), handle.id, 0 if is_whole else handle.head, is_whole)
            try:
                await self._requests.request(request, Watching)
                return
            except ClientError as fault:
                wait_ms = fault.retry_after_ms if isinstance(fault, CommandRefused) else None
                if wait_ms is None or loop.time() > until:
                    return handle.stream._on_end(MatchUnavailable(str(fault)))
                pause = wait_ms / 1000

    def stop(self, fault: ClientError) -> None:
        """End the streams of all handles."""
        for handle in self._handles.values():
            handle.stream._on_end(fault)


def _with_secrets(mode: WatchMode, reveal_secrets: bool) -> WatchMode:
    return msgspec.structs.replace(mode, reveal_secrets=reveal_secrets or mode.reveal_secrets)
