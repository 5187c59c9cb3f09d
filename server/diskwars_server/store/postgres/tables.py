"""Tables of the database, as SQLAlchemy knows them. The migrations make the same ones."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

RECORDS_VERSION = "records_version"
RECORDS_COMMAND = "records_command"
METADATA = MetaData()
UNFINISHED_MATCH = "status <> 'ended'"
RUNNING_MATCH = "status = 'running'"
ENDED_MATCH = "status = 'ended'"
UNSTARTED_MATCH = "status = 'open'"
MATCH_WITH_BOTS = """status <> 'ended' and seats @? '$[*] ? (@ starts with "bot-")'"""
MATCH_OF_CLUB = "match_options ? 'club'"
NEVER_BEGUN_MATCH = "result ->> 'end_reason' in ('closed', 'abandoned')"
UNCOUNTED_MATCH = "status = 'ended' and not is_counted"
UNARCHIVED_MATCH = "status = 'ended' and not is_archived"
RANKED_PLAYER = "games >= 5"
BOT_ACCOUNT = "is_bot"
NAME_TYPE = Text(collation="C")

# A body is bytea, not text or jsonb: it is hashed, so it has to be returned byte for byte, and bytea passes from the
# record to the disk and back without being decoded, whatever the encoding of the database. SQL users read it as jsonb
# in the views events_json and records_json. It is JSON, not msgpack: that would save 13 % of the disk and make every
# reader write the JSON again that the chain is over. TOAST stays as it is: figures in bench/profiles.md.
RECORDS = Table(
    "records",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("actor", NAME_TYPE, nullable=False),
    Column("command_id", NAME_TYPE, nullable=False),
    Column("rules_version", Integer, nullable=False, comment="the version of the rules that decided it"),
    Column("body", LargeBinary, nullable=False),
    Column("secret", LargeBinary),
    Column("salt", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    # The primary key is made before the other, and PostgreSQL asks them in that order: a wrong version is named first.
    PrimaryKeyConstraint("match_id", "seq", name=RECORDS_VERSION),
    UniqueConstraint("actor", "match_id", "command_id", name=RECORDS_COMMAND),
)
MATCHES = Table(
    "matches",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("ruleset", NAME_TYPE, nullable=False),
    Column("status", NAME_TYPE, nullable=False),
    Column("seats", JSONB, nullable=False, comment="opaque player ids; null is an empty seat"),
    Column("opener", NAME_TYPE, nullable=False, comment="opaque player id"),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("updated", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("result", JSONB, nullable=False, comment="without reasons; null before the end"),
    Column("match_options", JSONB, nullable=False, comment="MatchOptions as JSON"),
    Column("armies", JSONB, nullable=False, server_default="[]", comment="ids by seat; empty before the end"),
    Column("records", BigInteger, nullable=False, server_default="0", comment="how many; 0 before the end"),
    Column("deciding", NAME_TYPE, nullable=False, server_default="", comment="digits of the seats that have to decide"),
    Column("imported", Boolean, nullable=False, server_default=false(), comment="from a match file: played elsewhere"),
    Column("settings", JSONB, nullable=False, server_default="{}"),
    Column("packs", JSONB, nullable=False, server_default="[]", comment="ids"),
    # Not among what an append writes, so that a match is looked at once.
    Column("is_counted", Boolean, nullable=False, server_default=text("false")),
    Column(
        "is_archived",
        Boolean,
        nullable=False,
        server_default=text("false"),
        comment="its records but the last are files",
    ),
    PrimaryKeyConstraint("match_id", name="matches_match"),
    Index("matches_newest", "created", "match_id"),
    Index("matches_newest_of_status", "status", "created", "match_id"),
    # Only unfinished matches have an entry, so counting a player's open matches reads only those.
    Index("matches_unfinished_of_opener", "opener", postgresql_where=text(UNFINISHED_MATCH)),
    Index("matches_newest_of_ruleset", "ruleset", "created", "match_id"),
    Index("matches_of_player", "seats", postgresql_using="gin"),
    Index("matches_of_opener", "opener"),
    Index("matches_unstarted", "match_id", postgresql_where=text(UNSTARTED_MATCH)),
    Index("matches_with_bots", "match_id", postgresql_where=text(MATCH_WITH_BOTS)),
    Index("matches_of_club", text("(match_options ->> 'club')"), "created", postgresql_where=text(MATCH_OF_CLUB)),
    # Only ended matches are searched, so a match under way costs this index nothing.
    Index("matches_ended_of_army", "armies", postgresql_using="gin", postgresql_where=text(ENDED_MATCH)),
    Index("matches_never_begun", "updated", postgresql_where=text(NEVER_BEGUN_MATCH)),
    Index("matches_unarchived", "updated", "match_id", postgresql_where=text(UNARCHIVED_MATCH)),
    Index("matches_uncounted", "updated", "match_id", postgresql_where=text(UNCOUNTED_MATCH)),
)
ARCHIVE_REMOVALS = Table(
    "archive_removals",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False, comment="removed, while its file is still in the archive"),
    PrimaryKeyConstraint("match_id", name="archive_removals_match"),
)
SECRETS = Table(
    "secrets",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("name", NAME_TYPE, nullable=False),
    Column("value", LargeBinary, nullable=False),
    PrimaryKeyConstraint("match_id", "name", name="secrets_name"),
)
DEADLINES = Table(
    "deadlines",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("decision", NAME_TYPE, nullable=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("claimed_until", BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"),
    PrimaryKeyConstraint("match_id", "decision", name="deadlines_decision"),
    Index("deadlines_due", "at"),
)
GRACES = Table(
    "graces",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("decision", NAME_TYPE, nullable=False),
    Column("seat", Integer, nullable=False),
    PrimaryKeyConstraint("match_id", "decision", name="graces_decision"),
)
HEALTH = Table(
    "health",
    METADATA,
    Column("id", Integer, nullable=False, autoincrement=False),
    Column("at", DateTime(timezone=True), nullable=False, comment="when a node last could write"),
    PrimaryKeyConstraint("id", name="health_id"),
)
KEYS = Table(
    "keys",
    METADATA,
    Column("name", NAME_TYPE, nullable=False),
    Column("value", LargeBinary, nullable=False),
    PrimaryKeyConstraint("name", name="keys_name"),
)
ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("name", NAME_TYPE, nullable=False, comment="empty once deleted"),
    Column("name_key", NAME_TYPE, comment="what look-alike names have in common; null once deleted"),
    Column("password_hash", NAME_TYPE, nullable=False, comment="argon2id; empty once deleted"),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("renamed", BigInteger, nullable=False, comment="milliseconds since 1970; 0: never"),
    Column("is_bot", Boolean, nullable=False, server_default=false(), comment="set once, and kept"),
    PrimaryKeyConstraint("player_id", name="accounts_player"),
    UniqueConstraint("name_key", name="accounts_name_key"),
    Index("accounts_of_bots", "player_id", postgresql_where=text(BOT_ACCOUNT)),
)
DEVICES = Table(
    "devices",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("device_id", NAME_TYPE, nullable=False),
    Column("token_hash", LargeBinary, nullable=False, comment="SHA-256 of the token"),
    Column("name", NAME_TYPE, nullable=False, comment="what the player calls it; may be empty"),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("last_used", BigInteger, nullable=False, comment="milliseconds since 1970, to the hour"),
    Column("scopes", NAME_TYPE, nullable=False, server_default="", comment="of a token for HTTP, joined by blanks"),
    PrimaryKeyConstraint("player_id", "device_id", name="devices_device"),
    UniqueConstraint("token_hash", name="devices_token"),
)
GUEST_NAMES = Table(
    "guest_names",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("name", NAME_TYPE, nullable=False),
    Column("name_key", NAME_TYPE, nullable=False, comment="what look-alike names have in common"),
    Column("named", BigInteger, nullable=False, comment="milliseconds since 1970"),
    PrimaryKeyConstraint("player_id", name="guest_names_player"),
    Index("guest_names_oldest", "named"),
)
ACCOUNT_RECOVERIES = Table(
    "account_recoveries",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("secret_hash", LargeBinary, nullable=False, comment="SHA-256 of a recovery code or of a link"),
    Column("expires", BigInteger, comment="milliseconds since 1970; null: never, as of a code"),
    PrimaryKeyConstraint("player_id", "secret_hash", name="account_recoveries_secret"),
)
MATCH_ENTRIES = Table(
    "match_entries",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("player_id", NAME_TYPE, nullable=False),
    PrimaryKeyConstraint("match_id", "player_id", name="match_entries_player"),
)
MATCH_INVITES = Table(
    "match_invites",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("invite_id", NAME_TYPE, nullable=False),
    Column("code_hash", LargeBinary, nullable=False, comment="SHA-256 of the code"),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("army", NAME_TYPE, nullable=False, comment="for those who use it; may be empty"),
    Column("uses_left", Integer, comment="null: not limited"),
    Column("revoked", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("match_id", "invite_id", name="match_invites_invite"),
    UniqueConstraint("code_hash", name="match_invites_code"),
)
COUNTED_MATCHES = Table(
    "counted_matches",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("ruleset", NAME_TYPE, nullable=False),
    Column("ended", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("ordinal", BigInteger, nullable=False, comment="the order in which matches were counted, from 1"),
    Column("is_rated", Boolean, nullable=False),
    PrimaryKeyConstraint("match_id", name="counted_matches_match"),
    UniqueConstraint("ordinal", name="counted_matches_ordinal"),
    Index("counted_matches_rated", "ended", postgresql_where=text("is_rated")),
)
RATING_MODEL = Table(
    "rating_model",
    METADATA,
    Column("id", Integer, nullable=False, autoincrement=False),
    Column("version", BigInteger, nullable=False),
    PrimaryKeyConstraint("id", name="rating_model_id"),
)


def _counts(*names: str) -> list[Column[int]]:
    return [Column(name, BigInteger, nullable=False) for name in names]


RATINGS = Table(
    "ratings",
    METADATA,
    Column("ruleset", NAME_TYPE, nullable=False),
    Column("player_id", NAME_TYPE, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("shown", BigInteger, nullable=False, comment="round(1000 * (mu - 3 * sigma))"),
    *_counts("games", "wins", "losses", "draws"),
    PrimaryKeyConstraint("ruleset", "player_id", name="ratings_player"),
    Index("ratings_of_player", "player_id"),
    Index("ratings_ranked", "ruleset", "shown", "player_id", postgresql_where=text(RANKED_PLAYER)),
)
RATING_CHANGES = Table(
    "rating_changes",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("ruleset", NAME_TYPE, nullable=False),
    Column("ordinal", BigInteger, nullable=False, comment="that of the counted match"),
    Column("match_id", NAME_TYPE, nullable=False),
    Column("ended", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("shown", BigInteger, nullable=False, comment="the rating after the match"),
    Column("sigma", Double, nullable=False),
    PrimaryKeyConstraint("player_id", "ruleset", "ordinal", name="rating_changes_ordinal"),
)
PLAYED_RESULTS = Table(
    "played_results",
    METADATA,
    Column("ruleset", NAME_TYPE, nullable=False),
    Column("player_id", NAME_TYPE, nullable=False, comment="empty: the army with all players"),
    Column("army", NAME_TYPE, nullable=False, comment="empty: armies without an id"),
    *_counts("games", "wins", "losses", "draws", "points", "records"),
    PrimaryKeyConstraint("ruleset", "player_id", "army", name="played_results_army"),
    Index("played_results_of_player", "player_id"),
)
CHAT_MESSAGES = Table(
    "chat_messages",
    METADATA,
    Column("match_id", NAME_TYPE, nullable=False),
    Column("channel", NAME_TYPE, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("player_id", NAME_TYPE, nullable=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("seq", BigInteger, nullable=False, comment="the last record when it was written"),
    Column("text", NAME_TYPE, nullable=False, comment="empty once erased"),
    Column("command_id", NAME_TYPE, nullable=False),
    PrimaryKeyConstraint("match_id", "channel", "number", name="chat_messages_number"),
    UniqueConstraint("match_id", "player_id", "command_id", name="chat_messages_command"),
    Index("chat_messages_of_player", "player_id"),
)
MUTED_PLAYERS = Table(
    "muted_players",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("muted_id", NAME_TYPE, nullable=False),
    PrimaryKeyConstraint("player_id", "muted_id", name="muted_players_player"),
)
OPERATOR_ACTS = Table(
    "operator_acts",
    METADATA,
    Column("number", BigInteger, nullable=False, autoincrement=False),
    Column("kind", NAME_TYPE, nullable=False),
    Column("operator", NAME_TYPE, nullable=False, comment="player id; empty: the host"),
    Column("target", NAME_TYPE, nullable=False, comment="a player or a match"),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("reason", NAME_TYPE, nullable=False),
    Column("until", BigInteger, comment="when a ban ends, in milliseconds since 1970; null: never"),
    Column("detail", NAME_TYPE, nullable=False, comment="the new name, or which messages were erased"),
    PrimaryKeyConstraint("target", "number", name="operator_acts_number"),
    Index("operator_acts_numbers", "number", unique=True),
)
REPORTS = Table(
    "reports",
    METADATA,
    Column("number", BigInteger, nullable=False, autoincrement=False),
    Column("match_id", NAME_TYPE, nullable=False),
    Column("seq", BigInteger, nullable=False, comment="the record that is reported"),
    Column("player_id", NAME_TYPE, nullable=False, comment="reported player"),
    Column("reporter", NAME_TYPE, nullable=False, comment="player id"),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("text", NAME_TYPE, nullable=False),
    Column("command_id", NAME_TYPE, nullable=False),
    Column("closed_by", BigInteger, nullable=False, server_default="0", comment="act of an operator; 0: open"),
    Column("kind", NAME_TYPE, nullable=False, server_default="match", comment="what match_id is the id of"),
    PrimaryKeyConstraint("match_id", "number", name="reports_number"),
    Index("reports_numbers", "number", unique=True),
    UniqueConstraint("reporter", "match_id", "command_id", name="reports_command"),
    Index("reports_open", "number", postgresql_where=text("closed_by = 0")),
)
MATCH_SEEKS = Table(
    "match_seeks",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("command_id", NAME_TYPE, nullable=False),
    Column("sought", NAME_TYPE, nullable=False, comment="the same for all who can be paired"),
    Column("since", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("alive_until", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("match_id", NAME_TYPE, nullable=False, comment="empty until a match is found"),
    Column("players", NAME_TYPE, nullable=False, comment="those of the match by seat, as JSON"),
    PrimaryKeyConstraint("player_id", name="match_seeks_player"),
    Index("match_seeks_alive", "alive_until"),
)
CHALLENGES = Table(
    "challenges",
    METADATA,
    Column("challenge_id", NAME_TYPE, nullable=False),
    Column("challenger", NAME_TYPE, nullable=False, comment="player id"),
    Column("challenged", NAME_TYPE, nullable=False, comment="player id"),
    Column("match_id", NAME_TYPE, nullable=False, comment="opened once it is accepted"),
    Column("terms", NAME_TYPE, nullable=False, comment="ruleset, settings, options and packs, as JSON"),
    Column("seat", Integer, nullable=False, comment="of the challenger"),
    Column("is_by_lot", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("expires", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("status", NAME_TYPE, nullable=False),
    Column("settled", BigInteger, nullable=False, comment="milliseconds since 1970; 0: not answered"),
    Column("reason", NAME_TYPE, nullable=False, comment="why it was declined; may be empty"),
    PrimaryKeyConstraint("challenge_id", name="challenges_challenge"),
    UniqueConstraint("match_id", name="challenges_match"),
    Index("challenges_challenger", "challenger"),
    Index("challenges_challenged", "challenged"),
    Index("challenges_expires", "expires", postgresql_where=text("settled = 0")),
    Index("challenges_settled", "settled", postgresql_where=text("settled > 0")),
)
CHALLENGE_REFUSERS = Table(
    "challenge_refusers",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    PrimaryKeyConstraint("player_id", name="challenge_refusers_player"),
)
FOLLOWED_PLAYERS = Table(
    "followed_players",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("followed_id", NAME_TYPE, nullable=False),
    PrimaryKeyConstraint("player_id", "followed_id", name="followed_players_player"),
    Index("followed_players_followed", "followed_id"),
)
FORMER_NAMES = Table(
    "former_names",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("name_key", NAME_TYPE, nullable=False),
    Column("name", NAME_TYPE, nullable=False),
    Column("until", BigInteger, nullable=False, comment="milliseconds since 1970: when it was given up"),
    PrimaryKeyConstraint("player_id", "name_key", name="former_names_name"),
    Index("former_names_key", "name_key", "until"),
)
PRESENCE_SHOWN = Table(
    "presence_shown",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    PrimaryKeyConstraint("player_id", name="presence_shown_player"),
)
LESSON_PROGRESS = Table(
    "lesson_progress",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("progress", NAME_TYPE, nullable=False, comment="boards and the guided match, as JSON"),
    Column("changed", BigInteger, nullable=False, comment="milliseconds since 1970"),
    PrimaryKeyConstraint("player_id", name="lesson_progress_player"),
    Index("lesson_progress_oldest", "changed"),
)
DEVICE_LOGINS = Table(
    "device_logins",
    METADATA,
    Column("device_hash", LargeBinary, nullable=False, comment="SHA-256 of the code that the program keeps"),
    Column("user_hash", LargeBinary, nullable=False, comment="SHA-256 of the code that the player types"),
    Column("name", NAME_TYPE, nullable=False),
    Column("scopes", ARRAY(NAME_TYPE), nullable=False),
    Column("expires", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("interval", BigInteger, nullable=False, comment="milliseconds between two polls"),
    Column("polled", BigInteger, nullable=False, comment="milliseconds since 1970; 0 before the first poll"),
    Column("status", NAME_TYPE, nullable=False),
    Column("player_id", NAME_TYPE, nullable=False, comment="the player that has answered; empty before"),
    PrimaryKeyConstraint("device_hash", name="device_logins_device"),
    UniqueConstraint("user_hash", name="device_logins_user"),
)
PLANNED_NOTICES = Table(
    "planned_notices",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("match_id", NAME_TYPE, nullable=False),
    Column("kind", NAME_TYPE, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("due", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("seq", BigInteger, nullable=False, comment="the record that caused it"),
    Column("decision", NAME_TYPE, nullable=False, comment="key of its deadline; empty: it has none"),
    Column("claimed_until", BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"),
    PrimaryKeyConstraint("player_id", "match_id", "kind", name="planned_notices_kind"),
    Index("planned_notices_due", "due"),
    Index("planned_notices_of_match", "match_id"),
)
NOTICE_CHANNELS = Table(
    "notice_channels",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("channel_id", NAME_TYPE, nullable=False),
    Column("target", NAME_TYPE, nullable=False, comment="where to send, as JSON"),
    Column("state", NAME_TYPE, nullable=False),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("failures", Integer, nullable=False, comment="refusals in a row"),
    Column("rests_until", BigInteger, nullable=False, comment="milliseconds since 1970"),
    PrimaryKeyConstraint("player_id", "channel_id", name="notice_channels_channel"),
    UniqueConstraint("player_id", "target", name="notice_channels_target"),
)
NOTICE_PREFERENCES = Table(
    "notice_preferences",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("preferences", NAME_TYPE, nullable=False, comment="NoticePreferences as JSON"),
    PrimaryKeyConstraint("player_id", name="notice_preferences_player"),
)
NOTICE_DELIVERIES = Table(
    "notice_deliveries",
    METADATA,
    Column("player_id", NAME_TYPE, nullable=False),
    Column("delivery_id", NAME_TYPE, nullable=False),
    Column("channel_id", NAME_TYPE, nullable=False),
    Column("texts", NAME_TYPE, nullable=False, comment="what it says of which match, as JSON"),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("due", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("attempts", Integer, nullable=False),
    Column("claimed_until", BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"),
    Column("dead", NAME_TYPE, nullable=False, comment="why it was given up; empty: it was not"),
    PrimaryKeyConstraint("player_id", "delivery_id", name="notice_deliveries_delivery"),
    Index("notice_deliveries_due", "due", postgresql_where=text("dead = ''")),
    Index("notice_deliveries_dead", "created", postgresql_where=text("dead <> ''")),
)
PAGE_BUILDS = Table(
    "page_builds",
    METADATA,
    Column("build", NAME_TYPE, nullable=False),
    Column("at", BigInteger, nullable=False, comment="when a server started with it last, in milliseconds"),
    PrimaryKeyConstraint("build", name="page_builds_build"),
)
PAGE_PARTS = Table(
    "page_parts",
    METADATA,
    Column("path", NAME_TYPE, nullable=False),
    Column("build", NAME_TYPE, nullable=False),
    Column("body", LargeBinary, nullable=False),
    PrimaryKeyConstraint("path", "build", name="page_parts_path"),
)
TOURNAMENT_COMMAND = "tournament_records_command"
TOURNAMENT_RECORDS = Table(
    "tournament_records",
    METADATA,
    Column("tournament_id", NAME_TYPE, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("actor", NAME_TYPE, nullable=False),
    Column("command_id", NAME_TYPE, nullable=False),
    Column("events", NAME_TYPE, nullable=False, comment="what has happened, as JSON"),
    PrimaryKeyConstraint("tournament_id", "seq", name="tournament_records_version"),
    UniqueConstraint("tournament_id", "actor", "command_id", name=TOURNAMENT_COMMAND),
)
TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("tournament_id", NAME_TYPE, nullable=False),
    Column("status", NAME_TYPE, nullable=False),
    Column("organiser", NAME_TYPE, nullable=False),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("is_public", Boolean, nullable=False),
    Column("players", JSONB, nullable=False, comment="organisers and entrants"),
    Column("listing", NAME_TYPE, nullable=False, comment="what lists show, as JSON"),
    Column("due", BigInteger, comment="when something is to be done; null: never"),
    Column("claimed_until", BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"),
    Column("club", NAME_TYPE, comment="of whose members only it is; null: of no club"),
    PrimaryKeyConstraint("tournament_id", name="tournaments_tournament"),
    Index("tournaments_due", "due", postgresql_where=text("due is not null")),
    Index("tournaments_created", "created", "tournament_id"),
    Index("tournaments_organiser", "organiser"),
    Index("tournaments_club", "club", "created", postgresql_where=text("club is not null")),
    Index("tournaments_players", "players", postgresql_using="gin"),
)
CLUB_COMMAND = "club_records_command"
CLUB_RECORDS = Table(
    "club_records",
    METADATA,
    Column("club_id", NAME_TYPE, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("actor", NAME_TYPE, nullable=False),
    Column("command_id", NAME_TYPE, nullable=False),
    Column("events", NAME_TYPE, nullable=False, comment="what has happened, as JSON"),
    PrimaryKeyConstraint("club_id", "seq", name="club_records_version"),
    UniqueConstraint("club_id", "actor", "command_id", name=CLUB_COMMAND),
)
CLUBS = Table(
    "clubs",
    METADATA,
    Column("club_id", NAME_TYPE, nullable=False),
    Column("status", NAME_TYPE, nullable=False),
    Column("created", BigInteger, nullable=False, comment="milliseconds since 1970"),
    Column("is_public", Boolean, nullable=False),
    Column("members", JSONB, nullable=False, comment="opaque player ids"),
    Column("listing", NAME_TYPE, nullable=False, comment="what lists show, as JSON"),
    Column("due", BigInteger, comment="when a season is to be ended; null: never"),
    Column("claimed_until", BigInteger, nullable=False, comment="milliseconds since 1970; 0: claimed by nobody"),
    PrimaryKeyConstraint("club_id", name="clubs_club"),
    Index("clubs_due", "due", postgresql_where=text("due is not null")),
    Index("clubs_created", "created", "club_id"),
    Index("clubs_members", "members", postgresql_using="gin"),
)
