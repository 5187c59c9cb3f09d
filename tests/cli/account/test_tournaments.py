"""Tournaments in the terminal: opened, entered, shown, exported; and what is typed wrongly."""

import csv
import io
import json
from pathlib import Path

import pytest

from diskwars_cli.account.tournaments import export_csv, export_json, points_text, result_text, status_text
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.tournaments import TournamentView
from diskwars_protocol.tournaments.brackets import bracket_of
from diskwars_protocol.tournaments.standings import standings_of
from diskwars_protocol.tournaments.state import BoardResult, TournamentBoard
from tests.cli.account.test_account import Machine
from tests.cli.command_runner import CommandRunner
from tests.client.local_server import running_server
from tests.server.tournaments.played_tournaments import PlayedTournament, better_number_wins, options_of


def played_view() -> TournamentView:
    played = PlayedTournament(options_of("swiss", rounds=3), 5)
    played.start()
    played.play_to_end(better_number_wins(played))
    return TournamentView("1", played.state, standings_of(played.state), tuple(bracket_of(played.state)))


async def test_tournament_is_opened_entered_shown_and_exported(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path / "ann", diskwars, monkeypatch)
    async with running_server(seed=None) as url:
        there = ("--url", url)
        refused = await machine.run("tournament", "open", "Cup", *there)
        assert (refused.code, "account login" in refused.err) == (2, True)
        await machine.run("account", "register", "Ann of Nuln", *there)
        assert (await machine.run("tournament", "list", *there)).lines == ["no tournaments"]
        opened = await machine.run("tournament", "open", "Cup", "--ruleset", "pit", "--rounds", "3", *there)
        tournament = opened.lines[0].split()[1].rstrip(":")

        assert (await machine.run("tournament", "enter", tournament, *there)).lines == [
            "entered: Cup, open, 1 of 64 entrants"
        ]
        listed = await machine.run("tournament", "list", "--mine", *there)
        assert "1/64" in listed.out
        shown = await machine.run("tournament", "show", tournament, *there)
        assert "Ann of Nuln" in shown.out
        few = await machine.run("tournament", "start", tournament, *there)
        assert (few.code, "two entrants" in few.err) == (2, True)
        exported = await machine.run("tournament", "export", tournament, "--format", "json", *there)
        assert json.loads(exported.out)["names"] == {"1": "Ann of Nuln"}
        file = tmp_path / "cup.csv"
        await machine.run("tournament", "export", tournament, "-o", str(file), *there)
        assert "Ann of Nuln" in file.read_text("utf-8")
        cancelled = await machine.run("tournament", "cancel", tournament, "--note", "rain", *there)
        assert cancelled.lines == ["cancelled: Cup, cancelled: rain"]


async def test_settings_that_are_no_json_are_refused(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path / "ann", diskwars, monkeypatch)

    refused = await machine.run("tournament", "open", "Cup", "--settings", "regiments", "--url", "ws://127.0.0.1:9/ws")

    assert (refused.code, "objects in JSON" in refused.err) == (2, True)


@pytest.mark.parametrize(("half_points", "text"), [(0, "0"), (1, "½"), (2, "1"), (7, "3½")])
def test_points_are_written_with_halves(half_points: int, text: str) -> None:
    assert points_text(half_points) == text


def test_result_says_how_it_came_if_nobody_played() -> None:
    board = TournamentBoard(1, (1, 2), MatchId("m"))
    played = TournamentBoard(1, (1, 2), MatchId("m"), result=BoardResult((2, 0), "match", (12, 4)))
    forfeit = TournamentBoard(1, (1, 2), MatchId("m"), result=BoardResult((0, 2), "no_show"))

    assert [result_text(each) for each in (board, played, forfeit)] == ["-", "1:0 (12:4)", "0:1 no show"]


def test_status_says_the_round() -> None:
    played = PlayedTournament(options_of("swiss", rounds=2), 4)
    assert status_text(played.state) == "open, 4 of 64 entrants"

    played.start()
    played.pair()

    assert status_text(played.state) == "round 1 of 2"


def test_csv_has_a_column_for_each_round_and_quotes_formulas() -> None:
    view = played_view()
    names = {number: f"p{number}" for number in range(1, 6)} | {1: "=cmd()"}

    rows = list(csv.DictReader(io.StringIO(export_csv(view, names))))

    assert rows[0]["entrant"] == "'=cmd()"
    assert float(rows[0]["points"]) == 3.0
    assert {row[f"round_{number}"] for row in rows for number in (1, 2, 3)} >= {"bye"}
    assert all(row["round_1"] for row in rows)


def test_json_has_everything_with_names() -> None:
    view = played_view()

    whole = json.loads(export_json(view, {1: "Ann"}))

    assert len(whole["standings"]) == 5
    assert whole["tournament"]["rounds"][0]["byes"]
    assert whole["names"] == {"1": "Ann"}
