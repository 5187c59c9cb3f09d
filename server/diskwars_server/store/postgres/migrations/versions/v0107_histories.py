"""Armies and numbers of records of ended matches, and the indexes that a search of histories needs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0107"
down_revision = "0106"
branch_labels = None
depends_on = None

ENDED_MATCH = "status = 'ended'"


def upgrade() -> None:
    armies = sa.Column(
        "armies", JSONB, nullable=False, server_default="[]", comment="ids by seat; empty before the end"
    )
    records = sa.Column(
        "records", sa.BigInteger, nullable=False, server_default="0", comment="how many; 0 before the end"
    )
    op.add_column("matches", armies)
    op.add_column("matches", records)
    # Matches that ended before have their numbers counted; their armies stay unknown.
    op.execute(
        "update matches m set records = coalesce("
        "(select max(r.seq) from records r where r.match_id = m.match_id), 0) where status = 'ended'"
    )
    for name, column in (("matches_ended_of_player", "seats"), ("matches_ended_of_army", "armies")):
        op.create_index(name, "matches", [column], postgresql_using="gin", postgresql_where=sa.text(ENDED_MATCH))
