"""The tables of docs/capacity.md: what sizes need, what breaks first, and what failures do.

.venv/bin/python -m bench.capacity.report [--write docs/capacity.md] [--seconds 20]
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from bench.capacity.costs import Costs, Usage
from bench.capacity.plan import Deployment, most_in_memory, needs_of, plan
from bench.capacity.simulation import DeploymentRun, Failure, PlayedLoad

SIZES = (1_000, 10_000, 100_000, 1_000_000)
FAILURE_AT_SECONDS = 10.0
BEGIN, END = "<!-- capacity -->", "<!-- end of capacity -->"
SLOW_MS = 200.0
"""A 99th percentile above which a deployment counts as too small."""
NEEDS_HEAD = (
    "| live matches | acts a second | nodes of a core | databases of 8 cores | memory of the nodes, GiB "
    "| disk a day, GB | of that after archiving | p50 ms | p99 ms |",
    "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
)
BREAKING_HEAD = (
    "| nodes | databases | memory is full at live matches | acts are slow at live matches | acts a second then "
    "| at its end | node | database | log |",
    "|--:|--:|--:|--:|--:|---|--:|--:|--:|",
)
PARTS = ("core of a node", "cores of the database", "log of the database", "broker")


def rows_of_needs(costs: Costs, seconds: float) -> list[str]:
    """Return one row for each size: what it needs, and what its players see."""
    rows = list(NEEDS_HEAD)
    for matches in SIZES:
        usage = Usage(live_matches=matches)
        needs, deployment = needs_of(usage, costs), plan(usage, costs)
        outcome = DeploymentRun(deployment, usage, costs).run(seconds)
        rows.append(
            f"| {matches:,} | {needs.acts_a_second:,.0f} | {deployment.nodes} | {deployment.databases} "
            f"| {needs.memory_gib:,.1f} | {needs.disk_gb_a_day:,.1f} | {needs.archive_gb_a_day:,.1f} "
            f"| {outcome.p50_ms:.1f} | {outcome.p99_ms:.1f} |"
        )
    return rows


def shares_of(outcome: PlayedLoad) -> tuple[float, ...]:
    """Return the shares of the time at work, in the order of `PARTS`."""
    return outcome.node_share, outcome.database_share, outcome.log_share, outcome.broker_share


def find_breaking_point(deployment: Deployment, costs: Costs, seconds: float) -> tuple[Usage, PlayedLoad, str]:
    """Return the size, to an eighth, at which acts become slow, with the part that is at its end."""
    small, large = 100_000, 1 << 25
    while large / small > 1.13:
        middle = round((small * large) ** 0.5)
        if _play(deployment, middle, costs, seconds).p99_ms > SLOW_MS:
            large = middle
        else:
            small = middle
    outcome = _play(deployment, large, costs, seconds)
    shares = shares_of(outcome)
    return Usage(live_matches=large), outcome, PARTS[shares.index(max(shares))]


def _play(deployment: Deployment, matches: int, costs: Costs, seconds: float) -> PlayedLoad:
    return DeploymentRun(deployment, Usage(live_matches=matches), costs).run(seconds)


def rows_of_breaking_points(costs: Costs, seconds: float, deployments: Iterable[Deployment]) -> list[str]:
    """Return one row for each deployment: how many matches fit into memory, when acts become slow, and by what."""
    rows = list(BREAKING_HEAD)
    for deployment in deployments:
        usage, outcome, part = find_breaking_point(deployment, costs, seconds)
        shares = [f"{share:.0%}".replace("%", " %") for share in shares_of(outcome)]
        rows.append(
            f"| {deployment.nodes} | {deployment.databases} | {most_in_memory(deployment.nodes, costs):,} "
            f"| {usage.live_matches:,} | {outcome.done / seconds:,.0f} "
            f"| {part} | {shares[0]} | {shares[1]} | {shares[2]} |"
        )
    return rows


def rows_of_failures(costs: Costs, seconds: float) -> list[str]:
    """Return one row for each part that is lost, at each of two sizes."""
    rows = [
        "| live matches | lost | acts begun | longest act, s | seconds until all is as before |",
        "|--:|---|--:|--:|--:|",
    ]
    for matches in (10_000, 1_000_000):
        usage = Usage(live_matches=matches)
        for part, lasting in (("node", 0.0), ("broker", 5.0), ("database", costs.promotion_seconds)):
            deployment = plan(usage, costs)
            failure = Failure(part, FAILURE_AT_SECONDS, lasting)
            length = FAILURE_AT_SECONDS + lasting + seconds
            outcome = DeploymentRun(deployment, usage, costs).run(length, failure)
            count = f"{deployment.nodes} nodes" if part == "node" else f"{deployment.databases} databases"
            lost = {
                "node": f"one of {count}",
                "broker": "the broker, 5 s",
                "database": f"the primary of one of {count}",
            }
            rows.append(
                f"| {matches:,} | {lost[part]} | {outcome.begun:,} | {outcome.longest_ms / 1000:.1f} "
                f"| {outcome.calm_after_seconds:.1f} |"
            )
    return rows


def report(costs: Costs, seconds: float) -> str:
    """Return all tables."""
    deployments = (Deployment(1, 1), Deployment(2, 1), Deployment(8, 1), Deployment(32, 1), Deployment(48, 1))
    slow_disk = replace(costs, flush_ms=10.0)
    parts = [
        "### What sizes need\n",
        *rows_of_needs(costs, seconds),
        "\n### What breaks first\n",
        *rows_of_breaking_points(costs, seconds / 2, deployments),
        "\nWith a disk that takes 10 ms for a flush:\n",
        *rows_of_breaking_points(slow_disk, seconds / 2, deployments[:3]),
        "\n### Failures\n",
        *rows_of_failures(costs, seconds),
    ]
    return "\n".join(parts)


def replace_tables(page: str, tables: str) -> str:
    """Return the page with these tables between its two comments."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{rest.partition(END)[2]}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, and write them into a page."""
    parser = argparse.ArgumentParser(prog="python -m bench.capacity.report")
    parser.add_argument("--seconds", type=float, default=20.0, help="simulated seconds of each run (default: 20)")
    parser.add_argument("--write", type=Path, help="a page that has the tables between two comments")
    options = parser.parse_args(arguments)
    tables = report(Costs(), options.seconds)
    print(tables)
    if options.write is not None:
        options.write.write_text(replace_tables(options.write.read_text("utf-8"), tables), "utf-8")


if __name__ == "__main__":
    main()
