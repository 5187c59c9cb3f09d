"""The digest of a bot changes with its code, not with docstrings and comments."""

from diskwars_bots.rulesets.registry import BOTS
from diskwars_cli.plugs.bot_digest import BOTS_PACKAGE, DIGEST_DIGITS, bot_identity, code_of, digest_of, imported_files
from tests.rows import each_row

SOURCE = b'''"""A bot."""

LIMIT = 3
"""How often."""


def choose(match, decision, options, rng):
    """Choose the first."""
    # The rest is no better.
    return options.actions[0]  # always
'''


def test_docstrings_and_comments_are_no_part_of_a_digest() -> None:
    other = (
        SOURCE.replace(b"A bot.", b"Another\\n\\nbot.").replace(b"How often", b"Limit").replace(b"no better", b"worse")
    )
    assert digest_of({"bot.py": other}) == digest_of({"bot.py": SOURCE})
    assert len(digest_of({"bot.py": SOURCE})) == DIGEST_DIGITS


def test_code_and_names_of_files_are_part_of_a_digest() -> None:
    digests = {
        digest_of({name: source})
        for name in ("bot.py", "other.py")
        for source in (SOURCE, SOURCE.replace(b"= 3", b"= 4"), SOURCE.replace(b"[0]", b"[1]"))
    }
    assert len(digests) == 6


def test_file_that_is_no_python_counts_as_a_whole() -> None:
    assert code_of(b"def (") == b"def ("
    assert code_of(SOURCE).count(b"\n") == 2


def files_of(module: str) -> set[str]:
    return {str(file.relative_to(BOTS_PACKAGE)) for file in imported_files([module])}


@each_row("ruleset", sorted(BOTS))
def test_bot_that_does_not_search_has_nothing_of_the_search_in_its_digest(ruleset: str) -> None:
    """Else every report of a greedy bot would be stale with each change of the search."""
    greedy = files_of(f"diskwars_bots.rulesets.{ruleset}.greedy_bot")
    assert f"rulesets/{ruleset}/greedy_bot.py" in greedy
    assert not [file for file in greedy if "search" in file or file.startswith("rulesets/registry")]


@each_row("ruleset", sorted(BOTS))
def test_bot_that_searches_has_search_game_level_and_policy_in_its_digest(ruleset: str) -> None:
    bots = files_of(f"diskwars_bots.rulesets.{ruleset}.bots")
    assert {f"rulesets/{ruleset}/{file}.py" for file in ("search_game", "bots", "greedy_bot")} <= bots
    assert {"search/search_bot.py", "search/levels.py", "search/simulation.py"} <= bots
    assert len({bot_identity(name, ruleset) for name in ("search", "greedy", "random")}) == 3


def test_opponent_of_one_idea_has_a_digest_with_the_bot_that_it_else_plays_like() -> None:
    assert "rulesets/pit/plain_bot.py" in files_of("diskwars_bots.rulesets.pit.reference_bots")
    assert bot_identity("hold", "pit") != bot_identity("greedy", "pit")


def test_modules_that_are_imported_from_a_package_are_found() -> None:
    """`from diskwars_bots.rulesets.diskwars import weights` names a module as a function would be named."""
    assert "rulesets/diskwars/weights.py" in files_of("diskwars_bots.rulesets.diskwars.greedy_bot")
