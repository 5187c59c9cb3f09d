"""The greedy bot: picks the action with the best immediate effect, without looking ahead."""

import random
from collections.abc import Iterable
from typing import TypeAlias

from diskwars_bots.rulesets.diskwars import action_values, setup_choices, weights
from diskwars_bots.rulesets.diskwars.move_choice import best_move, best_moves, best_reinforcement
from diskwars_bots.rulesets.diskwars.random_bot import choose_random, is_scouting
from diskwars_bots.rulesets.diskwars.situation import Situation
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.effective_stats import matches_selector
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.stats import DealDamage, IncreaseMovement

ScoredAction: TypeAlias = tuple[int, a.Action]
"""The value of an action, in hundredths of a victory point, and the action."""

CARD_NOISE = 50
"""Randomness in the value of a card, so that opponents cannot predict it."""
PASSING = 1


def choose_greedy(
    match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
) -> a.Action:
    """Choose the action with the best immediate effect, from what the seat may see and from what is offered.

    Falls back to a random action for questions that it does not weigh.
    """
    board = match.board
    if board is None:
        return choose_random(match, decision, options, rng)
    if board.phase == "setup":
        return _choose_setup(match, decision, options, rng)
    scored = weigh_answers(Situation(board, decision.seat), decision.question, options, rng)
    return best_action(scored) if scored else choose_random(match, decision, options, rng)


def weigh_answers(
    situation: Situation, question: a.Question, options: DiskwarsOptions, rng: random.Random, moves_per_disk: int = 1
) -> list[ScoredAction]:
    """Return the answers worth a thought to a question after set-up, with their values; none if it is not weighed."""
    match question:
        case a.CommandCardQuestion():
            return _weigh_cards(situation, options, rng)
        case a.ActivationQuestion() | a.ContinuationQuestion() | a.ReinforcementQuestion():
            return _weigh_activations(situation, options, moves_per_disk)
        case a.MeleeTargetsQuestion():
            return [(_blows(situation, question, action), action) for action in options.actions]
        case a.EngageAbilityQuestion():
            return [(_use(situation, question, action), action) for action in options.actions]
        case a.RampageQuestion():
            return [(_rampage(situation, action), action) for action in options.actions]
        case a.ScatterQuestion():
            return [(_scatter(situation, action), action) for action in options.actions]
        case _:
            return []


def best_action(scored: Iterable[ScoredAction]) -> a.Action:
    """Return the action with the highest value, the first of several."""
    return max(scored, key=lambda pair: pair[0])[1]


# ---------------------------------------------------------------- setup


def _choose_setup(
    match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
) -> a.Action:
    board, question, seat = match.board, decision.question, decision.seat
    assert board is not None
    match question:
        case a.FirstPlayerQuestion():
            return a.ChooseFirstPlayer(seat)
        case a.InitiativeOrderQuestion():
            return a.SetOrder((seat, *(side.seat for side in board.sides if side.seat != seat)))
        case a.ScenarioQuestion():
            return best_action((_scenario(board, seat, action), action) for action in options.actions)
        case a.DeploymentCardQuestion():
            return best_action((_deployment_card(board, seat, action), action) for action in options.actions)
        case a.TerrainQuestion():
            return setup_choices.choose_terrain(board, seat, options)
        case a.DeploymentQuestion():
            return setup_choices.choose_deployment(board, question, options, seat)
        case a.ScoutQuestion() | a.ContinuationQuestion() if is_scouting(board):
            return _choose_scouting(Situation(board, seat), options)
        case _:
            return choose_random(match, decision, options, rng)


def _scenario(board: Board, seat: Seat, action: a.Action) -> int:
    return setup_choices.scenario_value(board, seat, action.scenario) if isinstance(action, a.ChooseScenario) else 0


def _deployment_card(board: Board, seat: Seat, action: a.Action) -> int:
    if not isinstance(action, a.LayDeploymentCard):
        return 0
    return setup_choices.deployment_card_value(board, seat, action)


def _choose_scouting(situation: Situation, options: DiskwarsOptions) -> a.Action:
    """Choose the scout move that brings most, or the end of scouting."""
    scored: list[ScoredAction] = [(0, action) for action in options.actions if not isinstance(action, a.MoveDisk)]
    for option in options.parametric:
        move = best_move(situation, option, keeps_off_enemies=True)
        if move is not None:
            scored.append(move)
    return best_action(scored)


# ---------------------------------------------------------------- activation


def _weigh_cards(situation: Situation, options: DiskwarsOptions, rng: random.Random) -> list[ScoredAction]:
    """Weigh cards by the disks that they let act and by their abilities."""
    board = situation.board
    cards = [(action, board.card(str(action.card))) for action in options.actions if isinstance(action, a.LockCard)]
    hand = [card.activations for _, card in cards]
    ready = sum(fighter.is_ready for fighter in situation.own) + len(position.reserve_disks(board, situation.seat))
    return [
        (action_values.card_value(situation, board, card, hand, ready) + rng.randrange(CARD_NOISE), action)
        for action, card in cards
    ]


def _weigh_activations(situation: Situation, options: DiskwarsOptions, moves_per_disk: int) -> list[ScoredAction]:
    scored: list[ScoredAction] = [(_act(situation, action), action) for action in options.actions]
    for option in options.parametric:
        if isinstance(option.example, a.MoveDisk):
            scored.extend(best_moves(situation, option, moves_per_disk))
        else:
            reinforcement = best_reinforcement(situation, option)
            if reinforcement is not None:
                scored.append((reinforcement[0] - later_card_cost(situation), reinforcement[1]))
    return scored


def later_card_cost(situation: Situation) -> int:
    """Return what a reinforcement costs that another card in hand could do, while this one makes moves longer."""
    board, side = situation.board, situation.board.sides[situation.seat]
    if side.revealed_card is None or not side.card_count:
        return 0
    movers = [fighter.profile for fighter in situation.own if fighter.is_ready]
    for ability in board.card(side.revealed_card).abilities:
        effect = ability.effect
        if isinstance(effect, IncreaseMovement) and any(
            matches_selector(profile, effect.selector) for profile in movers
        ):
            return weights.LATER_CARD
    return 0


def _act(situation: Situation, action: a.Action) -> int:
    match action:
        case a.Shoot():
            return action_values.shot_value(situation, action)
        case a.Focus():
            effect = position.focus_abilities(situation.board, action.disk)[action.ability]
            return action_values.effect_value(situation, action.disk, effect, action.target)
        case a.UseAbility():
            return _battle_ability(situation, action)
        case a.PassDisk():
            return PASSING
        case _:
            return 0


def _battle_ability(situation: Situation, action: a.UseAbility) -> int:
    """Return the value of a battle ability; harm is done first, while help may find a fight later in the card."""
    board = situation.board
    revealed = board.sides[situation.seat].revealed_card
    if revealed is None:
        return 0
    effect = next(ability.effect for ability in board.card(revealed).abilities if ability.timing == "battle")
    value = action_values.effect_value(situation, action.disk, effect, action.target)
    return value * 2 if isinstance(effect, DealDamage) else value


def _rampage(situation: Situation, action: a.Action) -> int:
    """Return the value of a forced flip; enemies under it count for, own disks against."""
    if not isinstance(action, a.MoveDisk):
        return 0
    fighter = situation.fighters[action.disk]
    x, y = fighter.x + action.path[0][0], fighter.y + action.path[0][1]
    return action_values.landing_on(
        situation, [other.id for other in situation.overlapped(fighter.id, x, y, fighter.radius)]
    )


def _blows(situation: Situation, question: a.MeleeTargetsQuestion, action: a.Action) -> int:
    return action_values.blows_value(situation, question, action) if isinstance(action, a.ChooseTargets) else 0


def _use(situation: Situation, question: a.EngageAbilityQuestion, action: a.Action) -> int:
    """Return the value of using an engage ability; not using it is worth nothing."""
    if not isinstance(action, a.UseEngageAbility) or not action.use:
        return 0
    trigger = question.trigger
    effect = situation.board.profile(trigger.disk).abilities[trigger.ability].effect
    return action_values.effect_value(situation, trigger.disk, effect, action.target)


def _scatter(situation: Situation, action: a.Action) -> int:
    """Return the value of the disk that scatter goes against: the dearest enemy, or the cheapest own disk."""
    if not isinstance(action, a.ChooseScatter):
        return 0
    target = situation.fighters[action.target]
    return -target.worth if target.is_own else target.worth
