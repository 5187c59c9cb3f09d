"""Columns named like the fields that they hold: `rules_version` of a record, `match_options` of a match."""

from alembic import op

revision = "0103"
down_revision = "0102"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("records", "rules", new_column_name="rules_version")
    op.alter_column("matches", "options", new_column_name="match_options")
    # The views keep the names that they were made with.
    op.execute("alter view records_json rename column rules to rules_version")
    op.execute("alter view events_json rename column rules to rules_version")
