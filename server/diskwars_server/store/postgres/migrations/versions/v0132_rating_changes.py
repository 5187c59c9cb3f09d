"""What each rated match made of the ratings of its players."""

import sqlalchemy as sa
from alembic import op

revision = "0132"
down_revision = "0131"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "rating_changes",
        sa.Column("player_id", _NAME, nullable=False),
        sa.Column("ruleset", _NAME, nullable=False),
        sa.Column("ordinal", sa.BigInteger, nullable=False, comment="that of the counted match"),
        sa.Column("match_id", _NAME, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("shown", sa.BigInteger, nullable=False, comment="the rating after the match"),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "ruleset", "ordinal", name="rating_changes_ordinal"),
    )
