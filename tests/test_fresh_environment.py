"""Every verb of the command runs in an environment that has what the README installs, and nothing of the tests.

`.ci/run` runs all verbs in a copy of the checkout whose `./dev` installs everything itself, as on a machine that has
nothing yet. `./dev test` runs those that need a folder only, and a server, in an environment made without a network: of
the packages that are installed here, it sees those that the extra `all` needs.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from diskwars_cli.commands.command_line import SECTIONS
from tests.code_sizes import PACKAGES, ROOT
from tests.effort import is_whole

PASSWORD = "a password of a fresh machine"
SETUP_SECONDS = 300
RUN_SECONDS = 120
START_SECONDS = 60
NOT_HERE = {
    "challenge": "needs two accounts: the tests of its verb",
    "club": "needs several accounts: the tests of its verb",
    "tournament": "needs several accounts: the tests of its verb",
    "invites": "needs a match that waits for a second person: tests/cli/play/test_invites.py",
}
"""Verbs that are not run here, with the reason and what runs them."""

FIRST_BOT = """\
def choose(match, decision, options, rng):
    return rng.choice(list(options.actions) or [options.parametric[0].example])
"""

pytestmark = pytest.mark.timeout(600)


NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv*", "node_modules", "dist", "__pycache__", ".*_cache", ".coverage*", ".hypothesis"
)


class FreshMachine:
    """A home folder and the words that call the command, where only the packages of a player are found."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.verbs: set[str] = set()
        self._command, self.python = install_copy(folder / "clone") if is_whole() else link_packages(folder / "venv")

    @property
    def variables(self) -> dict[str, str]:
        given = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
        return {**given, "HOME": str(self.home), "DISKWARS_DATA": str(self.home / "data"), "DISKWARS_CALLED": "./dev"}

    def start(self, *words: str, stdout: int = subprocess.DEVNULL, **variables: str) -> "subprocess.Popen[bytes]":
        self.verbs.add(words[0])
        given = {**self.variables, **variables}
        return subprocess.Popen([*self._command, *words], cwd=self.home, env=given, stdout=stdout)

    def run(self, *words: str, typed: str = "", **variables: str) -> str:
        """Run a verb to its end, and return what it prints."""
        self.verbs.add(words[0])
        done = subprocess.run(
            [*self._command, *words],
            cwd=self.home,
            env={**self.variables, **variables},
            input=typed,
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout


def install_copy(clone: Path) -> tuple[list[str], Path]:
    """Copy the checkout and let its `./dev` install what it needs; return how it is called, and its Python."""
    shutil.copytree(ROOT, clone, ignore=NOT_COPIED)
    command = [sys.executable, str(clone / "dev")]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=SETUP_SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "setting up .venv (once)" in done.stderr
    return command, clone / ".venv" / "bin" / "python"


def link_packages(environment: Path) -> tuple[list[str], Path]:
    """Make an environment of the packages that are installed here; return how the command is called, and its Python."""
    venv.create(environment, symlinks=True, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    for name in packages_of("all"):
        link_package(name, packages)
    sources = {str(folder.parent) for name, folder in PACKAGES.items() if name.startswith("diskwars_")}
    (packages / "sources.pth").write_text("\n".join(sorted(sources)))
    python = environment / "bin" / "python"
    return [str(python), "-m", "diskwars_cli"], python


def packages_of(extra: str) -> set[str]:
    """Return the names of all packages that an extra of the project installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [Requirement(text) for text in (*project["dependencies"], *project["optional-dependencies"][extra])]
    seen: set[tuple[str, str]] = set()
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        for chosen in {"", *requirement.extras} - {known for of, known in seen if of == name}:
            seen.add((name, chosen))
            further = project["optional-dependencies"].get(chosen, []) if name == "diskwars" else needs_of(name)
            parsed = [Requirement(text) for text in further]
            wanted += [one for one in parsed if one.marker is None or one.marker.evaluate({"extra": chosen})]
    return {name for name, _ in seen} | {"diskwars"}


def needs_of(name: str) -> list[str]:
    """Return what an installed package says that it needs."""
    try:
        return requires(name) or []
    except PackageNotFoundError:  # one that this system does not need
        return []


def link_package(name: str, packages: Path) -> None:
    """Let an installed package be found in another folder of packages, with the metadata that it reads of itself."""
    with contextlib.suppress(PackageNotFoundError):  # one that this system does not need
        installed = distribution(name)
        # Of the project itself the metadata only: its sources are those of this folder.
        tops = {file.parts[0] for file in installed.files or () if file.parts[0] not in ("..", "__pycache__")}
        tops = {top for top in tops if name != "diskwars" or top.endswith(".dist-info")}
        for top in tops:
            target = Path(str(installed.locate_file(top)))
            if target.exists() and not (packages / top).exists():
                (packages / top).symlink_to(target)


@pytest.fixture(scope="module")
def machine() -> Iterator[FreshMachine]:
    """A fresh machine in a folder that the account of PostgreSQL can reach, as a home is."""
    with tempfile.TemporaryDirectory(prefix="diskwars-fresh-") as folder:
        Path(folder).chmod(0o755)
        yield FreshMachine(Path(folder))


def test_fresh_environment_has_no_tools_of_the_tests(machine: FreshMachine) -> None:
    for module in ("pytest", "hypothesis", "mypy", "trustme", "playwright"):
        tried = subprocess.run([machine.python, "-c", f"import {module}"], capture_output=True, check=False)
        assert b"ModuleNotFoundError" in tried.stderr, module


def test_verbs_that_need_a_folder_only_run_in_a_fresh_environment(machine: FreshMachine) -> None:
    assert "R4.12" in machine.run("rules", "R4.12")
    assert "The figure ends here" in machine.run("rules", "F4", "--play", typed="1\n1\nquit\n")
    assert "pit-01" in machine.run("puzzle", "--list")
    assert "core" in machine.run("packs")
    machine.run("packs", "new", "mine.toml")
    machine.run("packs", "check", "mine.toml")
    army = machine.run("army", "show", "Reikland Host")
    machine.run("army", "check", "-", typed=army)
    assert "Reikland Host" in machine.run("army", "list")
    assert machine.run("schema").startswith("{")


@contextlib.contextmanager
def serving(machine: FreshMachine) -> Iterator[str]:
    """Run the server as README says, and provide its address."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    server = machine.start("serve", "--port", str(port), "--page", "off")
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                if urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).status == 200:
                    break
            assert server.poll() is None, "the server has ended"
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield f"ws://127.0.0.1:{port}/ws"
    finally:
        server.terminate()
        assert server.wait(START_SECONDS) == 0


def keep_bot_online(machine: FreshMachine, url: str) -> str:
    """Run a bot of one function until it is online; return what it said."""
    (machine.home / "first_bot.py").write_text(FIRST_BOT)
    words = ("serve", "first_bot.py:choose", "--name", "First Bot", "--accept", "any", "--url", url)
    with machine.start("bot", *words, stdout=subprocess.PIPE, DISKWARS_ACCOUNT_PASSWORD=PASSWORD) as bot:
        assert bot.stdout
        said = bot.stdout.readline().decode()  # ends with the program, which the limit of the test bounds
        bot.terminate()
    return said


def test_every_other_verb_runs_in_a_fresh_environment(machine: FreshMachine) -> None:
    with serving(machine) as url:
        assert "one" in machine.run("sql", "select 1 as one")
        if not is_whole():  # twenty programs take as long as a whole folder of tests
            return
        told = machine.run("demo", "--ruleset", "pit", "--seed", "1")
        match = re.findall(r"replay with: \S+ replay ([a-z0-9]{12})", told)[0]
        machine.run("account", "register", "ann", "--url", url, DISKWARS_ACCOUNT_PASSWORD=PASSWORD)
        assert "resigned" in machine.run("play", "--url", url, "--setup", "quick", typed="1\nyes\nresign yes\n")
        assert match in machine.run("matches", "--url", url)
        assert machine.run("watch", match, "--url", url, "--from-start")
        machine.run("export", match, "--url", url, "-o", "match.jsonl")
        machine.run("dump", "--public", "-o", "public.jsonl")
        assert match in machine.run("import", "match.jsonl", "--url", url)
        machine.run("leaderboard", "--url", url)
        assert match in machine.run("sql", "select match_id from matches")
        assert match in machine.run("admin", "list")
        assert "First Bot is online" in keep_bot_online(machine, url)
        machine.run("backup", "all.backup")
    machine.run("restore", "all.backup", "--data", "restored")
    assert match in machine.run("matches", "--data", "restored")
    assert machine.run("replay", match)
    machine.run("luck", match)
    machine.run("review", match, "--decisions", "1", "--simulations", "1", "--play-outs", "10")
    machine.run("draw", match, "-o", "field.svg")
    assert "svg" in (machine.home / "field.svg").read_text()
    machine.run("verify", "match.jsonl")
    machine.run("ratings")
    small = ("--regiments", "1", "--setup", "quick")
    assert "greedy" in machine.run("simulate", "--matches", "1", "--jobs", "1", *small)
    assert "random" in machine.run("league", "random", "greedy", "--matches", "2", "--workers", "1", *small)
    all_verbs = {str(verb.name) for verbs in SECTIONS.values() for verb in verbs}
    assert all_verbs - machine.verbs == set(NOT_HERE)
