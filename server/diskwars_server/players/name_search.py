"""Search of an account by its name, as somebody typed it."""

from diskwars_server.players.names import known_keys
from diskwars_server.store.accounts import Accounts, StoredAccount


async def find_by_name(accounts: Accounts, typed: str) -> StoredAccount | None:
    """Return the account of a name, also of one that only an earlier build took. Raises StoreUnavailable."""
    for key in known_keys(typed):
        account = await accounts.find_name(key)
        if account is not None:
            return account
    return None
