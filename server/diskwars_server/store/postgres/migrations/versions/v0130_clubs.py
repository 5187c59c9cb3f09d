"""Clubs: their records, and a listing of each."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0130"
down_revision = "0129"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "club_records",
        sa.Column("club_id", _NAME, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("actor", _NAME, nullable=False),
        sa.Column("command_id", _NAME, nullable=False),
        sa.Column("events", _NAME, nullable=False, comment="what has happened, as JSON"),
        sa.PrimaryKeyConstraint("club_id", "seq", name="club_records_version"),
        sa.UniqueConstraint("club_id", "actor", "command_id", name="club_records_command"),
    )
    op.create_table(
        "clubs",
        sa.Column("club_id", _NAME, nullable=False),
        sa.Column("status", _NAME, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("members", JSONB, nullable=False, comment="opaque player ids"),
        sa.Column("listing", _NAME, nullable=False, comment="what lists show, as JSON"),
        sa.Column("due", sa.BigInteger, comment="when a season is to be ended; null: never"),
        sa.Column(
            "claimed_until", sa.BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"
        ),
        sa.PrimaryKeyConstraint("club_id", name="clubs_club"),
    )
    op.create_index("clubs_due", "clubs", ["due"], postgresql_where=sa.text("due is not null"))
    op.create_index("clubs_created", "clubs", ["created", "club_id"])
    op.create_index("clubs_members", "clubs", ["members"], postgresql_using="gin")
