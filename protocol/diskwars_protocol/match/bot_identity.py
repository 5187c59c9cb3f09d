"""Player ids of the bots that a server seats: everybody can tell them from people, in lists and in records."""

import re

from diskwars_protocol.match.ids import SEAT_LETTERS, PlayerId, Seat, seat_letter

BOT_NAME_PATTERN = "^[a-z][a-z0-9]{0,31}$"
"""The form of a bot's name that fits into a player id."""
_BOT_PLAYER_PREFIX = "bot-"
_BOT_PLAYER = re.compile(f"bot-([a-z][a-z0-9]{{0,31}})-[{SEAT_LETTERS.lower()}]")


def bot_player(bot: str, seat: Seat) -> PlayerId:
    """Return the player id of a bot on a seat, such as `bot-greedy-b`.

    The seat is a part of it because no player sits twice in a match. Servers give ids with a hyphen to nobody else.
    """
    return PlayerId(f"{_BOT_PLAYER_PREFIX}{bot}-{seat_letter(seat).lower()}")


def bot_name(player: str | None) -> str | None:
    """Return the name of the bot that has this player id; None for a person, and for nobody."""
    if player is None or not player.startswith(_BOT_PLAYER_PREFIX):
        return None
    parts = _BOT_PLAYER.fullmatch(player)
    return parts[1] if parts else None
