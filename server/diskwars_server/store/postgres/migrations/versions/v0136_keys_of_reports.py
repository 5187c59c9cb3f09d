"""Keys of reports and acts of operators begin with what they are about, so that their tables can be spread by it."""

from alembic import op

revision = "0136"
down_revision = "0135"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, about in (("reports", "match_id"), ("operator_acts", "target")):
        op.drop_constraint(f"{table}_number", table, type_="primary")
        op.create_primary_key(f"{table}_number", table, [about, "number"])
        op.create_index(f"{table}_numbers", table, ["number"])
    op.drop_index("operator_acts_about", "operator_acts")
