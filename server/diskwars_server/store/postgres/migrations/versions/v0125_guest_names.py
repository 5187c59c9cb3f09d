"""The names that guests call themselves, without an account."""

import sqlalchemy as sa
from alembic import op

revision = "0125"
down_revision = "0124"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "guest_names",
        sa.Column("player_id", sa.Text(collation="C"), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("name_key", sa.Text(collation="C"), nullable=False, comment="what look-alike names have in common"),
        sa.Column("named", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.PrimaryKeyConstraint("player_id", name="guest_names_player"),
    )
    op.create_index("guest_names_oldest", "guest_names", ["named"])
