"""The actions that the load generator sends: whole matches of greedy bots, played in memory beforehand.

A match on the server proceeds like the recorded one if its secrets are the same. The measured server therefore derives
them from the number of the trace, with which the opener's command id begins. Nonces and salts of the seats are part of
the actions.
"""

from functools import cache

import msgspec
from msgspec import Struct

from diskwars_cli.plugs import seeds
from diskwars_cli.rulesets.diskwars.bot_matches import bot_match_records
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_protocol.records.fairness import Entropy
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout

FIRST_TRACE_SEED = 1000
TRACE_SETTINGS = DiskwarsSettings(setup="full", regiments=1)


class RecordedAction(Struct, frozen=True, array_like=True):
    """One action: its seat, the decision it answers, the action as JSON, and the seq of the record that it makes."""

    seat: int
    decision: str
    action: msgspec.Raw
    last_seq: int


class Trace(Struct, frozen=True):
    """A whole match. `number` selects its secrets; `opening_seq` is the seq of its opening record."""

    number: int
    seats: int
    opening_seq: int
    actions: tuple[RecordedAction, ...]


def trace_number(command: str) -> int:
    """Return the number of the trace from the id of the command that opens a match, such as `3-17`."""
    number = command.partition("-")[0]
    return int(number) if number.isdecimal() else 0


def server_entropy(trace: int) -> Entropy:
    """Return the server's entropy in a match of this trace."""
    return seeds.server_entropy(FIRST_TRACE_SEED + trace)


@cache
def record_match(number: int, seats: int) -> Trace:
    """Play one match to its end; cached for all programs of a run."""
    seed = FIRST_TRACE_SEED + number
    armies = [army.id for army in core_pack().armies.values() if len(army.regiments) == TRACE_SETTINGS.regiments]
    loadouts = [Loadout(name) for name in seeds.draw_armies(seed, armies, seats)]
    records = bot_match_records(seed, ["greedy"] * seats, loadouts, TRACE_SETTINGS)
    next(records)
    opening, actions = 1, list[RecordedAction]()
    for head, body in enumerate(records, 2):
        assert body.seat is not None
        assert body.decision is not None
        action = msgspec.Raw(msgspec.json.encode(body.action))
        actions.append(RecordedAction(body.seat, body.decision, action, head))
    return Trace(number, seats, opening, tuple(actions))
