"""Nodes, databases, memory and disk for a number of live matches, from measured costs."""

from math import ceil

from msgspec import Struct

from bench.capacity.costs import Costs, Usage

NODE_LOAD = 0.5
"""Share of its core that a node uses: what is left takes the matches of one that is lost, and bursts."""
DATABASE_CORES = 8
DATABASE_LOAD = 0.5
LOG_LOAD = 0.4
"""Share of what the disk takes in sequence, and of the time in which the log may be flushed."""
NODE_GIB = 4.0
BROKER_LOAD = 0.3
KIB_PER_GIB = 1 << 20
LOADED_SHARE = 0.05
"""Of the matches that wait for days, those that are in memory because somebody has just looked."""
SECONDS_PER_DAY = 86_400


class Deployment(Struct, frozen=True):
    """Processes that serve, the databases that they share the matches of, and the brokers between them."""

    nodes: int
    databases: int
    brokers: int = 1


class Needs(Struct, frozen=True):
    """What the matches need in all: acts a second, cores, memory and disk."""

    acts_a_second: float
    node_cores: float
    database_cores: float
    broker_cores: float
    memory_gib: float
    log_bytes_a_second: float
    disk_gb_a_day: float
    archive_gb_a_day: float


def needs_of(usage: Usage, costs: Costs) -> Needs:
    """Return what these matches need, however it is spread."""
    acts = usage.acts_a_second
    remote = 1 - usage.same_node_share
    act_us = costs.act_us + remote * costs.remote_act_us + usage.watchers_a_match * costs.watcher_us
    connections = 2 * usage.played_matches + usage.watchers_a_match * usage.played_matches
    memory_kib = (
        usage.played_matches * costs.active_match_kib
        + (usage.live_matches - usage.played_matches) * costs.resting_match_kib * LOADED_SHARE
        + (connections - 2 * usage.played_matches) * costs.connection_kib
    )
    return Needs(
        acts,
        acts * act_us / 1e6,
        acts * costs.act_database_us / 1e6,
        acts * remote * costs.message_us / 1e6,
        memory_kib / KIB_PER_GIB,
        acts * costs.record_bytes,
        acts * costs.record_bytes * SECONDS_PER_DAY / 1e9,
        acts * costs.archived_bytes * SECONDS_PER_DAY / 1e9,
    )


def plan(usage: Usage, costs: Costs) -> Deployment:
    """Return a deployment with room for twice the usual acts, and a node more than it needs: one may be lost."""
    needs = needs_of(usage, costs)
    nodes = max(needs.node_cores / NODE_LOAD, needs.memory_gib / NODE_GIB)
    databases = max(
        needs.database_cores / (DATABASE_CORES * DATABASE_LOAD),
        needs.log_bytes_a_second / costs.log_bytes_a_second / LOG_LOAD,
    )
    brokers = max(1, ceil(needs.broker_cores / BROKER_LOAD))
    return Deployment(ceil(nodes) + 1, max(1, ceil(databases)), brokers)


def most_in_memory(nodes: int, costs: Costs) -> int:
    """Return how many live matches fit into the memory of these nodes, beside the programs."""
    each = needs_of(Usage(live_matches=1_000_000), costs).memory_gib / 1_000_000
    return round(nodes * (NODE_GIB - costs.node_mib / 1024) / each)
