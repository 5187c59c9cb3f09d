"""The `verify --all` verb: which stored matches this version of the rules would rule differently, by rule."""

import sys
from collections.abc import Sequence

from diskwars_cli.console.command import EXIT_FAULTS, EXIT_INCOMPLETE, CommandError
from diskwars_cli.look_back.stored_matches import load_match, match_file_lines, run_with_store
from diskwars_cli.look_back.verify import load_rulesets
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.replays import UnknownRuleset
from diskwars_client.verification.rules_comparison import CannotCompare, RulingDifference, compare_rulings
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.match_log import LogError
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.moments import Moment
from diskwars_protocol.records.match_file import NewerFormat
from diskwars_protocol.records.records import BadRecord
from diskwars_server.store.database import Database
from diskwars_server.store.match_index import NEVER_BEGUN_REASONS, Listing

PAGE_SIZE = 100
MAX_LINKS = 5
"""Moments that are listed for each rule, and matches for each other finding."""
NO_RULE = "no rule named"


class ReleaseDiff:
    """Rulings of the matches compared so far."""

    def __init__(self) -> None:
        self.same = self.different = 0
        self.has_faults = False
        self._moments: dict[str, list[str]] = {}
        self._texts: dict[str, str] = {}
        self._others: dict[str, list[str]] = {"damaged": [], "cannot be decided again": []}

    def add(self, difference: RulingDifference | None) -> None:
        if difference is None:
            self.same += 1
            return
        self.different += 1
        self.has_faults |= difference.is_same_version
        moment = str(Moment(difference.match, difference.seq, "all")) + (
            " (wrong)" if difference.is_same_version else ""
        )
        for rule in difference.rules or (NO_RULE,):
            self._moments.setdefault(rule, []).append(moment)
            self._texts.setdefault(rule, difference.text)

    def add_damaged(self, match: str, why: str) -> None:
        self.has_faults = True
        self._others["damaged"].append(f"{match}: {why}")

    def add_not_compared(self, match: str, why: str) -> None:
        self._others["cannot be decided again"].append(f"{match}: {why}")

    @property
    def exit_code(self) -> int:
        if self.has_faults:
            return EXIT_FAULTS
        return EXIT_INCOMPLETE if self.different or any(self._others.values()) else 0

    def lines(self) -> list[str]:
        """Return the report: how many matches, then the rules with the most differences first."""
        total = self.same + self.different + sum(map(len, self._others.values()))
        lines = [f"{total} matches: {self.same} ruled the same, {self.different} ruled differently"]
        for rule, moments in sorted(self._moments.items(), key=lambda item: (-len(item[1]), item[0])):
            lines.append(f"  {rule}: {len(moments)}, the first: {self._texts[rule]}")
            lines += _listed(moments)
        for kind, matches in self._others.items():
            if matches:
                lines += [f"  {kind}: {len(matches)}", *_listed(matches)]
        return lines


def _listed(links: Sequence[str]) -> list[str]:
    more = len(links) - MAX_LINKS
    return [*(f"    {each}" for each in links[:MAX_LINKS]), *([f"    and {more} more"] if more > 0 else [])]


def run_release_diff(data: DataOptions) -> int:
    """Decide every ended match of the own database again. Raises CommandError."""
    return run_with_store(data, lambda database: _compare_all(database, data.packs))


async def _compare_all(database: Database, packs: tuple[str, ...]) -> int:
    diff = ReleaseDiff()
    rulesets = {name: load_rulesets(name, packs) for name in RULESETS}
    before: tuple[int, str] | None = None
    while page := await database.matches.list_matches("ended", PAGE_SIZE, before):
        for listing in page:
            if listing.result is None or listing.result.end_reason not in NEVER_BEGUN_REASONS:
                await _compare_match(database, listing, rulesets, diff)
        before = (page[-1].created_ms, page[-1].match)
        print(f"{diff.same + diff.different} matches compared", file=sys.stderr)
    print("\n".join(diff.lines()))
    return diff.exit_code


async def _compare_match(
    database: Database, listing: Listing, rulesets: dict[str, list[AnyRuleset]], diff: ReleaseDiff
) -> None:
    try:
        raw = b"".join(match_file_lines(await load_match(database, listing.match)))
        diff.add(compare_rulings(raw, rulesets[listing.ruleset]))
    except (BadRecord, LogError) as fault:
        diff.add_damaged(listing.match, str(fault))
    except (CannotCompare, NewerFormat, UnknownRuleset, CommandError) as fault:
        diff.add_not_compared(MatchId(listing.match), str(fault))
