"""Logins of programs without a browser."""

import sqlalchemy as sa
from alembic import op

revision = "0134"
down_revision = "0133"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "device_logins",
        sa.Column("device_hash", sa.LargeBinary, nullable=False, comment="SHA-256 of the code that the program keeps"),
        sa.Column("user_hash", sa.LargeBinary, nullable=False, comment="SHA-256 of the code that the player types"),
        sa.Column("name", _NAME, nullable=False),
        sa.Column("scopes", sa.ARRAY(_NAME), nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("interval", sa.BigInteger, nullable=False, comment="milliseconds between two polls"),
        sa.Column("polled", sa.BigInteger, nullable=False, comment="milliseconds since 1970; 0 before the first poll"),
        sa.Column("status", _NAME, nullable=False),
        sa.Column("player_id", _NAME, nullable=False, comment="the player that has answered; empty before"),
        sa.PrimaryKeyConstraint("device_hash", name="device_logins_device"),
        sa.UniqueConstraint("user_hash", name="device_logins_user"),
    )
