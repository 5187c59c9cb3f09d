"""Services that every match of a server uses: ports of the store, the bus, the time, encoded frames, turns of bots."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_server.broadcast.command_traffic import CommandTraffic
from diskwars_server.broadcast.frame_cache import FrameCache
from diskwars_server.bus.bus import LISTINGS_SUBJECT, Bus, Listeners, publish_listing
from diskwars_server.limits.usage import UNLIMITED, OpenerUsage
from diskwars_server.matches.bot_turns import BotTurns
from diskwars_server.matches.summaries import summary_of
from diskwars_server.matches.watcher_counts import WatcherCounts
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.monitoring.tracing import Tracing
from diskwars_server.players.known_bots import KnownBots
from diskwars_server.store.deadlines import Deadlines
from diskwars_server.store.event_log import EventLog
from diskwars_server.store.listed_settings import SettingValues
from diskwars_server.store.match_index import Listing
from diskwars_server.store.vault import Vault

Clock: TypeAlias = Callable[[], int]
"""Milliseconds, since 1970 unless it is a monotonic clock."""


class Services(Struct, frozen=True):
    """The services that every match of a server uses."""

    events: EventLog
    vault: Vault
    deadlines: Deadlines
    bus: Bus
    clock: Clock
    monotonic: Clock
    """For spans within this process: it never steps."""
    frames: FrameCache = msgspec.field(default_factory=FrameCache)
    bot_turns: BotTurns = msgspec.field(default_factory=lambda: BotTurns(is_active=False))
    listeners: Listeners = msgspec.field(default_factory=Listeners)
    """Listeners of this node to what it publishes itself."""
    metrics: Metrics = msgspec.field(default_factory=Metrics)
    tracing: Tracing | None = None
    """Traces some acts; None where none is traced."""
    traffic: CommandTraffic = msgspec.field(default_factory=CommandTraffic)
    pays_for: Callable[[str], OpenerUsage] = UNLIMITED.usage_of_opener
    """Returns the budget of an opener, which pays for records that no command of a player causes."""
    watchers: WatcherCounts = msgspec.field(default_factory=WatcherCounts)
    usual_settings: Mapping[str, SettingValues] = {}
    """By ruleset, the settings that lists need not show."""
    known_bots: KnownBots = msgspec.field(default_factory=KnownBots)
    """Which of the players in lists are bots."""
    sends_notices: bool = False
    """Whether this server has a way to reach players who are not here."""

    def summarize(self, listing: Listing, viewer: str) -> MatchSummary:
        """Return what a player sees of a match who may see it in a list, with those of its bots that are known."""
        usual = self.usual_settings.get(listing.ruleset, {})
        return summary_of(listing, viewer, self.watchers.count(MatchId(listing.match)), usual, self.known_bots)

    async def summarize_all(self, listings: Sequence[Listing], viewer: str) -> tuple[MatchSummary, ...]:
        """Return what a player sees of matches. Raises StoreUnavailable."""
        await self.known_bots.look_up(player for listing in listings for player in listing.seats)
        return tuple(self.summarize(listing, viewer) for listing in listings)

    def publish_listing(self, match: MatchId, subject: str = LISTINGS_SUBJECT) -> None:
        """Notify every node, this one too, that the lobby shows something else of a match."""
        publish_listing(self.bus, self.listeners, match, subject)
