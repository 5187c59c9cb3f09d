"""The report agrees with the statistics of the matches."""

from collections.abc import Sequence

import pytest

from diskwars_cli.plugs import report
from diskwars_cli.plugs.match_statistics import (
    FaceCounts,
    MatchStatistics,
    count_broken_invariants,
    count_crashes,
    sum_face_counts,
)
from diskwars_cli.plugs.report import ReportHeading, ReportParts, markdown_table, seat_parts
from diskwars_cli.rulesets.diskwars.report import diskwars_parts, fairness_verdict
from diskwars_cli.rulesets.diskwars.statistics import DiskwarsStatistics

BOTS = ("greedy bot", "greedy bot")
HEADING = ReportHeading("Test matches", "diskwars simulate --matches 3", ("pack test 1",), BOTS, 1)


def render_report(heading: ReportHeading, matches: Sequence[MatchStatistics]) -> str:
    """Render a report on matches of Diskwars."""
    ended = [played for played in matches if isinstance(played, DiskwarsStatistics)]
    return report.render_report(heading, matches, diskwars_parts(ended, ()) if ended else ReportParts())


def match_statistics(
    seed: int, armies: Sequence[str] = ("Reds", "Blues"), winner: int | None = 0, **more: object
) -> DiskwarsStatistics:
    fields: dict[str, object] = {
        "order": (1, 0),
        "end_reason": "elimination",
        "records": 9,
        "events": 20,
        "size": 300,
        **more,
    }
    return DiskwarsStatistics(seed=seed, armies=tuple(armies), winners=() if winner is None else (winner,), **fields)  # type: ignore[arg-type]


def rows(text: str, title: str, number: int = 0) -> list[str]:
    """Return the rows of a table below a heading, without the heading row and without padding."""
    below = text.split(f"## {title}\n")[1].split("\n## ")[0]
    tables = [part.splitlines() for part in below.strip().split("\n\n") if part.startswith("| ")]
    return ["| " + " | ".join(cell.strip() for cell in line[1:-1].split("|")) + " |" for line in tables[number][2:]]


def test_faults_are_counted_and_listed_with_their_seeds() -> None:
    matches = [
        match_statistics(1),
        match_statistics(2, broken_invariants=("append 3: askew", "append 4: askew")),
        MatchStatistics(seed=3, crash="crashed: oh"),
    ]
    text = render_report(HEADING, matches)
    assert (count_crashes(matches), count_broken_invariants(matches)) == (1, 2)
    assert "- crashes: 1\n- invariants broken: 2\n" in text
    assert "    seed 2: append 3: askew\n    seed 2: append 4: askew\n    seed 3: crashed: oh\n" in text


def test_report_of_crashes_alone_has_no_shares() -> None:
    text = render_report(HEADING, [MatchStatistics(seed=3, crash="crashed: oh")])
    assert "crashes: 1" in text
    assert "## Wins" not in text


def test_wins_are_counted_by_army_pairing_and_initiative() -> None:
    matches = [
        match_statistics(1),
        match_statistics(2, ("Blues", "Reds")),
        match_statistics(3, winner=1),
        match_statistics(4, winner=None, end_reason="everybody_eliminated"),
    ]
    text = render_report(HEADING, matches)
    assert rows(text, "Wins by army") == [
        "| Blues | 4 | 2 | 50.0 % | 15.0–85.0 % |",
        "| Reds | 4 | 1 | 25.0 % | 4.6–69.9 % |",
    ]
    assert rows(text, "Army against army", 1) == ["| Blues | Reds | 4 | 2 | 1 | 50.0 % | 15.0–85.0 % | open |"]
    assert [row[:13] for row in rows(text, "Wins by initiative")] == ["| 1. | 4 | 1 ", "| 2. | 4 | 2 "]
    assert "| nobody wins: everybody eliminated | 1 | 25.0 % |" in rows(text, "How matches end")


def test_pairing_is_fair_if_its_whole_interval_is_within_the_bounds() -> None:
    assert [fairness_verdict(won, 400) for won in (200, 141, 259)] == ["", "", ""]
    assert [fairness_verdict(won, 400) for won in (135, 120, 265)] == ["open", "open", "open"]
    assert [fairness_verdict(won, 400) for won in (100, 300, 0)] == ["outside", "outside", "outside"]
    lopsided = [match_statistics(seed, winner=int(seed > 380)) for seed in range(400)]
    text = render_report(HEADING, lopsided)
    assert rows(text, "Army against army", 1)[0].endswith("| outside |")
    assert "- 0 of 1 pairings are fair: their whole interval is within 30 to 70 %, 1 outside\n" in text


def test_cross_table_ranks_armies_and_is_empty_where_they_never_met() -> None:
    games = [
        ("Reds", "Blues", 0),
        ("Reds", "Blues", 1),
        ("Blues", "Reds", 1),
        ("Reds", "Greens", 0),
        ("Reds", "Reds", 0),
    ]
    text = render_report(
        HEADING, [match_statistics(n, (one, other), winner=won) for n, (one, other, won) in enumerate(games)]
    )
    assert rows(text, "Army against army") == [
        "| 1 Reds | · | 67 | 100 |",
        "| 2 Blues | 33 | · |  |",
        "| 3 Greens | 0 |  | · |",
    ]
    lopsided_first = [row.split(" | ")[:2] for row in rows(text, "Army against army", 1)]
    assert lopsided_first == [["| Reds", "Greens"], ["| Reds", "Blues"]]
    assert "An army that plays against itself both wins and loses." in text


def test_summary_comes_first() -> None:
    matches = [match_statistics(seed, winner=int(seed < 3), dice={"d6": (500, 0, 0, 0, 0, 0)}) for seed in range(1, 5)]
    short = render_report(HEADING, matches).split("## Summary\n")[1].split("\n## ")[0]
    assert "- 0 crashes, 0 broken invariants" in short
    assert "- half of the matches have at most 20 events and 0 kB" in short
    assert "- the first player wins 50.0 % (15.0–85.0 %)" in short
    assert "chance explains it 0.0000 of the time" in short


def test_stopped_run_names_the_planned_number_of_matches() -> None:
    stopped = ReportHeading("Test matches", "diskwars simulate --matches 2000", (), BOTS, 2000)
    assert "1 matches of 2,000, then the run was stopped, produced by" in render_report(stopped, [match_statistics(1)])


def test_three_players_have_no_pairings() -> None:
    text = render_report(HEADING, [match_statistics(1, ("Reds", "Blues", "Greens"), order=(2, 0, 1))])
    assert "## Army against army" not in text
    assert len(rows(text, "Wins by initiative")) == 3


def test_uses_of_cards_are_added_up() -> None:
    cards = {("held", "Feint"): 1, ("played", "Feint"): 4, ("scenario", "Last Stand"): 1}
    text = render_report(
        HEADING,
        [match_statistics(1, cards=cards), match_statistics(2, cards={("played", "Feint"): 2, ("terrain", "Hill"): 1})],
    )
    assert rows(text, "Command cards") == ["| Feint | 1 | 6 | 6.00 | 0 |"]
    assert rows(text, "Scenario cards") == ["| Last Stand | 1 | 0 |"]
    assert rows(text, "Terrain") == ["| Hill | 1 |"]
    assert "## Deployment cards" not in text


def test_dice_are_added_up_face_by_face() -> None:
    dice: list[FaceCounts] = [{"d6": (5, 8, 9, 8, 10, 0)}, {"d6": (0, 0, 0, 0, 0, 20)}]
    assert sum_face_counts(dice) == {"d6": (5, 8, 9, 8, 10, 20)}
    text = render_report(HEADING, [match_statistics(seed, dice=falls) for seed, falls in enumerate(dice)])
    assert rows(text, "Dice") == ["| d6 | 60 | 5 | 8 | 9 | 8 | 10 | 20 | 13.40 | 5 | 0.020 |"]


def test_table_lines_up_and_separates_thousands() -> None:
    lines = markdown_table(["a", "b"], [("long name", 1234)]).splitlines()
    assert lines == ["| a         |     b |", "| :-------- | ----: |", "| long name | 1,234 |"]


def test_report_of_any_ruleset_has_the_wins_of_each_seat() -> None:
    matches = [
        MatchStatistics(seed=seed, winners=(seed % 4,) if seed % 4 else (), events=9, records=4) for seed in range(8)
    ]
    text = report.render_report(HEADING, matches, seat_parts(matches, 4))
    assert [row[:8] for row in rows(text, "Wins by seat")] == ["| A | 0 ", "| B | 2 ", "| C | 2 ", "| D | 2 "]
    assert "- seat A wins 0.0 % (0.0–32.4 %)" in text
    assert "## Dice" not in text


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        (("greedy bot", "greedy bot"), "The greedy bot plays every seat."),
        (
            ("mine bot", "greedy bot", "mine bot"),
            "The mine bot plays seat A, the greedy bot seat B, the mine bot seat C.",
        ),
    ],
)
def test_report_names_the_bots_and_claims_nothing_about_them(bots: tuple[str, ...], sentence: str) -> None:
    text = report.render_report(ReportHeading("Test", "", (), bots, 1), [MatchStatistics(seed=1)], ReportParts())
    assert sentence in text
    assert "one action ahead" not in text
