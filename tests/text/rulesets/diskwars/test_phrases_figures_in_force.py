"""Options and descriptions of disks show the figures in force, with tokens and cards."""

from msgspec.structs import replace

from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_text.rulesets.diskwars.phrases import action_text, disk_text
from tests.client.terminal.test_terminal import board, match


def test_figures_are_those_that_count_now() -> None:
    table = board()
    empowered = replace(table.disks[4], empowered=True, weakened=2)
    table = replace(table, disks=(*table.disks[:4], empowered, *table.disks[5:]))
    volley = replace(table, sides=(replace(table.sides[0], revealed_card="aimed-volley"), table.sides[1]))
    shot = table.profile(4).shots[0]
    bonus = sum(
        x.effect.strength for x in volley.card("aimed-volley").abilities if isinstance(x.effect, f.IncreaseShotStrength)
    )
    steps = sum(x.effect.steps for x in volley.card("aimed-volley").abilities if isinstance(x.effect, f.IncreaseRange))
    assert bonus or steps
    reach = f.REACHES[min(f.REACHES.index(shot.reach) + steps, 3)]
    figures = f"strength {shot.strength.flat + bonus}"
    ask = a.ActivationQuestion("aimed-volley", 1, False)
    assert action_text(replace(match(), board=volley), ask, a.Shoot(4, 8)).endswith(figures)
    text = disk_text(volley, 4)
    assert f"{figures} {shot.damage_type}, up to {reach}" in text
    strength, counter = effective_stats.strength(volley, 4), effective_stats.counter_strength(volley, 4)
    printed = table.profile(4)
    assert strength == printed.strength + 1
    assert counter > printed.counter_strength
    assert f"strength {strength}, counter {counter}; toughness {printed.toughness - 1}," in text
    slower, faster = (_movement(position) for position in (table, _with_card(table, f.IncreaseMovement(2))))
    assert faster == slower + 2


def _movement(table: Board) -> int:
    return int(disk_text(table, 4).partition("movement ")[2].partition(",")[0])


def _with_card(table: Board, passive: f.Effect) -> Board:
    """Seat A plays a card that does this all the time."""
    card = f.CommandCard("test", "Test", "bold", 1, abilities=(f.Ability("passive", passive),))
    side = replace(table.sides[0], revealed_card="test")
    return replace(table, cards=(*table.cards, card), sides=(side, table.sides[1]))
