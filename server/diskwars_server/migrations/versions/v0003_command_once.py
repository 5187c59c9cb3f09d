"""Look for a command at its first record only: an append has one actor and one command, and its parts are counted.

An index over every part is no stricter, costs an entry for each record, and tempts the planner of a database without
statistics to look for a record there instead of in the primary key, through all the records of its match.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint("events_command", "events")
    op.create_index(
        "events_command",
        "events",
        ["match_id", "actor", "command_id"],
        unique=True,
        postgresql_where=sa.text("part = 0"),
    )
