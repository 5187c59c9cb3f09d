"""Names that players had before, which others may not take for a time."""

import sqlalchemy as sa
from alembic import op

revision = "0140"
down_revision = "0139"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "former_names",
        sa.Column("player_id", _NAME, nullable=False),
        sa.Column("name_key", _NAME, nullable=False),
        sa.Column("name", _NAME, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False, comment="milliseconds since 1970: when it was given up"),
        sa.PrimaryKeyConstraint("player_id", "name_key", name="former_names_name"),
    )
    op.create_index("former_names_key", "former_names", ["name_key", "until"])
