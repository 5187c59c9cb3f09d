"""The `sql` verb only reads: it writes nothing, starts nothing and ends nothing."""

from pathlib import Path

import pytest

from tests.cli.command_runner import CommandRunner


def test_statement_reads_tables(diskwars: CommandRunner, archive_url: str) -> None:
    done = diskwars("sql", "--database-url", archive_url, "select count(*) as matches from matches")
    assert done.out.split() == ["matches", "2"]


@pytest.mark.parametrize(
    "statement",
    [
        "copy (select 1) to program 'touch {file}'",
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()",
        "select pg_read_file('postgresql.conf')",
        "delete from matches",
        "create table mine (id int)",
    ],
)
def test_statement_that_does_more_is_refused(
    diskwars: CommandRunner, archive_url: str, tmp_path: Path, statement: str
) -> None:
    file = tmp_path / "started"
    done = diskwars("sql", "--database-url", archive_url, statement.format(file=file))
    assert done.code != 0
    assert "denied" in done.err or "read-only" in done.err, done.err
    assert not file.exists()
