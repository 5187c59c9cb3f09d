"""Reports about clubs and tournaments, beside those about players in a match."""

import sqlalchemy as sa
from alembic import op

revision = "0133"
down_revision = "0132"
branch_labels = None
depends_on = None


def upgrade() -> None:
    kind = sa.Column(
        "kind",
        sa.Text(collation="C"),
        nullable=False,
        server_default="match",
        comment="what match_id is the id of",
    )
    op.add_column("reports", kind)
