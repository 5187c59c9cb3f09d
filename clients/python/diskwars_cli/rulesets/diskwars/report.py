"""Parts of a report on matches of Diskwars: armies, pairings, initiative, cards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from diskwars_cli.plugs.odds import wilson_interval
from diskwars_cli.plugs.report import (
    ReportParts,
    TableRow,
    markdown_table,
    most_common_first,
    percent_text,
    share_phrase,
    share_text,
)
from diskwars_cli.rulesets.diskwars.play_figures import PLAY_MEANS, PLAY_SHARES
from diskwars_cli.rulesets.diskwars.statistics import DiskwarsStatistics
from diskwars_text.rulesets.diskwars.phrases import end_reason_text

ArmyPair: TypeAlias = tuple[str, str]

FAIR_SHARE_BOUNDS = (0.3, 0.7)
"""A pairing is fair if the interval of its share of wins lies within these bounds."""


def diskwars_parts(ended: Sequence[DiskwarsStatistics], die_faces: Sequence[str]) -> ReportParts:
    """Return the parts of a report on Diskwars. `die_faces` are the faces of the battle die in order."""
    duels = Pairings(ended)
    named = f"The battle die shows, from 1 to {len(die_faces)}: {', '.join(die_faces)}." if die_faces else ""
    return ReportParts(
        summary=tuple(_summary_items(ended, duels)),
        winners=(_armies_section(ended), *_pairing_sections(duels), _initiative_section(ended)),
        others=(_play_section(ended), *_card_sections(ended)),
        dice_note=named,
        end_reason_text=end_reason_text,
    )


def _summary_items(ended: Sequence[DiskwarsStatistics], duels: "Pairings") -> Iterator[str]:
    first = sum(played.order[:1] == played.winners for played in ended)
    yield f"the first player wins {share_phrase(first, len(ended))}"
    rows = _ranked_by_share(_game_results(ended))
    if len(rows) > 1:
        (best, *best_counts), (worst, *worst_counts) = rows[0], rows[-1]
        highest, lowest = share_phrase(*best_counts), share_phrase(*worst_counts)
        yield f"highest share of wins: {best}, {highest}; lowest: {worst}, {lowest}"
    yield from _fairness_lines(duels)


def _fairness_lines(duels: "Pairings") -> Iterator[str]:
    verdicts = Counter(fairness_verdict(duels.won[pair], played) for pair, played in duels.played.items())
    if verdicts:
        more = "".join(f", {verdicts[name]} {name}" for name in ("open", "outside") if verdicts[name])
        fair = f"{verdicts['']} of {len(duels.played)} pairings are fair"
        yield f"{fair}: their whole interval is within 30 to 70 %{more}"


# ---------------------------------------------------------------- winners

GameResult: TypeAlias = tuple[str, bool]
"""A name, and whether it won."""


def _game_results(ended: Iterable[DiskwarsStatistics]) -> list[GameResult]:
    return [(army, seat in played.winners) for played in ended for seat, army in enumerate(played.armies)]


def _ranked_by_share(games: Iterable[GameResult]) -> list[tuple[str, int, int]]:
    """Return (name, won, played) for each name, ordered by share of wins, best first."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for name, is_won in games:
        played[name] += 1
        won[name] += is_won
    rows = [(name, won[name], count) for name, count in played.items()]
    return sorted(rows, key=lambda row: (-row[1] / row[2], row[0]))


def _armies_section(ended: Sequence[DiskwarsStatistics]) -> str:
    rows = [(army, count, won, *share_text(won, count)) for army, won, count in _ranked_by_share(_game_results(ended))]
    after = "An army that plays against itself both wins and loses."
    mirrors = any(len(set(played.armies)) < len(played.armies) for played in ended)
    text = "\n".join(["## Wins by army", "", markdown_table(["army", "played", "won", "share", "95 %"], rows)])
    return f"{text}\n\n{after}" if mirrors else text


class Pairings:
    """Results of matches between two different armies. In each pair the army that won more often comes first."""

    def __init__(self, ended: Iterable[DiskwarsStatistics]) -> None:
        self.played: Counter[ArmyPair] = Counter()
        self.won: Counter[ArmyPair] = Counter()
        self.lost: Counter[ArmyPair] = Counter()
        duels = [first for first in ended if len(first.armies) == 2 and first.armies[0] != first.armies[1]]
        self.ranking = [name for name, _, _ in _ranked_by_share(_game_results(duels))]
        wins = Counter((first.armies[winner], first.armies[1 - winner]) for first in duels for winner in first.winners)
        meetings = Counter(tuple(sorted(first.armies)) for first in duels)
        for first, second in combinations(sorted(self.ranking), 2):
            if count := meetings[first, second]:
                pair = (first, second) if wins[first, second] >= wins[second, first] else (second, first)
                self.played[pair], self.won[pair], self.lost[pair] = count, wins[pair], wins[pair[::-1]]

    def win_percentage(self, army: str, opponent: str) -> str:
        """Return the share of matches that `army` won against `opponent`, in whole percent; empty if they never met."""
        pair = (army, opponent)
        won, played = (self.won[pair], self.played[pair]) if pair in self.played else (self.lost[pair[::-1]], 0)
        played = played or self.played[pair[::-1]]
        return f"{100 * won / played:.0f}" if played else ""


def _pairing_sections(duels: Pairings) -> Iterator[str]:
    """Yield the section on duels: a cross table, then one row per pairing, the most lopsided first."""
    if not duels.played:
        return
    numbers = [str(n) for n in range(1, len(duels.ranking) + 1)]
    cross: list[TableRow] = [
        (
            f"{n} {army}",
            *("·" if army == opponent else duels.win_percentage(army, opponent) for opponent in duels.ranking),
        )
        for n, army in enumerate(duels.ranking, 1)
    ]
    rows: list[TableRow] = []
    for pair, count in sorted(duels.played.items(), key=lambda item: (-duels.won[item[0]] / item[1], item[0])):
        won = duels.won[pair]
        rows.append((*pair, count, won, duels.lost[pair], *share_text(won, count), fairness_verdict(won, count)))
    headings = ["army", "against", "matches", "won", "lost", "share", "95 %", ""]
    before = "Matches out of a hundred that the army of a row wins against that of a column."
    after = "Open: the interval is partly outside 30 to 70 %. Outside: completely. No word: within."
    parts = [
        "## Army against army",
        "",
        before,
        "",
        markdown_table(["", *numbers], cross),
        "",
        markdown_table(headings, rows),
        "",
        after,
    ]
    yield "\n".join(parts)


def fairness_verdict(won: int, of: int) -> str:
    """Return `outside` or `open` if the interval is wholly or partly outside the fair bounds; empty if it is within."""
    low, high = wilson_interval(won, of)
    if FAIR_SHARE_BOUNDS[0] <= low and high <= FAIR_SHARE_BOUNDS[1]:
        return ""
    return "outside" if high < FAIR_SHARE_BOUNDS[0] or FAIR_SHARE_BOUNDS[1] < low else "open"


def _initiative_section(ended: Sequence[DiskwarsStatistics]) -> str:
    rows: list[TableRow] = []
    places = max(len(played.order) for played in ended)
    for place in range(places):
        with_place = [played for played in ended if place < len(played.order)]
        won = sum(played.order[place] in played.winners for played in with_place)
        rows.append((f"{place + 1}.", len(with_place), won, *share_text(won, len(with_place))))
    after = (
        f"Initiative as rolled before round 1. If it did not matter, each place would win {percent_text(1, places)}."
    )
    return "\n".join(
        ["## Wins by initiative", "", markdown_table(["place", "matches", "won", "share", "95 %"], rows), "", after]
    )


# ---------------------------------------------------------------- play, cards and dice


def _play_section(ended: Sequence[DiskwarsStatistics]) -> str:
    """Return the section on how sensibly the bots play; a share without anything to count has no row."""
    counts = sum((Counter(played.play) for played in ended), Counter())
    rows: list[TableRow] = [
        (name, counts[part], counts[whole], percent_text(counts[part], counts[whole]))
        for name, part, whole in PLAY_SHARES
        if counts[whole]
    ]
    rows += [(name, counts[part], len(ended), f"{counts[part] / len(ended):.1f}") for name, part in PLAY_MEANS]
    after = "A reinforcement counts once, a hero once for each melee phase that it lives to see."
    return "\n".join(["## Play", "", markdown_table(["", "count", "of", "share or mean"], rows), "", after])


def _card_sections(ended: Sequence[DiskwarsStatistics]) -> Iterator[str]:
    counts = sum((Counter(played.cards) for played in ended), Counter())
    names = {name for what, name in counts if what in ("held", "played", "used")}
    rows: list[TableRow] = []
    for name, played in most_common_first((name, counts["played", name]) for name in names):
        hands = counts["held", name]
        per_hand = f"{played / hands:.2f}" if hands else ""
        rows.append((name, hands, played, per_hand, counts["used", name]))
    after = (
        "Held: hands with the card. Played: how often it was revealed, in total and per match in which it was held.\n"
        "Used: its battle ability; cards with passive abilities only have none."
    )
    headings = ["card", "held", "played", "a match", "used"]
    yield "\n".join(["## Command cards", "", markdown_table(headings, rows), "", after])
    for title, subjects in (
        ("Scenario cards", ("scenario", "objective")),
        ("Deployment cards", ("deployment",)),
        ("Terrain", ("terrain",)),
    ):
        totals = {name: sum(counts[what, name] for what in subjects) for what, name in counts if what in subjects}
        if totals:
            rows = [(name, *(counts[what, name] for what in subjects)) for name, _ in most_common_first(totals.items())]
            headings = ["card", *(what if len(subjects) > 1 else "played" for what in subjects)]
            yield "\n".join([f"## {title}", "", markdown_table(headings, rows)])
