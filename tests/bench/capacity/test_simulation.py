"""The simulated deployment obeys what can be computed, and its page says which costs it is made of."""

import pytest
from msgspec.structs import replace

from bench.capacity.costs import Costs, Usage
from bench.capacity.plan import Deployment, needs_of
from bench.capacity.simulation import DeploymentRun, Failure

COSTS = Costs()
USAGE = Usage(live_matches=20_000, think_seconds=5.0)
"""400 acts a second while played."""


def test_same_seed_plays_the_same() -> None:
    first, again = (DeploymentRun(Deployment(2, 1), USAGE, COSTS, seed=7).run(2) for _ in range(2))
    other = DeploymentRun(Deployment(2, 1), USAGE, COSTS, seed=8).run(2)
    assert first == again
    assert first != other


def test_acts_and_use_are_those_of_the_arithmetic() -> None:
    """Utilisation law: the share of the time at work is acts a second times what one takes."""
    outcome = DeploymentRun(Deployment(2, 1), USAGE, COSTS).run(20)
    needs = needs_of(USAGE, COSTS)
    assert outcome.done / 20 == pytest.approx(needs.acts_a_second, rel=0.03)
    assert outcome.node_share == pytest.approx(needs.node_cores / 2, rel=0.1)
    # Group commit: between one transaction for all acts of a batch and one for each.
    least = needs.database_cores / 8
    most = needs.acts_a_second * (COSTS.act_database_us + COSTS.batch_database_us) / 1e6 / 8
    assert least < outcome.database_share <= most * 1.03


def test_no_act_is_lost() -> None:
    for failure in (None, Failure("database", 1.0, 2.0), Failure("broker", 1.0, 2.0)):
        simulation = DeploymentRun(Deployment(3, 2), USAGE, COSTS)
        simulation.run(6, failure)
        thinking = sum(node.thinking for node in simulation.nodes)
        assert 0 <= USAGE.played_matches - thinking < 50, "acts under way in the last moment"


def test_an_act_takes_at_least_its_own_steps() -> None:
    quiet = replace(USAGE, live_matches=200)
    outcome = DeploymentRun(Deployment(1, 1), quiet, COSTS).run(60)
    work_ms = (COSTS.act_us + COSTS.act_database_us + COSTS.batch_database_us) / 1e3
    assert outcome.p50_ms > work_ms + COSTS.flush_ms + COSTS.standby_ms - 0.1
    assert outcome.p50_ms < work_ms + COSTS.flush_ms + COSTS.standby_ms + 5


def test_too_few_nodes_are_busy_all_the_time_and_slow() -> None:
    crowd = replace(USAGE, live_matches=150_000)
    few = DeploymentRun(Deployment(1, 1), crowd, COSTS).run(3)
    enough = DeploymentRun(Deployment(4, 1), crowd, COSTS).run(3)
    assert few.node_share > 0.97
    assert few.p99_ms > 200 > enough.p99_ms
    assert few.done < enough.done


def test_slow_disk_is_the_bottleneck_of_many_acts() -> None:
    crowd = replace(USAGE, live_matches=100_000)
    slow = DeploymentRun(Deployment(4, 1), crowd, replace(COSTS, flush_ms=20.0)).run(3)
    assert slow.log_share > 0.95
    assert slow.p50_ms > 20


def test_lost_parts_cost_what_they_take() -> None:
    usual = DeploymentRun(Deployment(2, 1), USAGE, COSTS).run(8)
    database = DeploymentRun(Deployment(2, 1), USAGE, COSTS).run(8, Failure("database", 2.0, 3.0))
    broker = DeploymentRun(Deployment(2, 1), USAGE, COSTS).run(8, Failure("broker", 2.0, 3.0))
    node = DeploymentRun(Deployment(2, 1), USAGE, COSTS).run(8, Failure("node", 2.0, 0.0))
    assert usual.longest_ms < 200
    assert 2_900 < database.longest_ms < 3_500
    assert 2.9 < database.calm_after_seconds < 4
    assert usual.p99_ms < broker.longest_ms <= 1_000 * COSTS.poll_seconds + 200
    assert node.longest_ms > usual.longest_ms
    assert node.node_share > 1.5 * usual.node_share, "the other node has all matches"
