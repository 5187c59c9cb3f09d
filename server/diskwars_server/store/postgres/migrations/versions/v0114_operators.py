"""Acts of operators: each with its operator, time, reason and target."""

import sqlalchemy as sa
from alembic import op

revision = "0114"
down_revision = "0113"
branch_labels = None
depends_on = None

NAME_TYPE = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "operator_acts",
        sa.Column("number", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("kind", NAME_TYPE, nullable=False),
        sa.Column("operator", NAME_TYPE, nullable=False, comment="player id; empty: the host"),
        sa.Column("target", NAME_TYPE, nullable=False, comment="a player or a match"),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("reason", NAME_TYPE, nullable=False),
        sa.Column("until", sa.BigInteger, comment="when a ban ends, in milliseconds since 1970; null: never"),
        sa.Column("detail", NAME_TYPE, nullable=False, comment="the new name, or which messages were erased"),
        sa.PrimaryKeyConstraint("number", name="operator_acts_number"),
    )
    op.create_index("operator_acts_about", "operator_acts", ["target", "number"])
