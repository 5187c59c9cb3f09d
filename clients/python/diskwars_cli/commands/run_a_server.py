"""Verbs of the section `Run a server`: what is stored, and the acts of operators."""

from pathlib import Path
from typing import Any

import click

from diskwars_cli.admin.admin_commands import admin
from diskwars_cli.options.setting_flags import data_options


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_options()
def backup(**values: Any) -> int:
    """Write everything that is stored to FILE while servers go on.

    The file holds secrets of running matches and the key of the server's tokens: keep it like a password.
    """
    from diskwars_cli.own_server.backup import run_backup

    return run_backup(**values)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@data_options()
def restore(**values: Any) -> int:
    """Store the content of FILE, a backup, in an empty database."""
    from diskwars_cli.own_server.backup import run_restore

    return run_restore(**values)


@click.command()
@click.option("--rebuild", is_flag=True, help="Store what the matches make, where it is not what is stored")
@data_options()
def ratings(**values: Any) -> int:
    """Compute ratings again from the stored matches, and compare."""
    from diskwars_cli.look_back.ratings import run_ratings

    return run_ratings(**values)


@click.command()
@click.argument("query", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line")
@click.option("--address", "show_address", is_flag=True, help="Print the address for psql and other programs instead")
@data_options()
def sql(**values: Any) -> int:
    """Print the rows of QUERY, one SQL statement that only reads; without it, of standard input.

    The tables hold secrets of running matches. The address of an embedded database answers while a server runs.
    """
    from diskwars_cli.own_server.sql import run_sql

    return run_sql(**values)


VERBS: tuple[click.Command, ...] = (backup, restore, ratings, sql, admin)
