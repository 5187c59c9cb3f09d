"""A deadline for each match under way without a clock: until now they waited for ever."""

from alembic import op

revision = "0118"
down_revision = "0117"
branch_labels = None
depends_on = None

DEFAULT_DAYS_MS = 14 * 86_400_000
"""From the upgrade on, so that nobody has left a match by what was no rule when it began."""


def upgrade() -> None:
    op.execute(
        f"""
        insert into deadlines (match_id, decision, at, claimed_until)
        select match_id, 'absence', (extract(epoch from now()) * 1000)::bigint + {DEFAULT_DAYS_MS}, 0
        from matches where status = 'running' and not match_options ? 'clock'
        on conflict do nothing
        """
    )
