"""Does the report say what the facts say, whoever made them?"""

from collections.abc import Sequence

from diskwars_cli import report
from diskwars_cli.facts import Facts, Falls
from diskwars_cli.report import Heading, fallen, table, verdict, written

HEADING = Heading("diskwars simulate --matches 3", ("pack test 1",))


def fact(seed: int, armies: Sequence[str] = ("Reds", "Blues"), winner: int | None = 0, **more: object) -> Facts:
    fields: dict[str, object] = {"order": (1, 0), "why": "elimination", "appends": 9, "events": 20, "size": 300, **more}
    return Facts(seed, tuple(armies), winner=winner, **fields)  # type: ignore[arg-type]


def rows(text: str, title: str) -> list[str]:
    """The rows of the table below a heading, without its head."""
    below = text.split(f"## {title}\n")[1].split("\n## ")[0]
    return [line for line in below.splitlines() if line.startswith("| ")][2:]


def test_faults_are_counted_and_named_with_their_seeds() -> None:
    facts = [fact(1), fact(2, broken=("append 3: askew", "append 4: askew")), Facts(3, crash="crashed: oh")]
    text = written(HEADING, facts)
    assert (report.crashes(facts), report.breaches(facts)) == (1, 2)
    assert "- crashes: 1\n- invariants broken: 2\n" in text
    assert "    seed 2: append 3: askew\n    seed 2: append 4: askew\n    seed 3: crashed: oh\n" in text


def test_a_report_of_crashes_alone_has_no_shares() -> None:
    text = written(HEADING, [Facts(3, crash="crashed: oh")])
    assert "crashes: 1" in text
    assert "## Wins" not in text


def test_wins_are_counted_by_army_by_pairing_and_by_initiative() -> None:
    facts = [fact(1), fact(2, ("Blues", "Reds")), fact(3, winner=1), fact(4, winner=None, why="everybody eliminated")]
    text = written(HEADING, facts)
    assert rows(text, "Wins by army") == [
        "| Blues | 4 | 2 | 50.0 % | 15.0–85.0 % |",
        "| Reds | 4 | 1 | 25.0 % | 4.6–69.9 % |",
    ]
    assert rows(text, "Army against army") == ["| Blues | Reds | 4 | 2 | 1 | 50.0 % | 15.0–85.0 % | open |"]
    assert [row[:12] for row in rows(text, "Wins by initiative")] == ["| 1 | 4 | 1 ", "| 2 | 4 | 2 "]
    assert "| nobody wins: everybody eliminated | 1 | 25.0 % |" in rows(text, "How matches end")


def test_a_pairing_is_fair_while_its_whole_interval_lies_within_the_bounds() -> None:
    assert [verdict(won, 400) for won in (200, 141, 259)] == ["", "", ""]
    assert [verdict(won, 400) for won in (135, 120, 265)] == ["open", "open", "open"]
    assert [verdict(won, 400) for won in (100, 300, 0)] == ["outside", "outside", "outside"]
    lopsided = [fact(seed, winner=int(seed > 380)) for seed in range(400)]
    assert rows(written(HEADING, lopsided), "Army against army")[0].endswith("| outside |")


def test_three_players_make_no_pairing() -> None:
    text = written(HEADING, [fact(1, ("Reds", "Blues", "Greens"), order=(2, 0, 1))])
    assert "## Army against army" not in text
    assert len(rows(text, "Wins by initiative")) == 3


def test_cards_are_added_up_by_what_was_done_with_them() -> None:
    cards = {("held", "Feint"): 1, ("played", "Feint"): 4, ("scenario", "Last Stand"): 1}
    text = written(HEADING, [fact(1, cards=cards), fact(2, cards={("played", "Feint"): 2, ("terrain", "Hill"): 1})])
    assert rows(text, "Command cards") == ["| Feint | 1 | 6 | 0 |"]
    assert rows(text, "Scenario cards") == ["| Last Stand | 1 | 0 |"]
    assert rows(text, "Terrain") == ["| Hill | 1 |"]
    assert "## Deployment cards" not in text


def test_dice_are_added_up_face_by_face() -> None:
    dice: list[Falls] = [{"d6": (5, 8, 9, 8, 10, 0)}, {"d6": (0, 0, 0, 0, 0, 20)}]
    assert fallen(dice) == {"d6": (5, 8, 9, 8, 10, 20)}
    text = written(HEADING, [fact(seed, dice=falls) for seed, falls in enumerate(dice)])
    assert rows(text, "Dice") == ["| d6 | 60 | 5 | 8 | 9 | 8 | 10 | 20 | 13.40 | 5 | 0.020 |"]


def test_a_table_separates_thousands() -> None:
    assert table(["a", "b"], [("x", 1234)]) == "| a | b |\n| :-- | --: |\n| x | 1,234 |"
