"""The state and questions that deciding returns equal those that its records fold to."""

import pytest

from diskwars_engine.match import Command
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings
from tests.engine.played_match import ARMIES, RULES, Chooser, PlayedMatch, greedy_action, player_of, random_action


@pytest.mark.parametrize("choose", [greedy_action, random_action])
@pytest.mark.parametrize(("setup", "players"), [("quick", 2), ("full", 3)])
def test_the_state_handed_on_is_the_fold_of_the_records(choose: Chooser, setup: str, players: int) -> None:
    settings = DiskwarsSettings(setup="full" if setup == "full" else "quick", regiments=1)
    playing = PlayedMatch(7, ARMIES[:players], settings).begin()
    while playing.state.status != "ended":
        decision = playing.state.decisions[0]
        action = playing.with_secrets(decision, choose(playing, decision))
        command = Command(player_of(decision.seat), decision.id, action, len(playing.bodies) * 1000)
        unfolded = RULES.decide(playing.state, len(playing.bodies), command, playing.secrets)
        playing.commit(unfolded.body)
        assert unfolded.match == playing.state
        if playing.state.decisions:
            open_questions = RULES.ruleset.questions(playing.board)
            assert open_questions == tuple((open_.seat, open_.question) for open_ in playing.state.decisions)
