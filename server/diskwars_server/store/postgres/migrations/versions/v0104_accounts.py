"""Accounts of players, and the devices on which they are logged in."""

import sqlalchemy as sa
from alembic import op

revision = "0104"
down_revision = "0103"
branch_labels = None
depends_on = None

NAME_TYPE = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("player_id", NAME_TYPE, nullable=False),
        sa.Column("name", NAME_TYPE, nullable=False, comment="empty once deleted"),
        sa.Column("name_key", NAME_TYPE, comment="what look-alike names have in common; null once deleted"),
        sa.Column("password_hash", NAME_TYPE, nullable=False, comment="argon2id; empty once deleted"),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("renamed", sa.BigInteger, nullable=False, comment="milliseconds since 1970; 0: never"),
        sa.PrimaryKeyConstraint("player_id", name="accounts_player"),
        sa.UniqueConstraint("name_key", name="accounts_name_key"),
    )
    op.create_table(
        "devices",
        sa.Column("player_id", NAME_TYPE, nullable=False),
        sa.Column("device_id", NAME_TYPE, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False, comment="SHA-256 of the token"),
        sa.Column("name", NAME_TYPE, nullable=False, comment="what the player calls it; may be empty"),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("last_used", sa.BigInteger, nullable=False, comment="milliseconds since 1970, to the hour"),
        sa.PrimaryKeyConstraint("player_id", "device_id", name="devices_device"),
        sa.UniqueConstraint("token_hash", name="devices_token"),
    )
