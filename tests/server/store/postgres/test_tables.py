"""Every table that grows can be spread over machines by what its key begins with: a match, a player, a club."""

from sqlalchemy import Index, UniqueConstraint

from diskwars_server.store.postgres.tables import METADATA

SPREAD_BY = {"match_id", "player_id", "club_id", "tournament_id", "challenge_id", "target"}
"""Columns that name a match, an account or another thing of which there are as many as one likes."""
SMALL = {
    "health": "one row",
    "keys": "a few keys of the server",
    "rating_model": "one row",
    "page_builds": "two builds",
    "page_parts": "the files of two builds",
    "device_logins": "gone within minutes",
}
"""Tables that stay small, which every machine may have whole."""
UNIQUE_EVERYWHERE = {
    ("accounts", ("name_key",)): "a name belongs to one player; found before an account is",
    ("challenges", ("match_id",)): "gone with the challenge",
    ("counted_matches", ("ordinal",)): "one loop counts, under a lock of its own",
    ("devices", ("token_hash",)): "256 random bits",
    ("match_invites", ("code_hash",)): "256 random bits",
    ("operator_acts", ("number",)): "few; every node reads them in this order",
    ("reports", ("number",)): "few; operators name them by it",
}
"""Values that differ over all machines. Those that are drawn at random differ without a key; an engine that spreads
tables has to keep the tables of the others whole."""


def test_key_of_every_table_that_grows_names_what_it_is_about() -> None:
    for table in METADATA.tables.values():
        columns = {column.name for column in table.primary_key.columns}
        assert bool(columns & SPREAD_BY) != (table.name in SMALL), table.name


def test_other_unique_values_are_those_of_one_thing() -> None:
    found = {
        (table.name, tuple(column.name for column in constraint.columns))
        for table in METADATA.tables.values()
        if table.name not in SMALL
        for constraint in [*table.constraints, *table.indexes]
        if isinstance(constraint, UniqueConstraint) or (isinstance(constraint, Index) and constraint.unique)
    }
    assert {key for key in found if not set(key[1]) & SPREAD_BY or key[0] == "challenges"} == set(UNIQUE_EVERYWHERE)
