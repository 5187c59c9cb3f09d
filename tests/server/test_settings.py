"""Settings come from flags, then the environment, then a file, then defaults; invalid ones are named."""

import re
from pathlib import Path

import pytest

from diskwars_server.settings import (
    SERVER_SETTINGS,
    SETTINGS,
    ServerSettings,
    SettingsError,
    load_settings,
    settings_table,
)
from tests.code_sizes import ROOT
from tests.rows import each_row


def load(**environment: str) -> ServerSettings:
    return load_settings({}, environment)


def test_port_of_the_metrics_may_be_a_number_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("metrics = 9464\n")
    assert load_settings({}, {}, file).metrics == "9464"


def test_without_flags_and_environment_all_settings_have_their_defaults() -> None:
    assert load() == ServerSettings()


FLAGS: dict[str, object] = {
    "host": "0.0.0.0",
    "port": "0",
    "workers": "3",
    "data": "/d",
    "database_url": "postgresql://x/y",
    "nats_url": "nats://x:4222",
    "public_url": "https://disks.example.org",
    "smtp_url": "smtp://u:p@mail.example.org",
    "mail_from": "disks@example.org",
    "notice_networks": "10.0.0.0/8,127.0.0.1",
    "origins": "https://a,https://b",
    "pack": ("expansion", "my packs/a.toml"),
    "tls_cert": "/c",
    "tls_key": "/k",
    "connections": "5",
    "address_connections": "3",
    "address_matches": "4",
    "proxies": "10.0.0.1,2001:db8::/32",
    "proxy_header": "Forwarded",
    "history_megabytes": "11",
    "guest_megabytes": "12",
    "import_megabytes": "13",
    "review_seconds": "17",
    "metrics": "127.0.0.1:9464",
    "trace_every": "100",
    "drain_seconds": "14",
    "return_grace_seconds": "30",
    "matches": "6",
    "open_matches": "8",
    "bot_workers": "2",
    "bot_seconds": "3",
    "player_bots": "11",
    "address_bots": "12",
    "unstarted_hours": "9",
    "guest_match_days": "15",
    "guest_idle_days": "16",
    "archive_url": "s3://bucket/prefix",
    "archive_days": "18",
    "token_days": "7",
    "seed": "0",
    "page": "built",
    "log_level": "DEBUG",
    "log_format": "json",
}


def test_every_setting_is_read_from_its_flag() -> None:
    assert set(FLAGS) == set(SETTINGS)
    assert load_settings(FLAGS, {}) == ServerSettings(
        host="0.0.0.0",
        port=0,
        workers=3,
        data=Path("/d"),
        database_url="postgresql://x/y",
        nats_url="nats://x:4222",
        public_url="https://disks.example.org",
        smtp_url="smtp://u:p@mail.example.org",
        mail_from="disks@example.org",
        notice_networks=("10.0.0.0/8", "127.0.0.1"),
        origins=("https://a", "https://b"),
        pack=("expansion", "my packs/a.toml"),
        tls_cert=Path("/c"),
        tls_key=Path("/k"),
        connections=5,
        address_connections=3,
        address_matches=4,
        proxies=("10.0.0.1", "2001:db8::/32"),
        proxy_header="forwarded",
        history_megabytes=11,
        guest_megabytes=12,
        import_megabytes=13,
        review_seconds=17,
        metrics="127.0.0.1:9464",
        trace_every=100,
        drain_seconds=14,
        return_grace_seconds=30,
        matches=6,
        open_matches=8,
        bot_workers=2,
        bot_seconds=3,
        player_bots=11,
        address_bots=12,
        guest_match_days=15,
        guest_idle_days=16,
        archive_url="s3://bucket/prefix",
        archive_days=18,
        token_days=7,
        unstarted_hours=9,
        seed=0,
        page="built",
        log_level="debug",
        log_format="json",
    )


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('port = 1\nhost = "::1"\nmatches = 3\npack = ["expansion"]\n')
    environment = {"DISKWARS_PORT": "2", "DISKWARS_HOST": "0.0.0.0", "DISKWARS_CONFIG": str(file)}
    settings = load_settings({"port": "3"}, environment)
    assert (settings.port, settings.host, settings.matches, settings.pack) == (3, "0.0.0.0", 3, ("expansion",))


def test_lists_in_the_environment_are_split() -> None:
    settings = load(DISKWARS_ORIGINS="https://a https://b", DISKWARS_PACK="expansion:my packs/a.toml")
    assert (settings.origins, settings.pack) == (("https://a", "https://b"), ("expansion", "my packs/a.toml"))


def test_data_flag_wins_over_a_database_url_of_the_environment() -> None:
    settings = load_settings({"data": "/d"}, {"DATABASE_URL": "postgresql://e/e"})
    assert (settings.data, settings.database_url) == (Path("/d"), "")


def test_seed_is_never_taken_from_the_environment() -> None:
    assert load(SEED="5", DISKWARS_SEED="5", **{"": "5"}).seed is None


@each_row(
    ("flag", "value", "text"),
    [
        ("port", "x", "--port: 'x' is not valid; expected a number from 0 to 65535"),
        ("port", "70000", "--port: '70000' is not valid"),
        ("connections", "-1", "--connections: '-1' is not valid; expected a number, 0 or more"),
        ("metrics", "x:y", "metrics: 'x:y' is not valid; expected a port from 0 to 65535, or host:port"),
        ("metrics", "70000", "metrics: '70000' is not valid"),
        ("metrics", "127.0.0.1", "metrics: '127.0.0.1' is not valid"),
        ("origins", "disks.example.org", "origins: 'disks.example.org' is not what a browser sends"),
        ("origins", "https://a,https://b/", "origins: 'https://b/' is not what a browser sends; expected scheme"),
        ("origins", "https://A.example", "origins: 'https://A.example' is not what a browser sends"),
        ("origins", "https://a:443", "origins: 'https://a:443' is not what a browser sends"),
        ("origins", "*", "origins: '*' is not what a browser sends"),
        ("drain_seconds", "601", "--drain-seconds: '601' is not valid; expected a number from 0 to 600"),
        ("seed", "1.5", "--seed: '1.5' is not valid"),
        ("log_level", "loud", "--log-level: 'loud' is not valid; expected debug or info or warning or error"),
    ],
)
def test_invalid_flag_is_named_with_what_is_valid(flag: str, value: str, text: str) -> None:
    with pytest.raises(SettingsError, match=f"^{re.escape(text)}"):
        load_settings({flag: value}, {})


@each_row("origin", ["https://a.example", "http://a_b:8080", "http://[::1]:8765", "app://a", "null"])
def test_origins_of_browsers_are_taken(origin: str) -> None:
    assert load_settings({"origins": origin}, {}).origins == (origin,)


NOTICES = {"public_url": "https://a.example", "smtp_url": "smtp://u:secret@h", "mail_from": "a@b.example"}


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"public_url": "a.example"}, "public_url"),
        ({"public_url": "https://a.example/disks"}, "public_url"),
        ({"public_url": "https://a.example:0"}, "public_url"),
        ({"public_url": ""}, "smtp_url: it goes with public_url"),
        ({"mail_from": ""}, "smtp_url: it goes with mail_from"),
        ({"smtp_url": ""}, "mail_from: it goes with smtp_url"),
        ({"smtp_url": "mail.example:25"}, "smtp_url: expected smtp://"),
        ({"smtp_url": "smtp://u:secret@:99999"}, "smtp_url: expected smtp://"),
        ({"smtp_url": "smtp://u:secret@h/?a=b"}, "smtp_url: expected smtp://"),
        ({"smtp_url": "smtp://u:12#secret@h"}, "smtp_url: expected smtp://"),
        ({"mail_from": "nobody"}, "mail_from"),
        ({"mail_from": "a@b.example\r\nBcc: c@d.example"}, "mail_from"),
        ({"notice_networks": "10.0.0.0/33"}, "notice_networks"),
    ],
)
def test_settings_of_notices_that_do_not_fit_are_named(changed: dict[str, object], named: str) -> None:
    load_settings(NOTICES, {})
    with pytest.raises(SettingsError, match=named) as refused:
        load_settings(NOTICES | changed, {})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("setting", ["database_url", "nats_url", "smtp_url"])
def test_value_that_may_hold_a_password_is_not_shown(tmp_path: Path, setting: str) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f'{setting} = ["postgresql://ann:the-password@host/name"]')
    with pytest.raises(SettingsError, match=f"{setting}: this is not valid; expected ") as refused:
        load_settings({}, {}, file)
    assert "the-password" not in str(refused.value)


def test_invalid_variable_is_named() -> None:
    with pytest.raises(SettingsError, match=r"^DISKWARS_PORT: "):
        load(DISKWARS_PORT="x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = 70000", "port: 70000 is not valid"),
        ("prot = 1", "unknown setting 'prot'; did you mean 'port'?"),
        ("xyz = 1", "unknown setting 'xyz'; the settings are host, port"),
        ("port =", "is not valid TOML: invalid value (at end of document)"),
        (None, "cannot be read: No such file"),
    ],
)
def test_invalid_file_is_named(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "server.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(SettingsError, match=f"^{re.escape(str(file))}.*{re.escape(said)}"):
        load_settings({}, {}, file)


def test_every_setting_has_help_and_a_unit() -> None:
    assert all(setting.help and setting.unit for setting in SETTINGS.values())


def test_operating_page_holds_the_table_of_settings() -> None:
    assert settings_table(SERVER_SETTINGS) in (ROOT / "docs" / "operating.md").read_text("utf-8")
