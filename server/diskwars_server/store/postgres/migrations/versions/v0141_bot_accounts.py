"""Accounts of bots: marked once, and found by an index that has no others."""

import sqlalchemy as sa
from alembic import op

revision = "0141"
down_revision = "0140"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "accounts",
        sa.Column("is_bot", sa.Boolean, nullable=False, server_default=sa.false(), comment="set once, and kept"),
    )
    op.create_index("accounts_of_bots", "accounts", ["player_id"], postgresql_where=sa.text("is_bot"))
