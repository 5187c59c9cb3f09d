"""Matches of a server may differ in packs: rematches keep theirs, and a command that is sent again has to agree."""

from collections.abc import AsyncIterator

import pytest

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_server.app import MAX_CHOSEN_PACKS, load_rulesets, load_variants, start_server
from diskwars_server.matches.openings import Openings
from diskwars_server.matches.pack_choices import PackChoices
from diskwars_server.refusals import Refusal
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase

ANN, EXPANSION = PlayerId("ann"), "diskwars/expansion"


def opening(*packs: str, ruleset: str = "diskwars", has_all: bool = False) -> OpenMatch:
    return OpenMatch("o", ruleset, 2, packs=None if has_all else packs)


@pytest.fixture
async def openings() -> AsyncIterator[Openings]:
    settings = ServerSettings(port=0, bot_workers=0, pack=("expansion",))
    async with MemoryDatabase() as database, start_server(settings, database) as transport:
        yield transport._context.openings


async def test_rematch_has_the_packs_of_its_match(openings: Openings) -> None:
    assert openings.rules.packs_again(openings.check_opening(opening(), ANN)) == ()
    assert openings.rules.packs_again(openings.check_opening(opening(has_all=True), ANN)) == (EXPANSION,)
    assert openings.rules.packs_again(openings.check_opening(opening(ruleset="pit"), ANN)) == ()


async def test_rematch_of_a_match_with_a_pack_that_is_gone_has_all_that_are_left(openings: Openings) -> None:
    state = openings.check_opening(opening(EXPANSION), ANN)
    assert PackChoices(load_rulesets()).packs_again(state) is None


async def test_same_command_with_other_packs_differs(openings: Openings) -> None:
    first = await openings.open(MatchId("m"), opening(), ANN)
    assert await openings.open(MatchId("m"), opening(), ANN) is first
    with pytest.raises(Refusal) as refused:
        await openings.open(MatchId("m"), opening(EXPANSION), ANN)
    assert refused.value.code == "duplicate_differs"


def test_packs_are_called_by_the_names_that_their_files_give(openings: Openings) -> None:
    names = {summary.id: summary.pack_names for summary in openings.rules.summaries}
    assert names["diskwars"] == {"diskwars/core": "Core set", EXPANSION: "Expansions"}
    assert names["pit"] == {}


def test_packs_that_are_not_played_without_others_are_refused_together() -> None:
    choices = PackChoices(load_rulesets("expansion"))
    assert choices.optional_packs("diskwars") == ()
    with pytest.raises(Refusal) as refused:
        choices.choose("diskwars", ())
    assert (refused.value.code, refused.value.place) == ("unknown_pack", "$.packs")


def test_of_many_packs_only_all_or_none_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    full = load_rulesets("expansion")

    def note(packs: tuple[str, ...]) -> object:
        asked.append(tuple(packs))
        return full["diskwars"]

    monkeypatch.setattr("diskwars_server.app.RULESETS", dict.fromkeys(full, note))
    words = tuple("abcd")
    load_variants({"diskwars": full["diskwars"]}, words)
    assert asked == [()]
    asked.clear()
    load_variants({"diskwars": full["diskwars"]}, words[:MAX_CHOSEN_PACKS])
    assert asked == [(), ("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c")]
