"""One run of `play` on a connection: find the seat, seat the bots, play, and keep the seat for the next run."""

import shlex
from typing import Any

from msgspec.structs import replace

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.play.match_entry import enter_match, locked_hint
from diskwars_cli.play.play_bots import WantedBots, run_own_bots, seat_bots, take_free_seat
from diskwars_cli.play.remembered.account_memory import default_account_memory
from diskwars_cli.play.remembered.seat_keeper import SeatKeeper, recover_secrets
from diskwars_cli.play.remembered.seat_memory import RememberedSeat, SeatMemory
from diskwars_cli.plugs.match_options import MatchFlags
from diskwars_cli.rulesets.registry import find_setup
from diskwars_client.client import Client
from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal import terminal
from diskwars_client.terminal.chat import TerminalChat
from diskwars_client.terminal.console import Console
from diskwars_client.terminal.reports import TerminalReports
from diskwars_client.terminal.terminal import TerminalClosed
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, DEFAULT_RULESET, MatchOptions
from diskwars_protocol.match.moments import BadMoment, parse_moment
from diskwars_protocol.messages.seeks import MatchFound

PLAYER_MODE = WatchMode(push_options=True, include_unavailable=True)
"""A player is offered their options with each record, and can ask why something is not among them."""
NO_PACK = "none"
"""The name that `--pack` takes for a match with the ruleset's own content only."""
NO_BOT = "none"
"""The name that `--bot` takes to wait for people."""


class PlayOptions(MatchFlags, frozen=True, kw_only=True):
    """Options of `play`. `match` is the match to join or resume, `opened` are the options of a match that is opened.

    `branch_of` is the moment of another match from which a new one plays on, as text.

    `password` is that of the match, `invite` the code of an invite; a match that is opened with `invited_only` needs an
    invite. With `quick` it is one with people who seek the same. Without `url` the server is the user's own on this
    machine. There is no token among them: other users of a machine can read its command lines.
    """

    url: str | None = None
    match: str | None = None
    branch_of: str | None = None
    resume: bool = False
    bot: str | None = None
    bell: bool = True
    opened: MatchOptions = DEFAULT_MATCH_OPTIONS
    password: str = ""
    invite: str | None = None
    invited_only: bool = False
    quick: bool = False

    @property
    def own_data(self) -> str:
        """The folder of the user's own server, as what is remembered names it; empty for the usual one."""
        folder = self.data.folder
        return "" if self.url or folder is None else str(folder.absolute())


async def play_session(
    client: Client, options: PlayOptions, console: Console, memory: SeatMemory, remembered: RememberedSeat | None
) -> None:
    """Play until the match ends or the player leaves. Raises CommandError, ClientError."""
    keeper = None if remembered is None else SeatKeeper(memory, remembered)
    pairing = await _seek_match(client, options, console) if options.quick else None
    if pairing is not None:
        options = replace(options, match=pairing.match)
    match = await enter_match(client, options.match, "" if keeper else options.password, options.invite)
    handle = await _join_match(
        client, replace(options, match=match), console, keeper, None if pairing is None else pairing.seat
    )
    if keeper is None:
        keeper = SeatKeeper(memory, _new_seat(options, handle, client))
    keeper.follow(handle, client.token)
    try:
        bots, wanted = keeper.seat.bots, None
        if options.bot and not keeper.seat.bot_names:
            _, brought = loadouts(options, handle.match.ruleset, handle.match.settings)
            wanted = WantedBots(options.bot, brought, not options.match)
            bots = await seat_bots(client, handle, keeper, wanted)
        async with run_own_bots(client.url, handle, keeper, bots, wanted) as players:
            console.print_line(f"return at any time with: {_return_command()}")
            await terminal.play_match(
                handle,
                console,
                program_name(),
                players,
                lambda ids: client.accounts.players(*ids),
                TerminalChat(client.chat, client.player, handle.id),
                TerminalReports(client.chat, handle),
            )
    except* TerminalClosed:
        pass
    finally:
        if handle.match.result is not None or handle.seat is None:  # which the narration has ended with
            if handle.match.result is not None:
                console.print_line(replay_text(keeper.seat))
            keeper.forget()
        else:
            console.print_line(_return_text(len(keeper.seat.bot_names), _return_command()))


def _new_seat(options: PlayOptions, handle: MatchHandle, client: Client) -> RememberedSeat:
    known = default_account_memory().find(options.url or "", options.own_data)
    return RememberedSeat(
        match=handle.id,
        ruleset=handle.match.ruleset,
        players=len(handle.match.seats),
        seat=handle.seat or 0,
        token="",
        url=options.url or "",
        data=options.own_data,
        account=known.player if known is not None and known.token == client.token else "",
    )


def loadouts(options: PlayOptions, ruleset: str, settings: Any = None) -> tuple[Any, tuple[Any, ...]]:
    """Return what the player brings to a match of this ruleset, and what the bots do. Raises CommandError.

    `settings` are those of a match that is there; None for one that is opened.
    """
    if ruleset != options.ruleset and options.ruleset_values:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in options.ruleset_values)
        raise CommandError(f"{flags}: the match plays {ruleset}; add --ruleset {ruleset} to choose for it")
    return find_setup(ruleset).loadouts(options, settings)


def replay_text(seat: RememberedSeat) -> str:
    """Return how a match that is over is looked at again."""
    place = f" --url {shlex.quote(seat.url)}" if seat.url else f" --data {shlex.quote(seat.data)}" if seat.data else ""
    return f"look at it again with: {program_name()} replay {seat.match} --step{place}"


def _return_command() -> str:
    return f"{program_name()} play --resume"


def _return_text(bots: int, back: str) -> str:
    """Return how a player who leaves can return."""
    texts = ("", "the bot waits for you; ")
    return f"{texts[bots] if bots < len(texts) else 'the bots wait for you; '}return with: {back}"


def _outcome_line(handle: MatchHandle) -> str:
    result = handle.match.result
    if result is None:
        return ""
    return f"winner {find_terminal(handle.match.ruleset).outcome_text(handle.match, result)}"


# ---------------------------------------------------------------- the player


async def _join_match(
    client: Client, options: PlayOptions, console: Console, keeper: SeatKeeper | None, seat: Seat | None
) -> MatchHandle:
    """Return a match in which this player has a seat: a new one, or `options.match`. Raises CommandError.

    `seat` is the one to take, None for any that is free.
    """
    handle = await _find_match(client, options, console, keeper)
    match = await handle.wait_caught_up()
    if match.status == "ended":
        if keeper is not None:
            keeper.forget()
        raise CommandError(f"match {handle.id} is over: {_outcome_line(handle)}")
    if handle.seat is not None:
        await recover_secrets(handle, None if keeper is None else keeper.seat.secrets)
    else:
        army, _ = loadouts(options, match.ruleset, match.settings)
        await take_free_seat(
            handle, army, f"`{program_name()} watch {handle.id}` shows it; `play --resume` is for its players", seat
        )
    if not options.match and not options.bot:
        way_in = f"--match {handle.id}" + (" --password" if options.password else "")
        if options.invited_only:
            way_in = f"--invite {(await client.lobby.create_invite(handle.id)).code}"
        address = f"--url {shlex.quote(client.url)} {way_in}{_join_options(match.ruleset)}"
        console.print_line(f"waiting for an opponent, who joins with:\n{program_name()} play {address}")
    return handle


async def _seek_match(client: Client, options: PlayOptions, console: Console) -> MatchFound:
    """Wait for players who seek the same, and return the match that was opened for them. Raises ClientError."""
    army, _ = loadouts(options, options.ruleset)
    settings = find_setup(options.ruleset).settings(options, army)
    console.print_line("seeking players for this match; Ctrl-C stops")
    pairing = await client.seeks.find_match(options.ruleset, options.players, settings, options.opened)
    console.print_line(f"found match {pairing.match}")
    return pairing


async def _find_match(client: Client, options: PlayOptions, console: Console, keeper: SeatKeeper | None) -> MatchHandle:
    """Watch the match that is named, or open one. A match that a server does not know any more is forgotten."""
    if options.match:
        try:
            return await client.watch(options.match, history=False, mode=PLAYER_MODE)
        except CommandRefused as refused:
            if keeper is not None and refused.code == "unknown_match":
                keeper.forget()
            raise locked_hint(refused) if refused.code == "locked" else refused from None
    if options.branch_of:
        return await _open_branch(client, options, options.branch_of, console)
    army, _ = loadouts(options, options.ruleset)
    settings = find_setup(options.ruleset).settings(options, army)
    return await client.open_match(
        settings,
        options.players,
        ruleset=options.ruleset,
        match_options=options.opened,
        mode=PLAYER_MODE,
        password=options.password or None,
        invited_only=options.invited_only,
        packs=_chosen_packs(options),
    )


def _chosen_packs(options: PlayOptions) -> tuple[str, ...] | None:
    """Return the packs for a match on a server of others; None, which is all, where none are named or it is our own.

    A pack is named by its id, or by the last part of it, which is the word for packs that come with the program.
    """
    words = options.data.packs
    if options.url is None or not words:
        return None
    return tuple(word if "/" in word else f"{options.ruleset}/{word}" for word in words if word != NO_PACK)


def check_branch(options: PlayOptions) -> None:
    """Raise CommandError for a moment that is none, or that is named beside another way into a match."""
    if options.branch_of is None:
        return
    if options.match or options.invite or options.resume:
        raise CommandError("--from opens a new match: leave out --match, --invite and --resume")
    try:
        parse_moment(options.branch_of)
    except BadMoment:
        raise CommandError(f'--from: "{options.branch_of}" is not a moment: write MATCH/SEQ') from None


async def _open_branch(client: Client, options: PlayOptions, moment: str, console: Console) -> MatchHandle:
    """Open a match that plays on from a moment of another one, and watch it."""
    point = parse_moment(moment)
    opened = await client.lobby.branch(
        point.match,
        point.seq,
        options.opened,
        password=options.password or None,
        invited_only=options.invited_only,
    )
    if opened.resampled:
        console.print_line("what you may not see of that match was drawn at random")
    return await client.watch(opened.match, history=False, mode=PLAYER_MODE)


def _join_options(ruleset: str) -> str:
    """Return the options that a second player may want; those of a ruleset need its name, unless it is the default."""
    options = find_setup(ruleset).join_options
    return f" --ruleset {ruleset}{options}" if options and ruleset != DEFAULT_RULESET else options
