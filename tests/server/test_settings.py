"""Settings are applied as given, or refused with a reason."""

import argparse
from pathlib import Path

import pytest

from diskwars_server.settings import STORE_OPTIONS, ServerSettings, SettingsError, add_options, parse_settings


def read_settings(words: str = "", **environment: str) -> ServerSettings:
    parser = argparse.ArgumentParser()
    add_options(parser)
    return parse_settings(parser.parse_args(words.split()), environment)


def test_without_a_word_everything_is_as_it_is_meant() -> None:
    assert read_settings() == ServerSettings()


def test_every_option_is_taken_from_the_command_line() -> None:
    found = read_settings(
        "--host 0.0.0.0 --port 0 --data /d --database-url postgresql://x/y --origins https://a,https://b"
        " --connections 5 --matches 6 --open-matches 8 --token-days 7 --seed 0 --log-level DEBUG"
    )
    assert found == ServerSettings(
        host="0.0.0.0",
        port=0,
        data=Path("/d"),
        database_url="postgresql://x/y",
        origins=("https://a", "https://b"),
        connections=5,
        matches=6,
        open_matches=8,
        token_days=7,
        seed=0,
        log_level="debug",
    )


def test_the_environment_comes_second() -> None:
    environment = {"DATABASE_URL": "postgresql://e/e", "DISKWARS_PORT": "99", "DISKWARS_ORIGINS": "https://a https://b"}
    found = read_settings("--port 7", **environment)
    assert (found.port, found.database_url, found.origins) == (7, "postgresql://e/e", ("https://a", "https://b"))


def test_a_seed_is_never_taken_from_the_environment() -> None:
    assert read_settings(SEED="5", DISKWARS_SEED="5", **{"": "5"}).seed is None


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("--port x", "--port"),
        ("--port 70000", "--port"),
        ("--connections -1", "--connections"),
        ("--seed 1.5", "--seed"),
        ("--log-level loud", "--log-level"),
    ],
)
def test_invalid_setting_is_named(words: str, named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        read_settings(words)


def test_a_bad_word_in_the_environment_is_named_by_its_variable() -> None:
    with pytest.raises(SettingsError, match="DISKWARS_PORT"):
        read_settings(DISKWARS_PORT="x")


def test_a_command_that_only_touches_the_store_has_only_its_options() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, *STORE_OPTIONS)
    found = parse_settings(parser.parse_args(["--data", "/d"]), {"DISKWARS_PORT": "9"})
    assert (found.data, found.port) == (Path("/d"), 9)
    with pytest.raises(SystemExit):
        parser.parse_args(["--port", "9"])
