"""Indexes of the matches that have not begun, and of those that ended without."""

import sqlalchemy as sa
from alembic import op

revision = "0102"
down_revision = "0101"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("matches_unstarted", "matches", ["match_id"], postgresql_where=sa.text("status = 'open'"))
    op.create_index(
        "matches_never_begun",
        "matches",
        ["updated"],
        postgresql_where=sa.text("result ->> 'end_reason' in ('closed', 'abandoned')"),
    )
