"""The search bot keeps to its budget, knows only what its seat may see, and prefers what ends well."""

import random
from collections.abc import Callable
from functools import cache

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from diskwars_bots.bot_process import choose_for
from diskwars_bots.loader import load_chooser
from diskwars_bots.rulesets import registry
from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy
from diskwars_bots.rulesets.diskwars.position_value import position_value
from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME, simulate
from diskwars_bots.rulesets.diskwars.simulation import diskwars_rules, possible_board, winners_of
from diskwars_bots.rulesets.registry import find_chooser_within
from diskwars_bots.search.candidates import MIN_PASSES, Candidate
from diskwars_bots.search.candidates import candidate_answers as candidates_of_game
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.levels import searching_bots
from diskwars_bots.search.search import Search
from diskwars_bots.search.search_bot import SearchBot
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import seeded_match
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.messages.bot_tasks import BotTask
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_server.bots.bot_players import thinking_milliseconds
from tests.rows import each_row

Moment = tuple[DiskwarsMatch, Decision[a.Question], DiskwarsOptions]
NEVER: Callable[[], bool] = lambda: False  # noqa: E731
ARMIES = ("empire-patrol", "chaos-patrol")


class Clock:
    """Counts a millisecond each time it is read."""

    def __init__(self) -> None:
        self.reads = 0

    def __call__(self) -> int:
        self.reads += 1
        return self.reads


@cache
def moments() -> list[Moment]:
    """Return what the seats of a match between greedy bots were asked after the setup, with what they saw."""
    ruleset = load_ruleset("diskwars", ())
    local = seeded_match(
        ruleset, 11, [a.Loadout(army) for army in ARMIES], a.DiskwarsSettings(setup="full", regiments=1)
    )
    seen: list[Moment] = []

    def choose(match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions) -> a.Action:
        if match.board is not None and match.board.phase != "setup":
            seen.append((match, decision, options))
        return choose_greedy(match, decision, options, random.Random(1))

    for _ in local.play([choose, choose]):
        pass
    return seen


def moment_of(question: type, number: int = 0) -> Moment:
    found = [moment for moment in moments() if isinstance(moment[1].question, question)]
    return found[number]


def board_of(moment: Moment) -> Board:
    assert moment[0].board is not None
    return moment[0].board


def no_clock() -> int:
    return 0


def candidate_answers(
    board: Board, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random, level: SearchLevel
) -> list[a.Action]:
    return candidates_of_game(DISKWARS_GAME, board, decision, options, rng, level)


# ---------------------------------------------------------------- levels


@each_row("name", ["mild", "search", "fair", "hard"])
def test_levels_are_found_by_name(name: str) -> None:
    assert load_chooser(name, "diskwars") is BOTS[name]
    assert isinstance(BOTS[name], SearchBot)


def test_level_without_a_search_answers_without_a_simulation() -> None:
    clock = Clock()
    match, decision, options = moment_of(a.ActivationQuestion)
    action = SearchBot(DISKWARS_GAME, SearchLevel(), clock)(match, decision, options, random.Random(1))
    assert action == choose_greedy(match, decision, options, random.Random(1))
    assert clock.reads <= 2


def test_noise_makes_other_choices_than_the_greedy_bot() -> None:
    match, decision, options = moment_of(a.ActivationQuestion)
    bot = SearchBot(DISKWARS_GAME, SearchLevel(noise=150), no_clock)
    chosen = {repr(bot(match, decision, options, random.Random(seed))) for seed in range(20)}
    assert len(chosen) > 1


# ---------------------------------------------------------------- budgets


def test_same_seed_and_number_of_simulations_choose_the_same_again() -> None:
    bot = SearchBot(DISKWARS_GAME, SearchLevel(simulations=12), no_clock)
    for match, decision, options in moments()[5::17]:
        first, again = (bot(match, decision, options, random.Random(3)) for _ in range(2))
        assert first == again


@each_row("milliseconds", [1, 5, 40])
def test_search_stops_with_the_step_in_which_its_time_is_over(milliseconds: int) -> None:
    """The clock is read before every step of a simulation, and a few times more when the search ends."""
    clock, moment = Clock(), moment_of(a.ActivationQuestion)
    match, decision, options = moment
    SearchBot(DISKWARS_GAME, SearchLevel(milliseconds=milliseconds), clock)(match, decision, options, random.Random(1))
    assert milliseconds <= clock.reads <= milliseconds + 5


@each_row("milliseconds", [1, 5, 40])
def test_bot_of_a_level_can_be_given_less_time_and_never_more(milliseconds: int) -> None:
    match, decision, options = moment_of(a.ActivationQuestion)
    for given, reads in ((milliseconds, milliseconds), (5000, 60)):
        clock = Clock()
        made = searching_bots(DISKWARS_GAME, clock, hard=SearchLevel(milliseconds=60))["hard"]
        made(given)(match, decision, options, random.Random(1))
        assert reads <= clock.reads <= reads + 5


def test_bot_that_does_not_search_has_no_bound() -> None:
    assert find_chooser_within("diskwars", "greedy", 1) is BOTS["greedy"]
    assert find_chooser_within("diskwars", "hard", 1) is not BOTS["hard"]


def test_many_hard_bots_on_one_process_search_for_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the bot process does for each decision that waits, with a clock that counts."""
    clock, (match, decision, options) = Clock(), moment_of(a.ActivationQuestion)
    searching = searching_bots(DISKWARS_GAME, clock, hard=SearchLevel(milliseconds=2000))
    monkeypatch.setitem(registry.BOTS, "diskwars", replace(registry.BOTS["diskwars"], searching=searching))
    raw = [Raw(msgspec.json.encode(value)) for value in (match, [decision], options)]
    shares = [thinking_milliseconds(1, 1 / matches, 1) for matches in reversed(range(41, 61))]
    for share in shares:
        assert not choose_for(BotTask("diskwars", "hard", "seed", 1, share, *raw)).fault
    assert sum(shares) <= clock.reads <= sum(share + 5 for share in shares)


def test_simulation_that_runs_out_of_time_has_no_value() -> None:
    moment = moment_of(a.ActivationQuestion)
    board, seat = board_of(moment), moment[1].seat
    possible = possible_board(board, seat, random.Random(1))
    assert possible is not None
    action = candidate_answers(board, moment[1], moment[2], random.Random(1), SearchLevel())[0]
    assert simulate(possible, seat, action, random.Random(1), lambda: True) is None


def test_number_of_candidates_is_bounded_and_the_greedy_choice_is_the_first() -> None:
    for match, decision, options in moments():
        if isinstance(decision.question, a.ActivationQuestion) and match.board is not None:
            for milliseconds, most in ((100, 4), (500, 8), (2000, 16)):
                level = SearchLevel(milliseconds=milliseconds)
                candidates = candidate_answers(match.board, decision, options, random.Random(1), level)
                assert 1 <= len(candidates) <= most
                assert candidates[0] == choose_greedy(match, decision, options, random.Random(1))


def test_larger_budget_compares_more_answers_and_no_fewer_moves_of_one_disk() -> None:
    levels = [SearchLevel(milliseconds=budget) for budget in (50, 150, 151, 600, 601, 2000)]
    widths = [(level.width(DISKWARS_GAME).answers, level.width(DISKWARS_GAME).per_piece) for level in levels]
    assert widths == sorted(widths)
    assert widths[0] < widths[2] < widths[-1]
    counted, timed = SearchLevel(simulations=200), SearchLevel(milliseconds=int(200 * DISKWARS_GAME.simulation_ms))
    assert counted.width(DISKWARS_GAME) == timed.width(DISKWARS_GAME)


def test_search_ends_early_when_no_other_answer_can_be_better() -> None:
    """The same answer twice ends the same with the same dice."""
    match, decision, options = moment_of(a.ActivationQuestion)
    first = candidate_answers(board_of((match, decision, options)), decision, options, random.Random(1), SearchLevel())
    level, clock = SearchLevel(simulations=400), Clock()
    search = Search(DISKWARS_GAME, board_of((match, decision, options)), decision.seat, level, clock, random.Random(1))
    assert search.best_of([first[0], first[0]]) == first[0]
    assert search.simulations == 2 * MIN_PASSES


def test_hope_for_an_answer_ends_with_its_simulations() -> None:
    first, worse, open_ = (Candidate(a.EndCard()) for _ in range(3))
    first.values, worse.values, open_.values = [0, 0, 0, 0], [-90, -110, -95, -105], [900, -500, 300, -900]
    assert not worse.may_be_better(first)
    assert open_.may_be_better(first)
    worse.values = worse.values[:3]
    assert worse.may_be_better(first)


# ---------------------------------------------------------------- hidden things


@pytest.mark.parametrize("question", [a.CommandCardQuestion, a.ActivationQuestion])
def test_choice_does_not_depend_on_what_is_hidden(question: type) -> None:
    """R19.26: two matches that differ in the cards and the objective of the other seat look the same to this one."""
    rules, (match, decision, _) = diskwars_rules(), moment_of(question, 3)
    assert match.board is not None
    seat = decision.seat
    hidden = [possible_board(match.board, seat, random.Random(seed)) for seed in range(4)]
    assert len({repr(board) for board in hidden}) > 1
    bot, chosen = SearchBot(DISKWARS_GAME, SearchLevel(simulations=12), no_clock), []
    for board in hidden:
        assert board is not None
        seen = replace(match, board=rules.view(board, seat))
        options = rules.options(board, seat, decision.question)
        chosen.append(bot(seen, decision, options, random.Random(7)))
    assert all(choice == chosen[0] for choice in chosen)


def test_possible_board_looks_to_the_seat_as_the_true_one() -> None:
    for match, decision, _ in moments()[::5]:
        assert match.board is not None
        possible = possible_board(match.board, decision.seat, random.Random(5))
        assert possible is not None
        assert diskwars_rules().view(possible, decision.seat) == match.board


def test_nothing_is_imagined_of_an_army_with_unknown_cards() -> None:
    moment = moment_of(a.ActivationQuestion)
    board = replace(board_of(moment), cards=())
    assert possible_board(board, moment[1].seat, random.Random(1)) is None


# ---------------------------------------------------------------- cards that are locked at once


def test_card_that_the_other_seat_may_have_locked_is_replaced_by_the_one_that_is_tried() -> None:
    """R7.3, R7.5"""
    match, decision, _ = moment_of(a.CommandCardQuestion)
    assert match.board is not None
    rules, other, choices = diskwars_rules(), 1 - decision.seat, DISKWARS_GAME.secret_choices
    for seed in range(1, 4):
        possible = possible_board(match.board, decision.seat, random.Random(seed))
        assert possible is not None
        for answer in choices.answers(possible, other):
            assert isinstance(answer, a.LockCard)
            locked = choices.with_answer(possible, other, answer)
            assert rules.questions(locked) == ((decision.seat, decision.question),)
            own = rules.vocabulary.with_secrets(
                choices.answers(possible, decision.seat)[0], lambda: "1" * 32, lambda: ""
            )
            dice = QuickDice(random.Random(seed), 2)
            shown = rules.decide(locked, decision.seat, decision.question, own, dice).board
            assert shown.sides[other].revealed_card == answer.card


def test_card_is_of_the_hand_and_costs_no_more_than_the_budget() -> None:
    match, decision, options = moment_of(a.CommandCardQuestion)
    offered = {action.card for action in options.actions if isinstance(action, a.LockCard)}
    for seed in range(3):
        bot = SearchBot(DISKWARS_GAME, SearchLevel(simulations=24), no_clock)
        chosen = bot(match, decision, options, random.Random(seed))
        assert isinstance(chosen, a.LockCard)
        assert chosen.card in offered


# ---------------------------------------------------------------- simulations and their value


def test_simulation_ends_with_the_round_or_the_match() -> None:
    """R4.5"""
    for match, decision, options in moments()[::7]:
        board = match.board
        assert board is not None
        possible = possible_board(board, decision.seat, random.Random(2))
        assert possible is not None
        action = candidate_answers(board, decision, options, random.Random(2), SearchLevel())[0]
        end = simulate(possible, decision.seat, action, random.Random(2), NEVER)
        assert end is not None
        assert end.round == board.round + 1 or winners_of(end) is not None


def test_refused_answer_cannot_be_simulated_and_is_not_chosen() -> None:
    moment = moment_of(a.ActivationQuestion)
    board, seat = board_of(moment), moment[1].seat
    refused: a.Action = a.MoveDisk(0, ((1, 1),), end_activation=True, over_own_disks=True)
    possible = possible_board(board, seat, random.Random(1))
    assert possible is not None
    with pytest.raises(Illegal):
        simulate(possible, seat, refused, random.Random(1), NEVER)
    search = Search(DISKWARS_GAME, board, seat, SearchLevel(simulations=12), no_clock, random.Random(1))
    legal = candidate_answers(board, moment[1], moment[2], random.Random(1), SearchLevel())[0]
    assert search.best_of([refused, legal]) == legal


def test_destroyed_enemy_raises_the_value_and_a_destroyed_friend_lowers_it() -> None:
    moment = moment_of(a.ActivationQuestion)
    board, seat = board_of(moment), moment[1].seat
    now = position_value(board, seat, None)

    def without_a_unit(of_seat: int) -> int:
        number = next(
            disk.id
            for disk in board.disks
            if disk.seat == of_seat and disk.place == BATTLEFIELD and board.profile(disk.id).kind == "unit"
        )
        disks = [replace(disk, place=CASUALTY) if disk.id == number else disk for disk in board.disks]
        pins = tuple(pin for pin in board.pins if number not in (pin.top, pin.bottom))
        return position_value(replace(board, disks=tuple(disks), pins=pins), seat, None)

    assert without_a_unit(seat) < now < without_a_unit(1 - seat)


def test_won_match_is_worth_more_than_a_lost_one_with_more_points() -> None:
    """R4.7, R4.13"""
    board = board_of(moments()[-1])
    sides = tuple(replace(side, points=4 + side.seat) for side in board.sides)
    scored = replace(board, sides=sides, phase="over")
    assert position_value(scored, 1, (1,)) > 0 > position_value(scored, 0, (1,))
    wiped_out = replace(board, phase="melee")
    assert position_value(wiped_out, 0, (0,)) > position_value(scored, 1, (1,))


def test_gain_of_few_or_scattered_simulations_does_not_count() -> None:
    first, lucky, better = (Candidate(a.EndCard()) for _ in range(3))
    first.values, lucky.values, better.values = [0, 0, 0, 0], [900, -500, 300, -300], [90, 110, 95, 105]
    assert lucky.gain(first) < 0 < better.gain(first)
    assert Candidate(a.EndCard()).gain(first) == 0


def test_choice_ends_no_worse_than_that_of_the_greedy_bot() -> None:
    """Measured by simulations that the search has not seen; half a point is what their number can miss."""
    match, decision, options = next(
        moment
        for moment in reversed(moments())
        if len(candidate_answers(board_of(moment), *moment[1:], random.Random(1), SearchLevel())) > 2
    )
    board, seat = board_of((match, decision, options)), decision.seat
    bot = SearchBot(DISKWARS_GAME, SearchLevel(simulations=60), no_clock)
    chosen = bot(match, decision, options, random.Random(4))

    def mean_value(action: a.Action) -> float:
        values = []
        for seed in range(12):
            possible = possible_board(board, seat, random.Random(seed))
            assert possible is not None
            end = simulate(possible, seat, action, random.Random(seed), NEVER)
            assert end is not None
            values.append(position_value(end, seat, winners_of(end)))
        return sum(values) / len(values)

    greedy = choose_greedy(match, decision, options, random.Random(4))
    assert mean_value(chosen) >= mean_value(greedy) - 50
