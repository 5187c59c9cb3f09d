"""Flags for settings of the server, for the verbs that need some of them."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeAlias

import click

from diskwars_cli.plugs.data_options import DataOptions
from diskwars_server.settings import SERVER_SETTINGS, SETTINGS, STORE_SETTINGS, load_settings

Callback: TypeAlias = Callable[..., int]


def server_setting_options(callback: Callback) -> Callback:
    """Add the flags of a server. The callback gets the complete `settings` from flags, environment and file."""

    @wraps(callback)
    def with_settings(*, config: Path | None, **values: Any) -> int:
        flags = {name: values.pop(name) for name in SERVER_SETTINGS}
        return callback(settings=load_settings(flags, os.environ, config), **values)

    return _add_flags(with_settings, SERVER_SETTINGS)


def data_options(*, database: bool = True, packs: bool = False, port: bool = False) -> Callable[[Callback], Callback]:
    """Add the flags for these data. The callback gets them as one value, `data`."""
    names = (*(("port",) if port else ()), *(STORE_SETTINGS if database else ()), *(("pack",) if packs else ()))

    def decorate(callback: Callback) -> Callback:
        @wraps(callback)
        def with_data(**values: Any) -> int:
            flags = {name: values.pop(name) for name in names}
            settings = load_settings(flags, os.environ)
            data = DataOptions(settings.data, settings.database_url, settings.pack, settings.port)
            return callback(data=data, **values)

        return _add_flags(with_data, names)

    return decorate


def _add_flags(callback: Callback, names: tuple[str, ...]) -> Callback:
    for setting in (SETTINGS[name] for name in reversed(names)):
        variable = f"{setting.variable}; " if setting.variable else ""
        callback = click.option(
            setting.flag,
            setting.name,
            metavar=setting.unit.upper(),
            multiple=setting.is_repeatable,
            help=f"{setting.help}  [{variable}default: {setting.default}]",
            show_default=False,
        )(callback)
    return callback
