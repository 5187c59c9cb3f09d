"""Whose turn it is in a match, for lists."""

import sqlalchemy as sa
from alembic import op

revision = "0110"
down_revision = "0109"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Matches under way get theirs with their next record.
    op.add_column(
        "matches",
        sa.Column(
            "deciding",
            sa.Text(collation="C"),
            nullable=False,
            server_default="",
            comment="digits of the seats that have to decide",
        ),
    )
