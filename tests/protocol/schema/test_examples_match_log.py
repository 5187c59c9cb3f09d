"""The conversation in the docs is the one that the engine would produce, except for salts and hashes."""

import re
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.match import Command, MatchOpening, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import RecordMeta, SealedRecord
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.actions import TakeSeat
from diskwars_protocol.match.ids import PUBLIC, DecisionId, PlayerId
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskwarsSettings, Loadout
from diskwars_protocol.rulesets.samples import SHOWN
from diskwars_protocol.schema import examples

RULES: MatchRules[Any, Any, Any] = MatchRules(Diskwars(replace(core_pack(), pack=SHOWN.packs[0])))
SECRETS = MatchSecrets(bytes(32), bytes(32))
HEX = re.compile(rb'"[0-9a-f]{32,64}"')
TAKE_SEAT = {examples.PLAYER_ANN: "empire-patrol", examples.PLAYER_BEN: "greenskin-patrol"}


def shown_append(sealed: SealedRecord, viewer: int) -> Records:
    return Records(examples.MATCH, (sealed.shown_to(viewer),))


def command(player: PlayerId, decision: str, at: int) -> Command[Action]:
    chain = next(action for action in examples.ACTIONS if isinstance(action, TakeSeat)).chain_head
    return Command(player, DecisionId(decision), TakeSeat(chain, Loadout(TAKE_SEAT[player])), at)


def open_match() -> tuple[MatchLog, Records]:
    opening = MatchOpening(
        examples.MATCH, DiskwarsSettings(regiments=1), 2, examples.PLAYER_ANN, examples.START_TIME_MS
    )
    log, first = MatchLog.open(
        RULES,
        opening,
        SECRETS,
        RecordMeta(examples.PLAYER_ANN, "2a77"),
        lambda: bytes(16),
    )
    return log, shown_append(first, PUBLIC)


def take_seat(log: MatchLog, player: PlayerId, decision: str, at: int) -> Records:
    proposal = log.decide(command(player, decision, at), decision, SECRETS, lambda: bytes(16))
    log.commit(proposal)
    return shown_append(proposal.record, 0)


def masked(message: Struct) -> bytes:
    return HEX.sub(b'"..."', encode(message))  # type: ignore[arg-type]


def test_the_records_of_the_story_are_those_that_the_engine_makes_and_the_codec_shows() -> None:
    log, first = open_match()
    made = [
        first,
        take_seat(log, examples.PLAYER_ANN, "1.0", examples.START_TIME_MS + 2000),
        take_seat(log, examples.PLAYER_BEN, "1.1", examples.START_TIME_MS + 3000),
    ]
    expected = [message for message in examples.CONVERSATION if isinstance(message, Records)]
    assert [masked(frame) for frame in made] == [masked(frame) for frame in expected]


def test_the_refusal_of_the_story_is_the_engines() -> None:
    log, _ = open_match()
    take_seat(log, examples.PLAYER_ANN, "1.0", examples.START_TIME_MS + 2000)
    with pytest.raises(Illegal) as caught:
        log.decide(
            command(examples.PLAYER_ANN, "1.0", examples.START_TIME_MS + 4000), "4c19", SECRETS, lambda: bytes(16)
        )
    refused = examples.find_example(Refused)
    assert isinstance(refused, Refused)
    illegal = caught.value
    assert (refused.code, refused.text, refused.rule, refused.place) == (
        illegal.code,
        illegal.text,
        illegal.rule or None,
        illegal.place or None,
    )
