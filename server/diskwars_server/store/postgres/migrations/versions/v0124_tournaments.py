"""Tournaments: their records, and a listing of each."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0124"
down_revision = "0123"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "tournament_records",
        sa.Column("tournament_id", _NAME, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("actor", _NAME, nullable=False),
        sa.Column("command_id", _NAME, nullable=False),
        sa.Column("events", _NAME, nullable=False, comment="what has happened, as JSON"),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name="tournament_records_version"),
        sa.UniqueConstraint("tournament_id", "actor", "command_id", name="tournament_records_command"),
    )
    op.create_table(
        "tournaments",
        sa.Column("tournament_id", _NAME, nullable=False),
        sa.Column("status", _NAME, nullable=False),
        sa.Column("organiser", _NAME, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("players", JSONB, nullable=False, comment="organisers and entrants"),
        sa.Column("listing", _NAME, nullable=False, comment="what lists show, as JSON"),
        sa.Column("due", sa.BigInteger, comment="when something is to be done; null: never"),
        sa.Column(
            "claimed_until", sa.BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"
        ),
        sa.PrimaryKeyConstraint("tournament_id", name="tournaments_tournament"),
    )
    op.create_index("tournaments_due", "tournaments", ["due"], postgresql_where=sa.text("due is not null"))
    op.create_index("tournaments_created", "tournaments", ["created", "tournament_id"])
    op.create_index("tournaments_organiser", "tournaments", ["organiser"])
    op.create_index("tournaments_players", "tournaments", ["players"], postgresql_using="gin")
