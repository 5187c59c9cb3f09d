"""Settings of a server: command line over environment over defaults, in one frozen struct."""

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace


class SettingsError(Exception):
    """An invalid setting; the text says which one, its source, and why."""


class ServerSettings(Struct, frozen=True, kw_only=True):
    """`data` is the folder of the embedded database, which is used when there is no `database_url`.

    No `origins` means that pages of any origin may connect. `pack` are the content packs played with besides the core
    set. `seed` makes every secret of every match repeatable.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    data: Path | None = None
    database_url: str = ""
    origins: tuple[str, ...] = ()
    pack: tuple[str, ...] = ()
    connections: int = 1000
    matches: int = 1024
    open_matches: int = 50
    token_days: int = 30
    seed: int | None = None
    log_level: str = "info"


class _SettingOption(Struct, frozen=True):
    name: str
    variable: str
    read: Callable[[str], object]
    help: str
    repeatable: bool = False


def _parse_count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError("negative")
    return number


def _parse_port(text: str) -> int:
    if not 0 <= int(text) <= 65535:
        raise ValueError("no port")
    return int(text)


def _parse_origins(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _parse_packs(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(os.pathsep)))


def _parse_log_level(text: str) -> str:
    if text.lower() not in ("debug", "info", "warning", "error"):
        raise ValueError("no level")
    return text.lower()


PACK_HELP = "expansion, the folder of one, or a file of your own"
OPTIONS = (
    _SettingOption("host", "DISKWARS_HOST", str, "address to listen on (127.0.0.1)"),
    _SettingOption("port", "DISKWARS_PORT", _parse_port, "port to listen on, 0 for any free one (8765)"),
    _SettingOption("data", "DISKWARS_DATA", Path, "folder of the embedded database (in the user's data directory)"),
    _SettingOption(
        "database_url", "DATABASE_URL", str, "a PostgreSQL to use instead, postgresql://user:password@host/name"
    ),
    _SettingOption(
        "origins", "DISKWARS_ORIGINS", _parse_origins, "origins whose pages may connect, comma between (any)"
    ),
    _SettingOption(
        "pack", "DISKWARS_PACK", _parse_packs, f"a pack to play with: {PACK_HELP}; may be given again", repeatable=True
    ),
    _SettingOption("connections", "DISKWARS_CONNECTIONS", _parse_count, "most connections at once (1000)"),
    _SettingOption("matches", "DISKWARS_MATCHES", _parse_count, "most matches kept ready at once (1024)"),
    _SettingOption(
        "open_matches",
        "DISKWARS_OPEN_MATCHES",
        _parse_count,
        "most unfinished matches that one player opened, 0: any (50)",
    ),
    _SettingOption("token_days", "DISKWARS_TOKEN_DAYS", _parse_count, "days for which a player's token is good (30)"),
    _SettingOption("seed", "", int, "make all secrets from this number: repeatable matches, whose dice prove nothing"),
    _SettingOption("log_level", "DISKWARS_LOG_LEVEL", _parse_log_level, "debug, info, warning or error (info)"),
)
STORE_OPTIONS = ("data", "database_url")
"""The options of whatever touches a store."""
SERVER_OPTIONS = (
    "host",
    "port",
    *STORE_OPTIONS,
    "origins",
    "pack",
    "connections",
    "matches",
    "open_matches",
    "token_days",
    "log_level",
)
"""The options of a server on a network. Not the seed: dice that follow from it are for demonstrations only."""


def add_options(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add `--host`, `--database-url` and the rest, or only the options named."""
    for option in OPTIONS:
        if not names or option.name in names:
            flag = f"--{option.name.replace('_', '-')}"
            named = f" [{option.variable}]" if option.variable else ""
            how = "append" if option.repeatable else "store"
            parser.add_argument(
                flag, dest=option.name, metavar=option.name.upper(), help=option.help + named, action=how
            )


def parse_settings(options: argparse.Namespace, environment: Mapping[str, str]) -> ServerSettings:
    """The settings; an option that the parser does not have is taken from the environment. Raises SettingsError."""
    chosen: dict[str, object] = {}
    for option in OPTIONS:
        text, source = getattr(options, option.name, None), f"--{option.name.replace('_', '-')}"
        # a folder that is typed is meant, whatever database the environment names
        is_typed_over = option.name == "database_url" and bool(getattr(options, "data", None))
        if text is None and option.variable and not is_typed_over:
            text, source = environment.get(option.variable), option.variable
        if isinstance(text, list):
            text = os.pathsep.join(text)
        if not text:
            continue
        try:
            chosen[option.name] = option.read(text)
        except ValueError:
            raise SettingsError(f"{source}: {text!r} is not valid; {option.help}") from None
    return replace(ServerSettings(), **chosen)
