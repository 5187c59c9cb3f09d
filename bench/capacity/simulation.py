"""A deployment as queues: nodes that decide, databases that commit in groups, brokers between nodes, and failures.

A match has one act under way at a time: players think, act, and think again once the act has arrived. Each node is
one core that takes what has come in one pass of its loop, hands it over as one transaction, and goes on meanwhile; the
outcome costs it the rest of the act. Times are in seconds, and everything follows from the seed.
"""

import random
from collections import deque
from collections.abc import Generator, Iterator
from typing import Any, TypeAlias

import simpy
from msgspec import Struct

from bench.capacity.costs import Costs, Usage
from bench.capacity.plan import DATABASE_CORES, Deployment

Steps: TypeAlias = Generator[simpy.Event, Any, None]

TICK_SECONDS = 0.005
"""Acts that begin within one tick are drawn together; each keeps a time of its own."""
DECIDING_SHARE = 0.7
"""Of the CPU of an act, what comes before the commit."""
PASS_ACTS = 16
"""Acts that one pass of a loop decides before anything else has its turn."""
MAX_BATCH = 256
BACK_SECONDS = (0.05, 1.05)
"""From the loss of a connection until the client has another: drawn evenly between these."""
WARM_UP_SECONDS = 2.0


class Failure(Struct, frozen=True):
    """A part that is lost: `node`, `database` or `broker`, number 0 of each, for some seconds."""

    part: str
    at: float
    seconds: float


class PlayedLoad(Struct, frozen=True):
    """What players and machines saw: milliseconds of acts, shares of the time at work, and acts by their end."""

    p50_ms: float
    p99_ms: float
    longest_ms: float
    begun: int
    done: int
    waiting: int
    node_share: float
    """Of the busiest node."""
    database_share: float
    log_share: float
    broker_share: float
    calm_after_seconds: float
    """From the failure until acts took no longer than before it; 0 without a failure."""


class _Database:
    """A primary: cores for the statements, and one log, whose flush takes everybody who waits for it along."""

    def __init__(self, world: simpy.Environment, costs: Costs) -> None:
        self._world, self._costs = world, costs
        self._cores = simpy.Resource(world, DATABASE_CORES)
        self._waiting: list[tuple[simpy.Event, int]] = []
        self._arrived = world.event()
        self.busy = self.flushing = 0.0
        self.back_at = 0.0
        world.process(self._flush())

    def commit(self, acts: int) -> Steps:
        """Store a batch; ends when the batch is durable."""
        costs = self._costs
        if self._world.now < self.back_at:
            yield self._world.timeout(self.back_at - self._world.now)
        with self._cores.request() as core:
            yield core
            work = (costs.batch_database_us + acts * costs.act_database_us) / 1e6
            self.busy += work
            yield self._world.timeout(work)
        durable = self._world.event()
        self._waiting.append((durable, acts))
        if not self._arrived.triggered:
            self._arrived.succeed()
        yield durable

    def _flush(self) -> Steps:
        while True:
            if not self._waiting:
                self._arrived = self._world.event()
                yield self._arrived
            if self._world.now < self.back_at:
                yield self._world.timeout(self.back_at - self._world.now)
            batch, self._waiting = self._waiting, []
            acts = sum(count for _, count in batch)
            written = acts * self._costs.record_bytes / self._costs.log_bytes_a_second
            work = (self._costs.flush_ms + self._costs.standby_ms) / 1e3 + written
            self.flushing += work
            yield self._world.timeout(work)
            for durable, _ in batch:
                durable.succeed()


class _Node:
    """One process: a core, and one transaction under way."""

    def __init__(self, simulation: "DeploymentRun", number: int, matches: int) -> None:
        self._simulation, self._world = simulation, simulation.world
        self.number, self.thinking = number, float(matches)
        self._cpu = simpy.Resource(self._world, 1)
        self._arrived: deque[float] = deque()
        self._has_arrived = self._world.event()
        self._decided: list[float] = []
        self._has_decided = self._world.event()
        self.busy = 0.0
        self.is_alive = True
        self._world.process(self._arrive())
        self._world.process(self._decide())
        self._world.process(self._write())

    def work(self, seconds: float) -> Steps:
        """Use the core."""
        with self._cpu.request() as turn:
            yield turn
            self.busy += seconds
            yield self._world.timeout(seconds)

    def _arrive(self) -> Steps:
        simulation, usage = self._simulation, self._simulation.usage
        rate = usage.acts_a_second / usage.played_matches
        while True:
            began = self._world.now
            yield self._world.timeout(TICK_SECONDS)
            count = min(int(self.thinking), _draw_poisson(simulation.random, self.thinking * rate * TICK_SECONDS))
            if not count or not self.is_alive:
                continue
            self.thinking -= count
            simulation.begun += count
            self._arrived.extend(sorted(simulation.random.uniform(began, self._world.now) for _ in range(count)))
            if not self._has_arrived.triggered:
                self._has_arrived.succeed()

    def _decide(self) -> Steps:
        deciding = self._simulation.costs.act_us * DECIDING_SHARE / 1e6
        while True:
            if not self._arrived:
                self._has_arrived = self._world.event()
                yield self._has_arrived
            taken = [self._arrived.popleft() for _ in range(min(len(self._arrived), PASS_ACTS))]
            yield from self.work(len(taken) * deciding)
            self._decided.extend(taken)
            if not self._has_decided.triggered:
                self._has_decided.succeed()

    def _write(self) -> Steps:
        simulation, usage, costs = self._simulation, self._simulation.usage, self._simulation.costs
        database = simulation.databases[self.number % len(simulation.databases)]
        while True:
            if not self._decided:
                self._has_decided = self._world.event()
                yield self._has_decided
            batch, self._decided = self._decided[:MAX_BATCH], self._decided[MAX_BATCH:]
            yield self._world.process(database.commit(len(batch)))
            self._world.process(self._publish(batch, usage, costs))

    def _publish(self, batch: list[float], usage: Usage, costs: Costs) -> Steps:
        simulation = self._simulation
        each = costs.act_us * (1 - DECIDING_SHARE) + usage.watchers_a_match * costs.watcher_us
        yield from self.work(len(batch) * each / 1e6)
        remote = sum(simulation.random.random() >= usage.same_node_share for _ in batch)
        now = self._world.now
        for began in batch[remote:]:
            simulation.record(now - began)
        self.thinking += len(batch) - remote
        if remote:
            self._world.process(self._reach_other_node(batch[:remote], costs))

    def _reach_other_node(self, batch: list[float], costs: Costs) -> Steps:
        simulation = self._simulation
        delay = yield self._world.process(simulation.broker(len(batch)))
        other = simulation.other_node(self)
        yield from other.work(len(batch) * costs.remote_act_us / 1e6)
        for began in batch:
            simulation.record(self._world.now - began + delay)
        self.thinking += len(batch)


class DeploymentRun:
    """A deployment that is played on. Call `run` once."""

    def __init__(self, deployment: Deployment, usage: Usage, costs: Costs, seed: int = 1) -> None:
        self.world, self.random = simpy.Environment(), random.Random(seed)
        self.usage, self.costs, self.deployment = usage, costs, deployment
        self.databases = [_Database(self.world, costs) for _ in range(deployment.databases)]
        self._broker = simpy.Resource(self.world, deployment.brokers)
        self._broker_busy = self._broker_back_at = 0.0
        self._times: list[tuple[float, float]] = []
        self.begun = 0
        shares = _split(usage.played_matches, deployment.nodes)
        self.nodes = [_Node(self, number, matches) for number, matches in enumerate(shares)]

    def record(self, seconds: float) -> None:
        """Note that an act has reached all players now, and how long it took."""
        self._times.append((self.world.now, seconds))

    def other_node(self, node: _Node) -> _Node:
        """Draw another node that is alive."""
        others = [other for other in self.nodes if other is not node and other.is_alive]
        return self.random.choice(others) if others else node

    def broker(self, messages: int) -> Generator[simpy.Event, Any, float]:
        """Pass messages on; return the seconds that a lost one takes longer, until it is found in the database."""
        if self.world.now < self._broker_back_at:
            return self.random.uniform(0, self.costs.poll_seconds)
        with self._broker.request() as turn:
            yield turn
            work = messages * self.costs.message_us / 1e6
            self._broker_busy += work
            yield self.world.timeout(work)
        return 0.0

    def run(self, seconds: float, failure: Failure | None = None) -> PlayedLoad:
        """Play for some seconds; what happens in the first two is not counted."""
        if failure is not None:
            self.world.process(self._fail(failure))
        self.world.run(WARM_UP_SECONDS)
        busy = [(node, node.busy) for node in self.nodes]
        self._times.clear()
        counted_from = self.begun
        before = [(database.busy, database.flushing) for database in self.databases]
        broker = self._broker_busy
        self.world.run(WARM_UP_SECONDS + seconds)
        times = sorted(taken for _, taken in self._times)
        thinking = sum(node.thinking for node in self.nodes)
        work = [(new.busy - old[0], new.flushing - old[1]) for new, old in zip(self.databases, before, strict=True)]
        return PlayedLoad(
            1000 * _percentile(times, 0.5),
            1000 * _percentile(times, 0.99),
            1000 * (times[-1] if times else 0.0),
            self.begun - counted_from,
            len(times),
            round(self.usage.played_matches - thinking),
            max((node.busy - since) / seconds for node, since in busy),
            max(cpu / seconds / DATABASE_CORES for cpu, _ in work),
            max(log / seconds for _, log in work),
            (self._broker_busy - broker) / seconds / self.deployment.brokers,
            0.0 if failure is None else self._calm_after(failure),
        )

    def _fail(self, failure: Failure) -> Steps:
        yield self.world.timeout(WARM_UP_SECONDS + failure.at)
        until = self.world.now + failure.seconds
        if failure.part == "database":
            self.databases[0].back_at = until
        elif failure.part == "broker":
            self._broker_back_at = until
        else:
            yield from self._lose_node(self.nodes[0])

    def _lose_node(self, node: _Node) -> Steps:
        """Its clients reconnect to the other nodes, which load their matches."""
        node.is_alive = False
        matches, node.thinking = int(node.thinking), 0.0
        others = [other for other in self.nodes if other.is_alive]
        first, last = BACK_SECONDS
        steps = 100
        costs = self.costs
        each = (2 * (costs.connect_us + costs.join_us) + costs.load_us) / 1e6
        yield self.world.timeout(first)
        for count in _split(matches, steps):
            for other, some in zip(others, _split(count, len(others)), strict=True):
                self.world.process(self._take_over(other, some, each))
            yield self.world.timeout((last - first) / steps)

    def _take_over(self, node: _Node, matches: int, each: float) -> Steps:
        # In pieces, between which the node serves its own matches.
        for piece in _pieces(matches, 5):
            began = self.world.now
            yield from node.work(piece * each)
            node.thinking += piece
            self.record(self.world.now - began)

    def _calm_after(self, failure: Failure) -> float:
        """Seconds from the failure until no act that ended took longer than the slowest hundredth before it."""
        at = WARM_UP_SECONDS + failure.at
        usual = _percentile(sorted(taken for ended, taken in self._times if ended < at), 0.99)
        late = [ended for ended, taken in self._times if ended >= at and taken > max(2 * usual, 0.1)]
        return max(late, default=at) - at


def _draw_poisson(generator: random.Random, mean: float) -> int:
    """Draw a number with this mean: exact below 50, by the normal distribution above."""
    if mean <= 0:
        return 0
    if mean > 50:
        return max(0, round(generator.gauss(mean, mean**0.5)))
    count, spent = 0, generator.expovariate(1.0)
    while spent < mean:
        count += 1
        spent += generator.expovariate(1.0)
    return count


def _split(whole: int, parts: int) -> list[int]:
    return [whole // parts + (number < whole % parts) for number in range(parts)]


def _pieces(whole: int, size: int) -> Iterator[int]:
    while whole > 0:
        yield min(size, whole)
        whole -= size


def _percentile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
