"""Matches of two bots with names, played over sockets on the server of a page, for screens that show them."""

import asyncio
import random

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout

NAMES = ("Marek", "Ilse")
PASSWORD = "the griffon flies at dawn"
ARMIES = ("empire-patrol", "greenskin-patrol")
SECONDS = 120


async def play_quick_match(site: str, options: MatchOptions = DEFAULT_MATCH_OPTIONS, acts: int | None = None) -> str:
    """Let two players play a quick match to its end, or up to the record `acts`, and return its id."""
    address = site.replace("http", "ws", 1) + "ws"
    async with asyncio.timeout(SECONDS), connect(address) as first, connect(address) as second:
        for client, name in zip((first, second), NAMES, strict=True):
            await client.accounts.register(name, PASSWORD)
        opened = await first.open_match(DiskwarsSettings(setup="quick", regiments=1), match_options=options)
        playing = [asyncio.create_task(_play(client, opened.id, seat)) for seat, client in enumerate((first, second))]
        if acts is None:
            await asyncio.gather(*playing)
        else:
            while opened.head < acts:  # a bot reads its updates: they come to one reader
                await asyncio.sleep(0.02)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    return str(opened.id)


async def _play(client: Client, match: str, seat: int) -> None:
    handle = await client.watch(match)
    await handle.take_seat(Loadout(ARMIES[seat]), seat)
    await play_bot(handle, BOTS["greedy"], random.Random(seat))
