"""Does a seed fix everything that is simulated?"""

from tests.cli.commands import Command


def test_the_same_seed_prints_the_same_bytes(diskwars: Command) -> None:
    words = ("simulate", "--ruleset", "diskwars", "--seed", "7", "--matches", "3", "--bots", "greedy,random")
    assert diskwars(*words) == diskwars(*words)


def test_another_seed_plays_another_match(diskwars: Command) -> None:
    assert diskwars("simulate", "--seed", "7").lines[0] != diskwars("simulate", "--seed", "8").lines[0]


def test_match_n_is_played_from_the_seed_n_later(diskwars: Command) -> None:
    several = diskwars("simulate", "--seed", "7", "--matches", "3").lines[:3]
    alone = [diskwars("simulate", "--seed", str(seed)).lines[0] for seed in (7, 8, 9)]
    assert several == alone


def test_every_match_has_a_line_and_the_totals_add_up(diskwars: Command) -> None:
    lines = diskwars("simulate", "--seed", "1", "--matches", "6", "--armies", "empire,chaos").lines
    assert all(line.startswith(f"seed {n}  Empire Patrol against Chaos Patrol") for n, line in enumerate(lines[:6], 1))
    assert lines[6] == "matches 6"
    won = {army: sum(f"winner {army}" in line for line in lines[:6]) for army in ("Empire Patrol", "Chaos Patrol")}
    assert [line for line in lines if ": won" in line] == [
        f"Chaos Patrol: won {won['Chaos Patrol']} of 6",
        f"Empire Patrol: won {won['Empire Patrol']} of 6",
    ]
    assert {line.partition(":")[0] for line in lines if line.startswith("won by")} <= {
        "won by seat A",
        "won by seat B",
        "won by nobody",
    }
    ended = [line for line in lines if line.startswith("ended by")]
    assert sum(int(line.rpartition(" ")[2]) for line in ended) == 6


def test_one_army_against_itself_counts_both_sides(diskwars: Command) -> None:
    lines = diskwars("simulate", "--seed", "1", "--armies", "Chaos Patrol").lines
    assert lines[-1] == "Chaos Patrol: won 1 of 2"
