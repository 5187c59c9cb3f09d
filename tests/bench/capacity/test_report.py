"""The page of capacity: every cost is on it with its value, and its tables are those of the program."""

import re
from pathlib import Path

from msgspec import structs

from bench.capacity.costs import Costs, Usage
from bench.capacity.plan import Deployment, most_in_memory, needs_of, plan
from bench.capacity.report import BEGIN, BREAKING_HEAD, END, NEEDS_HEAD, SIZES, replace_tables, rows_of_breaking_points

PAGE = Path(__file__).resolve().parents[3] / "docs" / "capacity.md"


def test_every_cost_is_on_the_page_with_its_value() -> None:
    text = PAGE.read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d.,]+) \| \[", text, re.M))
    costs = structs.asdict(Costs())
    for name, value in rows.items():
        assert float(value.replace(",", "")) == costs[name], name
    assumed = {name for name in costs if name not in rows}
    assert assumed == {"flush_ms", "standby_ms", "log_bytes_a_second", "message_us"}
    assert all(f"`{name}`" in text for name in assumed)


def test_page_has_the_tables_of_the_program() -> None:
    between = PAGE.read_text("utf-8").split(BEGIN)[1].split(END)[0]
    assert NEEDS_HEAD[0] in between
    assert BREAKING_HEAD[0] in between
    costs = Costs()
    for matches in SIZES:
        needs, deployment = needs_of(Usage(live_matches=matches), costs), plan(Usage(live_matches=matches), costs)
        figures = f"| {matches:,} | {needs.acts_a_second:,.0f} | {deployment.nodes} | {deployment.databases} | "
        assert f"{figures}{needs.memory_gib:,.1f} | {needs.disk_gb_a_day:,.1f} |" in between
    for nodes in (1, 2, 8, 32, 48):
        assert f"| {nodes} | 1 | {most_in_memory(nodes, costs):,} |" in between


def test_small_deployment_is_at_the_end_of_its_core() -> None:
    (row,) = rows_of_breaking_points(Costs(), 0.5, [Deployment(1, 1)])[2:]
    assert "core of a node" in row


def test_tables_replace_those_of_a_page() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert replace_tables(page, "new") == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"
