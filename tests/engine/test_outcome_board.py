"""Is what deciding hands on what its records fold to: the state of the match, and the questions that are open then?"""

import pytest

from diskwars_engine.match import Command
from diskwars_protocol.rulesets.diskwars.actions import Settings
from tests.engine.played_match import ARMIES, RULES, Choose, Playing, at_random, greedily, player


@pytest.mark.parametrize("choose", [greedily, at_random])
@pytest.mark.parametrize(("setup", "players"), [("quick", 2), ("full", 3)])
def test_the_state_handed_on_is_the_fold_of_the_records(choose: Choose, setup: str, players: int) -> None:
    settings = Settings(setup="full" if setup == "full" else "quick")
    playing = Playing(7, ARMIES[:players], settings).begin()
    while playing.state.status != "ended":
        decision = playing.state.decisions[0]
        action = playing.completed(decision, choose(playing, decision))
        command = Command(player(decision.seat), decision.id, action, len(playing.ends) * 1000)
        unfolded = RULES.unfold(playing.state, len(playing.events), command, playing.secrets)
        playing.record(unfolded.events)
        assert unfolded.after == playing.state
        if playing.state.decisions:
            asked = RULES.ruleset.questions(playing.board)
            assert asked == tuple((open_.seat, open_.question) for open_ in playing.state.decisions)
