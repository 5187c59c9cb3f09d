"""Seats are kept in private files, offered newest first, held by one terminal each, and forgotten at the end."""

import io
import os
import stat
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_cli.console.command import CommandError
from diskwars_cli.play.play_session import replay_text
from diskwars_cli.play.remembered import seat_memory
from diskwars_cli.play.remembered.seat_memory import MAX_REMEMBERED_SEATS, RememberedBot, RememberedSeat, SeatMemory
from diskwars_cli.play.seat_choice import choose_seat
from diskwars_client.seat_secrets import SavedSecrets

SECRETS = SavedSecrets(("ab" * 16,), 1, {3: "cd" * 16}, {3: ("ef" * 32,)})
SEAT = RememberedSeat(
    match="m1",
    ruleset="pit",
    players=2,
    seat=1,
    token="player's token",
    secrets=SECRETS,
    bots=(RememberedBot("random", "bot's token", SECRETS),),
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SeatMemory]:
    memory = SeatMemory(tmp_path / "seats")
    yield memory
    memory.release(SEAT)


def test_seat_is_read_back_whole(memory: SeatMemory) -> None:
    memory.save(SEAT)
    (found,) = memory.seats()
    assert replace(found, played_at=0) == SEAT
    assert found.played_at > 0


def test_only_the_owner_can_read_a_seat(memory: SeatMemory, tmp_path: Path) -> None:
    memory.hold(SEAT)
    memory.save(SEAT)
    memory.save(SEAT)
    files = list((tmp_path / "seats").iterdir())
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600] * 2
    assert stat.S_IMODE((tmp_path / "seats").stat().st_mode) == 0o700


def test_newest_seat_comes_first(memory: SeatMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    for at, name in ((30, "older"), (50, "newest"), (20, "oldest")):
        monkeypatch.setattr(seat_memory, "_now", lambda at=at: at)
        memory.save(replace(SEAT, match=name))
    assert [seat.match for seat in memory.unfinished()] == ["newest", "older", "oldest"]


def test_forgotten_seat_leaves_no_file(memory: SeatMemory, tmp_path: Path) -> None:
    memory.hold(SEAT)
    memory.save(SEAT)
    memory.forget(SEAT)
    assert list((tmp_path / "seats").iterdir()) == []
    memory.forget(SEAT)


def test_number_of_seats_is_bounded(memory: SeatMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(MAX_REMEMBERED_SEATS):
        monkeypatch.setattr(seat_memory, "_now", lambda number=number: number)
        memory.save(replace(SEAT, match=f"m{number}"))
    memory.make_room()
    assert len(memory.seats()) == MAX_REMEMBERED_SEATS - 1
    assert memory.find("m0") == [], "the one that was played longest ago"


def test_damaged_and_foreign_files_are_passed_over(memory: SeatMemory, tmp_path: Path) -> None:
    memory.save(SEAT)
    folder = tmp_path / "seats"
    (folder / "bad-0.json").write_text("{")
    (folder / "later-0.json").write_bytes(
        next(folder.glob("m1-1-*.json")).read_bytes().replace(b'"format":1', b'"format":2')
    )
    assert [seat.match for seat in memory.seats()] == ["m1"]


def test_name_of_a_match_cannot_leave_the_folder(memory: SeatMemory, tmp_path: Path) -> None:
    memory.save(replace(SEAT, match="../../up"))
    (file,) = (tmp_path / "seats").iterdir()
    assert file.name.startswith("up-1-")
    assert len(memory.find("../../up")) == 1


def test_server_that_takes_the_name_of_another_ones_match_replaces_no_seat(memory: SeatMemory) -> None:
    here, there, again = (
        replace(SEAT, url=url, token=url) for url in ("", "ws://evil.example/ws", "wss://good.example:443/ws")
    )
    for seat in (here, there, again, replace(again, url="wss://GOOD.example/ws", token="renewed")):
        memory.save(seat)
    assert sorted(seat.token for seat in memory.find("m1")) == ["", "renewed", "ws://evil.example/ws"]
    memory.forget(there)
    assert sorted(seat.token for seat in memory.find("m1")) == ["", "renewed"]


def test_seat_of_another_terminal_is_not_offered_until_it_dies(memory: SeatMemory, tmp_path: Path) -> None:
    memory.save(SEAT)
    program = f"""
        from pathlib import Path
        from diskwars_cli.play.remembered.seat_memory import SeatMemory
        memory = SeatMemory(Path({str(tmp_path / "seats")!r}))
        memory.hold(memory.seats()[0])
        print("held", flush=True)
        input()
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert memory.unfinished() == []
        with pytest.raises(CommandError, match="played in another terminal"):
            memory.hold(SEAT)
        other.kill()
    assert [seat.match for seat in memory.unfinished()] == ["m1"]


def test_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match=r"your seat cannot be kept in .*file/seats"):
        SeatMemory(tmp_path / "file" / "seats").save(SEAT)


# ---------------------------------------------------------------- choosing


def choose(typed: str, count: int, monkeypatch: pytest.MonkeyPatch, *, new_allowed: bool = True) -> str | None:
    seats = [replace(SEAT, match=f"m{number}") for number in range(1, count + 1)]
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    chosen = choose_seat(seats, new_allowed=new_allowed)
    return None if chosen is None else chosen.match


@pytest.mark.parametrize(
    ("typed", "match"),
    [("\n", "m1"), ("yes\n", "m1"), ("2\n", "m2"), ("new\n", None), ("n\n", None), ("7\nwhat?\n3\n", "m3")],
)
def test_player_chooses_by_one_word(typed: str, match: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose(typed, 3, monkeypatch) == match


def test_number_of_no_match_is_answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert choose("7\n1\n", 3, monkeypatch) == "m1"
    assert "'7' is none of them" in capsys.readouterr().out


def test_match_that_is_over_names_its_replay_where_it_is_kept() -> None:
    here, there = replace(SEAT, url="", data="/my data"), replace(SEAT, url="wss://example.org/ws", data="")
    assert replay_text(here).endswith(f" replay {SEAT.match} --step --data '/my data'")
    assert replay_text(there).endswith(f" replay {SEAT.match} --step --url wss://example.org/ws")


def test_a_new_match_is_no_choice_where_one_is_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose("new\n1\n", 2, monkeypatch, new_allowed=False) == "m1"


def test_end_of_input_chooses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="no match was chosen"):
        choose("", 1, monkeypatch)


def test_long_list_is_cut_to_fit_a_small_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert choose("\n", 30, monkeypatch) == "m1"
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    assert "and 15 older ones" in lines[-2]
    assert "token" not in "".join(lines)
