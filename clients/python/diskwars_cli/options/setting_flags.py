"""Flags for settings of the server, for the verbs that need some of them."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeAlias

import click

from diskwars_server.settings import SETTINGS, load_settings

Callback: TypeAlias = Callable[..., int]


def setting_options(*names: str) -> Callable[[Callback], Callback]:
    """Add the flags of these settings. The callback gets the complete `settings` from flags, environment and file."""

    def decorate(callback: Callback) -> Callback:
        @wraps(callback)
        def with_settings(*, config: Path | None = None, **values: Any) -> int:
            flags = {name: values.pop(name) for name in names}
            return callback(settings=load_settings(flags, os.environ, config), **values)

        for setting in (SETTINGS[name] for name in reversed(names)):
            variable = f"{setting.variable}; " if setting.variable else ""
            with_settings = click.option(
                setting.flag,
                setting.name,
                metavar=setting.unit.upper(),
                multiple=setting.is_repeatable,
                help=f"{setting.help}  [{variable}default: {setting.default}]",
                show_default=False,
            )(with_settings)
        return with_settings

    return decorate
