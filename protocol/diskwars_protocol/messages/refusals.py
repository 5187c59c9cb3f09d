"""Refusals: the message, and the codes that any match can give, with what they mean."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Raw, Struct

from diskwars_protocol.match.ids import MatchIdText, RefusalCode
from diskwars_protocol.schema_types import ABSENT, AtLeastOne, CommandId, JsonPlace, RuleId, WholeNumber

RawOpenDecisions: TypeAlias = Annotated[Raw, Meta(extra={"content": "OpenDecisions"})]


class Refused(Struct, frozen=True, gc=False, omit_defaults=True, tag="refused"):
    """Nothing has changed. `place` is where in the message the fault lies.

    `open_decisions` are the decisions that are open now in `match`, if this connection watches it. `rule` is an id of
    docs/rules.md. `numbers` are those in the text; lengths have the unit of the ruleset. `id` is None when a match of
    `Hello` cannot be taken up again. With `retry_after_ms` the command may succeed later. `oldest_match` is, of the
    matches that are too many, the one that was opened first.
    """

    code: RefusalCode
    text: str
    id: CommandId | None = None
    rule: RuleId | None = None
    place: JsonPlace | None = None
    match: MatchIdText | None = None
    open_decisions: RawOpenDecisions = ABSENT
    retry_after_ms: AtLeastOne | None = None
    numbers: dict[str, WholeNumber] = {}
    oldest_match: MatchIdText | None = None


REFUSAL_CODES: dict[RefusalCode, str] = {
    "unknown_type": "there is no message of this type",
    "wrong_shape": "a field of the message is missing, unknown or has the wrong type",
    "unknown_match": "there is no match of this id",
    "unknown_ruleset": "the server has no ruleset of this name",
    "bad_settings": "the settings do not fit the ruleset",
    "bad_page": "the list has no such page; take the `next_page` of a match list",
    "bad_match_options": "the options of the match are unknown, out of range or do not fit together",
    "not_watchable": "the match is not open to spectators, or not yet",
    "unknown_pack": "the server has no such content pack of this ruleset, or does not play these without others",
    "missing_pack": "the match was opened with content packs that the server does not have",
    "bad_action": "the action is not one of the ruleset's, or has the wrong shape",
    "bad_resume": "the record asked for lies beyond the head, or is negative",
    "not_watching": "the match is not watched on this connection",
    "too_many_watched": "more matches watched than the limit allows",
    "too_many_open": "more matches opened and not ended than one player may have",
    "not_opener": "only the player who opened a match may close it",
    "has_begun": "the match has begun: only its players can end it, by resigning",
    "unknown_bot": "the server has no bot of this name for the ruleset",
    "too_many_bots": "more matches with bots than a player may have, or more bots seated from an address",
    "no_bot_seat": "no bot may sit there: rated matches are for people, and every match needs one",
    "not_ended": "secrets are revealed only after the end of the match",
    "never_began": "the match ended before it began, so its secrets stay sealed",
    "no_seat": "you have no seat in this match",
    "not_your_seat": "the decision belongs to another seat",
    "seat_taken": "another player has this seat",
    "too_late": "the match ended more than an hour ago",
    "rematch_declined": "a player wants no other match",
    "nobody_found": "nobody sought the same match in time; seek again",
    "empty_seat": "nobody sits there",
    "own_seat": "this is your own seat: leave it instead",
    "kicked": "the opener has removed you from this match",
    "too_many_kicks": "as many players were removed from the match as may be; close it instead",
    "already_seated": "you have a seat in this match",
    "not_your_turn": "no decision of yours is open",
    "stale_decision": "the decision is no longer open",
    "match_ended": "the match is over",
    "duplicate_differs": "another command was accepted under this id",
    "busy": "too many commands are waiting",
    "retry": "other commands came first twice; send the command again",
    "unavailable": "the server cannot store anything now, so nothing has changed; send the command again later",
    "fault": "internal error of the server; send the command again, which is safe",
    "option_off": "the match was opened without this option",
    "paused": "the match is paused; any of its players may resume it",
    "not_taken_over": "the house does not play your seat",
    "not_paused": "the match is not paused",
    "no_offer": "the offer is not open",
    "offer_waiting": "an offer is open already, and has to be answered or withdrawn first",
    "offered_already": "this seat may make another offer after it has answered a decision",
    "already_agreed": "this seat has agreed to the offer already",
    "bad_takeback": "the match cannot go back to this record",
    "consent_needed": "this cannot be taken back without the consent of the other players",
    "not_in_control": "another device of this player plays the seat; take it over with `replace_chain`",
    "bad_chain": "a chain head is 32 hex digits",
    "bad_seat_nonce": "the seat nonce has the wrong length or is not the next of the chain",
    "bad_salt": "a salt is 32 hex digits",
    "unsafe_salt": "a salt of zeros, of a documented example, or published in this match gives the secret away",
    "unreadable_cursor": "the match was left by another version of the rules, and the server's cannot go on with it",
    "dice_exhausted": "the match has used every step of its dice and can only be resigned",
    "wrong_action": "the action does not answer this decision",
    "not_legal": "this choice is not among the legal ones",
    "bad_name": "the name has the wrong length or characters, or is reserved",
    "name_taken": "another player has this name, or one that looks like it",
    "bad_password": "a password has 8 to 1024 bytes",
    "wrong_password": "no account has this name and password",
    "locked": "the match is locked: enter it with its password or an invite",
    "no_password": "the match has no password",
    "wrong_match_password": "this is not the password of the match",
    "bad_invite": "no invite has this code: it was revoked, used up or never made",
    "unknown_invite": "the match has no invite of this id",
    "too_many_invites": "the match has as many invites as it may have; revoke one first",
    "bad_branch": "nobody can play on from this moment of the match",
    "match_full": "the match has admitted as many players as it may",
    "wrong_recovery_code": "no account has this name and code, or the code was used or is too old",
    "too_many_attempts": "too many attempts; try again later",
    "too_many_accounts": "too many accounts were registered from your address; try again later",
    "already_registered": "you have an account already",
    "not_registered": "you are a guest: only players with an account can do this",
    "unknown_device": "you have no device of this id",
    "renamed_lately": "a name can be changed once a day",
    "bad_search": "the search asks for what no match can be",
    "unknown_player": "no account has this name",
    "too_many_searches": "more searches than the limit allows; search again later",
    "bad_text": "the text is empty, too long, or has characters that are hidden or reorder what is read",
    "not_your_channel": "players write to each other; everybody else to the watchers, players too after the end",
    "too_much_chat": "more chat messages than the limit allows; write again later",
    "too_many_muted": "as many players are muted as may be; unmute one first",
    "bad_report": "a report is about another player, and about a record of the match that you were shown",
    "too_many_reports": "more reports than the limit allows; report again later",
    "channel_off": "this server sends no notices of this kind",
    "bad_channel": "nothing can be sent to this address, or the server may not reach it",
    "too_many_channels": "you have as many channels for notices as you may; remove one first",
    "unknown_channel": "you have no channel for notices of this id",
    "bad_time_zone": "the tz database has no time zone of this name",
    "too_much_history": "more earlier records were sent to you than the limit allows; ask again later",
    "too_much_written": "guests of your address have written more than the limit allows; try again later",
    "unknown_tournament": "there is no tournament of this id",
    "bad_tournament": "the options of the tournament are unknown, out of range or do not fit together",
    "too_many_tournaments": "you organise as many tournaments as one player may; end one first",
    "not_organiser": "only an organiser of the tournament may do that",
    "too_many_organisers": "the tournament has as many organisers as it may have",
    "tournament_begun": "the tournament has begun",
    "tournament_over": "the tournament is over",
    "tournament_full": "the tournament takes no more entrants",
    "not_running": "the tournament is not under way",
    "not_entered": "you are not in this tournament",
    "no_check_in": "nobody can check in now",
    "no_bots_here": "the tournament was opened without bots",
    "too_few_entrants": "a tournament needs two entrants to begin",
    "no_round_due": "no round can begin now",
    "unknown_entrant": "the tournament has no entrant of this number",
    "unknown_board": "the tournament has no such match",
    "bad_result": "the result does not fit the match",
    "result_used": "later matches were paired with this result, so it stays",
    "own_account": "this is your own account",
    "too_many_followed": "you follow as many players as you may; unfollow one first",
    "own_challenge": "you cannot challenge yourself",
    "takes_no_challenges": "this player takes no challenges",
    "challenged_already": "you have challenged this player already; take that back first",
    "too_many_challenges": "you have challenged as many players as you may; take one back first, or try again later",
    "too_many_challengers": "this player was challenged by as many as may be; try again later",
    "unknown_challenge": "there is no challenge of this id to you or from you",
    "challenge_over": "the challenge was answered or taken back, or its time is over",
    "import_off": "this server takes no match files",
    "bad_import": "the parts of the file do not fit together, or no upload is under way",
    "too_many_imports": "more match files are uploaded or verified than the limit allows; try again later",
    "import_too_large": "the match file is larger than the server takes",
    "import_too_slow": "the match file took longer to verify than the server allows",
    "import_failed": "the server could not verify the match file, by a fault of its own",
    "import_cut": "the match file ends in the middle of a line",
    "import_unfinished": "the match of the file did not come to its end, so nobody could play on",
    "import_changed": "the match file is not as it was written",
    "import_newer_format": "the match file was written in a later version of its format",
    "import_other_rules": "the match was decided by other rules than those of the server, which cannot verify it",
    "import_conflict": "the server has another match of this id",
    "review_off": "this server reviews no matches",
    "too_many_reviews": "more matches are reviewed than the limit allows; try again later",
    "review_failed": "the server could not review the match in its time, or at all",
}
"""Every code of a `Refused` that any match can give, with what it means; a ruleset adds its own. Stable."""
