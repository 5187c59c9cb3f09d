"""Strangers who attack a server with all its limits neither stop a match beside them nor keep their places."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from bench.load import attackers
from bench.load.attackers import ATTACKS
from bench.servers.measured_server import make_certificate
from bench.servers.null_ruleset import NullRuleset
from diskwars_cli.plugs.file_programs import verifier_command
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.closing import CloseReason
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_server.app import make_quota_limits
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.connections.game_socket import GameSocket
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.limits import address_quotas
from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.lobby.imports import MatchImports
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.processes.file_verifier import FileVerifier
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

SERVED = ServerSettings()
LIMITS = make_quota_limits(SERVED)
LISTEN = ListenOptions(close_timeout_seconds=0.2)
ACTIONS = 100
SECONDS_BETWEEN_ACTIONS = 0.01
TIMEOUT_SECONDS = 50
LIMIT_OF = {  # of all but the clock that is set, which `tests/e2e/test_clocks.py` has on one server and one of three
    "pings": "closed: flood",
    "pongs": "closed: flood",
    "unread pongs": 'diskwars_refusals_total{code="busy"}',
    "costly frames": "closed: flood",
    "before hello": 'diskwars_connections_refused_total{code="too_many_connections"}',
    "one address": "frames wait",
    "long requests": "frames wait",
    "slow handshakes": "request late",
    "half-open connections": 'diskwars_connections_refused_total{code="server_full"}',
    "TLS handshakes": "TLS not agreed on",
    "half TLS handshakes": "TLS not agreed on",
    "clients that do not read": "closed: slow",
    "lobby squatting": 'diskwars_refusals_total{code="too_many_open"}',
    "open-sit-resign": 'diskwars_refusals_total{code="too_many_open"}',
    "watch storm": 'diskwars_refusals_total{code="bad_resume"}',
    "request storm": 'diskwars_refusals_total{code="busy"}',
    "logins": 'diskwars_refusals_total{code="too_many_attempts"}',
    "chat": 'diskwars_refusals_total{code="too_much_chat"}',
    "header floods": 'diskwars_connections_refused_total{code="too_many_connections"}',
    "invented positions": 'diskwars_refusals_total{code="import_changed"}',
    "import storm": 'diskwars_refusals_total{code="too_many_imports"}',
    "name tricks": 'diskwars_refusals_total{code="busy"}',
}


@contextlib.asynccontextmanager
async def limited_server(
    limits: QuotaLimits = LIMITS, listen: ListenOptions = LISTEN
) -> AsyncIterator[tuple[InMemoryServer, Transport, AddressQuotas]]:
    async def health() -> HealthReport:
        return HealthReport("ok", "n1", "1", "ok", "1")

    async with MemoryDatabase() as database:
        rulesets: dict[str, AnyRuleset] = {"nothing": NullRuleset(), "diskwars": RULESETS["diskwars"](())}
        server = InMemoryServer(database, live=SERVED.matches, each=SERVED.open_matches, rulesets=rulesets)
        quotas = AddressQuotas(limits, server.clock)
        verifier = FileVerifier(verifier_command(), server.clock)
        server.replace_services(
            imports=MatchImports(verifier, database.events, server.services.publish_listing, server.clock, server.clock)
        )
        context = replace(server.session_context, quotas=quotas)
        async with Transport(context, health, listen) as transport:
            yield server, transport, quotas
        while verifier._waiting:  # the process of a file that somebody left ends too
            await asyncio.sleep(0.01)
        await server.matches.close()


async def play(server: InMemoryServer) -> tuple[InMemoryClient, MatchId]:
    """Begin a match of the null ruleset; return the player whose turn it always is, and the match."""
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    opened = await first.request(OpenMatch("open", "nothing", 2, Raw(b"{}")))
    assert isinstance(opened, Opened)
    await second.watch(opened.match)
    for seat, player in enumerate((first, second)):
        sit = {"type": "take_seat", "chain_head": "0" * 32, "loadout": {}}
        await player.expect_accepted(player.act_message(opened.match, f"1.{seat}", sit))
    for seat, player in enumerate((first, second)):
        decision = await player.decision(opened.match, seat)
        await player.expect_accepted(player.act_message(opened.match, decision, {"type": "ready"}))
    return first, opened.match


async def tick(player: InMemoryClient, match: MatchId, number: int) -> None:
    decision = await player.decision(match, 0)
    await player.expect_accepted(player.act_message(match, decision, {"type": "tick", "n": number}))


@pytest.mark.parametrize("attack", LIMIT_OF)
async def test_match_goes_on_beside_an_attack(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attackers, "HALF_OPEN_CONNECTIONS", 150)
    monkeypatch.setattr(attackers, "CONNECTIONS", 4)
    listen = replace(LISTEN, certificate=make_certificate() if ATTACKS[attack].needs_tls else None)
    async with limited_server(listen=listen) as (server, transport, quotas), asyncio.timeout(TIMEOUT_SECONDS):
        player, match = await play(server)
        attacking = asyncio.create_task(ATTACKS[attack].run(transport.url))
        while not transport.connections + quotas._sockets + quotas._tls_handshakes.total():
            await asyncio.sleep(0.01)
        for number in range(ACTIONS):
            await tick(player, match, number)
            await asyncio.sleep(SECONDS_BETWEEN_ACTIONS)
        assert not attacking.done(), "an attack that fails proves nothing"
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
        while transport.connections:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("attack", LIMIT_OF)
async def test_attack_goes_as_far_as_the_limits_allow(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An attack that asks for less than is allowed would prove nothing: each runs into the limit that bounds it."""
    reached = record_limits(monkeypatch)
    monkeypatch.setattr(attackers, "CONNECTIONS", 4)
    monkeypatch.setattr(attackers, "HALF_OPEN_CONNECTIONS", 60)
    monkeypatch.setattr(attackers, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(attackers, "ANSWER_SECONDS", 5)  # for passwords, which are hashed at a low priority
    monkeypatch.setattr(address_quotas, "HANDSHAKE_BURST", 40)
    monkeypatch.setattr(address_quotas, "SPARE_SOCKETS", 10)
    limits = replace(LIMITS, max_sockets=40, connections=40, openings_per_hour=5)
    certificate = make_certificate() if ATTACKS[attack].needs_tls else None
    listen = ListenOptions(
        close_timeout_seconds=0.2, request_timeout_seconds=1, stall_seconds=1, certificate=certificate
    )
    async with limited_server(limits, listen) as (server, transport, _), asyncio.timeout(TIMEOUT_SECONDS):
        player, match = await play(server)
        for number in range(ACTIONS):  # a match whose records fill buffers
            await tick(player, match, number)
        attacking = asyncio.create_task(ATTACKS[attack].run(transport.url))
        while LIMIT_OF[attack] not in reached:
            reached |= {line.split()[0] for line in server.session_context.metrics.render().decode().splitlines()}
            await asyncio.sleep(0.02)
            assert not attacking.done()
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)


def record_limits(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return a set that grows with the limits that are reached and that no metric counts."""
    reached: set[str] = set()
    close, require = Outbox.close, GameSocket._require_request
    wait, admit_tls = AddressQuotas.frame_wait_ms, AddressQuotas.admit_tls

    def record_close(outbox: Outbox, reason: CloseReason, *rest: Any) -> None:
        reached.add(f"closed: {reason}")
        close(outbox, reason, *rest)

    def record_wait(quotas: AddressQuotas, address: str) -> int:
        wait_ms = wait(quotas, address)
        if wait_ms:
            reached.add("frames wait")
        return wait_ms

    def record_tls(quotas: AddressQuotas, peer: object) -> Callable[[], None] | None:
        end_tls = admit_tls(quotas, peer)
        if end_tls is None:
            reached.add("TLS not agreed on")
        return end_tls

    def record_late(socket: GameSocket) -> None:
        if socket.request is None:
            reached.add("request late")
        require(socket)

    monkeypatch.setattr(Outbox, "close", record_close)
    monkeypatch.setattr(AddressQuotas, "frame_wait_ms", record_wait)
    monkeypatch.setattr(AddressQuotas, "admit_tls", record_tls)
    monkeypatch.setattr(GameSocket, "_require_request", record_late)
    return reached
