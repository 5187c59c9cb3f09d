"""Deadlines that were extended for players who lost their connection."""

import sqlalchemy as sa
from alembic import op

revision = "0117"
down_revision = "0116"
branch_labels = None
depends_on = None

NAME_TYPE = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "graces",
        sa.Column("match_id", NAME_TYPE, nullable=False),
        sa.Column("decision", NAME_TYPE, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "decision", name="graces_decision"),
    )
