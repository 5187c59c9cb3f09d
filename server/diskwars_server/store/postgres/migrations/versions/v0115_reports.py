"""Reports of players about players."""

import sqlalchemy as sa
from alembic import op

revision = "0115"
down_revision = "0114"
branch_labels = None
depends_on = None

NAME_TYPE = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "reports",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("match_id", NAME_TYPE, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False, comment="the record that is reported"),
        sa.Column("player_id", NAME_TYPE, nullable=False, comment="reported player"),
        sa.Column("reporter", NAME_TYPE, nullable=False, comment="player id"),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("text", NAME_TYPE, nullable=False),
        sa.Column("command_id", NAME_TYPE, nullable=False),
        sa.Column(
            "closed_by", sa.BigInteger, nullable=False, server_default="0", comment="act of an operator; 0: open"
        ),
        sa.PrimaryKeyConstraint("number", name="reports_number"),
        sa.UniqueConstraint("reporter", "match_id", "command_id", name="reports_command"),
    )
    op.create_index("reports_open", "reports", ["number"], postgresql_where=sa.text("closed_by = 0"))
