"""`verify --all` lists the stored matches that this version of the rules would rule differently."""

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from diskwars_cli.look_back.release_diff import MAX_LINKS, ReleaseDiff
from diskwars_client.verification.rules_comparison import RulingDifference
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.records.records import Record
from diskwars_protocol.rulesets.diskwars.events import InitiativeRolled
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import Listing
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.cli.command_runner import CommandRunner
from tests.client.match_files import find_event, greedy_records, replace_event, seal_records


def store(url: str, match: str, records: Sequence[Record], listing: Listing) -> None:
    async def fill() -> None:
        async with PostgresDatabase(url) as database:
            for record in records:
                await database.events.append(AppendRequest(match, record.seq - 1, record, listing=listing))

    asyncio.run(fill())


def listing_of(match: str) -> Listing:
    return Listing(match, "diskwars", "ended", ("one", "two"), "one", 0, 0, Result("elimination", (0,)))


def test_matches_of_the_database_are_compared(diskwars: CommandRunner, database_url: str) -> None:
    empty = diskwars("verify", "--all", "--database-url", database_url)
    assert (empty.code, empty.out) == (0, "0 matches: 0 ruled the same, 0 ruled differently\n")
    seq, event = find_event(InitiativeRolled, 2)
    assert isinstance(event, InitiativeRolled)
    changed = replace_event(greedy_records(2), seq, rolls=tuple(replace(roll, unspent=9) for roll in event.rolls))
    opened = changed[0].events[0]
    assert isinstance(opened, MatchOpened)
    changed[0] = replace(changed[0], events=(replace(opened, rules_version=opened.rules_version + 1),))
    store(database_url, "seed-1", seal_records(greedy_records()), listing_of("seed-1"))
    store(database_url, "seed-2", seal_records(changed, 2), listing_of("seed-2"))
    shown = diskwars("verify", "--all", "--database-url", database_url)
    assert shown.code == 3
    assert shown.lines[0] == "2 matches: 1 ruled the same, 1 ruled differently"
    assert shown.lines[1].startswith("  R3.2: 1, the first: initiative_rolled: by the rules $.rolls[0].unspent is ")
    assert shown.lines[2] == f"    seed-2/{seq}?as=all"


def test_verify_takes_a_file_or_all(diskwars: CommandRunner) -> None:
    for words in ((), ("--all", "file"), ("--all", "--head", "0" * 64)):
        assert diskwars.error_message("verify", *words).startswith("verify takes either a FILE or --all")


def difference(match: int, *rules: str, is_wrong: bool = False) -> RulingDifference:
    return RulingDifference(MatchId(f"m-{match}"), 7, rules, "it differs", is_wrong)


def test_report_lists_the_rules_with_the_most_differences_first() -> None:
    diff = ReleaseDiff()
    for match in range(MAX_LINKS + 2):
        diff.add(difference(match, "R12.3"))
    diff.add(difference(20, "R1.1", "R12.3"))
    diff.add(difference(21))
    diff.add(None)
    assert diff.exit_code == 3
    assert diff.lines() == [
        "10 matches: 1 ruled the same, 9 ruled differently",
        "  R12.3: 8, the first: it differs",
        *(f"    m-{match}/7?as=all" for match in range(MAX_LINKS)),
        "    and 3 more",
        "  R1.1: 1, the first: it differs",
        "    m-20/7?as=all",
        "  no rule named: 1, the first: it differs",
        "    m-21/7?as=all",
    ]


@pytest.mark.parametrize(
    ("kind", "code"), [("same", 0), ("different", 3), ("not compared", 3), ("wrong", 1), ("damaged", 1)]
)
def test_exit_code_tells_faults_from_differences(kind: str, code: int) -> None:
    diff = ReleaseDiff()
    match kind:
        case "same":
            diff.add(None)
        case "different" | "wrong":
            diff.add(difference(1, "R1.1", is_wrong=kind == "wrong"))
        case "not compared":
            diff.add_not_compared("m-1", "no packs")
        case _:
            diff.add_damaged("m-1", "record 3: its hash does not follow")
    assert diff.exit_code == code
