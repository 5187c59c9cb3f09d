"""Players who seek a match."""

import sqlalchemy as sa
from alembic import op

revision = "0116"
down_revision = "0115"
branch_labels = None
depends_on = None

NAME_TYPE = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "match_seeks",
        sa.Column("player_id", NAME_TYPE, nullable=False),
        sa.Column("command_id", NAME_TYPE, nullable=False),
        sa.Column("sought", NAME_TYPE, nullable=False, comment="the same for all who can be paired"),
        sa.Column("since", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("alive_until", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("match_id", NAME_TYPE, nullable=False, comment="empty until a match is found"),
        sa.Column("players", NAME_TYPE, nullable=False, comment="those of the match by seat, as JSON"),
        sa.PrimaryKeyConstraint("player_id", name="match_seeks_player"),
    )
    op.create_index("match_seeks_alive", "match_seeks", ["alive_until"])
