"""Tests of the benchmarks' command line: it is understood, or refused before anything is measured."""

import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bench import __main__ as program
from bench import result_page
from bench.__main__ import ALL_PROGRAMS, format_section, main, parse_options
from bench.load.load import LoadMeasurement
from bench.measuring import processes
from bench.measuring.tables import DEFAULT_EFFORT, TRIAL_EFFORT, BenchEffort, FigureBound, ResultTable
from bench.programs import attacks
from bench.result_page import replace_sections

RefusalReader = Callable[..., str]
SPEED = ResultTable("speed", ("who", "ms"), (("a", 1),), (FigureBound("way", 3, 2),), summary=("It is fast.",))


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RefusalReader:
    def measured(name: str, effort: BenchEffort) -> list[ResultTable]:
        raise AssertionError("measured before it was refused")

    monkeypatch.setattr(program, "run_program", measured)

    def said(*words: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 2
        result = capsys.readouterr()
        assert not result.out
        return result.err.partition("error: ")[2]

    return said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--runs", "0"], 'argument --runs: "0" is not a whole number above 0'),
        (["--runs", "-2"], 'argument --runs: "-2" is not a whole number above 0'),
        (["--runs", "²"], 'argument --runs: "²" is not a whole number above 0'),
        (["--seconds", "0"], 'argument --seconds: "0" is not a number of seconds above 0'),
        (["--seconds", "-1"], 'argument --seconds: "-1" is not a number of seconds above 0'),
        (["--seconds", "nan"], 'argument --seconds: "nan" is not a number of seconds above 0'),
        (["--seconds", "inf"], 'argument --seconds: "inf" is not a number of seconds above 0'),
        (["--seconds", "two"], 'argument --seconds: "two" is not a number of seconds above 0'),
        (["--trial", "--runs", "3"], "a trial has its own numbers: --trial goes with neither --runs nor --seconds"),
        (["--trial", "--seconds", "2"], "a trial has its own numbers: --trial goes with neither --runs nor --seconds"),
        (["--trial", "--write", "new.md"], "a trial's figures mean nothing: --trial does not go with --write"),
        (["--attack", "pings"], "--attack goes with the program `attacks` alone, and not with --write"),
        (["overhed"], 'argument NAME: there is no program "overhed"; did you mean "overhead"?'),
    ],
)
def test_invalid_options_are_refused_with_a_sentence(refused: RefusalReader, words: list[str], sentence: str) -> None:
    assert refused("idle", *words) == sentence + "\n"


def test_unknown_attack_is_refused_with_all_names(refused: RefusalReader) -> None:
    said = refused("attacks", "--attack", "pongs", "--attack", "pinks")
    assert said.startswith('argument --attack: there is no attack "pinks"; there are pings, pongs, ')
    assert "not with --write" in refused("attacks", "--attack", "pings", "--write", "docs/reliability.md")


def test_only_the_attacks_that_are_named_are_run(monkeypatch: pytest.MonkeyPatch) -> None:
    run = list[str]()
    measured = LoadMeasurement(250, 5.0, 2.0, 4.0, 1.0, 1.0, 1.0, 50_000)
    figures = attacks.AttackedRun(measured, measured, memory=0.0, tables=0.0, log=0.0)

    def note(base: object, attack: str, seconds: float) -> attacks.AttackedRun:
        run.append(attack)
        return figures

    monkeypatch.setattr(attacks, "run_attack", note)
    monkeypatch.setattr(attacks, "raise_file_limit", lambda count: None)
    monkeypatch.setattr(processes, "temporary_cluster", contextlib.nullcontext)
    _, effort, _ = parse_options(["attacks", "--attack", "pongs", "--attack", "chat", "--runs", "2"])
    (table,) = attacks.tables(effort)
    assert run == ["pongs", "pongs", "chat", "chat"]
    assert [row[0] for row in table.rows] == ["pongs", "chat"]


def test_unknown_program_is_refused_with_all_names(refused: RefusalReader) -> None:
    """With the first twenty: `--help` has all of them."""
    said = refused("nothing")
    names = sorted((*ALL_PROGRAMS, "all"))
    assert [name for name in names if f'"{name}"' in said] == names[:20]


@pytest.mark.parametrize("words", ["My own page.\n", "", "# Benchmarks of mine\n", "\n# Benchmarks\n"])
def test_file_that_is_no_benchmark_page_is_not_overwritten(refused: RefusalReader, tmp_path: Path, words: str) -> None:
    file = tmp_path / "mine.md"
    file.write_text(words, "utf-8")
    assert "exists and is not a benchmark page" in refused("idle", "--write", str(file))
    assert file.read_text("utf-8") == words


def test_page_of_prose_keeps_its_words_around_the_section() -> None:
    fold = "<!-- bench fold -->\nkept\n<!-- end of fold -->\n"
    page = f"# Mine\n\n<!-- bench idle -->\nbefore\n<!-- end of idle -->\n\nafter\n{fold}"
    assert replace_sections(page, {"idle": "new\n"}) == page.replace("before", "new")


def test_page_needs_an_existing_folder_and_a_valid_name(refused: RefusalReader, tmp_path: Path) -> None:
    assert refused("idle", "--write", str(tmp_path)) == f"argument --write: {tmp_path} is a folder\n"
    missing = tmp_path / "missing"
    said = refused("idle", "--write", str(missing / "page.md"))
    assert said == f"argument --write: there is no folder {missing}\n"
    assert not missing.exists()
    assert "cannot be written" in refused("idle", "--write", str(tmp_path / ("x" * 1000)))


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, BenchEffort]]:
    """Replace all programs; return a list of the programs that are run, with their efforts."""
    result: list[tuple[str, BenchEffort]] = []

    def run(name: str, effort: BenchEffort) -> list[ResultTable]:
        result.append((name, effort))
        return [SPEED]

    monkeypatch.setattr(program, "run_program", run)
    monkeypatch.setattr("diskwars_server.app.tune_garbage_collector", lambda: None)
    return result


def test_benchmark_page_is_updated_in_the_current_folder(
    measured: list[tuple[str, BenchEffort]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["idle", "--write", "page.md"]) == 0
    assert main(["fold", "--write", "page.md", "--runs", "1", "--seconds", "0.5"]) == 0
    assert list(result_page.read_sections((tmp_path / "page.md").read_text("utf-8"))) == ["fold", "idle"]
    assert measured == [("idle", DEFAULT_EFFORT), ("fold", BenchEffort(1, 0.5))]


def test_each_program_is_run_once_and_all_are_counted(
    measured: list[tuple[str, BenchEffort]], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["idle", "idle"])
    assert len(measured) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 program took ")
    main(["idle", "fold"])
    assert capsys.readouterr().out.splitlines()[-1].startswith("2 programs took ")


@pytest.mark.usefixtures("measured")
def test_terminal_shows_the_running_program_and_file_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["idle", "fold"])
    assert not capsys.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    main(["idle", "fold"])
    result = capsys.readouterr()
    assert result.err == "1 of 2: idle …\n2 of 2: fold …\n"
    assert "1 of 2" not in result.out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_run_reports_what_was_measured_so_far(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cleared: list[str] = []

    def run(name: str, effort: BenchEffort) -> list[ResultTable]:
        if name != "rebuild":
            return [SPEED]
        try:
            os.kill(os.getpid(), number)
            raise AssertionError("not stopped")
        finally:
            os.kill(os.getpid(), number)  # a second signal must not prevent cleaning up
            cleared.append(name)

    monkeypatch.setattr(program, "run_program", run)
    monkeypatch.setattr("diskwars_server.app.tune_garbage_collector", lambda: None)
    # The program that starts the tests may ignore a signal, as nohup does SIGHUP, and then the program respects that.
    outside = signal.signal(number, signal.default_int_handler)
    try:
        assert main(["overhead", "match", "rebuild", "idle"]) == 130
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, outside)
    assert cleared == ["rebuild"]
    result = capsys.readouterr()
    assert result.err == "stopped; measured so far: overhead, match\n"
    bounds = result.out.partition("## All bounds")[2]
    assert "| match | way | 3 | at most 2 | 0.67 | **not met** |" in bounds
    assert "took" not in bounds


def test_help_describes_each_program(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    descriptions = {line.split()[0]: line.split(maxsplit=1)[1] for line in lines[lines.index("programs:") + 1 :]}
    assert list(descriptions) == [*ALL_PROGRAMS, "all"]
    assert descriptions["idle"] == "Benchmark of idle connections: memory per connection, and connections per second."


@pytest.mark.parametrize(
    ("effort", "words"),
    [
        (DEFAULT_EFFORT, "medians of 3 runs of 2 s"),
        (BenchEffort(1, 0.5), "1 run of 0.5 s"),
        (TRIAL_EFFORT, "a trial: its figures mean nothing"),
    ],
)
def test_section_names_the_effort(effort: BenchEffort, words: str) -> None:
    assert format_section("match", [SPEED], effort, 144.2).splitlines()[0].endswith(f"; {words}; `match` took 144 s.")
