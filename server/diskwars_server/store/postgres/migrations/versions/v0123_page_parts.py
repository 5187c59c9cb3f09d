"""The parts of built pages, so that nodes of two releases answer for the pages of each other."""

import sqlalchemy as sa
from alembic import op

revision = "0123"
down_revision = "0122"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "page_builds",
        sa.Column("build", sa.Text(collation="C"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="when a server started with it last, in milliseconds"),
        sa.PrimaryKeyConstraint("build", name="page_builds_build"),
    )
    op.create_table(
        "page_parts",
        sa.Column("path", sa.Text(collation="C"), nullable=False),
        sa.Column("build", sa.Text(collation="C"), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("path", "build", name="page_parts_path"),
    )
