"""Ending of a match for an operator, directly in the store: no node has to run, and those that do find the record."""

import os
from collections.abc import Callable

from diskwars_engine.match import AnyRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import LogError, MatchLog, ruleset_of
from diskwars_engine.record_codec import RecordMeta
from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_server.matches.listings import listing_after
from diskwars_server.matches.salts import make_salt_source
from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import changed_deadlines
from diskwars_server.store.errors import DuplicateCommand, OutcomeUnknown, StoreUnavailable, WrongVersion
from diskwars_server.store.event_log import AppendRequest

STOP_COMMAND = "stopped"
"""The command id under which the server ends a match for an operator."""
MAX_ATTEMPTS = 8
"""Attempts to store the record, while players go on."""

LoadRules = Callable[[str], AnyRules | None]
"""Returns the rules of a ruleset by its name; None for one that is not installed."""


class AlreadyEnded(Exception):
    """The match has ended otherwise."""


async def stop_match(database: Database, match: str, load_rules: LoadRules, clock: Callable[[], int]) -> int:
    """End a match and return the seq of its last record, also where that was stored before.

    A match that has not begun is closed, as the server does with those that wait too long. Raises AlreadyEnded,
    UnknownMatch, LogError and StoreUnavailable.
    """
    for _ in range(MAX_ATTEMPTS):
        kept = await database.vault.secrets(match)
        records = await database.events.read(match)
        rules = load_rules(ruleset_of(records[0]))
        if rules is None:
            raise LogError(f"match {match}: there is no ruleset {ruleset_of(records[0])}")
        log = MatchLog.load(rules, MatchId(match), records)
        if log.state.status == "ended":
            if (HOUSE, STOP_COMMAND) not in log.receipts:
                raise AlreadyEnded
            await database.vault.forget_secrets(match)
            return log.head
        if "far_end" not in kept:
            raise LogError(f"match {match}: its secrets are missing")
        try:
            await database.events.append(_last_append(log, MatchSecrets(kept["far_end"], kept["deal"]), clock()))
        except (WrongVersion, DuplicateCommand, OutcomeUnknown):
            continue  # what is stored decides: a player was quicker, or the record is there
        await database.vault.forget_secrets(match)
        return log.head + 1
    raise StoreUnavailable(f"the players of match {match} are quicker: try again")


def _last_append(log: MatchLog, secrets: MatchSecrets, now_ms: int) -> AppendRequest:
    before, salts = log.state, make_salt_source(os.urandom)
    meta, at = RecordMeta(HOUSE, STOP_COMMAND), max(now_ms, before.at_ms)
    is_open = before.status == "open"
    proposal = log.close(meta, at, secrets, salts) if is_open else log.stop(meta, at, secrets, salts)
    vocabulary = log.codec.rules.vocabulary
    deadlines, closed = changed_deadlines(before, proposal.after)
    return AppendRequest(
        match=log.codec.match,
        expected=log.head,
        record=proposal.record.record,
        listing=listing_after(
            vocabulary, proposal.after, log.opener, log.opened_at_ms, updated_ms=at, records=proposal.seq
        ),
        deadlines=deadlines,
        closed_decisions=closed,
    )
