"""Archived matches: of which matches the records but the last are files outside the database."""

import sqlalchemy as sa
from alembic import op

revision = "0135"
down_revision = "0134"
branch_labels = None
depends_on = None


def upgrade() -> None:
    archived = sa.Column(
        "is_archived",
        sa.Boolean,
        nullable=False,
        server_default=sa.text("false"),
        comment="its records but the last are files",
    )
    op.add_column("matches", archived)
    op.create_index(
        "matches_unarchived",
        "matches",
        ["updated", "match_id"],
        postgresql_where=sa.text("status = 'ended' and not is_archived"),
    )
