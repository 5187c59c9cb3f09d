"""Progress of players in the first match, on whichever device: what they add to it, and what they are answered."""

from collections.abc import Callable

from msgspec import json
from msgspec.structs import replace

from diskwars_protocol.messages.lesson_progress import AddLessonProgress, LessonProgress
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.lesson_progress import LessonProgresses, StoredProgress


class LessonProgressService:
    """Requests about progress, of guests too: who registers stays the same player. May raise StoreUnavailable."""

    def __init__(self, progresses: LessonProgresses, clock: Callable[[], int]) -> None:
        self._progresses, self._clock = progresses, clock

    def handlers(self) -> Handlers[User]:
        return (Handler(AddLessonProgress, self._add),)

    async def _add(self, user: User, request: AddLessonProgress) -> LessonProgress:
        now_ms, guided = self._clock(), request.guided
        added = StoredProgress(request.lessons, guided)
        # A request that only reads never waits.
        if added != StoredProgress() and (wait_ms := user.usage.write_wait_ms(is_under_way=False)):
            raise Refusal("too_much_written", retry_after_ms=wait_ms)
        # The later match counts for good, so a device whose clock is wrong must not reach beyond today.
        if guided is not None and guided.begun_ms > now_ms:
            guided = replace(guided, begun_ms=now_ms)
        joined = await self._progresses.add(user.player, replace(added, guided=guided), now_ms)
        if joined.is_changed:
            user.usage.add_record(len(json.encode(joined.progress)))
        return LessonProgress(request.id, joined.progress.lessons, joined.progress.guided)
