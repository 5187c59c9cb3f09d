"""The acts of the `admin` verb on matches: listing them, and looking into one."""

import sys
from typing import Literal

import msgspec

from diskwars_cli.admin.admin import read_clock, run_act, time_text
from diskwars_cli.console.command import CommandError
from diskwars_cli.console.output import print_table
from diskwars_cli.look_back.player_names import find_names
from diskwars_cli.look_back.stored_matches import StoredMatch, load_match, result_text, run_with_store, search_matches
from diskwars_cli.options.match_filters import MatchFilters
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.match import AnyRules, MatchRules
from diskwars_protocol.match.ids import ALL, seat_letter
from diskwars_protocol.match.replay import ReplayError
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.records import openings_of
from diskwars_server.community.operators import ActRefused, Operators
from diskwars_server.store.database import Database
from diskwars_server.store.match_index import Listing


def run_list(
    status: Literal["open", "running", "ended"] | None, limit: int, *, filters: MatchFilters, data: DataOptions
) -> int:
    filters.require_status(status)

    async def job(database: Database) -> int:
        if filters.is_empty:
            listings = await database.matches.list_matches(status, limit)
        else:
            listings = (await search_matches(database, filters, limit))[:limit]
        ids = [player for listing in listings for player in (listing.opener, *listing.seats) if player]
        names = await find_names(database.accounts, ids)
        heads = await database.events.heads([listing.match for listing in listings])
        rows = [_row(listing, names, heads.get(listing.match, 0)) for listing in listings]
        if rows:
            print_table(
                ("match", "opened", "ruleset", "status", "visible", "records", "opener", "seats", "result"), rows
            )
        else:
            print("no matches")
        return 0

    return run_with_store(data, job)


def _row(listing: Listing, names: dict[str, str], head: int) -> tuple[str, ...]:
    def shown(player: str | None) -> str:
        return " ".join(filter(None, (player, names.get(player, "")))) if player else "-"

    seats = ", ".join(f"{seat_letter(seat)} {shown(player)}" for seat, player in enumerate(listing.seats))
    return (
        listing.match,
        time_text(listing.created_ms),
        listing.ruleset,
        listing.status,
        listing.match_options.visibility,
        str(head),
        shown(listing.opener),
        seats,
        result_text(listing.result),
    )


def run_end(match: str, *, reason: str, operator: str, data: DataOptions) -> int:
    def load_rules(name: str) -> AnyRules | None:
        return MatchRules(load_ruleset(name, ())) if name in RULESETS else None

    async def act(operators: Operators) -> str:
        return f"match {match} has ended with record {await operators.end_match(match, reason, load_rules)}"

    return run_act(data, operator, act)


def run_inspect(match: str, *, seq: int | None, reason: str, operator: str, data: DataOptions) -> int:
    async def job(database: Database) -> int:
        operators = Operators(database, await read_clock(database), operator)
        try:
            await operators.require_match(match)
            stored = await load_match(database, match)
            shown = _record_lines(stored) if seq is None else [_state_json(stored, seq)]
            # The act is stored before anything is printed: if that fails, the operator sees nothing.
            await operators.inspect(match, reason, seq)
        except ActRefused as refused:
            raise CommandError(f"{refused} ({refused.code})") from None
        sys.stdout.buffer.writelines(shown)
        return 0

    return run_with_store(data, job)


def _state_json(stored: StoredMatch, seq: int) -> bytes:
    try:
        state = stored.replay().state(seq)
    except ReplayError as fault:
        raise CommandError(str(fault)) from None
    return msgspec.json.format(encode_canonical(state), indent=2) + b"\n"


def _record_lines(stored: StoredMatch) -> list[bytes]:
    """Return the records as JSON lines: after the end with all that opens what is sealed in them."""
    lines = []
    for record in stored.records:
        about: dict[str, object] = {
            "seq": record.seq,
            "at_ms": record.at_ms,
            "actor": record.actor,
            "command": record.command_id,
            "rules_version": record.rules_version,
            "hash": record.hash.hex(),
        }
        if stored.viewer == ALL:
            about |= {"salt": record.salt.hex(), "openings": openings_of(record)}
        lines.append(msgspec.json.encode(about | {"body": msgspec.Raw(record.body)}) + b"\n")
    return lines
