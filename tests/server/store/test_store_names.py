"""The store, the store in PostgreSQL and the store in memory have modules of the same names."""

from tests.code_sizes import PACKAGES

STORE = PACKAGES["diskwars_server"] / "store"
NOT_PORTS = {
    "archive": "files of old matches, over the event log of either store",
    "changes": "compares two states of a match",
    "errors": "raised by every port",
    "listed_settings": "computes what lists show of settings",
    "match_loading": "loads matches through the port of the event log",
    "rated_matches": "decides which matches move ratings",
    "rating_model": "computes the ratings of one match",
    "rating_tally": "computes the ratings that both stores keep",
}
POSTGRES_ONLY = {
    "append_statement": "what the one writer of appends sends",
    "backup_file": "a file of all tables",
    "backups": "copies whole databases",
    "connections": "what the ports read through",
    "database_url": "the address of a database",
    "group_commit": "the one writer of appends",
    "migrations": "the schema",
    "outages": "a log of failures to reach the database",
    "tables": "the schema as SQLAlchemy knows it",
}
SHARED = {"streams": "what tournaments and clubs are kept in"}


def names(folder: str) -> set[str]:
    entries = (STORE / folder).iterdir()
    return {entry.stem for entry in entries if entry.suffix == ".py" or (entry / "__init__.py").is_file()} - {
        "__init__"
    }


def test_each_port_has_a_namesake_in_postgresql_and_in_memory() -> None:
    ports = names(".") - {"memory", "postgres"} - set(NOT_PORTS)
    assert len(names(".")) == len(ports) + 2 + len(NOT_PORTS)
    assert names("memory") == ports | set(SHARED)
    assert names("postgres") == ports | set(SHARED) | set(POSTGRES_ONLY)
