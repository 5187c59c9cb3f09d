"""Recovery codes of accounts, and links of operators by which a player sets a new password."""

import sqlalchemy as sa
from alembic import op

revision = "0122"
down_revision = "0121"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account_recoveries",
        sa.Column("player_id", sa.Text(collation="C"), nullable=False),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False, comment="SHA-256 of a recovery code or of a link"),
        sa.Column("expires", sa.BigInteger, comment="milliseconds since 1970; null: never, as of a code"),
        sa.PrimaryKeyConstraint("player_id", "secret_hash", name="account_recoveries_secret"),
    )
