"""The headings of kept reports name the rules, packs and bots of today; those of an earlier version are listed as such.

A report is not played again here. A change of a bot or a pack makes its reports stale, and this test says which.
"""

import re
from functools import cache
from pathlib import Path

from diskwars_cli.plugs.bot_digest import bot_identity
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_protocol.match.match_options import DEFAULT_RULESET
from tests.rows import each_row

DOCS = Path(__file__).parents[2] / "docs"
REPORTS = sorted((DOCS / "simulation").glob("*.md"))
COMMAND = re.compile(r"^    diskwars (?:simulate|league) (.+)$", re.M)
PACK = re.compile(r"^- pack (\S+) \S+?,? ([0-9a-f]{64})$", re.M)
RULES = re.compile(r"^- diskwars \S+, rules (\d+) of (\w+)$", re.M)
BOT = re.compile(r"^- bot `(\S+)` ([0-9a-f]+)$", re.M)
STALE_HEADING = "### Reports of an earlier version"


@cache
def packs_of_today(ruleset: str) -> dict[str, str]:
    return {pack.id: pack.hash for pack in load_ruleset(ruleset, ()).packs}


def identity_of_today(bot: str, ruleset: str) -> str:
    """Return the digest of a bot; one in a file is named from the root of the repository."""
    return bot_identity(str(DOCS.parent / bot) if ":" in bot else bot, ruleset)


def stale_parts(text: str) -> list[str]:
    """Return the rules, packs and bots of a report that are not those of today."""
    command = COMMAND.search(text)
    assert command, "a report holds the command that made it"
    found = re.search(r"--ruleset (\S+)", command[1])
    ruleset = found[1] if found else DEFAULT_RULESET
    packs, bots = dict(PACK.findall(text)), dict(BOT.findall(text))
    stale = [
        f"rules of {name}"
        for version, name in RULES.findall(text)
        if int(version) != load_ruleset(name, ()).rules_version
    ]
    stale += [pack for pack, digest in packs.items() if packs_of_today(ruleset).get(pack) != digest]
    stale += [bot for bot, digest in bots.items() if identity_of_today(bot, ruleset) != digest]
    return stale + ([] if packs else ["no packs"]) + ([] if bots else ["no bots"])


def listed_as_stale() -> set[str]:
    _, _, section = (DOCS / "simulation.md").read_text("utf-8").partition(STALE_HEADING)
    return set(re.findall(r"\(simulation/(\S+?\.md)\)", section.partition("\n#")[0]))


@each_row("report", REPORTS, ids=lambda report: report.name)
def test_heading_of_a_kept_report_names_packs_and_bots_of_today_or_the_docs_say_it_is_older(report: Path) -> None:
    stale = stale_parts(report.read_text("utf-8"))
    assert bool(stale) == (report.name in listed_as_stale()), stale


def test_changed_digest_makes_a_report_stale() -> None:
    pack, digest = next(iter(packs_of_today("pit").items()))
    bot = f"- bot `greedy` {bot_identity('greedy', 'pit')}"
    text = f"    diskwars simulate --ruleset pit\n\n- pack {pack} 1, {digest}\n{bot}\n"
    assert stale_parts(text) == []
    assert stale_parts(text.replace(digest, "0" * 64)) == [pack]
    assert stale_parts(text.replace(bot_identity("greedy", "pit"), "0" * 16)) == ["greedy"]
    assert stale_parts(text.partition("- bot")[0]) == ["no bots"]
    assert stale_parts(f"{text}\n- diskwars 0.1.0, rules 2 of pit\n") == []
    assert stale_parts(f"{text}\n- diskwars 0.1.0, rules 1 of pit\n") == ["rules of pit"]
