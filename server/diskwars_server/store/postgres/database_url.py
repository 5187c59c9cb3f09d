"""The address of a database: read from the forms of hosting providers, and what of it a connection is made with.

The driver takes what it does not know as a setting of the session, which PostgreSQL then refuses when the first
connection is made. So each parameter is taken or refused here, by its name.
"""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import asyncpg
from msgspec import Struct

from diskwars_server.store.errors import StoreUnavailable

_DRIVER_PARAMETERS = frozenset(
    {
        *("host", "port", "user", "password", "dbname", "database", "passfile", "service", "target_session_attrs"),
        *("sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslpassword", "sslnegotiation"),
        *("ssl_min_protocol_version", "ssl_max_protocol_version", "krbsrvname", "gsslib"),
    }
)
"""Read by the driver as libpq does (asyncpg 0.32)."""
_SESSION_PARAMETERS = frozenset({"application_name", "options"})
_FILE_PARAMETERS = ("passfile", "sslcert", "sslkey", "sslrootcert", "sslcrl")
_SSL_MODES = {"true": "require", "1": "require", "false": "disable", "0": "disable"}
"""Values of `ssl`, as other drivers have it; the other values are those of `sslmode`."""
_USUAL_VALUES: Mapping[str, tuple[str, ...]] = {
    "channel_binding": ("prefer", "disable"),
    "gssencmode": ("prefer", "disable"),
    "client_encoding": ("utf8", "utf-8", "unicode", "auto"),
    "load_balance_hosts": ("disable",),
    "sslcompression": ("0",),
    "sslsni": ("1",),
}
"""Parameters that may be given with what the driver does anyway, and those values."""
_REASONS: Mapping[str, str] = {
    "pgbouncer": "the server needs a pooler that keeps a connection for each session; see docs/operating.md",
    "statement_cache_size": "the server keeps its statements prepared, for which a pooler has to keep sessions",
    "prepared_statement_cache_size": "the server keeps its statements prepared",
    "command_timeout": "the server has its own limits for the time of an answer",
    "keepalives": "the server notices a dead connection by its own limits",
    "tcp_user_timeout": "the server notices a dead connection by its own limits",
}
_UNREADABLE = "unreadable database address; it looks like postgresql://user:password@host/name"


class DatabaseUrl(Struct, frozen=True):
    """An address that was read. `dsn` may hold a password, so nothing shows it."""

    dsn: str
    session_settings: Mapping[str, str]
    connect_seconds: float | None = None
    is_remote: bool = False
    """Whether a host is named, which may be a pooler. Otherwise the database listens in a folder."""

    def __repr__(self) -> str:
        return "DatabaseUrl(...)"

    async def connect(self, connect_seconds: float, command_seconds: float | None) -> asyncpg.Connection:
        """Return a connection. Raises what the driver raises."""
        return await asyncpg.connect(
            self.dsn,
            timeout=self.connect_seconds or connect_seconds,
            command_timeout=command_seconds,
            server_settings={"application_name": "diskwars", **self.session_settings},
        )


def parse_database_url(url: str) -> DatabaseUrl:
    """Read an address. Raises `StoreUnavailable` in words that tell no password."""
    try:
        parts = urlsplit(url)
        scheme = parts.scheme.partition("+")[0]
        fields = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise StoreUnavailable(_UNREADABLE) from None
    if not scheme or not (parts.netloc or parts.path) or not _are_ports(parts.netloc.rpartition("@")[2]):
        raise StoreUnavailable(_UNREADABLE)
    if scheme not in ("postgresql", "postgres"):
        raise StoreUnavailable(f"not a PostgreSQL database: {scheme}://")
    if "ssl" in fields:
        mode = fields.pop("ssl")
        fields.setdefault("sslmode", _SSL_MODES.get(mode.lower(), mode))
    connect_seconds = _read_seconds(fields.pop("connect_timeout", ""))
    fallback_name = fields.pop("fallback_application_name", "")
    settings = {name: value for name, value in fields.items() if name in _SESSION_PARAMETERS and value}
    if fallback_name:
        settings.setdefault("application_name", fallback_name)
    for name, value in fields.items():
        _require_known(name, value)
    # An empty value stands for the default, which the driver does not read so.
    query = urlencode({name: value for name, value in fields.items() if name in _DRIVER_PARAMETERS and value})
    dsn = f"postgresql://{parts.netloc}{parts.path}{'?' if query else ''}{query}"
    hosts = parts.netloc.rpartition("@")[2] or fields.get("host", "/")
    return DatabaseUrl(dsn, settings, connect_seconds, is_remote=not hosts.startswith("/"))


def _are_ports(hosts: str) -> bool:
    """Whether each host of a list has a port or none; addresses of IPv6 are in brackets."""
    for host in hosts.split(","):
        port = host.rpartition("]")[2].partition(":")[2]
        if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
            return False
    return True


def _read_seconds(value: str) -> float | None:
    if value in ("", "0"):
        return None
    if not (value.isascii() and value.isdecimal() and len(value) < 6):
        raise StoreUnavailable("the database address has a connect_timeout that is no number of seconds")
    return float(value)


def _require_known(name: str, value: str) -> None:
    """Refuse a parameter that would have no effect or another one than it says."""
    if name in _FILE_PARAMETERS and value and not Path(value).expanduser().is_file():
        raise StoreUnavailable(f"the database address has {name}={value}, and there is no such file")
    if name in _DRIVER_PARAMETERS or name in _SESSION_PARAMETERS or value in _USUAL_VALUES.get(name, ()):
        return
    if name in _USUAL_VALUES:
        known = " or ".join(_USUAL_VALUES[name])
        raise StoreUnavailable(
            f"the database address has {name}={value}, which the driver cannot do: leave it out, or use {known}"
        )
    why = _REASONS.get(name) or _REASONS.get(name.partition("_")[0])
    hint = why or "settings of a session are given as options=-c%20NAME%3DVALUE"
    raise StoreUnavailable(f"the database address has the parameter {name}, which is not taken here: {hint}")
