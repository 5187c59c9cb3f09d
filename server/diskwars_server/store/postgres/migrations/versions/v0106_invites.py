"""Players who have entered locked matches, and invites."""

import sqlalchemy as sa
from alembic import op

revision = "0106"
down_revision = "0105"
branch_labels = None
depends_on = None

NAME_TYPE = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "match_entries",
        sa.Column("match_id", NAME_TYPE, nullable=False),
        sa.Column("player_id", NAME_TYPE, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "player_id", name="match_entries_player"),
    )
    op.create_table(
        "match_invites",
        sa.Column("match_id", NAME_TYPE, nullable=False),
        sa.Column("invite_id", NAME_TYPE, nullable=False),
        sa.Column("code_hash", sa.LargeBinary, nullable=False, comment="SHA-256 of the code"),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("army", NAME_TYPE, nullable=False, comment="for those who use it; may be empty"),
        sa.Column("uses_left", sa.Integer, comment="null: not limited"),
        sa.PrimaryKeyConstraint("match_id", "invite_id", name="match_invites_invite"),
        sa.UniqueConstraint("code_hash", name="match_invites_code"),
    )
