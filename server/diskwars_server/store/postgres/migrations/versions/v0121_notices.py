"""Notices to players: what is planned, the channels and preferences of players, and what is being sent."""

import sqlalchemy as sa
from alembic import op

revision = "0121"
down_revision = "0120"
branch_labels = None
depends_on = None

_NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "planned_notices",
        sa.Column("player_id", _NAME, nullable=False),
        sa.Column("match_id", _NAME, nullable=False),
        sa.Column("kind", _NAME, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("seq", sa.BigInteger, nullable=False, comment="the record that caused it"),
        sa.Column("decision", _NAME, nullable=False, comment="key of its deadline; empty: it has none"),
        sa.Column(
            "claimed_until", sa.BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"
        ),
        sa.PrimaryKeyConstraint("player_id", "match_id", "kind", name="planned_notices_kind"),
    )
    op.create_index("planned_notices_due", "planned_notices", ["due"])
    op.create_index("planned_notices_of_match", "planned_notices", ["match_id"])
    op.create_table(
        "notice_channels",
        sa.Column("player_id", _NAME, nullable=False),
        sa.Column("channel_id", _NAME, nullable=False),
        sa.Column("target", _NAME, nullable=False, comment="where to send, as JSON"),
        sa.Column("state", _NAME, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("failures", sa.Integer, nullable=False, comment="refusals in a row"),
        sa.Column("rests_until", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.PrimaryKeyConstraint("player_id", "channel_id", name="notice_channels_channel"),
        sa.UniqueConstraint("player_id", "target", name="notice_channels_target"),
    )
    op.create_table(
        "notice_preferences",
        sa.Column("player_id", _NAME, nullable=False),
        sa.Column("preferences", _NAME, nullable=False, comment="NoticePreferences as JSON"),
        sa.PrimaryKeyConstraint("player_id", name="notice_preferences_player"),
    )
    op.create_table(
        "notice_deliveries",
        sa.Column("player_id", _NAME, nullable=False),
        sa.Column("delivery_id", _NAME, nullable=False),
        sa.Column("channel_id", _NAME, nullable=False),
        sa.Column("texts", _NAME, nullable=False, comment="what it says of which match, as JSON"),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("due", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column(
            "claimed_until", sa.BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"
        ),
        sa.Column("dead", _NAME, nullable=False, comment="why it was given up; empty: it was not"),
        sa.PrimaryKeyConstraint("player_id", "delivery_id", name="notice_deliveries_delivery"),
    )
    op.create_index("notice_deliveries_due", "notice_deliveries", ["due"], postgresql_where=sa.text("dead = ''"))
    op.create_index("notice_deliveries_dead", "notice_deliveries", ["created"], postgresql_where=sa.text("dead <> ''"))
