"""Index of the unfinished matches in which a bot of the server sits."""

import sqlalchemy as sa
from alembic import op

revision = "0105"
down_revision = "0104"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "matches_with_bots",
        "matches",
        ["match_id"],
        postgresql_where=sa.text("""status <> 'ended' and seats @? '$[*] ? (@ starts with "bot-")'"""),
    )
