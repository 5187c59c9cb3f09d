"""Names of the players of the own database, as everybody sees them."""

import time
from collections.abc import Iterable

from diskwars_cli.console.command import requires_server
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_server.store.accounts import Accounts


async def find_names(accounts: Accounts, ids: Iterable[str]) -> dict[str, str]:
    """Return the names of these players as everybody sees them; a bot has no other than its id, the host none."""
    with requires_server():
        from diskwars_server.players.guest_names import find_shown

    wanted = tuple(dict.fromkeys(ids))
    shown = await find_shown(
        accounts, [id for id in wanted if id and bot_name(id) is None], time.time_ns() // 1_000_000
    )
    return dict.fromkeys(wanted, "") | {id: player.name for id, player in shown.items()}
