"""Indexes of the matches of a ruleset, of a player and of an opener."""

from alembic import op

revision = "0108"
down_revision = "0107"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("matches_newest_of_ruleset", "matches", ["ruleset", "created", "match_id"])
    op.create_index("matches_of_player", "matches", ["seats"], postgresql_using="gin")
    op.create_index("matches_of_opener", "matches", ["opener"])
