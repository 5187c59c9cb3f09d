"""The `admin` verb: acts with an operator and a reason, lists, and a look into a match."""

import asyncio
import hashlib
import json
import re
from datetime import datetime
from typing import Any

import pytest

from diskwars_cli.commands.command_line import cli
from diskwars_protocol.messages.notices import EmailTarget
from diskwars_server import app as product
from diskwars_server.limits.rate_limits import MS_PER_DAY
from diskwars_server.players.names import name_key
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.notices import Delivery, NoticeText, StoredChannel
from diskwars_server.store.operator_acts import OperatorAct
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.store.reports import ReportKind, StoredReport
from diskwars_server.upkeep.server_clock import MachineClocks
from tests.cli.command_runner import CommandRunner
from tests.cli.conftest import ARCHIVE_OPERATOR, ENDED_MATCH, UNFINISHED_MATCH, UNFINISHED_RECORD_COUNT
from tests.server.store.test_clubs import opening as club_opening
from tests.server.store.test_tournaments import opening as tournament_opening

ACTS = sorted(cli.commands["admin"].commands)  # type: ignore[attr-defined]


@pytest.fixture
def accounts_url(database_url: str) -> str:
    """Return the address of a database with the accounts Ann and Ben."""

    async def fill() -> None:
        async with PostgresDatabase(database_url) as database:
            for player in ("ann", "ben"):
                account = StoredAccount(player, player.title(), name_key(player), "hash", 0)
                await database.accounts.register(account, StoredDevice(player, "d", player.encode(), 0, 0))

    asyncio.run(fill())
    return database_url


@pytest.mark.parametrize("act", ACTS)
def test_every_act_has_help(diskwars: CommandRunner, act: str) -> None:
    result = diskwars("admin", act, "--help")
    assert (result.code, result.err) == (0, "")


def test_operator_bans_and_every_act_is_listed(diskwars: CommandRunner, accounts_url: str) -> None:
    store, why = ("--database-url", accounts_url), ("--reason", "threats in the chat")
    assert diskwars("admin", "grant", "Ann", "--reason", "runs this server", *store).lines == ["Ann is an operator"]
    refused = diskwars.error_message("admin", "ban", "Ben", *why, *store)
    assert refused == "say which operator you are, with --operator (not_operator)"
    assert "Ben is no operator (not_operator)" in diskwars.error_message(
        "admin", "ban", "Ben", "--operator", "Ben", *why, *store
    )
    as_ann = ("--operator", "Ann", *store)
    banned = diskwars("admin", "ban", "Ben", "--until", "2999-01-31", *why, *as_ann)
    assert banned.lines == ["Ben (ben) is banned until 2999-01-31 00:00"]
    assert diskwars("admin", "bans", *store).lines[1].split("  ")[0] == "ben"
    assert diskwars("admin", "rename", "Ben", "Bert", "--reason", "rude", *as_ann).lines == ["Ben is called Bert now"]
    assert diskwars("admin", "unban", "Bert", "--reason", "sorry", *as_ann).lines == [
        "Bert (ben) is not banned any more"
    ]
    assert diskwars("admin", "bans", *store).lines == ["nobody is banned"]
    erased = diskwars("admin", "erase-chat", "--player", "Bert", "--reason", "rude", *as_ann)
    assert erased.lines == ["0 messages erased"]
    listed = diskwars("admin", "acts", *store).lines
    assert [line.split()[0] for line in listed] == ["act", "5", "4", "3", "2", "1"]
    assert all(word in listed[4] for word in ("ban", "ben Bert", "2999-01-31", "threats in the chat", "Ann"))
    assert "host" in listed[5]
    assert len(diskwars("admin", "acts", "--about", "ann", *store).lines) == 2


def test_name_of_a_guest_is_erased(diskwars: CommandRunner, accounts_url: str) -> None:
    async def name_guest() -> None:
        async with PostgresDatabase(accounts_url) as database:
            await database.accounts.name_guest("h4zin9uzz9ig", "Rude", "rude", 1000)

    asyncio.run(name_guest())
    store = ("--reason", "insult", "--database-url", accounts_url)
    diskwars("admin", "grant", "Ann", *store)
    as_ann = ("erase-name", "h4zin9uzz9ig", "--operator", "Ann", *store)
    assert diskwars("admin", *as_ann).lines == ["the name of guest h4zin9uzz9ig is erased"]
    assert "h4zin9uzz9ig is no guest with a name" in diskwars.error_message("admin", *as_ann)


def test_acts_have_the_time_of_the_database(
    diskwars: CommandRunner, accounts_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, began_ms = ("--database-url", accounts_url), product.now_ms()
    wrong = MachineClocks(lambda: began_ms + 400 * MS_PER_DAY, product.monotonic_ms)
    monkeypatch.setattr(product, "MACHINE_CLOCKS", wrong)
    monkeypatch.setattr(product, "now_ms", wrong.wall)
    as_ann = ("--reason", "why", "--operator", "Ann", *store)
    assert diskwars("admin", "grant", "Ann", "--reason", "why", *store).code == 0
    until = datetime.fromtimestamp(began_ms / 1000 + 86_400).strftime("%Y-%m-%d")
    assert diskwars("admin", "ban", "Ben", "--until", until, *as_ann).code == 0
    assert diskwars("admin", "bans", *store).lines[1].startswith("ben"), "it is in force"

    async def read_acts() -> list[OperatorAct]:
        async with PostgresDatabase(accounts_url) as database:
            return await database.operator_acts.read_after(0, 9)

    acts = asyncio.run(read_acts())
    assert len(acts) == 2
    assert all(abs(act.at_ms - began_ms) < MS_PER_DAY for act in acts)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ban", "Ben"), "missing option '--reason'"),
        (("erase-chat", "--reason", "x"), "name a --match, a --player or both"),
        (("erase-chat", "--reason", "x", "--player", "Ben", "--channel", "players"), "--channel needs --match"),
        (("erase-chat", "--reason", "x", "--match", "m", "--number", "3"), "--number needs --channel"),
        (("frobnicate",), "no such command 'frobnicate'"),
    ],
)
def test_incomplete_acts_are_usage_errors(diskwars: CommandRunner, words: tuple[str, ...], message: str) -> None:
    assert diskwars.error_message("admin", *words).startswith(message)


def test_matches_are_listed_with_the_names_that_players_see(diskwars: CommandRunner, archive_url: str) -> None:
    lines = diskwars("admin", "list", "--database-url", archive_url).lines
    seats = [found for line in lines[1:] for found in re.findall(r"[AB] (\S+) (Guest [^\s,]+)", line)]
    assert seats
    assert all(name == f"Guest {player[-4:].upper()}" for player, name in seats)


def test_matches_are_listed_with_their_length(diskwars: CommandRunner, archive_url: str) -> None:
    lines = diskwars("admin", "list", "--database-url", archive_url).lines
    rows = {line.split()[0]: line.split() for line in lines[1:]}
    assert set(rows) == {ENDED_MATCH, UNFINISHED_MATCH}
    assert str(UNFINISHED_RECORD_COUNT) in rows[UNFINISHED_MATCH]
    running = diskwars("admin", "list", "--status", "running", "--database-url", archive_url).lines
    assert [line.split()[0] for line in running[1:]] == [UNFINISHED_MATCH]


@pytest.fixture
def look(archive_url: str) -> tuple[str, ...]:
    """Return what every look into the archive needs."""
    return ("--database-url", archive_url, "--operator", ARCHIVE_OPERATOR, "--reason", "report 7")


def inspected(diskwars: CommandRunner, match: str, look: tuple[str, ...]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in diskwars("admin", "inspect", match, *look).lines]


def test_records_are_printed_with_what_is_hidden_as_digests(diskwars: CommandRunner, look: tuple[str, ...]) -> None:
    records = inspected(diskwars, UNFINISHED_MATCH, look)
    assert [record["seq"] for record in records] == list(range(1, UNFINISHED_RECORD_COUNT + 1))
    assert records[0]["body"]["events"][0]["type"] == "match_opened"
    nonces = [
        event["seat_nonce"]
        for record in records
        for event in record["body"].get("events", ())
        if event["type"] == "seat_nonce_opened"
    ]
    assert nonces
    assert all(isinstance(nonce, dict) or not nonce for nonce in nonces)
    assert set(records[0]) == {"seq", "at_ms", "actor", "command", "rules_version", "hash", "body"}
    assert [record["at_ms"] for record in records] == sorted(record["at_ms"] for record in records)


def test_records_of_a_match_that_has_ended_are_printed_with_what_opens_them(
    diskwars: CommandRunner, look: tuple[str, ...]
) -> None:
    records = inspected(diskwars, ENDED_MATCH, look)
    leaves = []
    for record in records:
        body = json.dumps(record["body"], separators=(",", ":"), ensure_ascii=False).encode()
        leaves.append(hashlib.sha256(bytes.fromhex(record["salt"]) + body).digest())
    follows = [
        hashlib.sha256(bytes.fromhex(before["hash"]) + leaf).hexdigest()
        for before, leaf in zip(records, leaves[1:], strict=False)
    ]
    assert follows == [record["hash"] for record in records[1:]], "salt, body and hash are those of the chain"
    assert any(opening["seats"] == [1] for record in records for opening in record["openings"])


def test_look_into_a_match_is_an_act(diskwars: CommandRunner, archive_url: str, look: tuple[str, ...]) -> None:
    inspected(diskwars, UNFINISHED_MATCH, look)
    diskwars("admin", "inspect", UNFINISHED_MATCH, "--at", "7", *look)
    acts = diskwars("admin", "acts", "--database-url", archive_url).lines
    assert all(word in acts[1] for word in (ARCHIVE_OPERATOR, "inspect", UNFINISHED_MATCH, "state at 7", "report 7"))
    assert all(word in acts[2] for word in (ARCHIVE_OPERATOR, "inspect", UNFINISHED_MATCH, "records", "report 7"))


def test_nobody_but_an_operator_looks_into_a_match(diskwars: CommandRunner, archive_url: str) -> None:
    look = ("admin", "inspect", ENDED_MATCH, "--database-url", archive_url, "--reason", "curiosity")
    assert diskwars.error_message(*look).endswith("(not_operator)")
    assert diskwars.error_message(*look, "--operator", "Ben") == "Ben is no operator (not_operator)"
    assert diskwars(*look, "--operator", "Ben").out == ""


def test_state_of_a_running_match_is_that_of_the_public(diskwars: CommandRunner, look: tuple[str, ...]) -> None:
    at = str(UNFINISHED_RECORD_COUNT)
    state = json.loads(diskwars("admin", "inspect", UNFINISHED_MATCH, "--at", at, *look).out)
    assert (state["match"], "deal_secret" in state) == (UNFINISHED_MATCH, False)
    missing = diskwars.error_message("admin", "inspect", "nowhere", *look)
    assert missing == "there is no match nowhere (unknown_match)"
    assert "has records 1 to 40" in diskwars.error_message("admin", "inspect", UNFINISHED_MATCH, "--at", "41", *look)


def test_operator_reads_and_closes_reports(diskwars: CommandRunner, accounts_url: str) -> None:
    store = ("--database-url", accounts_url)

    async def report() -> None:
        async with PostgresDatabase(accounts_url) as database:
            await database.reports.add(StoredReport("m", 41, "ben", "guest1", 0, "insults me", "c"))

    assert diskwars("admin", "reports", *store).lines == ["no reports"]
    asyncio.run(report())
    listed = diskwars("admin", "reports", "--about", "ben", *store).lines
    assert all(word in listed[1] for word in ("m/41", "ben Ben", "guest1", "open", "insults me"))
    close = ("admin", "close-report", "1", "--reason", "warned", *store)
    assert diskwars.error_message(*close) == (
        "say which operator you are, with --operator; `admin grant` names the first one (not_operator)"
    )
    assert diskwars("admin", "grant", "Ann", "--reason", "runs this server", *store).code == 0
    assert diskwars(*close, "--operator", "Ann").lines == ["report 1 is closed"]
    assert diskwars.error_message(*close, "--operator", "Ann") == "report 1 is closed already (report_closed)"
    assert diskwars("admin", "reports", *store).lines == ["no reports"]
    assert "act 2" in diskwars("admin", "reports", "--all", *store).lines[1]


def test_operator_reads_what_is_reported_of_clubs_and_tournaments_and_erases_it(
    diskwars: CommandRunner, accounts_url: str
) -> None:
    store = ("--database-url", accounts_url)

    async def fill() -> None:
        async with PostgresDatabase(accounts_url) as database:
            await database.clubs.append(club_opening("c1"))
            await database.tournaments.append(tournament_opening("t1"))
            subjects: tuple[tuple[ReportKind, str], ...] = (("club", "c1"), ("tournament", "t1"))
            for kind, subject in subjects:
                report = StoredReport(subject, 1, "ben", "guest1", 0, "an insult", "c", kind=kind)
                await database.reports.add(report)

    asyncio.run(fill())
    diskwars("admin", "grant", "Ann", "--reason", "runs this server", *store)
    listed = diskwars("admin", "reports", *store).lines
    assert all(word in listed[1] for word in ("tournament t1/1", "ben Ben", "an insult", "name: Autumn Swiss"))
    assert all(word in listed[2] for word in ("club c1/1", "name: Thursday Club, rules: Be kind"))
    as_ann = ("--reason", "report 2", "--operator", "Ann", *store)
    assert diskwars("admin", "close-club", "c1", *as_ann).lines == [
        "club c1 is closed and its texts are erased, with record 2"
    ]
    assert diskwars("admin", "cancel-tournament", "t1", *as_ann).lines == [
        "tournament t1 is over and its texts are erased, with record 2"
    ]
    again = diskwars.error_message("admin", "close-club", "c1", *as_ann)
    assert again == "club c1 was closed by an operator before (club_closed)"
    # The operator still sees what was reported: later records do not change what it was then.
    assert "Thursday Club" in diskwars("admin", "reports", "--about", "c1", *store).lines[1]
    acts = diskwars("admin", "acts", *store).lines
    assert all(word in acts[1] for word in ("cancel tournament", "t1", "report 2"))
    assert all(word in acts[2] for word in ("close club", "c1", "report 2"))


def test_notices_that_nobody_took_are_listed_without_their_address(diskwars: CommandRunner, accounts_url: str) -> None:
    store = ("--database-url", accounts_url)
    assert diskwars("admin", "notices", *store).lines == ["no notice was given up"]
    delivery = Delivery("d1", "ann", "c1", (NoticeText("your_turn", "m1", 0),), 5, 5, attempts=6)
    trial = Delivery("d2", "ben", "c2", (), 4, 4)

    async def fill() -> None:
        async with PostgresDatabase(accounts_url) as database:
            await database.notices.add_channel(
                StoredChannel("ann", "c1", EmailTarget("ann@example.org"), "resting", 1), 9
            )
            await database.notices.add_deliveries([delivery, trial])
            for each in (delivery, trial):
                await database.notices.bury_delivery(each, "SMTP 550")

    asyncio.run(fill())
    listed = diskwars("admin", "notices", *store)
    assert [line.split("  ")[-1].strip() for line in listed.lines[1:]] == ["SMTP 550", "SMTP 550"]
    assert all(word in listed.lines[1] for word in ("ann Ann", "email", " 7 ", "your_turn m1"))
    assert all(word in listed.lines[2] for word in ("ben Ben", "removed since", "a trial of the channel"))
    assert "example.org" not in listed.out


def test_operator_makes_a_code_that_no_list_shows(diskwars: CommandRunner, accounts_url: str) -> None:
    store = ("--database-url", accounts_url)
    diskwars("admin", "grant", "Ben", "--reason", "runs this server", *store)
    made = diskwars("admin", "login-link", "Ann", "--reason", "lost it", "--operator", "Ben", *store)
    code = re.search(
        r"sets a new password with ([a-z2-9]{4}(?:-[a-z2-9]{4}){3}) within an hour: \S+ account recover Ann$",
        made.lines[0],
    )
    assert code is not None, made.lines
    acts = diskwars("admin", "acts", *store)
    assert all(word in acts.lines[1] for word in ("login link", "ann Ann", "lost it", "Ben"))
    assert code[1] not in acts.out
