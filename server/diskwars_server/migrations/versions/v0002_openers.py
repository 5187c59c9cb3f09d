"""An index of openers, which finds the matches of a player without reading all."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("events_opener", "events", ["actor"], postgresql_where=sa.text("seq = 1"))
