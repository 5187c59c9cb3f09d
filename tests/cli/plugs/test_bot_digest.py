"""The digest of a bot changes with its code, not with docstrings and comments."""

from diskwars_cli.plugs.bot_digest import DIGEST_DIGITS, code_of, digest_of

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
