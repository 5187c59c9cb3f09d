"""Matches of clubs: found by the club in their options."""

import sqlalchemy as sa
from alembic import op

revision = "0138"
down_revision = "0137"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "matches_of_club",
        "matches",
        [sa.text("(match_options ->> 'club')"), "created"],
        postgresql_where=sa.text("match_options ? 'club'"),
    )
