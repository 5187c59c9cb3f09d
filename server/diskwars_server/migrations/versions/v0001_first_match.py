"""The records of matches, what the lobby shows of them, and their secrets.

Every key begins with the match, so every table can be sharded by match.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Compared by bytes: fast, equal to the order of Python's strings, and the same whatever the locale of the server.
NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("match_id", NAME, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("actor", NAME, nullable=False),
        sa.Column("command_id", NAME, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("rules", NAME, nullable=False),
        sa.Column("recorded_at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.PrimaryKeyConstraint("match_id", "seq", name="events_version"),
        sa.UniqueConstraint("match_id", "actor", "command_id", "part", name="events_command"),
    )
    op.create_table(
        "matches",
        sa.Column("match_id", NAME, nullable=False),
        sa.Column("ruleset", NAME, nullable=False),
        sa.Column("status", NAME, nullable=False),
        sa.Column("seats", JSONB, nullable=False, comment="opaque player ids; null is an empty seat"),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("updated", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("result", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="matches_match"),
    )
    op.create_index("matches_newest", "matches", ["created", "match_id"])
    op.create_index("matches_newest_of_status", "matches", ["status", "created", "match_id"])
    op.create_table(
        "secrets",
        sa.Column("match_id", NAME, nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "name", name="secrets_name"),
    )
    op.create_table(
        "keys",
        sa.Column("name", NAME, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="keys_name"),
    )
    # What the chain makes public anyway: neither openings nor salts.
    op.execute(
        """
        create view events_json as
        select match_id, seq, kind, actor, command_id, part, convert_from(body, 'UTF8')::jsonb as body,
               encode(hash, 'hex') as hash, rules, to_timestamp(recorded_at / 1000.0) as recorded_at
        from events
        """
    )
