"""Server settings: one struct declares every name, default, unit, range and help text.

Command-line flags, environment variables, the settings file and the table in docs/operating.md are derived from it.
The use of a setting is left to others.
"""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields, replace


class SettingsError(Exception):
    """A setting with an invalid value; the text names it, where it was given, and what would be valid."""


Count = Annotated[int, Meta(ge=0)]


class ServerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that the person who starts a server decides.

    `extra` of a field: `unit` names what the value is (shown as its placeholder), `variable` replaces the environment
    variable DISKWARS_NAME (an empty one: not from the environment), `separator` splits a text into several values,
    `default` words a default that is worked out later.
    """

    host: Annotated[
        str, Meta(description="Address to listen on; 0.0.0.0 for all interfaces", extra={"unit": "address"})
    ] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Port to listen on; 0 picks a free one")] = 8765
    workers: Annotated[
        int,
        Meta(
            ge=1,
            le=16,
            description="Processes that serve on the port, one for each processor core at most; with several, each has "
            "the limits below for itself, and a share of those of an address",
        ),
    ] = 1
    data: Annotated[
        Path | None,
        Meta(
            description="Folder of the embedded database",
            extra={"unit": "folder", "default": "your user data directory"},
        ),
    ] = None
    database_url: Annotated[
        str,
        Meta(
            description="PostgreSQL 15 or newer to use instead: postgresql://user:password@host/name",
            extra={"unit": "url", "variable": "DATABASE_URL", "default": "the embedded database"},
        ),
    ] = ""
    nats_url: Annotated[
        str,
        Meta(
            description="NATS server through which several servers on one database notify each other: "
            "nats://host:4222; those of a cluster are separated by commas",
            extra={"unit": "url", "variable": "NATS_URL", "default": "none"},
        ),
    ] = ""
    public_url: Annotated[
        str,
        Meta(
            description="Address at which players reach the page: https://disks.example.org. With it the server sends "
            "notices to players who are not there",
            extra={"unit": "url", "default": "none"},
        ),
    ] = ""
    smtp_url: Annotated[
        str,
        Meta(
            description="Mail server for notices: smtp://user:password@host:587 (STARTTLS), smtps:// where TLS comes "
            "first, or smtp+plain:// without TLS",
            extra={"unit": "url", "default": "none"},
        ),
    ] = ""
    mail_from: Annotated[
        str,
        Meta(
            description="Address that mail comes from: disks@example.org",
            extra={"unit": "address", "default": "none"},
        ),
    ] = ""
    notice_networks: Annotated[
        tuple[str, ...],
        Meta(
            description="Private addresses or networks (10.0.0.0/8) to which notices may be posted, also without TLS, "
            "separated by commas: for example a club's own ntfy",
            extra={"unit": "addresses", "separator": ",", "default": "none"},
        ),
    ] = ()
    origins: Annotated[
        tuple[str, ...],
        Meta(
            description=(
                "Origins whose web pages may connect, separated by commas; programs send none and are always allowed"
            ),
            extra={"unit": "origins", "separator": ",", "default": "any"},
        ),
    ] = ()
    pack: Annotated[
        tuple[str, ...],
        Meta(
            description="Content pack to add to the core set: expansion, a folder, or an override file (repeatable)",
            extra={"unit": "pack", "separator": os.pathsep, "default": "none"},
        ),
    ] = ()
    tls_cert: Annotated[
        Path | None,
        Meta(
            description="Certificate in PEM form, with those that lead to its root: the server speaks TLS itself",
            extra={"unit": "file", "default": "none"},
        ),
    ] = None
    tls_key: Annotated[
        Path | None,
        Meta(
            description="Private key of --tls-cert, in PEM form and without a password",
            extra={"unit": "file", "default": "none"},
        ),
    ] = None
    connections: Annotated[
        Count,
        Meta(
            description="Maximum number of connections; further ones take a place of the address that has the most, "
            "or are answered with HTTP 503"
        ),
    ] = 1000
    address_connections: Annotated[
        Count, Meta(description="Maximum number of connections from one address; 0 means no limit")
    ] = 100
    address_matches: Annotated[
        Count,
        Meta(description="Matches that one address may open at once, and then within each hour; 0 means no limit"),
    ] = 100
    proxies: Annotated[
        tuple[str, ...],
        Meta(
            description="Addresses or networks (10.0.0.0/8) of trusted proxies, separated by commas; "
            "they name the client in the header of --proxy-header",
            extra={"unit": "addresses", "separator": ",", "default": "none"},
        ),
    ] = ()
    proxy_header: Annotated[
        Literal["x-forwarded-for", "forwarded"],
        Meta(
            description="Header in which trusted proxies name the client: x-forwarded-for or forwarded",
            extra={"unit": "header"},
        ),
    ] = "x-forwarded-for"
    history_megabytes: Annotated[
        Count,
        Meta(
            description="Megabytes of earlier records sent to one address within ten minutes, a quarter of them on one "
            "connection; 0 means no limit",
        ),
    ] = 64
    guest_megabytes: Annotated[
        Count,
        Meta(
            description="Megabytes by which guests of one address, or a player with an account, may let the tables of "
            "the database grow within an hour; 0 means no limit",
        ),
    ] = 20
    import_megabytes: Annotated[
        Count,
        Meta(description="Megabytes of a match file that players may import, uncompressed; 0 means that none is taken"),
    ] = 8
    review_seconds: Annotated[
        int,
        Meta(
            ge=0,
            le=600,
            description="Seconds that the review of an ended match may take, in a process that goes behind everything "
            "else; 0 means that no match is reviewed",
            extra={"unit": "seconds"},
        ),
    ] = 300
    metrics: Annotated[
        str,
        Meta(
            description="Address on which Prometheus finds /metrics: 127.0.0.1:9464, or a port of 127.0.0.1 alone",
            extra={"unit": "address", "default": "off"},
        ),
    ] = ""
    trace_every: Annotated[
        int,
        Meta(
            ge=0,
            le=1_000_000,
            description="Trace one act in this many, and every notice, by OpenTelemetry; 0 traces nothing",
            extra={"unit": "number"},
        ),
    ] = 0
    drain_seconds: Annotated[
        int,
        Meta(
            ge=0,
            le=600,
            description="Seconds between a stop signal and the end of connections: meanwhile /readyz says draining, "
            "and nobody new is let in",
            extra={"unit": "seconds"},
        ),
    ] = 0
    return_grace_seconds: Annotated[
        int,
        Meta(
            ge=0,
            le=3600,
            description="Seconds that players have at least after more than five seconds without server or database; "
            "0 means that what fell due meanwhile is decided at once",
            extra={"unit": "seconds"},
        ),
    ] = 0
    matches: Annotated[
        Count, Meta(description="Maximum number of matches in memory; others are loaded from the database when needed")
    ] = 1024
    open_matches: Annotated[
        Count, Meta(description="Maximum number of unfinished matches that one player has opened; 0 means no limit")
    ] = 50
    bot_workers: Annotated[
        Count | None,
        Meta(
            description="Processes in which bots of the server think, each started when it is first needed; "
            "0 means that the server seats no bots",
            extra={"unit": "number", "default": "processors - 1, at least 1"},
        ),
    ] = None
    bot_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=600,
            description="Seconds for which a bot's decision may wait for a process, and then be thought about; "
            "after that the bot gives the default answer of the rules",
            extra={"unit": "seconds"},
        ),
    ] = 10
    player_bots: Annotated[
        Count, Meta(description="Maximum number of unfinished matches with bots of one opener; 0 means no limit")
    ] = 8
    address_bots: Annotated[
        Count,
        Meta(description="Bots that one address may seat at once, and then within each hour; 0 means no limit"),
    ] = 100
    unstarted_hours: Annotated[
        Count,
        Meta(
            description="Hours after which a match that has not begun is closed and removed; 0 keeps it for ever",
            extra={"unit": "hours"},
        ),
    ] = 24
    guest_match_days: Annotated[
        Count,
        Meta(
            description="Days after which an ended match is removed that nobody with an account has opened or played; "
            "0 keeps it for ever",
            extra={"unit": "days"},
        ),
    ] = 0
    guest_idle_days: Annotated[
        Count,
        Meta(
            description="Days without a record after which a match under way is stopped that nobody with an account "
            "has opened or plays; 0 keeps it for ever",
            extra={"unit": "days"},
        ),
    ] = 0
    archive_url: Annotated[
        str,
        Meta(
            description="Folder or bucket to which the records of old matches are moved, file:///srv/diskwars or "
            "s3://bucket/prefix; credentials come from the environment",
            extra={"unit": "url", "default": "none"},
        ),
    ] = ""
    archive_days: Annotated[
        int,
        Meta(
            ge=1,
            le=36_500,
            description="Days after its end when a match is moved to the archive",
            extra={"unit": "days"},
        ),
    ] = 90
    token_days: Annotated[
        Count,
        Meta(
            description="Days for which a device of an account stays logged in without being used; "
            "0 means for ever. Guests are never logged out",
            extra={"unit": "days"},
        ),
    ] = 30
    seed: Annotated[
        int | None,
        Meta(
            description="Derive all secrets from this number: repeatable matches, whose dice prove nothing",
            extra={"unit": "number", "variable": "", "default": "none"},
        ),
    ] = None
    page: Annotated[
        Literal["build", "built", "off"],
        Meta(
            description="Page for browsers: build it in a clone when it is missing or stale, serve it as built, or off",
            extra={"unit": "choice"},
        ),
    ] = "build"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(description="Lowest level of messages to log: debug, info, warning or error", extra={"unit": "level"}),
    ] = "info"
    log_format: Annotated[
        Literal["text", "json"],
        Meta(description="Form of the log: text (name=value) or json (one object per line)", extra={"unit": "format"}),
    ] = "text"


class Setting(Struct, frozen=True):
    """One field of `ServerSettings`, as flags, variables and docs show it."""

    name: str
    type: object
    help: str
    unit: str
    variable: str
    separator: str
    default: str
    expected: str

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def is_repeatable(self) -> bool:
        return self.separator == os.pathsep


def _setting(field: FieldInfo) -> Setting:
    metas = _metas(field.type)
    extra = {name: value for meta in metas for name, value in (meta.extra or {}).items()}
    help_text = next(meta.description for meta in reversed(metas) if meta.description)
    return Setting(
        name=field.name,
        type=field.type,
        help=help_text,
        unit=str(extra.get("unit", "number")),
        variable=str(extra.get("variable", f"DISKWARS_{field.name.upper()}")),
        separator=str(extra.get("separator", "")),
        default=str(extra.get("default", field.default)),
        expected=_expected(metas),
    )


def _expected(metas: Sequence[Meta]) -> str:
    """Return the range of a number in words."""
    least = next((meta.ge for meta in metas if meta.ge is not None), None)
    most = next((meta.le for meta in metas if meta.le is not None), None)
    if least is None:
        return ""
    return f"a number from {least} to {most}" if most is not None else f"a number, {least} or more"


def _metas(annotation: object) -> list[Meta]:
    """Return the `Meta` of an annotation, the innermost first."""
    if get_origin(annotation) is not Annotated:
        return []
    inner, *rest = get_args(annotation)
    return [*_metas(inner), *(meta for meta in rest if isinstance(meta, Meta))]


SETTINGS: Mapping[str, Setting] = {field.name: _setting(field) for field in fields(ServerSettings)}
STORE_SETTINGS = ("data", "database_url")
"""Settings of every verb that reads or writes matches."""
SERVER_SETTINGS = tuple(name for name in SETTINGS if name != "seed")
"""Settings of a server on a network. Dice from a known seed can be predicted, so it is for demonstrations only."""
SECRET_SETTINGS = ("database_url", "nats_url", "smtp_url")
"""They may hold a password: no error shows what was given."""
FILE_VARIABLE = "DISKWARS_CONFIG"
_ORIGIN = re.compile(r"null|[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?P<port>:[0-9]{1,5})?")
_MAIL_ADDRESS = re.compile(r"[!#-'*+/-9=?A-Z^-~-]+@[A-Za-z0-9-]+([.][A-Za-z0-9-]+)*")
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def load_settings(
    flags: Mapping[str, object], environment: Mapping[str, str], file: Path | None = None
) -> ServerSettings:
    """Settings from flags, then environment variables, then a TOML file, then defaults. Raises SettingsError.

    Flags are texts, tuples of texts where a flag may be repeated, and None or empty where it was not given.
    """
    values = _read_file(file or Path(environment.get(FILE_VARIABLE, "")))
    for setting in SETTINGS.values():
        # A folder given as a flag wins over a database URL in the environment, which was set for something else.
        is_overridden = setting.name == "database_url" and bool(flags.get("data"))
        variable = "" if is_overridden else environment.get(setting.variable, "") if setting.variable else ""
        if given := flags.get(setting.name):
            values[setting.name] = _convert(setting, given, setting.flag)
        elif variable:
            values[setting.name] = _convert(setting, variable, setting.variable)
        elif is_overridden:
            values.pop(setting.name, None)
    settings = replace(ServerSettings(), **values)
    if settings.nats_url and not _is_nats_url(settings.nats_url):  # which is not shown: it may hold a password
        raise SettingsError(
            "nats_url: expected an address like nats://host:4222 or tls://host:4222, or several with commas"
        )
    if (settings.tls_cert is None) != (settings.tls_key is None):
        given, missing = ("tls_cert", "tls_key") if settings.tls_key is None else ("tls_key", "tls_cert")
        raise SettingsError(f"{given}: it goes with {missing}, which is not given")
    if settings.metrics:
        parse_listen_address("metrics", settings.metrics)
    for origin in settings.origins:
        if not _is_origin(origin):
            raise SettingsError(
                f"origins: {origin!r} is not what a browser sends; expected scheme and host in small letters, and a "
                "port only if it is unusual, like https://disks.example.org"
            )
    for name, networks in (("proxies", settings.proxies), ("notice_networks", settings.notice_networks)):
        for network in networks:
            try:
                ip_network(network, strict=False)
            except ValueError:
                raise SettingsError(
                    f"{name}: {network!r} is neither an address nor a network like 10.0.0.0/8"
                ) from None
    _check_notice_settings(settings)
    return settings


def _check_notice_settings(settings: ServerSettings) -> None:
    """Raise SettingsError for addresses of notices that are none, or that lack another setting."""
    if settings.public_url and not _is_page_url(settings.public_url):
        raise SettingsError(f"public_url: {settings.public_url!r} is not an address like https://disks.example.org")
    if bool(settings.smtp_url) != bool(settings.mail_from):
        given, missing = ("smtp_url", "mail_from") if settings.smtp_url else ("mail_from", "smtp_url")
        raise SettingsError(f"{given}: it goes with {missing}, which is not given")
    if settings.smtp_url and not settings.public_url:
        raise SettingsError("smtp_url: it goes with public_url, which mail has links to, and which is not given")
    if settings.smtp_url and not _is_smtp_url(settings.smtp_url):  # which is not shown: it holds a password
        raise SettingsError(
            "smtp_url: expected smtp://USER:PASSWORD@HOST:587, smtps://… where TLS comes first, or smtp+plain://…"
        )
    if settings.mail_from and not _MAIL_ADDRESS.fullmatch(settings.mail_from):
        raise SettingsError(f"mail_from: {settings.mail_from!r} is not an address like disks@example.org")


def parse_listen_address(name: str, text: str) -> tuple[str, int]:
    """Return host and port of a setting like `127.0.0.1:9464`, `[::1]:9464` or `9464`. Raises SettingsError."""
    try:
        url = urlsplit(f"//127.0.0.1:{text}" if text.isdecimal() else f"//{text}")
        if url.hostname and url.port is not None and not (url.path or url.query or url.fragment or url.username):
            return url.hostname, url.port
    except ValueError:
        pass
    raise SettingsError(f"{name}: {text!r} is not valid; expected a port from 0 to 65535, or host:port")


def _is_origin(text: str) -> bool:
    """Return whether a browser may send this as its origin (RFC 6454): with any other text no page could connect."""
    origin = _ORIGIN.fullmatch(text)
    return origin is not None and origin["port"] != _DEFAULT_PORTS.get(text.partition(":")[0], "")


def _is_page_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        has_port = url.port != 0
    except ValueError:
        return False
    is_whole = url.scheme in {"http", "https"} and bool(url.hostname) and has_port
    return is_whole and text.isascii() and url.path in {"", "/"} and not (url.query or url.fragment or url.username)


def _is_smtp_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        is_server = url.scheme in {"smtp", "smtps", "smtp+plain"} and bool(url.hostname) and url.port != 0
        return is_server and not (url.path.strip("/") or url.query or url.fragment)
    except ValueError:
        return False


def _is_nats_url(text: str) -> bool:
    """Return whether each of the addresses between commas is one of NATS."""
    try:
        servers = [urlsplit(server.strip()) for server in text.split(",")]
        return all(url.scheme in {"nats", "tls"} and bool(url.hostname) and url.port != 0 for url in servers)
    except ValueError:
        return False


def _read_file(file: Path) -> dict[str, object]:
    if file == Path():
        return {}
    try:
        given = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file} is not a text in UTF-8: byte {error.start} is not valid") from None
    except tomllib.TOMLDecodeError as error:
        text = str(error)
        raise SettingsError(f"{file} is not valid TOML: {text[:1].lower()}{text[1:]}") from None
    unknown = [name for name in given if name not in SETTINGS]
    if unknown:
        near = get_close_matches(unknown[0], SERVER_SETTINGS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the settings are {', '.join(SERVER_SETTINGS)}"
        raise SettingsError(f"{file}: unknown setting {unknown[0]!r}; {hint}")
    return {name: _convert(SETTINGS[name], value, f"{file}: {name}") for name, value in given.items()}


def _convert(setting: Setting, given: object, source: str) -> object:
    # A port alone is a number in TOML, and text in a flag or a variable.
    value = (
        str(given) if isinstance(given, int) and not isinstance(given, bool) and setting.name == "metrics" else given
    )
    if isinstance(given, str) and setting.separator:
        # An origin holds no space, so lists separated by spaces are read as well; a path may hold one.
        text = given.replace(" ", ",") if setting.separator == "," else given
        value = [part.strip() for part in text.split(setting.separator) if part.strip()]
    elif isinstance(given, str) and get_origin(_bare(setting.type)) is Literal:
        value = given.lower()
    try:
        return msgspec.convert(value, setting.type, strict=False, dec_hook=_decode_path)
    except msgspec.ValidationError:
        shown = "this" if setting.name in SECRET_SETTINGS else repr(given)
        text = f"{source}: {shown} is not valid; expected {_expected_text(setting)}"
        raise SettingsError(text) from None


def _expected_text(setting: Setting) -> str:
    choices = _bare(setting.type)
    if get_origin(choices) is Literal:
        return " or ".join(get_args(choices))
    return setting.expected or f"a value for: {setting.help}"


def _bare(annotation: object) -> object:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _decode_path(kind: type, value: object) -> object:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise NotImplementedError(kind)


def settings_table(names: tuple[str, ...] = SERVER_SETTINGS) -> str:
    """Return the table of docs/operating.md."""
    rows = [("flag", "variable", "default", "meaning")]
    for setting in (SETTINGS[name] for name in names):
        default = (
            setting.default if " " in setting.default or setting.default in ("any", "none") else f"`{setting.default}`"
        )
        rows.append((f"`{setting.flag} {setting.unit.upper()}`", f"`{setting.variable}`", default, setting.help))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---|---|---|---|", *lines[1:]])
