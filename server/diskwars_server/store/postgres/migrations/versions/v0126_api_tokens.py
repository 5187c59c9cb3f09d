"""Tokens for the HTTP interface: devices with scopes."""

import sqlalchemy as sa
from alembic import op

revision = "0126"
down_revision = "0125"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The default is for nodes of the release before, which name no scopes.
    scopes = sa.Column(
        "scopes",
        sa.Text(collation="C"),
        nullable=False,
        server_default="",
        comment="of a token for HTTP, joined by blanks",
    )
    op.add_column("devices", scopes)
