"""Settings and packs of matches in lists."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0119"
down_revision = "0118"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("settings", JSONB, nullable=False, server_default="{}"))
    op.add_column("matches", sa.Column("packs", JSONB, nullable=False, server_default="[]", comment="ids"))
    # The first record of a match says both.
    op.execute(
        """
        update matches m set settings = coalesce(opened.event -> 'settings', '{}'),
            packs = coalesce(jsonb_path_query_array(opened.event, '$.packs[*].id'), '[]')
        from (
            select match_id, convert_from(body, 'UTF8')::jsonb #> '{events,0}' as event from records where seq = 1
        ) opened
        where opened.match_id = m.match_id
        """
    )
