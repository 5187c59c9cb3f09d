"""The table of tasks: for each kind of task the functions that ask about, answer and run it."""

from collections.abc import Mapping
from typing import Any

from diskwars_engine.rulesets.diskwars import hazards, melee, phases
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.activation import (
    ability_reinforcement,
    activation,
    card_turns,
    command_cards,
    movement,
    rampage,
    shooting,
    triggers,
)
from diskwars_engine.rulesets.diskwars.setup import (
    deployment,
    deployment_cards,
    scenarios,
    scouting,
    setup_sequence,
    setup_turns,
    terrain_cards,
)
from diskwars_engine.rulesets.diskwars.task_rules import TaskRules
from diskwars_protocol.rulesets.diskwars import actions as a

TASKS: Mapping[type[t.Task], TaskRules[Any, Any]] = {
    # ---- setup
    t.FirstPlayerTask: TaskRules[t.FirstPlayerTask, setup_sequence.FirstQuestion](
        questions=setup_sequence.first_player_questions,
        options=setup_sequence.first_player_options,
        answer=setup_sequence.answer_first_player,
        without_seat=setup_sequence.first_player_without_seat,
    ),
    t.SetupStepTask: TaskRules[t.SetupStepTask, a.BoardQuestion](run=setup_sequence.run_setup_step),
    t.ScenarioTask: TaskRules[t.ScenarioTask, a.ScenarioQuestion](
        questions=scenarios.questions,
        options=scenarios.options,
        answer=scenarios.answer,
        without_seat=scenarios.without_seat,
    ),
    t.DeploymentCardsTask: TaskRules[t.DeploymentCardsTask, a.DeploymentCardQuestion](
        questions=deployment_cards.questions,
        options=deployment_cards.options,
        unavailable=deployment_cards.unavailable,
        answer=deployment_cards.answer,
        run=deployment_cards.run,
        without_seat=setup_turns.without_seat,
    ),
    t.TerrainCardsTask: TaskRules[t.TerrainCardsTask, a.TerrainQuestion](
        questions=terrain_cards.questions,
        options=terrain_cards.options,
        unavailable=terrain_cards.unavailable,
        default=terrain_cards.default,
        answer=terrain_cards.answer,
        run=terrain_cards.run,
        without_seat=setup_turns.without_seat,
    ),
    t.DeploymentTask: TaskRules[t.DeploymentTask, a.DeploymentQuestion](
        questions=deployment.questions,
        options=deployment.options,
        default=deployment.default,
        answer=deployment.answer,
        run=deployment.run,
        without_seat=setup_turns.without_seat,
    ),
    t.ScoutTask: TaskRules[t.ScoutTask, a.ScoutQuestion](
        questions=scouting.questions,
        options=scouting.options,
        unavailable=scouting.unavailable,
        answer=scouting.answer,
        without_seat=scouting.without_seat,
    ),
    # ---- rounds and cards
    t.RoundTask: TaskRules[t.RoundTask, a.BoardQuestion](run=phases.run_round),
    t.ActivationPhaseTask: TaskRules[t.ActivationPhaseTask, a.CommandCardQuestion](
        questions=phases.card_questions,
        options=phases.card_options,
        unavailable=phases.cards_unavailable,
        default=phases.default_card,
        answer=phases.answer_card,
        run=phases.run_activation_phase,
    ),
    t.MeleePhaseTask: TaskRules[t.MeleePhaseTask, a.EngagementQuestion](
        questions=phases.engagement_questions,
        options=phases.engagement_options,
        unavailable=phases.engagements_unavailable,
        answer=phases.answer_engagement,
        run=phases.run_melee_phase,
    ),
    t.EndPhaseTask: TaskRules[t.EndPhaseTask, a.BoardQuestion](run=phases.run_end_phase),
    t.CommandCardTask: TaskRules[t.CommandCardTask, a.ActivationQuestion](
        questions=card_turns.questions,
        options=card_turns.options,
        unavailable=card_turns.unavailable,
        default=card_turns.default,
        answer=card_turns.answer,
        run=card_turns.run,
    ),
    t.DiscardCardsTask: TaskRules[t.DiscardCardsTask, a.BoardQuestion](run=command_cards.discard),
    t.ActivationTask: TaskRules[t.ActivationTask, a.ContinuationQuestion](
        questions=activation.questions,
        options=activation.options,
        unavailable=activation.unavailable,
        default=activation.default,
        answer=activation.answer,
        run=activation.finish,
    ),
    # ---- consequences
    t.ImpactTask: TaskRules[t.ImpactTask, a.BoardQuestion](run=movement.resolve_impact),
    t.GuardTask: TaskRules[t.GuardTask, a.BoardQuestion](run=movement.resolve_guard),
    t.DangerousTerrainTask: TaskRules[t.DangerousTerrainTask, a.BoardQuestion](run=hazards.resolve_dangerous_terrain),
    t.RoughTerrainTask: TaskRules[t.RoughTerrainTask, a.BoardQuestion](run=hazards.resolve_rough_terrain),
    t.RampageTask: TaskRules[t.RampageTask, a.RampageQuestion](
        questions=rampage.questions,
        options=rampage.options,
        answer=rampage.answer,
        run=rampage.run,
        without_seat=rampage.without_seat,
    ),
    t.TriggersTask: TaskRules[t.TriggersTask, a.TriggerOrderQuestion](
        questions=triggers.order_questions,
        options=triggers.order_options,
        answer=triggers.answer_order,
        run=triggers.resolve_next,
    ),
    t.EngageAbilityTask: TaskRules[t.EngageAbilityTask, a.EngageAbilityQuestion](
        questions=triggers.use_questions,
        options=triggers.use_options,
        unavailable=triggers.use_unavailable,
        default=triggers.default_use,
        answer=triggers.answer_use,
        run=triggers.run_use,
    ),
    t.ReinforcementTask: TaskRules[t.ReinforcementTask, a.ReinforcementQuestion](
        questions=ability_reinforcement.questions,
        options=ability_reinforcement.options,
        unavailable=ability_reinforcement.unavailable,
        default=ability_reinforcement.default,
        answer=ability_reinforcement.answer,
    ),
    t.ScatterTask: TaskRules[t.ScatterTask, a.ScatterQuestion](
        questions=shooting.scatter_questions,
        options=shooting.scatter_options,
        unavailable=shooting.scatter_unavailable,
        answer=shooting.answer_scatter,
        run=shooting.run_scatter,
        without_seat=shooting.scatter_without_seat,
    ),
    # ---- melee
    t.FightTask: TaskRules[t.FightTask, a.EngagementQuestion](
        questions=melee.fight_questions,
        options=melee.fight_options,
        unavailable=melee.fight_unavailable,
        answer=melee.answer_fight,
        run=melee.run_fight,
    ),
    t.EndFightTask: TaskRules[t.EndFightTask, a.BoardQuestion](run=melee.run_end_fight),
    t.MeleeStepTask: TaskRules[t.MeleeStepTask, a.MeleeTargetsQuestion](
        questions=melee.target_questions,
        options=melee.target_options,
        unavailable=melee.targets_unavailable,
        answer=melee.answer_targets,
        run=melee.strike_step,
        without_seat=melee.step_without_seat,
    ),
    t.CloseEngagementTask: TaskRules[t.CloseEngagementTask, a.BoardQuestion](run=melee.close_engagement),
}
