"""Ratings of players, results of players and armies, and the matches that were counted for them."""

import sqlalchemy as sa
from alembic import op

revision = "0109"
down_revision = "0108"
branch_labels = None
depends_on = None

NAME_TYPE = sa.Text(collation="C")


def _counts(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.BigInteger, nullable=False) for name in names]


def upgrade() -> None:
    # Matches that ended before are counted by the server, as if they had just ended.
    op.add_column("matches", sa.Column("is_counted", sa.Boolean, nullable=False, server_default=sa.text("false")))
    op.create_index(
        "matches_uncounted",
        "matches",
        ["updated", "match_id"],
        postgresql_where=sa.text("status = 'ended' and not is_counted"),
    )
    op.create_table(
        "counted_matches",
        sa.Column("match_id", NAME_TYPE, nullable=False),
        sa.Column("ruleset", NAME_TYPE, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("ordinal", sa.BigInteger, nullable=False, comment="the order in which matches were counted, from 1"),
        sa.Column("is_rated", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="counted_matches_match"),
        sa.UniqueConstraint("ordinal", name="counted_matches_ordinal"),
    )
    op.create_table(
        "ratings",
        sa.Column("ruleset", NAME_TYPE, nullable=False),
        sa.Column("player_id", NAME_TYPE, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("shown", sa.BigInteger, nullable=False, comment="round(1000 * (mu - 3 * sigma))"),
        *_counts("games", "wins", "losses", "draws"),
        sa.PrimaryKeyConstraint("ruleset", "player_id", name="ratings_player"),
    )
    op.create_index("ratings_of_player", "ratings", ["player_id"])
    op.create_index(
        "ratings_ranked", "ratings", ["ruleset", "shown", "player_id"], postgresql_where=sa.text("games >= 5")
    )
    op.create_table(
        "played_results",
        sa.Column("ruleset", NAME_TYPE, nullable=False),
        sa.Column("player_id", NAME_TYPE, nullable=False, comment="empty: the army with all players"),
        sa.Column("army", NAME_TYPE, nullable=False, comment="empty: armies without an id"),
        *_counts("games", "wins", "losses", "draws", "points", "records"),
        sa.PrimaryKeyConstraint("ruleset", "player_id", "army", name="played_results_army"),
    )
    op.create_index("played_results_of_player", "played_results", ["player_id"])
