"""What players have done of the first match."""

import sqlalchemy as sa
from alembic import op

revision = "0129"
down_revision = "0128"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "lesson_progress",
        sa.Column("player_id", _NAME, nullable=False),
        sa.Column("progress", _NAME, nullable=False, comment="boards and the guided match, as JSON"),
        sa.Column("changed", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.PrimaryKeyConstraint("player_id", name="lesson_progress_player"),
    )
    op.create_index("lesson_progress_oldest", "lesson_progress", ["changed"])
