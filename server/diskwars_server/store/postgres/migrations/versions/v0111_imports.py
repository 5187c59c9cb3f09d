"""Marks matches that came as match files."""

import sqlalchemy as sa
from alembic import op

revision = "0111"
down_revision = "0110"
branch_labels = None
depends_on = None


def upgrade() -> None:
    imported = sa.Column(
        "imported", sa.Boolean, nullable=False, server_default=sa.false(), comment="from a match file: played elsewhere"
    )
    op.add_column("matches", imported)
