"""The `backup` and `restore` verbs: everything that is stored, in one file."""

import shlex
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from diskwars_cli.console.command import CommandError, program_name, requires_server
from diskwars_cli.console.signals import run_async
from diskwars_cli.plugs.data_options import DataOptions

if TYPE_CHECKING:
    from diskwars_server.store.postgres.backups import BackupSummary


def run_backup(file: Path, data: DataOptions) -> int:
    """Write a backup of the database that the data options name. Raises CommandError."""
    with requires_server():
        from diskwars_server.processes.embedded_postgres import default_data_dir, has_database
        from diskwars_server.store.postgres.backups import write_backup
    folder = data.folder or default_data_dir()
    if not data.database_url and not has_database(folder):
        raise CommandError(f"no database in {folder}; --data names another")
    summary = _run(data, lambda url: write_backup(url, file))
    print(f"{file}: {_counts(summary)}, {file.stat().st_size} bytes")
    return 0


def run_restore(file: Path, data: DataOptions) -> int:
    """Restore a backup into the empty database that the data options name, made if need be. Raises CommandError."""
    with requires_server():
        from diskwars_server.store.postgres.backups import restore_backup
    if not file.exists():
        raise CommandError(f"{file}: no such file")
    summary = _run(data, lambda url: restore_backup(url, file))
    # A URL may hold a password, so it is not repeated.
    place = f" --data {shlex.quote(str(data.folder))}" if data.folder and not data.database_url else ""
    same = " and the same database URL" if data.database_url else ""
    print(f"restored {_counts(summary)}; check the matches with `{program_name()} verify --all{place}`{same}")
    return 0


def _run(data: DataOptions, job: "Callable[[str], Awaitable[BackupSummary]]") -> "BackupSummary":
    from diskwars_server.app import open_database
    from diskwars_server.processes.embedded_postgres import EmbeddedError
    from diskwars_server.store.errors import StoreError
    from diskwars_server.store.postgres.backup_file import BackupError

    async def run(url: str) -> "BackupSummary":
        return await job(url)

    try:
        with open_database(data.server_settings()) as url:
            return run_async(run(url))
    except (BackupError, EmbeddedError, StoreError, OSError) as fault:
        raise CommandError(str(fault)) from None


def _counts(summary: "BackupSummary") -> str:
    return f"{summary.matches} matches, {summary.records} records, {summary.rows} rows"
