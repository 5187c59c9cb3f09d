"""Revoked invites stay known, so that a request that is repeated revives none; one index less on players."""

import sqlalchemy as sa
from alembic import op

revision = "0113"
down_revision = "0112"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match_invites", sa.Column("revoked", sa.Boolean, nullable=False, server_default=sa.false()))
    # Nearly every match has ended, so `matches_of_player` has the same entries, and searches use it as well.
    op.drop_index("matches_ended_of_player", "matches")
