"""The act of the `admin` verb that lists notices which were given up."""

from diskwars_cli.admin.admin import print_rows, time_text
from diskwars_cli.look_back.player_names import find_names
from diskwars_cli.look_back.stored_matches import run_with_store
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_server.store.database import Database
from diskwars_server.store.notices import DeadDelivery, StoredChannel, kind_of

COLUMNS = ("at", "player", "channel", "attempts", "about", "why")
REMOVED = "removed since"


def run_notices(*, limit: int, data: DataOptions) -> int:
    """Print what nobody has taken, the latest first. No address is shown: it is its player's."""

    async def job(database: Database) -> int:
        dead = await database.notices.list_dead(limit)
        players = list(dict.fromkeys(each.delivery.player for each in dead))
        names = await find_names(database.accounts, players)
        channels = await database.notices.find_channels(players)
        kinds = {channel.channel: channel for own in channels.values() for channel in own}
        rows = [_row(each, names, kinds.get(each.delivery.channel)) for each in dead]
        return print_rows(COLUMNS, rows, "no notice was given up")

    return run_with_store(data, job)


def _row(dead: DeadDelivery, names: dict[str, str], channel: StoredChannel | None) -> tuple[str, ...]:
    delivery = dead.delivery
    return (
        time_text(delivery.created_ms),
        " ".join(filter(None, (delivery.player, names[delivery.player]))),
        REMOVED if channel is None else kind_of(channel.target),
        str(delivery.attempts),
        ", ".join(f"{text.kind} {text.match}" for text in delivery.texts) or "a trial of the channel",
        dead.why,
    )
