"""Fields that do not exist are found in what a client sends, at every level, and passed over in records."""

import msgspec
import pytest

from diskwars_protocol.connection.known_fields import UnknownField, check_known_fields
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from tests.rows import each_row

ACTIONS = msgspec.json.Decoder(DISKWARS.action)


@each_row(
    "action",
    [
        '{"type":"lock_card","card":"charge","salt":"00","seat_nonce":""}',
        '{"type":"move_disk","disk":3,"path":[[1,2],[3,4]]}',
        '{"type":"deploy","disks":[{"disk":1,"x":2,"y":3}]}',
        '{"type":"take_seat","chain_head":"ab","loadout":{"army":"own","regiments":[{"hero":"x","units":["y"]}]}}',
        '{"type":"resign"}',
    ],
)
def test_an_action_with_existing_fields_passes(action: str) -> None:
    check_known_fields(action.encode(), ACTIONS.decode(action))


@each_row(
    ("action", "place", "text"),
    [
        ('{"type":"end_card","card":"x"}', ".card", "no field `card`"),
        ('{"type":"focus","disk":1,"ability":0,"tgt":2}', ".tgt", "no field `tgt`"),
        ('{"type":"deploy","disks":[{"disk":1,"x":2,"y":3},{"disk":1,"x":2,"y":3,"z":4}]}', ".disks[1].z", "`z`"),
        ('{"type":"choose_targets","targets":[{"disk":1,"target":2,"third":3}]}', ".targets[0].third", "`third`"),
        ('{"type":"take_seat","chain_head":"ab","loadout":{"armys":"x","army":"y"}}', ".loadout.armys", '"army"?'),
        (
            '{"type":"take_seat","chain_head":"ab","loadout":{"army":"own","regiments":[{"hero":"x","unit":["y"]}]}}',
            ".loadout.regiments[0].unit",
            '"units"?',
        ),
    ],
)
def test_an_unknown_field_is_found_at_every_level(action: str, place: str, text: str) -> None:
    with pytest.raises(UnknownField) as found:
        check_known_fields(action.encode(), ACTIONS.decode(action))
    assert found.value.place == place
    assert text in str(found.value)


def test_settings_with_an_unknown_field_are_found_and_a_record_with_one_is_read() -> None:
    raw = b'{"pins":"strict","invented":1}'
    settings = msgspec.json.decode(raw, type=a.DiskwarsSettings)
    with pytest.raises(UnknownField, match="invented"):
        check_known_fields(raw, settings)


def test_readers_of_records_pass_over_unknown_fields_at_every_level() -> None:
    body = DISKWARS.decode_body(
        b'{"at_ms":1,"later":2,"action":{"type":"end_card","later":3},'
        b'"events":[{"type":"round_began","round":1,"later":{"deep":1}}]}'
    )
    assert isinstance(body.action, a.EndCard)
    assert len(body.events) == 1
