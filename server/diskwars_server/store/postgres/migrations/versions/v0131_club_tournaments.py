"""Tournaments of clubs: which club a tournament is of."""

import sqlalchemy as sa
from alembic import op

revision = "0131"
down_revision = "0130"
branch_labels = None
depends_on = None


def upgrade() -> None:
    club = sa.Column("club", sa.Text(collation="C"), comment="of whose members only it is; null: of no club")
    op.add_column("tournaments", club)
    op.create_index(
        "tournaments_club", "tournaments", ["club", "created"], postgresql_where=sa.text("club is not null")
    )
