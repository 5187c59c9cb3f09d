"""Removed matches whose files in the archive are still to be deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0137"
down_revision = "0136"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "archive_removals",
        sa.Column(
            "match_id",
            sa.Text(collation="C"),
            nullable=False,
            comment="removed, while its file is still in the archive",
        ),
        sa.PrimaryKeyConstraint("match_id", name="archive_removals_match"),
    )
