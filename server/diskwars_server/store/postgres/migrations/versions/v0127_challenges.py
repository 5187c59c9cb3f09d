"""Challenges between players, and who takes none."""

import sqlalchemy as sa
from alembic import op

revision = "0127"
down_revision = "0126"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "challenges",
        sa.Column("challenge_id", _NAME, nullable=False),
        sa.Column("challenger", _NAME, nullable=False, comment="player id"),
        sa.Column("challenged", _NAME, nullable=False, comment="player id"),
        sa.Column("match_id", _NAME, nullable=False, comment="opened once it is accepted"),
        sa.Column("terms", _NAME, nullable=False, comment="ruleset, settings, options and packs, as JSON"),
        sa.Column("seat", sa.Integer, nullable=False, comment="of the challenger"),
        sa.Column("is_by_lot", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("expires", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("status", _NAME, nullable=False),
        sa.Column("settled", sa.BigInteger, nullable=False, comment="milliseconds since 1970; 0: not answered"),
        sa.Column("reason", _NAME, nullable=False, comment="why it was declined; may be empty"),
        sa.PrimaryKeyConstraint("challenge_id", name="challenges_challenge"),
        sa.UniqueConstraint("match_id", name="challenges_match"),
    )
    op.create_index("challenges_challenger", "challenges", ["challenger"])
    op.create_index("challenges_challenged", "challenges", ["challenged"])
    op.create_index("challenges_expires", "challenges", ["expires"], postgresql_where=sa.text("settled = 0"))
    op.create_index("challenges_settled", "challenges", ["settled"], postgresql_where=sa.text("settled > 0"))
    op.create_table(
        "challenge_refusers",
        sa.Column("player_id", _NAME, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="challenge_refusers_player"),
    )
