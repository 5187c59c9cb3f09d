"""Clubs in the terminal: opened, entered by an invitation, run, shown; and what is typed wrongly."""

import time
from pathlib import Path

import pytest

from diskwars_cli.account.clubs import print_club
from diskwars_client.client import connect
from diskwars_protocol.clubs.events import SeasonRow
from diskwars_protocol.clubs.options import ClubOptions
from diskwars_protocol.clubs.state import ClubMember, Season
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.clubs import ClubInvitation, ClubView
from tests.cli.account.test_account import Machine
from tests.cli.command_runner import CommandRunner
from tests.client.local_server import running_server


async def test_club_is_opened_entered_run_and_closed(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Machine(tmp_path / "ann", diskwars, monkeypatch)
    ben = Machine(tmp_path / "ben", diskwars, monkeypatch)
    async with running_server(seed=None) as url:
        there = ("--url", url)
        refused = await ann.run("club", "open", "Thursday Club", *there)
        assert (refused.code, "account login" in refused.err) == (2, True)
        await ann.run("account", "register", "Ann of Nuln", *there)
        await ben.run("account", "register", "Ben", *there)
        assert (await ann.run("club", "list", *there)).lines == ["no clubs"]
        opened = await ann.run("club", "open", "Thursday Club", "--visibility", "private", *there)
        club = opened.lines[0].split()[1].rstrip(":")

        unknown = await ben.run("club", "show", club, *there)
        assert (unknown.code, "no club" in unknown.err) == (2, True)
        invited = await ann.run("club", "invite", club, "--days", "3", *there)
        code = invited.lines[1].split(" join ")[1].split()[0]
        joined = await ben.run("club", "join", f"http://127.0.0.1:1/clubs/join/{code}", *there)
        assert joined.lines == [f"joined: Thursday Club ({club}), 2 members"]
        invitation = invited.lines[0].split()[1].rstrip(";")
        assert (await ann.run("club", "invite", club, "--revoke", invitation, *there)).lines == [
            "revoked: Thursday Club, 2 members"
        ]
        assert (await ann.run("club", "role", club, "ben", "officer", *there)).lines == [
            "ben is officer: Thursday Club, 2 members"
        ]
        nobody = await ann.run("club", "remove", club, "Cid", *there)
        assert (nobody.code, "no member of the name Cid" in nobody.err) == (2, True)
        await ben.run("club", "edit", club, "--name", "Friday Club", "--rules", "Be kind.", *there)
        await ben.run("club", "season", club, "--begin", "Autumn", "--days", "90", *there)
        shown = await ann.run("club", "show", club, *there)
        assert "house rules: Be kind." in shown.out
        assert "season Autumn" in shown.lines[0]
        ladder = await ann.run("club", "ladder", club, *there)
        assert all(name in ladder.out for name in ("Ann of Nuln", "Ben"))
        await ann.run("club", "season", club, "--end", *there)
        assert "Ben" in (await ben.run("club", "ladder", club, "--season", "1", *there)).out
        assert (await ben.run("club", "ladder", club, "--season", "2", *there)).code == 2
        assert "Friday Club" in (await ben.run("club", "list", "--mine", *there)).out
        reported = await ben.run("club", "report", club, "Its rules are an insult.", *there)
        assert reported.lines == ["reported to the operators of the server"]
        assert (await ben.run("club", "leave", club, *there)).lines == ["left: Friday Club"]
        assert (await ann.run("club", "close", club, *there)).lines == ["closed: Friday Club, 1 member"]


async def test_matches_of_a_club_are_listed_for_its_members(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Machine(tmp_path / "ann", diskwars, monkeypatch)
    ben = Machine(tmp_path / "ben", diskwars, monkeypatch)
    async with running_server(seed=None) as url:
        there = ("--url", url)
        await ann.run("account", "register", "Ann of Nuln", *there)
        await ben.run("account", "register", "Ben", *there)
        club = (await ann.run("club", "open", "Club", "--entry", "open", *there)).lines[0].split()[1].rstrip(":")
        assert (await ann.run("club", "matches", *there)).lines == ["no matches"]
        async with connect(url, token=ann.accounts[0].token) as client:
            match = await client.open_match(ruleset="pit", match_options=MatchOptions(club=club))
        for words in ((), (club,)):
            listed = await ann.run("club", "matches", *words, *there)
            assert (match.id in listed.out, "free, free" in listed.out, "of a club" in listed.out) == (True, True, True)
            assert (await ben.run("club", "matches", *words, *there)).lines == ["no matches"]


@pytest.mark.parametrize("words", [(), ("--begin", "Autumn", "--end")])
async def test_season_is_begun_or_ended(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    machine = Machine(tmp_path / "ann", diskwars, monkeypatch)

    refused = await machine.run("club", "season", "c", *words, "--url", "ws://127.0.0.1:9/ws")

    assert (refused.code, "--begin NAME or --end" in refused.err) == (2, True)


def test_club_is_printed_with_names_and_days(capsys: pytest.CaptureFixture[str]) -> None:
    ann, ben = PlayerId("annid"), PlayerId("benid")
    day_ms = 1_790_000_000_000
    day = time.strftime("%Y-%m-%d", time.localtime(day_ms / 1000))
    shown = ClubView(
        "1",
        "c1",
        "Thursday Club",
        ClubOptions(),
        day_ms,
        "open",
        (ClubMember(ann, day_ms, "leader"), ClubMember(ben, day_ms)),
        (Season(1, "Summer", day_ms, ended_ms=day_ms, standings=(SeasonRow(ben, 2_477, wins=1),)),),
        3,
        "leader",
        (ben,),
        (ClubInvitation("i1", ann, day_ms, day_ms),),
    )

    print_club(shown, {ann: "Ann", ben: "Ben"})

    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["Thursday", "Club", "(c1):", "2", "members,", "diskwars"]
    assert ["Ann", "leader", "-", day] in lines
    assert ["Ben", "member", "yes", day] in lines
    assert ["1", "Summer", day, day, "Ben"] in lines
    assert ["i1", "Ann", day] in lines
