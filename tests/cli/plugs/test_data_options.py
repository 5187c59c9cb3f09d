"""Data options name a server's data and leave its other settings to environment and file."""

from pathlib import Path

import pytest

from diskwars_cli.plugs.data_options import DataOptions
from diskwars_server.settings import ServerSettings, load_settings


def test_usual_data_are_those_of_a_server_with_usual_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISKWARS_PAGE")
    assert DataOptions().server_settings() == ServerSettings()


def test_data_win_over_the_environment_and_other_settings_come_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"DATABASE_URL": "postgresql://a@b/c", "DISKWARS_DATA": "other", "DISKWARS_LOG_LEVEL": "error"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    data = DataOptions(Path("folder"), packs=("pack",), port=1)
    settings = data.server_settings()
    assert (settings.data, settings.database_url, settings.pack, settings.port) == (Path("folder"), "", ("pack",), 1)
    assert settings.log_level == load_settings({}, given).log_level == "error"
