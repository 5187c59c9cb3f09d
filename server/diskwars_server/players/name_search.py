"""Search of an account by its name, as somebody typed it."""

from diskwars_server.players.names import known_keys
from diskwars_server.store.accounts import Accounts, StoredAccount


async def find_by_name(accounts: Accounts, typed: str) -> StoredAccount | None:
    """Return the account of a name, also of one that only an earlier build took. Raises StoreUnavailable.

    Those who log in and recover an account name it so: a former name would be another target of guesses.
    """
    for key in known_keys(typed):
        account = await accounts.find_name(key)
        if account is not None:
            return account
    return None


async def find_by_any_name(accounts: Accounts, typed: str, now: int) -> StoredAccount | None:
    """Return the account of a name, or the one for which this former name is reserved. Raises StoreUnavailable."""
    if found := await find_by_name(accounts, typed):
        return found
    for key in known_keys(typed):
        if found := await accounts.find_former_name(key, now):
            return found
    return None
