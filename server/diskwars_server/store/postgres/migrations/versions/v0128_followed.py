"""Players whom players follow, and who shows their presence to those."""

import sqlalchemy as sa
from alembic import op

revision = "0128"
down_revision = "0127"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "followed_players",
        sa.Column("player_id", _NAME, nullable=False),
        sa.Column("followed_id", _NAME, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "followed_id", name="followed_players_player"),
    )
    op.create_index("followed_players_followed", "followed_players", ["followed_id"])
    op.create_table(
        "presence_shown",
        sa.Column("player_id", _NAME, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="presence_shown_player"),
    )
