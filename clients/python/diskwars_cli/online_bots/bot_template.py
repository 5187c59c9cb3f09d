"""The `bot new` act: a repository of a bot in a package, with its entry point, a test and a page on how to run it."""

import keyword
import re
from collections.abc import Mapping
from pathlib import Path

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.output import print_line
from diskwars_protocol.rulesets.registry import RULESETS

NAME = re.compile("[a-z][a-z0-9_]{0,39}")

PROJECT = """\
[build-system]
requires = ["hatchling>=1.25"]
build-backend = "hatchling.build"

[project]
name = "@NAME@"
version = "0.1.0"
description = "A bot for @RULESET@"
requires-python = ">=3.11"
dependencies = ["diskwars"]

[project.optional-dependencies]
test = ["pytest"]

# The name before the dot is the ruleset, the one after it that of the bot.
[project.entry-points."diskwars.bots"]
"@RULESET@.@NAME@" = "@NAME@.bot:choose"

[tool.pytest.ini_options]
pythonpath = ["."]
"""

BOT = '''\
"""The bot. It is a function without I/O: the same arguments get the same answer."""

import random
from typing import Any

from diskwars_bots.chooser import offered
from diskwars_bots.rulesets.registry import find_bots
from diskwars_protocol.match.decisions import Decision, Options

RULESET = "@RULESET@"
GREEDY_SHARE = 0.9


def choose(match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
    """Return an answer: mostly that of the greedy bot, now and then any that is offered. Begin here."""
    if rng.random() < GREEDY_SHARE:
        return find_bots(RULESET).choosers["greedy"](match, decision, options, rng)
    return rng.choice(offered(options))
'''

TEST = '''\
"""The bot plays whole matches in memory."""

from pathlib import Path

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match

BOT = Path(__file__).parents[1] / "@NAME@" / "bot.py"


def play(seed):
    rules = load_ruleset("@RULESET@", ())
    loadouts = [@LOADOUTS@]
    match = seeded_match(rules, seed, loadouts, rules.vocabulary.settings())
    for _ in play_bots(match, seed, [f"{BOT}:choose"] * 2):
        pass
    return match.match.result


def test_bot_plays_to_the_end():
    assert play(1) is not None


def test_same_seed_plays_the_same_match():
    assert play(2) == play(2)
'''

README = """\
# @NAME@

A bot for @RULESET@.

```
pip install -e '.[test]'
pytest                                                    # it plays whole matches
diskwars league --ruleset @RULESET@ @NAME@ greedy             # how strong it is
diskwars play --ruleset @RULESET@ --bot @NAME@                # you against it, on a server of your own
diskwars bot serve @NAME@ --name "@TITLE@" --accept @RULESET@ --url wss://HOST/ws
```

The last line keeps it online with an account of its own, where players challenge it by name.
"""

IGNORED = "__pycache__/\n*.egg-info/\ndist/\n.venv/\n"


def run_new(folder: str, ruleset: str) -> int:
    """Write the files of a bot into a folder that is new or empty. Raises CommandError."""
    if ruleset not in RULESETS:
        raise CommandError(f"no ruleset {ruleset!r}: there are {', '.join(sorted(RULESETS))}")
    target = Path(folder)
    name = target.resolve().name.replace("-", "_")
    if NAME.fullmatch(name) is None or keyword.iskeyword(name):
        raise CommandError(f"{target.name!r} names no package: use lower-case letters, digits and hyphens")
    try:
        if target.exists() and any(target.iterdir()):
            raise CommandError(f"{folder} is not empty")
        for path, text in template_files(name, ruleset).items():
            file = target / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    except OSError as fault:
        raise CommandError(f"{folder} cannot be written: {fault.strerror}") from None
    print_line(f"a bot for {ruleset} is in {folder}: begin with {name}/bot.py, and see README.md")
    return 0


def template_files(name: str, ruleset: str) -> Mapping[str, str]:
    """Return the texts of a bot's files by path."""
    loadouts = {"diskwars": 'rules.vocabulary.loadout(army) for army in ("reikland-host", "everchosen-host")'}
    values = {
        "@NAME@": name,
        "@RULESET@": ruleset,
        "@TITLE@": name.replace("_", " ").title(),
        "@LOADOUTS@": loadouts.get(ruleset, "rules.vocabulary.loadout() for _ in range(2)"),
    }
    files = {
        "pyproject.toml": PROJECT,
        f"{name}/__init__.py": f'"""A bot for {ruleset}."""\n',
        f"{name}/bot.py": BOT,
        "tests/test_bot.py": TEST,
        "README.md": README,
        ".gitignore": IGNORED,
    }
    return {path: _filled(text, values) for path, text in files.items()}


def _filled(text: str, values: Mapping[str, str]) -> str:
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text
