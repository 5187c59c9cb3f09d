"""Notices in memory."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from diskwars_protocol.messages.notices import NoticePreferences
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.memory.deadlines import MemoryDeadlines
from diskwars_server.store.notices import (
    DeadDelivery,
    Delivery,
    DueNotice,
    Notices,
    PlannedNotice,
    StoredChannel,
)


class MemoryNotices(Notices):
    """Notices by player, match and kind. No method awaits: each is done before another may begin."""

    def __init__(self, require_open: Callable[[], None], deadlines: MemoryDeadlines) -> None:
        self._require_open, self._deadlines = require_open, deadlines
        self._planned: dict[tuple[str, str, str], PlannedNotice] = {}
        self._claimed_until: dict[tuple[str, str, str], int] = {}
        self._channels: dict[tuple[str, str], StoredChannel] = {}
        self._preferences: dict[str, NoticePreferences] = {}
        self._deliveries: dict[str, Delivery] = {}
        self._leases: dict[str, int] = {}
        self._dead: dict[str, DeadDelivery] = {}

    def put(self, append: AppendRequest) -> None:
        """Store the planned notices of a record, for players who have a channel."""
        for notice in append.notices:
            self.plan(notice)

    def plan(self, notice: PlannedNotice) -> None:
        """Store a planned notice, for a player who has a channel."""
        if any(player == notice.player for player, _ in self._channels):
            self._planned[_key(notice)] = notice
            self._claimed_until.pop(_key(notice), None)

    async def postpone_seen(self, seen: Sequence[tuple[str, str]], due_before: int, due_ms: int) -> None:
        self._require_open()
        known = set(seen)
        for notice in tuple(self._planned.values()):
            if (notice.player, notice.match) in known and notice.due_ms < due_before:
                await self.postpone(notice, due_ms)

    def _forget(self, key: tuple[str, str, str]) -> None:
        self._planned.pop(key, None)
        self._claimed_until.pop(key, None)

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[DueNotice]:
        self._require_open()
        due = [
            key
            for key, notice in self._planned.items()
            if notice.due_ms <= now and self._claimed_until.get(key, 0) <= now
        ]
        due.sort(key=lambda key: (self._planned[key].due_ms, key))
        self._claimed_until |= dict.fromkeys(due[:limit], now + lease_ms)
        notices = [self._planned[key] for key in due[:limit]]
        return [DueNotice(notice, self._deadlines.find(notice.match, notice.decision)) for notice in notices]

    async def settle(self, notices: Sequence[PlannedNotice], deliveries: Sequence[Delivery]) -> bool:
        self._require_open()
        if any(self._planned.get(_key(notice)) != notice for notice in notices):
            return False
        for notice in notices:
            self._forget(_key(notice))
        await self.add_deliveries(deliveries)
        return True

    async def postpone(self, notice: PlannedNotice, due_ms: int) -> None:
        self._require_open()
        if self._planned.get(_key(notice)) == notice:
            self._planned[_key(notice)] = replace(notice, due_ms=due_ms)
            self._claimed_until.pop(_key(notice), None)

    async def add_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        self._require_open()
        for delivery in deliveries:
            if delivery.delivery not in self._dead:
                self._deliveries.setdefault(delivery.delivery, delivery)

    async def claim_deliveries(self, now: int, limit: int, lease_ms: int) -> list[Delivery]:
        self._require_open()
        due = [
            delivery
            for delivery in self._deliveries.values()
            if delivery.due_ms <= now and self._leases.get(delivery.delivery, 0) <= now
        ]
        due.sort(key=lambda delivery: (delivery.due_ms, delivery.delivery))
        self._leases |= {delivery.delivery: now + lease_ms for delivery in due[:limit]}
        return due[:limit]

    async def finish_delivery(self, delivery: Delivery) -> None:
        self._require_open()
        self._finish(delivery.delivery)

    def _finish(self, delivery: str) -> None:
        self._deliveries.pop(delivery, None)
        self._leases.pop(delivery, None)

    async def retry_delivery(self, delivery: Delivery) -> None:
        self._require_open()
        if delivery.delivery in self._deliveries:
            self._deliveries[delivery.delivery] = delivery
            self._leases.pop(delivery.delivery, None)

    async def bury_delivery(self, delivery: Delivery, why: str) -> None:
        self._require_open()
        if self._deliveries.get(delivery.delivery) is not None:
            self._dead[delivery.delivery] = DeadDelivery(replace(delivery, attempts=delivery.attempts + 1), why)
        self._finish(delivery.delivery)

    async def list_dead(self, limit: int) -> list[DeadDelivery]:
        self._require_open()
        latest = sorted(self._dead.values(), key=lambda dead: (-dead.delivery.created_ms, dead.delivery.delivery))
        return latest[:limit]

    async def remove_dead(self, before: int) -> int:
        self._require_open()
        old = [id for id, dead in self._dead.items() if dead.delivery.created_ms < before]
        for id in old:
            del self._dead[id]
        return len(old)

    async def add_channel(self, channel: StoredChannel, limit: int) -> bool:
        self._require_open()
        own = [known for (player, _), known in self._channels.items() if player == channel.player]
        if any(known.target == channel.target for known in own):
            return True
        if len(own) >= limit:
            return False
        self._channels[channel.player, channel.channel] = channel
        return True

    async def find_channels(self, players: Sequence[str]) -> dict[str, tuple[StoredChannel, ...]]:
        self._require_open()
        by_player: dict[str, list[StoredChannel]] = {}
        for channel in sorted(self._channels.values(), key=lambda channel: (channel.created_ms, channel.channel)):
            if channel.player in players:
                by_player.setdefault(channel.player, []).append(channel)
        return {player: tuple(channels) for player, channels in by_player.items()}

    async def change_channel(self, channel: StoredChannel) -> None:
        self._require_open()
        if (channel.player, channel.channel) in self._channels:
            self._channels[channel.player, channel.channel] = channel

    async def remove_channel(self, player: str, channel: str) -> None:
        self._require_open()
        self._channels.pop((player, channel), None)
        for delivery in tuple(self._deliveries.values()):
            if (delivery.player, delivery.channel) == (player, channel):
                self._finish(delivery.delivery)

    async def find_preferences(self, players: Sequence[str]) -> dict[str, NoticePreferences]:
        self._require_open()
        return {player: self._preferences[player] for player in players if player in self._preferences}

    async def set_preferences(self, player: str, preferences: NoticePreferences) -> None:
        self._require_open()
        self._preferences[player] = preferences

    def forget_player(self, player: str) -> None:
        """Remove everything about a player whose account is deleted."""
        self._preferences.pop(player, None)
        for key in [key for key in self._channels if key[0] == player]:
            del self._channels[key]
        for delivery in [delivery for delivery in self._deliveries.values() if delivery.player == player]:
            self._finish(delivery.delivery)
        for dead in [dead for dead in self._dead.values() if dead.delivery.player == player]:
            del self._dead[dead.delivery.delivery]
        for planned in [key for key in self._planned if key[0] == player]:
            self._forget(planned)


def _key(notice: PlannedNotice) -> tuple[str, str, str]:
    return notice.player, notice.match, notice.kind
