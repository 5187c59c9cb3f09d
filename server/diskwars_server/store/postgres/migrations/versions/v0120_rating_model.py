"""The version of the model by which ratings were made. Where it is older, the server makes all of them again."""

import sqlalchemy as sa
from alembic import op

revision = "0120"
down_revision = "0119"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Empty: the ratings of before were made by a model without a version, or there are none.
    op.create_table(
        "rating_model",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="rating_model_id"),
    )
    op.create_index("counted_matches_rated", "counted_matches", ["ended"], postgresql_where=sa.text("is_rated"))
