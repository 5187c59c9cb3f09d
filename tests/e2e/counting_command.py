"""The `diskwars` command with the toy ruleset of the tests beside Diskwars: one line in each registry, and no more.

Several verbs, separated by the word THEN, run one after another in one process; each must succeed.
"""

import sys

from diskwars_cli.__main__ import main
from diskwars_client.rulesets.registry import FILE_CHECKS
from diskwars_content.rulesets.registry import RULESETS
from diskwars_protocol.rulesets.registry import RULESETS as VOCABULARIES
from tests.client.verification.counting_file_checks import CountingFileChecks
from tests.server.counting_ruleset import CountingRules

THEN = "then"
"""Separates verbs, on the command line and in what is printed."""


def register_counting() -> None:
    """Make the toy ruleset known to every part of the program."""
    VOCABULARIES["counting"] = CountingRules.vocabulary
    RULESETS["counting"] = lambda packs: CountingRules()
    FILE_CHECKS["counting"] = f"{CountingFileChecks.__module__}:CountingFileChecks"


if __name__ == "__main__":
    register_counting()
    words = sys.argv[1:]
    while THEN in words:
        end = words.index(THEN)
        if code := main(words[:end]):
            sys.exit(code)
        print(THEN)
        words = words[end + 1 :]
    sys.exit(main(words))
