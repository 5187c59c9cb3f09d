"""The conversation in the docs is the one that the engine would produce, except for salts and hashes."""

import re
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from diskwars_content import core_pack
from diskwars_engine.match import Command, MatchOpening, MatchRules, MatchSecrets
from diskwars_engine.match_log import MatchLog, RecordCodec, RecordMeta
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol import examples
from diskwars_protocol import messages as m
from diskwars_protocol.connection import encode
from diskwars_protocol.match import PUBLIC, DecisionId, PlayerId, TakeSeat
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskwarsSettings, Loadout

RULES: MatchRules[Any, Any, Any, Any, Any, Any] = MatchRules(Diskwars(replace(core_pack(), pack=examples.PACK)))
SECRETS = MatchSecrets(bytes(32), bytes(32))
HEX = re.compile(rb'"[0-9a-f]{32,64}"')
TAKE_SEAT = {examples.PLAYER_ANN: "empire-patrol", examples.PLAYER_BEN: "greenskin-patrol"}


def shown_append(page: Any, viewer: int) -> m.Records:
    records = tuple(line.as_seen_by(viewer) for line in page)
    return m.Records(examples.MATCH, records[0].seq, records[-1].seq, records)


def command(player: PlayerId, decision: str, at: int) -> Command[Action]:
    chain = next(action for action in examples.ACTIONS if isinstance(action, TakeSeat)).chain_head
    return Command(player, DecisionId(decision), TakeSeat(chain, Loadout(TAKE_SEAT[player])), at)


def open_match() -> tuple[MatchLog, m.Records]:
    ledger = RecordCodec(RULES, examples.MATCH, 2)
    events = RULES.open(
        MatchOpening(
            examples.MATCH, DiskwarsSettings(), 2, examples.PLAYER_ANN, examples.START_TIME_MS, rules="diskwars 0.1.0"
        ),
        SECRETS,
    )
    page = ledger.seal(
        events,
        0,
        ledger.genesis,
        RecordMeta(examples.PLAYER_ANN, "2a77", "1", examples.START_TIME_MS),
        lambda: bytes(16),
    )
    return MatchLog.load(RULES, examples.MATCH, [line.record for line in page]), shown_append(page, PUBLIC)


def take_seat(book: MatchLog, player: PlayerId, decision: str, at: int) -> m.Records:
    page = book.decide(command(player, decision, at), decision, SECRETS, "1", lambda: bytes(16))
    book.commit(page, book.fold(page))
    return shown_append(page, 0)


def masked(message: Struct) -> bytes:
    return HEX.sub(b'"..."', encode(message))  # type: ignore[arg-type]


def test_the_records_of_the_story_are_those_that_the_engine_makes_and_the_ledger_shows() -> None:
    book, first = open_match()
    made = [
        first,
        take_seat(book, examples.PLAYER_ANN, "2.0", examples.START_TIME_MS + 3000),
        take_seat(book, examples.PLAYER_BEN, "2.1", examples.START_TIME_MS + 6000),
    ]
    told = [message for message in examples.CONVERSATION if isinstance(message, m.Records)]
    assert [masked(frame) for frame in made] == [masked(frame) for frame in told]


def test_the_refusal_of_the_story_is_the_engines() -> None:
    book, _ = open_match()
    take_seat(book, examples.PLAYER_ANN, "2.0", examples.START_TIME_MS + 3000)
    with pytest.raises(Illegal) as caught:
        book.decide(
            command(examples.PLAYER_ANN, "2.0", examples.START_TIME_MS + 4000), "4c19", SECRETS, "1", lambda: bytes(16)
        )
    refused = examples.find_example(m.Refused)
    assert isinstance(refused, m.Refused)
    illegal = caught.value
    assert (refused.code, refused.text, refused.rule, refused.place) == (
        illegal.code,
        illegal.text,
        illegal.rule,
        illegal.place,
    )
