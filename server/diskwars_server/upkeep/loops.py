"""Start of the loops of a server, each as a task with a name."""

import asyncio
from collections.abc import Coroutine, Iterator
from typing import TypeAlias

from diskwars_engine.lag_credit import MAX_LAG_CREDIT_MS
from diskwars_server.community.chat import ChatService
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.services import Services
from diskwars_server.players.connected import ConnectedPlayers
from diskwars_server.players.presence import OnlinePlayers
from diskwars_server.settings import ServerSettings
from diskwars_server.store.database import Database
from diskwars_server.upkeep.archiving import OldMatchArchiver
from diskwars_server.upkeep.devices import ConnectedDevices
from diskwars_server.upkeep.head_polling import HeadPolling
from diskwars_server.upkeep.old_matches import (
    GuestMatches,
    IdleGuestMatches,
    MatchesOfOtherPacks,
    UnstartedMatches,
)
from diskwars_server.upkeep.operator_act_poller import Announce, OperatorActPoller
from diskwars_server.upkeep.quiet_matches import QuietMatches
from diskwars_server.upkeep.rating_loop import RatingLoop
from diskwars_server.upkeep.server_clock import ServerClock
from diskwars_server.upkeep.time_limits import TimeLimits

MS_PER_HOUR = 3_600_000
MS_PER_DAY = 24 * MS_PER_HOUR

NamedLoop: TypeAlias = tuple[str, Coroutine[None, None, None]]


def start_loops(
    settings: ServerSettings,
    services: Services,
    database: Database,
    matches: MatchRepository,
    *,
    clock: ServerClock,
    connected: ConnectedPlayers,
    online: OnlinePlayers,
    chat: ChatService,
    announce_club: Announce,
    announce_tournament: Announce,
) -> list[asyncio.Task[None]]:
    """Start the loops that run beside the connections."""
    acts = OperatorActPoller(
        database.operator_acts,
        connected,
        matches,
        chat,
        services.clock,
        announce_club=announce_club,
        announce_tournament=announce_tournament,
    )
    loops: list[NamedLoop] = [
        ("clock", clock.run()),
        ("time limits", _make_time_limits(settings, services, database, matches).run()),
        ("ratings", RatingLoop(database.ratings).run()),
        ("acts of operators", acts.run()),
        *_old_match_loops(settings, services, database, matches),
        ("quiet matches", QuietMatches(matches).run()),
        ("watchers", services.watchers.run(matches.watched_feeds)),
        # Without NATS too: another process may serve the same database, and enforce the deadlines of our matches.
        ("head polling", HeadPolling(matches.watched, database.events).run()),
    ]
    if settings.token_days:
        loops.append(("devices", ConnectedDevices(connected, database.accounts, services.clock).run()))
    if settings.nats_url:
        loops.append(("players online", online.run()))
    return [asyncio.create_task(loop, name=name) for name, loop in loops]


def _make_time_limits(
    settings: ServerSettings, services: Services, database: Database, matches: MatchRepository
) -> TimeLimits:
    return TimeLimits(
        matches,
        database.deadlines,
        services.clock,
        services.monotonic,
        services.metrics.record_deadline_lag,
        allowance_ms=MAX_LAG_CREDIT_MS,
        return_grace_ms=settings.return_grace_seconds * 1000,
    )


def _old_match_loops(
    settings: ServerSettings, services: Services, database: Database, matches: MatchRepository
) -> Iterator[NamedLoop]:
    clock = services.clock
    yield "matches with other packs", MatchesOfOtherPacks(matches, database, clock).run()
    if settings.unstarted_hours:
        unstarted = UnstartedMatches(
            matches, database, clock, settings.unstarted_hours * MS_PER_HOUR, services.publish_listing
        )
        yield "unstarted matches", unstarted.run()
    if settings.guest_match_days:
        lifetime_ms = settings.guest_match_days * MS_PER_DAY
        yield "guest matches", GuestMatches(database.events, clock, lifetime_ms, services.publish_listing).run()
    if settings.archive_url:
        age_ms = settings.archive_days * MS_PER_DAY
        yield "archive", OldMatchArchiver(database.archived_events, clock, age_ms).run()
    if settings.guest_idle_days:
        idle_ms = settings.guest_idle_days * MS_PER_DAY
        yield "idle guest matches", IdleGuestMatches(matches, database.events, clock, idle_ms).run()
