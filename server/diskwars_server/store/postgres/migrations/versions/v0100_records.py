"""The records of matches, what the lobby shows of them, their secrets and deadlines.

Every unique key of a table about matches contains the match, so these tables can be sharded by match. All but one
begin with it: `records_command` begins with the actor. With the match in front, a planner without statistics might
read a match by it, and sort, instead of by the primary key. `keys` belongs to the server, not to a match.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0100"
down_revision = None
branch_labels = None
depends_on = None

# Compared by bytes: fast, equal to the order of Python's strings, and the same whatever the locale of the server.
NAME = sa.Text(collation="C")


def upgrade() -> None:
    op.create_table(
        "records",
        sa.Column("match_id", NAME, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("actor", NAME, nullable=False),
        sa.Column("command_id", NAME, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False, comment="the version of the rules that decided it"),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary),
        sa.Column("salt", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seq", name="records_version"),
        sa.UniqueConstraint("actor", "match_id", "command_id", name="records_command"),
    )
    op.create_table(
        "matches",
        sa.Column("match_id", NAME, nullable=False),
        sa.Column("ruleset", NAME, nullable=False),
        sa.Column("status", NAME, nullable=False),
        sa.Column("seats", JSONB, nullable=False, comment="opaque player ids; null is an empty seat"),
        sa.Column("opener", NAME, nullable=False, comment="opaque player id"),
        sa.Column("created", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("updated", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column("result", JSONB, nullable=False, comment="without reasons; null before the end"),
        sa.Column("options", JSONB, nullable=False, comment="MatchOptions as JSON"),
        sa.PrimaryKeyConstraint("match_id", name="matches_match"),
    )
    op.create_index("matches_newest", "matches", ["created", "match_id"])
    op.create_index("matches_newest_of_status", "matches", ["status", "created", "match_id"])
    op.create_index(
        "matches_unfinished_of_opener", "matches", ["opener"], postgresql_where=sa.text("status <> 'ended'")
    )
    op.create_table(
        "secrets",
        sa.Column("match_id", NAME, nullable=False),
        sa.Column("name", NAME, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "name", name="secrets_name"),
    )
    op.create_table(
        "deadlines",
        sa.Column("match_id", NAME, nullable=False),
        sa.Column("decision", NAME, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
        sa.Column(
            "claimed_until", sa.BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"
        ),
        sa.PrimaryKeyConstraint("match_id", "decision", name="deadlines_decision"),
    )
    op.create_index("deadlines_due", "deadlines", ["at"])
    op.create_table(
        "keys",
        sa.Column("name", NAME, nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="keys_name"),
    )
    _create_views()


def _create_views() -> None:
    # What the chain makes public anyway: neither openings nor salts.
    op.execute(
        """
        create view records_json as
        select match_id, seq, to_timestamp(at / 1000.0) as at, actor, command_id, rules,
               convert_from(body, 'UTF8')::jsonb as body, encode(hash, 'hex') as hash
        from records
        """
    )
    # One row for each event, numbered from 0 within its record. One that is hidden as a whole has no kind.
    op.execute(
        """
        create view events_json as
        select r.match_id, r.seq, e.number - 1 as number, e.event ->> 'type' as kind, r.at, r.actor, r.command_id,
               r.rules, e.event
        from records_json r, jsonb_array_elements(r.body -> 'events') with ordinality as e (event, number)
        """
    )
