"""Every effect of the list in forecast_effects.py is decided so by the engine, and told so by the terminal."""

from typing import get_args

import msgspec

from diskwars_client.rulesets.diskwars.preview import preview_lines
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.keyword_forms import KeywordId
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainKeywordId
from tests.client.rulesets.diskwars.forecast_effects import (
    EFFECTS,
    ELSEWHERE,
    FILE,
    Effect,
    effects_text,
    parse_act,
    position_of,
)
from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.rows import each_row


def test_engine_decides_as_the_list_of_effects_says() -> None:
    text = effects_text()
    if IS_UPDATING_GOLDEN:
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text


@each_row("effect", EFFECTS, ids=lambda effect: effect.subject)
def test_terminal_tells_each_effect_or_that_it_is_not_forecast(effect: Effect) -> None:
    table = position_of(effect)
    assert effect.terminal in "\n".join(preview_lines(table.board, parse_act(table, effect.act)))


def test_every_keyword_and_effect_is_in_the_list() -> None:
    effects = {msgspec.inspect.type_info(one).tag for one in get_args(f.Effect)}  # type: ignore[attr-defined]
    known = {*get_args(KeywordId), *get_args(TerrainKeywordId), *effects}
    listed = [word for effect in EFFECTS for word in effect.words]
    assert known == {*listed, *ELSEWHERE}
    assert not {*listed} & ELSEWHERE.keys()
