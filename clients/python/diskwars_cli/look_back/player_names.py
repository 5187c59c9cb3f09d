"""Names of the players of the own database, as everybody sees them."""

from collections.abc import Iterable

from diskwars_cli.console.command import requires_server
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import PlayerId
from diskwars_server.store.accounts import Accounts


async def find_names(accounts: Accounts, ids: Iterable[str]) -> dict[str, str]:
    """Return the names of these players as everybody sees them; a bot has no other than its id, the host none."""
    with requires_server():
        from diskwars_server.players.accounts import player_summary

    wanted = tuple(dict.fromkeys(ids))
    accounts_by_id = await accounts.find_players([id for id in wanted if id])
    people = [PlayerId(id) for id in wanted if id and bot_name(id) is None]
    return dict.fromkeys(wanted, "") | {id: player_summary(id, accounts_by_id.get(id))[0] for id in people}
