"""Chat of matches, and whom players have muted."""

import sqlalchemy as sa
from alembic import op

revision = "0112"
down_revision = "0111"
branch_labels = None
depends_on = None

NAME_TYPE = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "chat_messages",
        sa.Column("match_id", NAME_TYPE, nullable=False),
        sa.Column("channel", NAME_TYPE, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("player_id", NAME_TYPE, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("seq", sa.BigInteger, nullable=False, comment="the last record when it was written"),
        sa.Column("text", NAME_TYPE, nullable=False, comment="empty once erased"),
        sa.Column("command_id", NAME_TYPE, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "channel", "number", name="chat_messages_number"),
        sa.UniqueConstraint("match_id", "player_id", "command_id", name="chat_messages_command"),
    )
    op.create_index("chat_messages_of_player", "chat_messages", ["player_id"])
    op.create_table(
        "muted_players",
        sa.Column("player_id", NAME_TYPE, nullable=False),
        sa.Column("muted_id", NAME_TYPE, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "muted_id", name="muted_players_player"),
    )
