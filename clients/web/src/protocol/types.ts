// Diskwars protocol, version 1. Written by `diskwars schema --typescript`; changes here are lost.

/** An object used as a map: its keys are data, not fields. */
export type NameMap<Value> = Readonly<Record<string, Value>>;

/**
 * First message. Without a token, the server creates a guest and issues one.
 *
 * Each match of `resume` is answered by a `Watching` or a `Refused` that names the match and has no id.
 */
export interface Hello {
  readonly type: "hello";
  readonly versions: ReadonlyArray<number>;
  readonly client?: string;
  readonly token?: string;
  /** Default: [] */
  readonly resume?: ReadonlyArray<ResumeRequest>;
}

/**
 * Go on watching a match after record `after` (0 = from the start); the rest is as in `Watch`.
 *
 * With `snapshot`, after a long absence, the match comes as it is now; `after` is then 0.
 */
export interface ResumeRequest {
  readonly match: string;
  readonly after: number;
  /** Default: false */
  readonly reveal_secrets?: boolean;
  /** Default: false */
  readonly push_options?: boolean;
  /** Default: false */
  readonly include_unavailable?: boolean;
  /** Default: false */
  readonly snapshot?: boolean;
  /** Default: false */
  readonly push_openings?: boolean;
  /** Default: 0 */
  readonly openings_after?: number;
}

/**
 * Open a match. `settings` are the ruleset's own, `match_options` those of every match.
 *
 * The opener watches it: `Opened`, then a `Watching` without id.
 * `push_options`, `include_unavailable` and `push_openings` are those of that watch.
 * With a `password`, or `invited_only`, the match is locked: others watch it and take seats after they have entered.
 * `packs` are the content packs that it is played with besides the ruleset's own; absent: all that the server has.
 * `bots` take their seats at once; `loadout` is what the opener is going to bring to the first of the other seats.
 * Both are checked before: a request that is refused has opened nothing.
 */
export interface OpenMatch {
  readonly type: "open_match";
  readonly id: string;
  readonly ruleset: string;
  readonly seat_count: number;
  readonly settings?: diskwars.Settings | pit.Settings | close_quarters.Settings | regiments.Settings;
  readonly match_options?: MatchOptions;
  /** Default: false */
  readonly push_options?: boolean;
  /** Default: false */
  readonly include_unavailable?: boolean;
  /** Default: false */
  readonly push_openings?: boolean;
  readonly password?: string;
  /** Default: false */
  readonly invited_only?: boolean;
  readonly packs?: ReadonlyArray<string>;
  readonly loadout?: diskwars.Loadout | pit.Loadout | close_quarters.Loadout | regiments.Loadout;
  /** Default: [] */
  readonly bots?: ReadonlyArray<OpenedBot>;
}

/** A bot of the server that takes a seat of a match as soon as that is opened, with this loadout. */
export interface OpenedBot {
  readonly bot: string;
  readonly seat: number;
  readonly loadout?: diskwars.Loadout | pit.Loadout | close_quarters.Loadout | regiments.Loadout;
}

/** End a match that has not begun. Only its opener may do that. It need not be watched. */
export interface CloseMatch {
  readonly type: "close_match";
  readonly id: string;
  readonly match: string;
}

/**
 * Let a bot of the server take a seat of a match that has not begun, with this loadout; `seat` absent: a free one.
 *
 * Only the opener may do that. The match need not be watched. `Welcome` lists the bots of each ruleset.
 */
export interface SeatBot {
  readonly type: "seat_bot";
  readonly id: string;
  readonly match: string;
  readonly bot: string;
  readonly seat?: number;
  readonly loadout?: diskwars.Loadout | pit.Loadout | close_quarters.Loadout | regiments.Loadout;
}

/**
 * Remove the player of a seat before the match begins. Only its opener may do that. It need not be watched.
 *
 * A person who was removed takes no seat of this match again.
 */
export interface KickPlayer {
  readonly type: "kick_player";
  readonly id: string;
  readonly match: string;
  readonly seat: number;
}

/**
 * See the records of a match after `after`, as what one is there: a seat, or the public.
 *
 * With `snapshot` the answer holds the match as it is now, and only later records follow; `after` is then 0.
 * `reveal_secrets` asks for every secret of an ended match. With `push_options` the options of the own open decisions
 * follow each record, those unavailable among them with `include_unavailable`. With `push_openings` the openings of
 * all records follow the last one, those of records after `openings_after` at least. A match that is already watched
 * on this connection starts over.
 */
export interface Watch {
  readonly type: "watch";
  readonly id: string;
  readonly match: string;
  /** Default: 0 */
  readonly after?: number;
  /** Default: false */
  readonly reveal_secrets?: boolean;
  /** Default: false */
  readonly snapshot?: boolean;
  /** Default: false */
  readonly push_options?: boolean;
  /** Default: false */
  readonly include_unavailable?: boolean;
  /** Default: false */
  readonly push_openings?: boolean;
  /** Default: 0 */
  readonly openings_after?: number;
}

export interface Unwatch {
  readonly type: "unwatch";
  readonly id: string;
  readonly match: string;
}

/**
 * A command. `id` makes it idempotent: sent again it gets the same answer.
 *
 * `decision` is the one that the action answers, absent for an action that answers none. `chain_head` is the newest link
 * of the own seat's chain as this device knows it: the action is refused if another device has taken over since.
 */
export interface Act {
  readonly type: "act";
  readonly id: string;
  readonly match: string;
  readonly action: diskwars.Action | pit.Action | close_quarters.Action | regiments.Action;
  readonly decision?: string;
  readonly chain_head?: string;
}

/** Request the options of a decision; with `include_unavailable` also what is not among them, and why. */
export interface GetOptions {
  readonly type: "get_options";
  readonly id: string;
  readonly match: string;
  readonly decision: string;
  /** Default: false */
  readonly include_unavailable?: boolean;
}

/** Request records of a watched match: at most `limit` of those after record `after`, as the viewer of the watch. */
export interface GetRecords {
  readonly type: "get_records";
  readonly id: string;
  readonly match: string;
  readonly after: number;
  /** Default: 256 */
  readonly limit?: number;
}

/**
 * Request one page of the list: the newest matches, or the page that a `MatchList` names as the next.
 *
 * What is given narrows the list: matches of a status, of a ruleset, with a player in a seat, that one has opened or
 * plays in (`mine`), that have a free seat to take, that have all these settings, or that are played at this pace.
 * With `club` those of one club, with `clubs` those of all clubs of the player: only its members see them.
 */
export interface ListMatches {
  readonly type: "list_matches";
  readonly id: string;
  readonly status?: "ended" | "open" | "running";
  readonly page?: string;
  /** Default: 100 */
  readonly limit?: number;
  readonly ruleset?: string;
  readonly player?: string;
  /** Default: false */
  readonly mine?: boolean;
  /** Default: false */
  readonly has_free_seat?: boolean;
  /** Default: {} */
  readonly settings?: NameMap<boolean | number | string>;
  readonly pace?: "days" | "live" | "no_clock";
  readonly club?: string;
  /** Default: false */
  readonly clubs?: boolean;
}

/**
 * Request the first page of a list, and every change of it from then on: see `MatchesChanged`.
 *
 * The fields are those of `ListMatches` without the clubs. A connection follows one list; a second request takes the
 * place of the first.
 */
export interface FollowMatches {
  readonly type: "follow_matches";
  readonly id: string;
  readonly status?: "ended" | "open" | "running";
  /** Default: 100 */
  readonly limit?: number;
  readonly ruleset?: string;
  readonly player?: string;
  /** Default: false */
  readonly mine?: boolean;
  /** Default: false */
  readonly has_free_seat?: boolean;
  /** Default: {} */
  readonly settings?: NameMap<boolean | number | string>;
  readonly pace?: "days" | "live" | "no_clock";
}

/** Stop following a list. */
export interface UnfollowMatches {
  readonly type: "unfollow_matches";
  readonly id: string;
}

/**
 * Request one page of the matches that have ended and fit everything named here, the newest first.
 *
 * `player` took part, or who has the account name `player_name`; `won` says how that player fared. `army` is the id of
 * an army that took part. Times are when a match was opened, numbers of records include both ends. A page may hold
 * fewer matches than `limit`, also none, and still not be the last.
 */
export interface SearchMatches {
  readonly type: "search_matches";
  readonly id: string;
  readonly player?: string;
  readonly player_name?: string;
  readonly won?: boolean;
  readonly army?: string;
  readonly ruleset?: string;
  readonly end_reason?: string;
  readonly since_ms?: number;
  readonly until_ms?: number;
  readonly min_records?: number;
  readonly max_records?: number;
  readonly page?: string;
  /** Default: 100 */
  readonly limit?: number;
}

/**
 * Ask what a ruleset is played with. `hash` is that of the catalogue the client has already, if any.
 *
 * `packs` are those of a match, as in `OpenMatch`; absent: all that the server has.
 */
export interface GetCatalogue {
  readonly type: "get_catalogue";
  readonly id: string;
  readonly ruleset: string;
  readonly hash?: string;
  readonly packs?: ReadonlyArray<string>;
}

/**
 * Ask for every fault of a loadout, without opening a match.
 *
 * `settings` and `packs` are those of the match it is meant for, as in `OpenMatch`.
 */
export interface CheckArmy {
  readonly type: "check_army";
  readonly id: string;
  readonly ruleset: string;
  readonly loadout: diskwars.Loadout | pit.Loadout | close_quarters.Loadout | regiments.Loadout;
  readonly settings?: diskwars.Settings | pit.Settings | close_quarters.Settings | regiments.Settings;
  readonly packs?: ReadonlyArray<string>;
}

/** Prove by its password that one may watch a locked match and take a seat in it. It holds from then on. */
export interface EnterMatch {
  readonly type: "enter_match";
  readonly id: string;
  readonly match: string;
  readonly password: string;
}

/** Enter the match that an invite is for. A player who has entered it uses nothing up. */
export interface UseInvite {
  readonly type: "use_invite";
  readonly id: string;
  readonly code: string;
}

/**
 * Make an invite for a match. Only its opener may do that.
 *
 * `army` is shown to those who use it; `uses` is how many players may, absent for as many as the match admits.
 */
export interface CreateInvite {
  readonly type: "create_invite";
  readonly id: string;
  readonly match: string;
  readonly army?: string;
  readonly uses?: number;
}

/** Request the invites of a match. Only its opener may do that. */
export interface ListInvites {
  readonly type: "list_invites";
  readonly id: string;
  readonly match: string;
}

/**
 * Revoke an invite: its code lets nobody in any more. Players who have entered by it stay.
 *
 * Only the opener may do that.
 */
export interface RevokeInvite {
  readonly type: "revoke_invite";
  readonly id: string;
  readonly match: string;
  readonly invite: string;
}

/**
 * Agree to another match with the same options and the seats turned, as a player of a match that has ended.
 *
 * When all people of the match have agreed, it is opened. Sent again, it answers how far that is.
 */
export interface OfferRematch {
  readonly type: "offer_rematch";
  readonly id: string;
  readonly match: string;
}

/** Let there be no other match, as a player of a match that has ended: nobody can agree to it any more. */
export interface DeclineRematch {
  readonly type: "decline_rematch";
  readonly id: string;
  readonly match: string;
}

/**
 * Open a match that plays on from the state of another one after its record `seq`, as far as one may see that.
 *
 * While the other match goes on, everything in it that one may not see is drawn at random. `match_options`,
 * `password` and `invited_only` are those of `OpenMatch`. All seats are free, and bots may be seated in them.
 */
export interface BranchMatch {
  readonly type: "branch_match";
  readonly id: string;
  readonly match: string;
  readonly seq: number;
  readonly match_options?: MatchOptions;
  readonly password?: string;
  /** Default: false */
  readonly invited_only?: boolean;
}

/**
 * Begin to upload a match file. An upload that was under way on this connection ends.
 *
 * The file is sent compressed with zlib (RFC 1950); `compressed_bytes` is how long it is then.
 */
export interface StartImport {
  readonly type: "start_import";
  readonly id: string;
  readonly compressed_bytes: number;
}

/** Some more of the compressed file, from the byte `offset` on. Parts are sent in order. */
export interface ImportPart {
  readonly type: "import_part";
  readonly id: string;
  readonly offset: number;
  readonly data: string;
}

/** All parts were sent: the server verifies the file, which may take a while, and stores its match. */
export interface FinishImport {
  readonly type: "finish_import";
  readonly id: string;
}

/**
 * Request one page of the players of a ruleset with the highest ratings, or the page that a `Leaderboard` names.
 *
 * Bots have a leaderboard of their own: with `bots` "only" it is theirs, without it that of people.
 */
export interface GetLeaderboard {
  readonly type: "get_leaderboard";
  readonly id: string;
  readonly ruleset: string;
  readonly page?: string;
  /** Default: 100 */
  readonly limit?: number;
  readonly bots?: "only";
}

/** Request the ratings and results of a player: by id, by the name of an account, or with neither the own ones. */
export interface GetPlayerStatistics {
  readonly type: "get_player_statistics";
  readonly id: string;
  readonly player?: string;
  readonly player_name?: string;
}

/** Request how the armies of a ruleset have fared. */
export interface GetArmyStatistics {
  readonly type: "get_army_statistics";
  readonly id: string;
  readonly ruleset: string;
}

/**
 * Request how the rating of a player in a ruleset has changed, the newest change first; without a player the own.
 *
 * `page` is one that a `RatingHistory` names.
 */
export interface GetRatingHistory {
  readonly type: "get_rating_history";
  readonly id: string;
  readonly ruleset: string;
  readonly player?: string;
  readonly page?: string;
  /** Default: 500 */
  readonly limit?: number;
}

/**
 * Request the last messages of the own channels of a watched match, and every one that follows.
 *
 * It holds as long as the match is watched; a match that is watched again has to be joined again.
 */
export interface JoinChat {
  readonly type: "join_chat";
  readonly id: string;
  readonly match: string;
}

/** Write to a channel of a watched match. */
export interface SendChat {
  readonly type: "send_chat";
  readonly id: string;
  readonly match: string;
  readonly channel: "players" | "watchers";
  readonly text: string;
}

/** Request earlier messages of a channel of a watched match: the last ones before number `before`. */
export interface GetChat {
  readonly type: "get_chat";
  readonly id: string;
  readonly match: string;
  readonly channel: "players" | "watchers";
  readonly before: number;
  /** Default: 100 */
  readonly limit?: number;
}

/** Get no more chat messages of a player, in any match; with `muted` false get them again. */
export interface MutePlayer {
  readonly type: "mute_player";
  readonly id: string;
  readonly player: string;
  /** Default: true */
  readonly muted?: boolean;
}

/** Request the players whose chat messages one does not get. */
export interface ListMutedPlayers {
  readonly type: "list_muted_players";
  readonly id: string;
}

/**
 * Seek players for a match with this ruleset, these seats, settings and match options: all have to be the same.
 *
 * A player seeks one match at a time; another `id` takes the place of what was sought before. The search goes on as
 * long as the same request, under the same id, comes again within the time that the answer names.
 */
export interface SeekMatch {
  readonly type: "seek_match";
  readonly id: string;
  readonly ruleset: string;
  readonly seat_count: number;
  readonly settings?: diskwars.Settings | pit.Settings | close_quarters.Settings | regiments.Settings;
  readonly match_options?: MatchOptions;
}

/** Seek no more. */
export interface StopSeeking {
  readonly type: "stop_seeking";
  readonly id: string;
}

/**
 * Report another player to the operators, for what happened in a watched match at record `seq`.
 *
 * Nobody else gets it. Sent again under its id, it is stored once.
 */
export interface ReportPlayer {
  readonly type: "report_player";
  readonly id: string;
  readonly match: string;
  readonly seq: number;
  readonly player: string;
  readonly text: string;
}

/**
 * Report the name, the rules or the notes of a club or tournament to the operators, as they are now.
 *
 * Nobody else gets it. Sent again under its id, it is stored once.
 */
export interface ReportContent {
  readonly type: "report_content";
  readonly id: string;
  readonly kind: "club" | "tournament";
  readonly subject: string;
  readonly text: string;
}

/**
 * Request the moments of an ended match at which a search would have done something else than a seat.
 *
 * The server searches while it has nothing else to do, one match after another: the answer may take minutes.
 */
export interface ReviewMatch {
  readonly type: "review_match";
  readonly id: string;
  readonly match: string;
  readonly seat: number;
}

/** Request the own channels and preferences. */
export interface GetNotices {
  readonly type: "get_notices";
  readonly id: string;
}

/** Replace the own preferences. */
export interface SetNotices {
  readonly type: "set_notices";
  readonly id: string;
  readonly preferences: NoticePreferences;
}

/**
 * Which notices a player gets, by which channels and when.
 *
 * A kind without a rule is sent by every channel. `digest_minute` is the minute of the day at which what has gathered
 * is sent together; what is urgent does not wait for it.
 */
export interface NoticePreferences {
  /** Default: [] */
  readonly rules?: ReadonlyArray<NoticeRule>;
  readonly quiet?: QuietHours;
  readonly digest_minute?: number;
  /** Default: "UTC" */
  readonly time_zone?: string;
  /** Default: "en" */
  readonly language?: "de" | "en" | "pl";
}

/** The kinds of channels by which one kind of notice is sent; none of them turns it off. */
export interface NoticeRule {
  readonly kind: "challenge" | "day_left" | "hour_left" | "match_began" | "match_ended" | "pairing" | "your_turn";
  readonly channels: ReadonlyArray<"email" | "push" | "webhook">;
}

/**
 * The time of day in which nothing is sent, from one minute of the day to the other, also over midnight.
 *
 * What falls due meanwhile is sent afterwards. No deadline moves. With `hour_left_passes` the last hour's notice is
 * sent all the same.
 */
export interface QuietHours {
  readonly from_minute: number;
  readonly to_minute: number;
  /** Default: false */
  readonly hour_left_passes?: boolean;
}

/**
 * Add a channel. An e-mail address has to be confirmed by the link that is sent there.
 *
 * A target that is known already stays as it is.
 */
export interface AddNoticeChannel {
  readonly type: "add_notice_channel";
  readonly id: string;
  readonly target: EmailTarget | PushTarget | WebhookTarget;
}

/** An address to which mail is sent once its owner has confirmed it. */
export interface EmailTarget {
  readonly type: "email";
  readonly address: string;
}

/** A browser, as it names itself where it subscribes (https://www.w3.org/TR/push-api/). */
export interface PushTarget {
  readonly type: "push";
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** An address to which a notice is posted, in the form that the service behind it reads. */
export interface WebhookTarget {
  readonly type: "webhook";
  readonly url: string;
  /** Default: "json" */
  readonly format?: "discord" | "json" | "ntfy" | "slack";
}

/** Remove an own channel. One that is not there is no error. */
export interface RemoveNoticeChannel {
  readonly type: "remove_notice_channel";
  readonly id: string;
  readonly channel: string;
}

/** Send a notice that says nothing by one channel, or the link again to an address that is not confirmed. */
export interface TryNoticeChannel {
  readonly type: "try_notice_channel";
  readonly id: string;
  readonly channel: string;
}

/**
 * Say which match is in view on this connection; without one, none is: another page is, or the window is hidden.
 *
 * A connection that has never said so counts as looking at all matches that it watches. Notices about a match wait
 * while its player looks at it.
 */
export interface LookAt {
  readonly type: "look_at";
  readonly id: string;
  readonly match?: string;
}

/**
 * Add what was done on this device, if anything, and request what was done on all of them.
 *
 * Nothing that was done is ever taken back: boards and hints are added to those that are known. Of two guided matches
 * the one that began later counts.
 */
export interface AddLessonProgress {
  readonly type: "add_lesson_progress";
  readonly id: string;
  /** Default: [] */
  readonly lessons?: ReadonlyArray<string>;
  readonly guided?: GuidedMatch;
}

/** The match that is played with hints, and which of them were read. With `is_over` no more are wanted. */
export interface GuidedMatch {
  readonly match: string;
  readonly begun_ms: number;
  /** Default: [] */
  readonly hints?: ReadonlyArray<string>;
  /** Default: false */
  readonly is_over?: boolean;
}

/** Open a tournament, whose first organiser one is. Players with an account can. */
export interface OpenTournament {
  readonly type: "open_tournament";
  readonly id: string;
  readonly name: string;
  readonly options: TournamentOptions;
}

/**
 * Request one page of the tournaments that are open or running, or of those that are `over`, the newest first.
 *
 * `mine`: those that one organises or has entered. `club`: those of this club, `clubs`: those of all clubs that one is
 * in, also where they are by link.
 */
export interface ListTournaments {
  readonly type: "list_tournaments";
  readonly id: string;
  /** Default: false */
  readonly over?: boolean;
  /** Default: false */
  readonly mine?: boolean;
  readonly page?: string;
  /** Default: 50 */
  readonly limit?: number;
  readonly club?: string;
  /** Default: false */
  readonly clubs?: boolean;
}

/**
 * Request a tournament as it is. Who knows its id may see it.
 *
 * With `follow` this connection gets every change from then on (`TournamentChanged`), in the place of those of
 * the tournament that it followed before.
 */
export interface GetTournament {
  readonly type: "get_tournament";
  readonly id: string;
  readonly tournament: string;
  /** Default: false */
  readonly follow?: boolean;
}

/** Do something in a tournament. What has been done already is done no second time. */
export interface ActInTournament {
  readonly type: "act_in_tournament";
  readonly id: string;
  readonly tournament: string;
  readonly act: EnterAct | EnterBotAct | WithdrawAct | CheckInAct | StartAct | PairRoundAct | PauseAct | ResumeAct | CancelAct | CorrectResultAct | AddOrganiserAct | RemoveOrganiserAct;
}

/** Enter, also after a withdrawal. */
export interface EnterAct {
  readonly type: "enter";
}

/** Let a bot of the server in, as an organiser. */
export interface EnterBotAct {
  readonly type: "enter_bot";
  readonly bot: string;
}

/** Withdraw, or as an organiser remove an entrant. */
export interface WithdrawAct {
  readonly type: "withdraw";
  readonly entrant?: number;
}

/** Say that one is there before the start, or as an organiser that an entrant is. */
export interface CheckInAct {
  readonly type: "check_in";
  readonly entrant?: number;
}

/** Start the tournament. */
export interface StartAct {
  readonly type: "start";
}

/** Begin the next round, in a tournament whose rounds are begun by hand. */
export interface PairRoundAct {
  readonly type: "pair_round";
}

/** Let no round begin and no limit run. */
export interface PauseAct {
  readonly type: "pause";
}

/** End a pause. */
export interface ResumeAct {
  readonly type: "resume";
}

/** End the tournament without a winner. */
export interface CancelAct {
  readonly type: "cancel";
  readonly note?: string;
}

/** Decide a match, or replace its result: 2 half points for a win, 1 each for a draw, 0 each if both forfeit. */
export interface CorrectResultAct {
  readonly type: "correct_result";
  readonly round: number;
  readonly board: number;
  readonly half_points: ReadonlyArray<number>;
  readonly note?: string;
}

/** Let the player of an account organise too. */
export interface AddOrganiserAct {
  readonly type: "add_organiser";
  readonly name: string;
}

/** Let an organiser go. Who opened the tournament stays. */
export interface RemoveOrganiserAct {
  readonly type: "remove_organiser";
  readonly name: string;
}

/**
 * Challenge the player of an account to a match of two. Players with an account can.
 *
 * `seat` is the challenger's; without one it goes by lot. The same request under the same `id` is one challenge.
 */
export interface ChallengePlayer {
  readonly type: "challenge_player";
  readonly id: string;
  readonly name: string;
  readonly ruleset: string;
  readonly settings?: diskwars.Settings | pit.Settings | close_quarters.Settings | regiments.Settings;
  readonly match_options?: MatchOptions;
  readonly packs?: ReadonlyArray<string>;
  readonly seat?: number;
}

/** Accept a challenge. Its match is opened: watch it, and take the own seat. */
export interface AcceptChallenge {
  readonly type: "accept_challenge";
  readonly id: string;
  readonly challenge: string;
}

/** Decline a challenge. */
export interface DeclineChallenge {
  readonly type: "decline_challenge";
  readonly id: string;
  readonly challenge: string;
  /** Default: "unspecified" */
  readonly reason?: "later" | "other_game" | "other_size" | "too_fast" | "too_slow" | "unspecified";
}

/** Take an own challenge back. */
export interface WithdrawChallenge {
  readonly type: "withdraw_challenge";
  readonly id: string;
  readonly challenge: string;
}

/** Request the challenges to and from oneself that are open, or were answered lately. */
export interface ListChallenges {
  readonly type: "list_challenges";
  readonly id: string;
}

/** Take challenges, as every account does at first, or take none. Those that are open stay open. */
export interface AllowChallenges {
  readonly type: "allow_challenges";
  readonly id: string;
  readonly allowed: boolean;
}

/** Open a club and lead it. Players with an account can. */
export interface OpenClub {
  readonly type: "open_club";
  readonly id: string;
  readonly name: string;
  readonly options: ClubOptions;
}

/** Request one page of the public clubs and one's own, the newest first; with `mine` of one's own only. */
export interface ListClubs {
  readonly type: "list_clubs";
  readonly id: string;
  /** Default: false */
  readonly mine?: boolean;
  readonly page?: string;
  /** Default: 50 */
  readonly limit?: number;
}

/**
 * Request a club as it is. To strangers a private one is unknown.
 *
 * With `follow` this connection gets one `ClubChanged` at the next change, in the place of that of the club that it
 * followed before.
 */
export interface GetClub {
  readonly type: "get_club";
  readonly id: string;
  readonly club: string;
  /** Default: false */
  readonly follow?: boolean;
}

/**
 * Request the ladder of a club: its members' rated matches in the season under way, or else of all time.
 *
 * With `season` the final standings of that one, which is over.
 */
export interface GetClubLadder {
  readonly type: "get_club_ladder";
  readonly id: string;
  readonly club: string;
  readonly season?: number;
}

/** Do something in a club. What has been done already is done no second time. */
export interface ActInClub {
  readonly type: "act_in_club";
  readonly id: string;
  readonly club: string;
  readonly act: JoinClubAct | LeaveClubAct | EditClubAct | RemoveMemberAct | GiveRoleAct | RevokeInvitationAct | BeginSeasonAct | EndSeasonAct | CloseClubAct;
}

/** Become a member of a club that any player may join. */
export interface JoinClubAct {
  readonly type: "join";
}

/** Leave a club. The longest-serving officer, or else member, follows a leader; the last to leave closes it. */
export interface LeaveClubAct {
  readonly type: "leave";
}

/** Give the club a name and options, as its leader or an officer. */
export interface EditClubAct {
  readonly type: "edit";
  readonly name: string;
  readonly options: ClubOptions;
}

/** Remove a member: officers remove members, the leader anybody else. An open club lets them join no more. */
export interface RemoveMemberAct {
  readonly type: "remove_member";
  readonly player: string;
}

/** Make a member an officer, a member again, or as the leader give the lead away and stay as an officer. */
export interface GiveRoleAct {
  readonly type: "give_role";
  readonly player: string;
  readonly role: "leader" | "member" | "officer";
}

/** Let nobody in by an invitation any more, as the leader or an officer. */
export interface RevokeInvitationAct {
  readonly type: "revoke_invitation";
  readonly invitation: string;
}

/** Begin a season, as the leader or an officer. It ends by itself at `ends_ms`, where that is given. */
export interface BeginSeasonAct {
  readonly type: "begin_season";
  readonly name: string;
  readonly ends_ms?: number;
}

/** End the season under way and keep its standings, as the leader or an officer. */
export interface EndSeasonAct {
  readonly type: "end_season";
}

/** Close the club for good, as its leader. */
export interface CloseClubAct {
  readonly type: "close";
}

/** Make an invitation, as the leader or an officer. Sent again under the same id, it returns the same code. */
export interface InviteToClub {
  readonly type: "invite_to_club";
  readonly id: string;
  readonly club: string;
  readonly expires_ms?: number;
}

/** Request what an invitation leads to. Wrong codes are limited as wrong passwords are. */
export interface FindClubInvitation {
  readonly type: "find_club_invitation";
  readonly id: string;
  readonly code: string;
}

/** Become a member by an invitation. Members stay what they are. */
export interface AcceptClubInvitation {
  readonly type: "accept_club_invitation";
  readonly id: string;
  readonly code: string;
}

/**
 * Make an account for the player of this connection, a guest, who keeps their id and so their matches.
 *
 * The token of `SignedIn` takes the place of the former one, which proves nothing from then on.
 */
export interface Register {
  readonly type: "register";
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly device_name?: string;
}

/**
 * Ask for a token of the account with this name. The connection stays that of its player.
 *
 * To play as the account's player, connect again and send `Hello` with the token.
 */
export interface LogIn {
  readonly type: "log_in";
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly device_name?: string;
}

/** Revoke the token of this connection. The server then closes every connection of this device. */
export interface LogOut {
  readonly type: "log_out";
  readonly id: string;
}

/** Request the devices on which the own account is logged in. */
export interface ListDevices {
  readonly type: "list_devices";
  readonly id: string;
}

/** Log an own device out: its token proves nothing any more, and its connections are closed. */
export interface RevokeDevice {
  readonly type: "revoke_device";
  readonly id: string;
  readonly device: string;
}

/** Change the password; with `revoke_others` log all other devices out, and replace the recovery codes. */
export interface ChangePassword {
  readonly type: "change_password";
  readonly id: string;
  readonly password: string;
  readonly new_password: string;
  /** Default: false */
  readonly revoke_others?: boolean;
}

/** Change the name of the own account, at most once a day. */
export interface Rename {
  readonly type: "rename";
  readonly id: string;
  readonly name: string;
}

/**
 * Choose the name that others see of the player of this connection, a guest. Other guests may have the same.
 *
 * A name that an account has is refused; where an account takes it later, the server's name of the player is shown.
 */
export interface NameGuest {
  readonly type: "name_guest";
  readonly id: string;
  readonly name: string;
}

/** Delete the own account for good: its name, its password and its tokens. The matches stay, without the name. */
export interface DeleteAccount {
  readonly type: "delete_account";
  readonly id: string;
  readonly password: string;
}

/** Ask who some players are, for example those of a match. */
export interface GetPlayers {
  readonly type: "get_players";
  readonly id: string;
  readonly players: ReadonlyArray<string>;
}

/** Request what the server stores of the own account that no other request shows, after `skip` of its messages. */
export interface GetOwnData {
  readonly type: "get_own_data";
  readonly id: string;
  /** Default: 0 */
  readonly skip?: number;
}

/** Make new recovery codes for the own account; those of before are good for nothing from then on. */
export interface MakeRecoveryCodes {
  readonly type: "make_recovery_codes";
  readonly id: string;
  readonly password: string;
}

/**
 * Set a new password by a recovery code, which is used up. All devices of the account are logged out.
 *
 * The connection stays that of its player, as with `LogIn`.
 */
export interface RecoverAccount {
  readonly type: "recover_account";
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly new_password: string;
  readonly device_name?: string;
}

/**
 * Make a token with which a program uses the HTTP interface as the own account, within these scopes.
 *
 * It is a device of the account: `ListDevices` shows it, `RevokeDevice` ends it. No `Hello` takes it.
 */
export interface MakeApiToken {
  readonly type: "make_api_token";
  readonly id: string;
  readonly scopes: ReadonlyArray<"import" | "open" | "play" | "watch">;
  readonly device_name?: string;
}

/** Request which program waits with this code, as a player with an account. */
export interface GetDeviceLogin {
  readonly type: "get_device_login";
  readonly id: string;
  readonly user_code: string;
}

/**
 * Let the program that waits with this code use the own account, or refuse it.
 *
 * A program without scopes is logged in like the player, and so it is let in with the `password` of the account only.
 */
export interface AnswerDeviceLogin {
  readonly type: "answer_device_login";
  readonly id: string;
  readonly user_code: string;
  readonly approved: boolean;
  readonly password?: string;
}

/** Follow the player of an account, as a player with one. Nobody else learns of it, the player neither. */
export interface FollowPlayer {
  readonly type: "follow_player";
  readonly id: string;
  readonly name: string;
}

/** Follow a player no more. */
export interface UnfollowPlayer {
  readonly type: "unfollow_player";
  readonly id: string;
  readonly player: string;
}

/** Request the players whom one follows. */
export interface ListFollowed {
  readonly type: "list_followed";
  readonly id: string;
}

/** Let those who follow one see in their lists whether one is connected, or not, as at first. */
export interface ShowPresence {
  readonly type: "show_presence";
  readonly id: string;
  readonly shown: boolean;
}

/**
 * Mark the own account as that of a bot, for good. Only before its first rated match.
 *
 * A bot has a leaderboard apart from people's, is shown as a bot in lists, seats and chat, and everybody may know
 * whether it is connected.
 */
export interface MarkAsBot {
  readonly type: "mark_as_bot";
  readonly id: string;
}

/**
 * Request the accounts of bots that are connected now: those whom a challenge by name reaches at once.
 *
 * Their presence is no secret, also in `PlayerList`.
 */
export interface ListBotAccounts {
  readonly type: "list_bot_accounts";
  readonly id: string;
}

export type ClientMessage =
  | Hello
  | OpenMatch
  | CloseMatch
  | SeatBot
  | KickPlayer
  | Watch
  | Unwatch
  | Act
  | GetOptions
  | GetRecords
  | ListMatches
  | FollowMatches
  | UnfollowMatches
  | SearchMatches
  | GetCatalogue
  | CheckArmy
  | EnterMatch
  | UseInvite
  | CreateInvite
  | ListInvites
  | RevokeInvite
  | OfferRematch
  | DeclineRematch
  | BranchMatch
  | StartImport
  | ImportPart
  | FinishImport
  | GetLeaderboard
  | GetPlayerStatistics
  | GetArmyStatistics
  | GetRatingHistory
  | JoinChat
  | SendChat
  | GetChat
  | MutePlayer
  | ListMutedPlayers
  | SeekMatch
  | StopSeeking
  | ReportPlayer
  | ReportContent
  | ReviewMatch
  | GetNotices
  | SetNotices
  | AddNoticeChannel
  | RemoveNoticeChannel
  | TryNoticeChannel
  | LookAt
  | AddLessonProgress
  | OpenTournament
  | ListTournaments
  | GetTournament
  | ActInTournament
  | ChallengePlayer
  | AcceptChallenge
  | DeclineChallenge
  | WithdrawChallenge
  | ListChallenges
  | AllowChallenges
  | OpenClub
  | ListClubs
  | GetClub
  | GetClubLadder
  | ActInClub
  | InviteToClub
  | FindClubInvitation
  | AcceptClubInvitation
  | Register
  | LogIn
  | LogOut
  | ListDevices
  | RevokeDevice
  | ChangePassword
  | Rename
  | NameGuest
  | DeleteAccount
  | GetPlayers
  | GetOwnData
  | MakeRecoveryCodes
  | RecoverAccount
  | MakeApiToken
  | GetDeviceLogin
  | AnswerDeviceLogin
  | FollowPlayer
  | UnfollowPlayer
  | ListFollowed
  | ShowPresence
  | MarkAsBot
  | ListBotAccounts;

/**
 * Answer to `Hello`. `token` proves to be `player` next time; `server_time_ms` is the clock of the server.
 *
 * `account` is there for a player who has registered.
 */
export interface Welcome {
  readonly type: "welcome";
  readonly version: number;
  readonly player: string;
  readonly token: string;
  readonly server_time_ms: number;
  readonly rulesets: ReadonlyArray<RulesetSummary>;
  readonly limits: ClientLimits;
  readonly server?: string;
  readonly account?: Account;
}

/**
 * A ruleset of the server. `seat_counts` are the numbers of seats that a match of it can have.
 *
 * `bots` are those that the server can seat, the usual one first. `packs` are the content packs that a match may be
 * opened with or without. `pack_names` are what players call packs, by id; one that is not there is called by its id.
 */
export interface RulesetSummary {
  readonly id: string;
  readonly seat_counts: ReadonlyArray<number>;
  /** Default: [] */
  readonly bots?: ReadonlyArray<string>;
  /** Default: [] */
  readonly packs?: ReadonlyArray<string>;
  /** Default: {} */
  readonly pack_names?: NameMap<string>;
}

/**
 * What the server takes from one connection.
 *
 * `json_values` bounds the commas and opening brackets of a frame, inside strings as well. Every frame counts for
 * `frames_per_second` and `frame_burst`, ten times if it is a ping or pong, and once more for each KiB.
 */
export interface ClientLimits {
  /** Default: 16384 */
  readonly frame_bytes?: number;
  /** Default: 12 */
  readonly json_depth?: number;
  /** Default: 512 */
  readonly json_values?: number;
  /** Default: 16 */
  readonly commands_in_flight?: number;
  /** Default: 100 */
  readonly frames_per_second?: number;
  /** Default: 500 */
  readonly frame_burst?: number;
  /** Default: 64 */
  readonly watched_matches?: number;
}

/**
 * The account of the player of this connection, and the device that its token stands for.
 *
 * `is_bot`: the account was marked as that of a bot, with `MarkAsBot`.
 */
export interface Account {
  readonly name: string;
  readonly device: string;
  /** Default: false */
  readonly is_bot?: boolean;
}

export interface Opened {
  readonly type: "opened";
  readonly id: string;
  readonly match: string;
}

/**
 * The records after `after` follow, and then every new one. `head` is the last by now.
 *
 * `seat` is the viewer's own, absent for the public. `header` is the one of the match file; `hash` is the chain's after
 * record `after`, so that a client who goes on sees at once that nothing before has been rewritten.
 * `snapshot` is the match after record `after` as the viewer may see it: what the records up to there fold to. It is
 * there only if it was requested; then `after` is `head`.
 * `is_delayed`: records come once their round is over, and `head` is the last of those. `will_be_delayed`: they will
 * come so from the beginning of the match on, unless the viewer has taken a seat by then.
 * `id` is absent when the watching was asked for by `Hello` or `OpenMatch`.
 */
export interface Watching {
  readonly type: "watching";
  readonly match: string;
  readonly ruleset: string;
  readonly after: number;
  readonly head: number;
  readonly header: MatchHeader;
  readonly hash: string;
  readonly seat?: number;
  readonly id?: string;
  /** Default: false */
  readonly reveal_secrets?: boolean;
  readonly snapshot?: diskwars.Match | pit.Match | close_quarters.Match | regiments.Match;
  /** Default: false */
  readonly is_delayed?: boolean;
  /** Default: false */
  readonly will_be_delayed?: boolean;
}

/** The next records of a match, without a gap: a new one alone, of those before it as many as fit well. */
export interface Records {
  readonly type: "records";
  readonly match: string;
  readonly records: ReadonlyArray<WireRecord>;
}

/**
 * A record as one viewer receives it: salt (32 hex digits), body and permitted openings.
 *
 * In a match file, `hash` is the hash of the chain after the record; on the wire it is absent. A field that is
 * added to lines of a match file, or to openings, raises `FORMAT`: no hash covers it.
 */
export interface WireRecord {
  readonly seq: number;
  readonly salt: string;
  readonly body: diskwars.RecordBody | pit.RecordBody | close_quarters.RecordBody | regiments.RecordBody;
  /** Default: [] */
  readonly openings?: ReadonlyArray<Opening>;
  readonly hash?: string;
}

/**
 * One revealed secret: its path in the body, its salt (32 lower-case hex digits), its canonical value.
 *
 * `seats` are those that could see it from the beginning. They are left out until the match is over, because they
 * would tell one player what another knows.
 */
export interface Opening {
  readonly path: ReadonlyArray<string | number>;
  readonly salt: string;
  readonly value: unknown;
  /** Default: [] */
  readonly seats?: ReadonlyArray<number>;
}

/** No more records of this match follow. `id` is absent when the server ends it; watch it again. */
export interface Unwatched {
  readonly type: "unwatched";
  readonly match: string;
  readonly id?: string;
}

/**
 * `options` is an `Options` of the ruleset's actions: those of the match after the last record that was sent.
 *
 * `id` is absent when they were pushed.
 */
export interface OptionsResponse {
  readonly type: "options";
  readonly match: string;
  readonly decision: string;
  readonly options: diskwars.Options | pit.Options | close_quarters.Options | regiments.Options;
  readonly id?: string;
}

/**
 * Some more openings of a match that is over, in the order of its records; those without secrets are left out.
 *
 * The message with `complete` is the last.
 */
export interface Openings {
  readonly type: "openings";
  readonly match: string;
  /** Default: [] */
  readonly records?: ReadonlyArray<RecordOpenings>;
  /** Default: false */
  readonly complete?: boolean;
}

/** Every opening of a record, in the place of those that came with it. Each names the seats that could see it. */
export interface RecordOpenings {
  readonly seq: number;
  readonly openings: ReadonlyArray<Opening>;
}

/** A new message in a chat that was joined, or one that was erased: then it has no text any more. */
export interface ChatPosted {
  readonly type: "chat_posted";
  readonly match: string;
  readonly message: ChatMessage;
}

/**
 * A message in a channel, where `number` counts from 1 without gaps. Without a `text` it was erased.
 *
 * `is_bot`: the player has the account of a bot.
 */
export interface ChatMessage {
  readonly channel: string;
  readonly number: number;
  readonly player: string;
  readonly name: string;
  readonly at_ms: number;
  readonly text?: string;
  /** Default: false */
  readonly is_bot?: boolean;
}

/**
 * How many people without a seat watch a match now, on all nodes; sent to everybody who watches it.
 *
 * Changes that come soon after one another come together, within seconds. Before the first of these nobody watches.
 */
export interface WatchersChanged {
  readonly type: "watchers_changed";
  readonly match: string;
  readonly watchers: number;
}

/**
 * Answer to `GetRecords`: the records that follow on record `after`. `hash` is the chain's after that record.
 *
 * There may be fewer than requested: go on after the last of them. It is empty when record `after` is the last.
 */
export interface RecordRange {
  readonly type: "record_range";
  readonly id: string;
  readonly match: string;
  readonly after: number;
  readonly hash: string;
  readonly records: ReadonlyArray<WireRecord>;
}

/** The command made record `seq`, which came before this answer on the same connection. */
export interface Accepted {
  readonly type: "accepted";
  readonly id: string;
  readonly match: string;
  readonly seq: number;
}

/**
 * Nothing has changed. `place` is where in the message the fault lies.
 *
 * `open_decisions` are the decisions that are open now in `match`, if this connection watches it. `rule` is an id of
 * docs/rules.md. `numbers` are those in the text; lengths have the unit of the ruleset. `id` is absent when a match of
 * `Hello` cannot be taken up again. With `retry_after_ms` the command may succeed later. `oldest_match` is, of the
 * matches that are too many, the one that was opened first.
 */
export interface Refused {
  readonly type: "refused";
  readonly code: diskwars.RefusalCode | pit.RefusalCode | close_quarters.RefusalCode | regiments.RefusalCode;
  readonly text: string;
  readonly id?: string;
  readonly rule?: string;
  readonly place?: string;
  readonly match?: string;
  readonly open_decisions?: diskwars.OpenDecisions | pit.OpenDecisions | close_quarters.OpenDecisions | regiments.OpenDecisions;
  readonly retry_after_ms?: number;
  /** Default: {} */
  readonly numbers?: NameMap<number>;
  readonly oldest_match?: string;
}

/**
 * What has changed in the list that this connection follows: matches as they are now, and those no longer in it.
 *
 * Changes that come soon after one another come together. With `list_again` there were too many, or this connection
 * was too slow for them: what was sent is out of date, and the list has to be requested again.
 */
export interface MatchesChanged {
  readonly type: "matches_changed";
  /** Default: [] */
  readonly matches?: ReadonlyArray<MatchSummary>;
  /** Default: [] */
  readonly gone?: ReadonlyArray<string>;
  /** Default: false */
  readonly list_again?: boolean;
}

/**
 * What the lobby shows of a match: nothing in it that a reader does not know may hide the rest of the list.
 *
 * `result` is that of the last record, without its reasons; absent before the end. Others than its opener and players
 * have to enter an `is_locked` match before they may watch it. Only an ended match has `armies`, the ids of those that
 * have one by seat, and `records`, the number of its records. `deciding` are the seats for whose players a match
 * waits; where watchers are not allowed live, only those who sit in it see that. `imported`: it came as a match file,
 * and was played elsewhere; its seats are shown as empty, for ids of players in a file prove nothing here. `rematch`
 * is the match that followed, in lists of one's own matches. `watchers` is how many people without a seat watched it
 * when the list was made; a change of it alone is not sent to those who follow a list. `settings` are those of the
 * ruleset that differ from its catalogue, `packs` the packs beside its core; an imported match shows them too.
 */
export interface MatchSummary {
  readonly match: string;
  readonly ruleset: string;
  readonly status: string;
  readonly seats: ReadonlyArray<SeatSummary>;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly match_options: MatchOptionsSummary;
  readonly result?: Result;
  /** Default: false */
  readonly is_locked?: boolean;
  /** Default: [] */
  readonly armies?: ReadonlyArray<string>;
  /** Default: 0 */
  readonly records?: number;
  /** Default: [] */
  readonly deciding?: ReadonlyArray<number>;
  /** Default: false */
  readonly imported?: boolean;
  readonly rematch?: string;
  /** Default: 0 */
  readonly watchers?: number;
  /** Default: {} */
  readonly settings?: NameMap<boolean | number | string>;
  /** Default: [] */
  readonly packs?: ReadonlyArray<string>;
}

/**
 * What the lobby shows of a seat. `player` is the opaque id of who sits there, absent for a free seat.
 *
 * `bot` is the name of the bot of the server that sits there, absent for a person. `is_bot`: the player has the account
 * of a bot that somebody keeps online.
 */
export interface SeatSummary {
  readonly player?: string;
  readonly bot?: string;
  /** Default: false */
  readonly is_bot?: boolean;
}

/** What the lobby shows of a `MatchOptions`. Readers take any text, for a later server may have added values. */
export interface MatchOptionsSummary {
  /** Default: "public" */
  readonly visibility?: string;
  /** Default: "live" */
  readonly watchers?: string;
  /** Default: false */
  readonly rated?: boolean;
  readonly clock?: ClockSummary;
  /** Default: false */
  readonly draws?: boolean;
  /** Default: false */
  readonly takebacks?: boolean;
  /** Default: false */
  readonly pauses?: boolean;
  readonly missed_limit?: number;
  /** Default: "resign" */
  readonly on_missed_limit?: string;
  readonly rematch_of?: string;
  readonly branch_of?: BranchPoint;
  readonly grace_seconds?: number;
  /** Default: 14 */
  readonly abandoned_after_days?: number;
  readonly club?: string;
}

/** What the lobby shows of a clock: the fields of its kind. Readers take kinds that they do not know. */
export interface ClockSummary {
  readonly type: string;
  readonly decision_seconds?: number;
  readonly bank_seconds?: number;
  /** Default: 0 */
  readonly increment_seconds?: number;
}

/** The moment from which a branch plays on: the state of `match` after its record `seq`. */
export interface BranchPoint {
  readonly match: string;
  readonly seq: number;
}

/**
 * How a match ended.
 *
 * `winners` are seats in order, several where they play one side, none when nobody wins. `end_reason` is one of a
 * closed set of ids, those of every match and those of the ruleset. `scores` are by seat, empty where points play no
 * part.
 */
export interface Result {
  readonly end_reason: diskwars.EndReason | pit.EndReason | close_quarters.EndReason | regiments.EndReason;
  /** Default: [] */
  readonly winners?: ReadonlyArray<number>;
  /** Default: [] */
  readonly scores?: ReadonlyArray<number>;
  /** Default: [] */
  readonly reasons?: ReadonlyArray<Reason>;
}

/** Why an outcome is so: the id of a rule in docs/rules.md and the few numbers it was applied to. */
export interface Reason {
  readonly rule: string;
  /** Default: {} */
  readonly numbers?: NameMap<number>;
}

/**
 * A match was opened for the players who sought it: watch it and take the seat that is meant for this player.
 *
 * Nobody else may enter it. It is sent to every connection of the player, and is part of later answers.
 */
export interface MatchFound {
  readonly type: "match_found";
  readonly match: string;
  readonly ruleset: string;
  readonly seat: number;
  readonly players: ReadonlyArray<string>;
}

/**
 * Sent to the other players of an ended match when one agrees to another match, or declines it.
 *
 * The fields are those of `Rematch`; `seat` is that of the player to whom this is sent. It may get lost:
 * `OfferRematch` answers how far that is.
 */
export interface RematchChanged {
  readonly type: "rematch_changed";
  readonly match: string;
  readonly agreed: ReadonlyArray<number>;
  readonly seat: number;
  readonly next_match?: string;
  /** Default: [] */
  readonly declined?: ReadonlyArray<number>;
}

/**
 * A tournament has a new record. It comes to connections that follow it, and to entrants who were paired.
 *
 * To these it says which match they have, and in which seat.
 */
export interface TournamentChanged {
  readonly type: "tournament_changed";
  readonly tournament: string;
  readonly seq: number;
  readonly match?: string;
  readonly seat?: number;
}

/**
 * Sent to every connection of both players when a challenge is made, answered or taken back.
 *
 * It may get lost: `ListChallenges` answers the same.
 */
export interface ChallengeChanged {
  readonly type: "challenge_changed";
  readonly challenge: Challenge;
}

/**
 * A challenge as both players see it. It may be accepted until `expires_ms`.
 *
 * `seat` is the challenger's; where it goes by lot it is not there before the challenge is accepted. `match` is the
 * match that was opened then. `reason` is why it was declined.
 */
export interface Challenge {
  readonly challenge: string;
  readonly challenger: string;
  readonly challenged: string;
  readonly status: string;
  readonly ruleset: string;
  readonly settings: diskwars.Settings | pit.Settings | close_quarters.Settings | regiments.Settings;
  readonly match_options: MatchOptions;
  readonly created_ms: number;
  readonly expires_ms: number;
  readonly packs?: ReadonlyArray<string>;
  readonly seat?: number;
  readonly reason?: string;
  readonly match?: string;
}

/** A club that a connection follows has a new record. The next one comes after it was requested again. */
export interface ClubChanged {
  readonly type: "club_changed";
  readonly club: string;
  readonly seq: number;
}

/** One page, the newest first. `next_page` is what a request for the page after it names; absent on the last. */
export interface MatchList {
  readonly type: "match_list";
  readonly id: string;
  readonly matches: ReadonlyArray<MatchSummary>;
  readonly next_page?: string;
}

/** Answer to `UnfollowMatches`. */
export interface Unfollowed {
  readonly type: "unfollowed";
  readonly id: string;
}

/** `content` is the ruleset's own; it is absent when it is `unchanged`: the hash is the one the client named. */
export interface CatalogueResponse {
  readonly type: "catalogue";
  readonly id: string;
  readonly ruleset: string;
  readonly hash: string;
  /** Default: false */
  readonly unchanged?: boolean;
  readonly content?: diskwars.Catalogue | pit.Catalogue | close_quarters.Catalogue | regiments.Catalogue;
}

/** Every fault of a loadout. `loadout` is the complete one, absent where there are faults. */
export interface ArmyChecked {
  readonly type: "army_checked";
  readonly id: string;
  readonly ruleset: string;
  /** Default: [] */
  readonly faults?: ReadonlyArray<LoadoutFault>;
  readonly loadout?: diskwars.Loadout | pit.Loadout | close_quarters.Loadout | regiments.Loadout;
}

/** One thing that makes a loadout illegal. `code` is the ruleset's; `place` is a JSON path in the loadout. */
export interface LoadoutFault {
  readonly code: diskwars.LoadoutFaultCode | pit.LoadoutFaultCode | close_quarters.LoadoutFaultCode | regiments.LoadoutFaultCode;
  readonly text: string;
  readonly rule?: string;
  readonly place?: string;
  readonly remedy?: string;
  /** Default: {} */
  readonly numbers?: NameMap<number>;
}

/** Answer to `EnterMatch` and `UseInvite`: the match may be watched. `army` is that of the invite. */
export interface Entered {
  readonly type: "entered";
  readonly id: string;
  readonly match: string;
  readonly army?: string;
}

/** Answer to `CreateInvite`. The code is sent here only; the server keeps no more than its hash. */
export interface InviteCreated {
  readonly type: "invite_created";
  readonly id: string;
  readonly invite: string;
  readonly code: string;
}

/** Answer to `ListInvites` and `RevokeInvite`: the invites of the match, the newest first. */
export interface InviteList {
  readonly type: "invite_list";
  readonly id: string;
  readonly invites: ReadonlyArray<Invite>;
}

/** An invite that has not been revoked. `uses_left` is absent where it is not limited. */
export interface Invite {
  readonly invite: string;
  readonly created_ms: number;
  readonly army?: string;
  readonly uses_left?: number;
}

/**
 * Answer to `OfferRematch` and `DeclineRematch`: the seats of the ended match whose players have agreed.
 *
 * Once all have, `next_match` is the match that was opened, and `seat` the one that is meant for this player. Only the
 * players who agreed may enter it. With somebody in `declined` there will be none.
 */
export interface Rematch {
  readonly type: "rematch";
  readonly id: string;
  readonly match: string;
  readonly agreed: ReadonlyArray<number>;
  readonly seat: number;
  readonly next_match?: string;
  /** Default: [] */
  readonly declined?: ReadonlyArray<number>;
}

/**
 * Answer to `BranchMatch`: the match that was opened. Watch it, and take a seat in it.
 *
 * `resampled`: something in the position was drawn at random, because it was not for the opener to see.
 */
export interface BranchOpened {
  readonly type: "branch_opened";
  readonly id: string;
  readonly match: string;
  readonly branch_of: BranchPoint;
  /** Default: false */
  readonly resampled?: boolean;
}

/**
 * Answer to `StartImport`: parts may be sent, none longer than `part_bytes`.
 *
 * Without another part within `idle_seconds` the upload ends.
 */
export interface ImportStarted {
  readonly type: "import_started";
  readonly id: string;
  readonly part_bytes: number;
  readonly idle_seconds: number;
}

/** Answer to `ImportPart`: how many bytes of the compressed file have come. */
export interface ImportPartReceived {
  readonly type: "import_part_received";
  readonly id: string;
  readonly received_bytes: number;
}

/**
 * Answer to `FinishImport`: the file is right, and its match can be watched under this id.
 *
 * `is_new` is false where the server had the match already.
 */
export interface MatchImported {
  readonly type: "match_imported";
  readonly id: string;
  readonly match: string;
  readonly records: number;
  readonly is_new: boolean;
}

/**
 * Answer to `Register`, `LogIn` and `RecoverAccount`.
 *
 * The token is sent here only, and belongs to the device of `account`. So are the recovery codes of a new account.
 */
export interface SignedIn {
  readonly type: "signed_in";
  readonly id: string;
  readonly player: string;
  readonly token: string;
  readonly account: Account;
  readonly recovery_codes?: ReadonlyArray<string>;
}

/** Answer to `MakeRecoveryCodes`: codes that are shown here only. Each lets its player in once. */
export interface RecoveryCodes {
  readonly type: "recovery_codes";
  readonly id: string;
  readonly codes: ReadonlyArray<string>;
}

/** Answer to `MakeApiToken`: the token, which is shown here only, and the device that it is. */
export interface ApiTokenMade {
  readonly type: "api_token_made";
  readonly id: string;
  readonly token: string;
  readonly device: string;
}

/**
 * Answer to both: what the program calls itself, and what it wants. It waits until `expires_ms`.
 *
 * With `scopes` it gets a token for HTTP within them; without any it is logged in, as a device of the account.
 */
export interface DeviceLoginView {
  readonly type: "device_login_view";
  readonly id: string;
  readonly status: "approved" | "denied" | "waiting";
  readonly expires_ms: number;
  readonly name?: string;
  /** Default: [] */
  readonly scopes?: ReadonlyArray<"import" | "open" | "play" | "watch">;
}

/**
 * What was requested is done. `account` is as it is now; absent without one, as after `LogOut`.
 *
 * After a `ChangePassword` that logs the others out there are new `recovery_codes`, which are shown here only: those
 * of before may have been made by somebody else who was logged in.
 */
export interface AccountChanged {
  readonly type: "account_changed";
  readonly id: string;
  readonly account?: Account;
  readonly recovery_codes?: ReadonlyArray<string>;
}

/** Answer to `ListDevices` and `RevokeDevice`: the devices that are logged in now, the last used first. */
export interface DeviceList {
  readonly type: "device_list";
  readonly id: string;
  readonly devices: ReadonlyArray<Device>;
}

/**
 * A device on which an account is logged in; `is_current` for that of this connection.
 *
 * `last_used_ms` is brought up to date once an hour. With `scopes` it is a token for the HTTP interface.
 */
export interface Device {
  readonly device: string;
  readonly created_ms: number;
  readonly last_used_ms: number;
  readonly name?: string;
  /** Default: false */
  readonly is_current?: boolean;
  /** Default: [] */
  readonly scopes?: ReadonlyArray<string>;
}

/** Answer to `GetPlayers`, in the order of the request. */
export interface PlayerList {
  readonly type: "player_list";
  readonly id: string;
  readonly players: ReadonlyArray<PlayerSummary>;
}

/**
 * Who a player is. `avatar_seed` follows from the id, so that a picture never changes.
 *
 * The name of a guest follows from the id too. A player is `is_online` who is connected to this server now;
 * `hides_presence` says that the user may not know that. `is_bot` marks the account of a bot that somebody keeps
 * online; a bot of the server has no account, and the `kind` "bot".
 */
export interface PlayerSummary {
  readonly player: string;
  readonly name: string;
  readonly kind: string;
  readonly avatar_seed: number;
  /** Default: false */
  readonly is_online?: boolean;
  /** Default: false */
  readonly hides_presence?: boolean;
  /** Default: false */
  readonly is_bot?: boolean;
}

/** Answer to `ListBotAccounts`: at most 100 bots that are connected, by name. */
export interface BotAccountList {
  readonly type: "bot_account_list";
  readonly id: string;
  /** Default: [] */
  readonly bots?: ReadonlyArray<PlayerSummary>;
}

/** Answer to requests about following: whom one follows, by name, and whether one shows one's own presence. */
export interface FollowedPlayers {
  readonly type: "followed_players";
  readonly id: string;
  /** Default: [] */
  readonly players?: ReadonlyArray<FollowedPlayer>;
  /** Default: false */
  readonly shows_presence?: boolean;
}

/** A player whom one follows. `is_online` is there for those who show their presence, `is_bot` for bots. */
export interface FollowedPlayer {
  readonly player: string;
  readonly name: string;
  readonly avatar_seed: number;
  readonly is_online?: boolean;
  /** Default: false */
  readonly is_bot?: boolean;
}

/**
 * Answer to `GetOwnData`: the account, its chat messages from the oldest on, and the reports it has sent.
 *
 * With `has_more` other messages follow: they are requested by the number of those known.
 */
export interface OwnData {
  readonly type: "own_data";
  readonly id: string;
  readonly player: string;
  readonly name: string;
  readonly created_ms: number;
  readonly renamed_ms?: number;
  /** Default: [] */
  readonly messages?: ReadonlyArray<OwnChatMessage>;
  /** Default: [] */
  readonly reports?: ReadonlyArray<OwnReport>;
  /** Default: false */
  readonly has_more?: boolean;
}

/** A message that the player has written in the chat of a match. */
export interface OwnChatMessage {
  readonly match: string;
  readonly channel: string;
  readonly number: number;
  readonly at_ms: number;
  readonly text: string;
}

/** A report that the player has sent: about whom, and where. */
export interface OwnReport {
  readonly kind: string;
  readonly subject: string;
  readonly seq: number;
  readonly at_ms: number;
  readonly text: string;
  readonly player?: string;
}

/**
 * One page, the highest rating first: players with an account and at least five rated games of this ruleset.
 *
 * `next_page` is what a request for the page after it names; absent on the last.
 */
export interface Leaderboard {
  readonly type: "leaderboard";
  readonly id: string;
  readonly ruleset: string;
  /** Default: [] */
  readonly entries?: ReadonlyArray<LeaderboardEntry>;
  readonly next_page?: string;
}

/**
 * A player on the leaderboard; `place` counts from 1. The other fields are those of `PlayerRating`.
 *
 * `is_bot`: the player has the account of a bot.
 */
export interface LeaderboardEntry {
  readonly place: number;
  readonly player: string;
  readonly name: string;
  readonly rating: number;
  readonly uncertainty: number;
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  /** Default: false */
  readonly is_bot?: boolean;
}

/**
 * Answer to `GetPlayerStatistics`: one rating for each ruleset with rated games, and the results by army.
 *
 * `armies` are of all counted matches, rated or not, those with the most games first. `former_names` are those
 * that the player has given up, the last one first. `is_bot`: the player has the account of a
 * bot.
 */
export interface PlayerStatistics {
  readonly type: "player_statistics";
  readonly id: string;
  readonly player: string;
  readonly name: string;
  readonly kind: string;
  /** Default: [] */
  readonly ratings?: ReadonlyArray<PlayerRating>;
  /** Default: [] */
  readonly armies?: ReadonlyArray<ArmyResults>;
  /** Default: [] */
  readonly former_names?: ReadonlyArray<FormerName>;
  /** Default: false */
  readonly is_bot?: boolean;
}

/**
 * How strong a player of a ruleset is, as rated matches show it.
 *
 * `rating` is a careful estimate, in thousandths: the mean less three times its `uncertainty`, 0 before the first
 * game. It may be below 0.
 */
export interface PlayerRating {
  readonly ruleset: string;
  readonly rating: number;
  readonly uncertainty: number;
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

/**
 * How an army has fared, with one player or with all. `army` is absent for armies without an id.
 *
 * `points` and `records` are sums: the scores at the end, and the numbers of records of the matches.
 */
export interface ArmyResults {
  readonly ruleset: string;
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly points: number;
  readonly records: number;
  readonly army?: string;
}

/** A name that a player had, and when they gave it up. */
export interface FormerName {
  readonly name: string;
  readonly until_ms: number;
}

/** Answer to `GetArmyStatistics`: the armies of all counted matches, those with the most games first. */
export interface ArmyStatistics {
  readonly type: "army_statistics";
  readonly id: string;
  readonly ruleset: string;
  /** Default: [] */
  readonly armies?: ReadonlyArray<ArmyResults>;
}

/** Answer to `GetRatingHistory`: one page, the newest change first. `next_page` is absent on the last. */
export interface RatingHistory {
  readonly type: "rating_history";
  readonly id: string;
  readonly player: string;
  readonly ruleset: string;
  /** Default: [] */
  readonly changes?: ReadonlyArray<RatingChange>;
  readonly next_page?: string;
}

/**
 * The rating of a player after a rated match, which ended at `ended_ms`. Both figures are thousandths.
 *
 * `match` is there only where lists show it to the one who asks: who knows the id of a match by link may watch it.
 */
export interface RatingChange {
  readonly ended_ms: number;
  readonly rating: number;
  readonly uncertainty: number;
  readonly match?: string;
}

/**
 * Answer to `JoinChat`: the channels that this viewer reads and writes, and their last messages, oldest first.
 *
 * `ChatPosted` may come before it, also for messages that are in it.
 */
export interface ChatJoined {
  readonly type: "chat_joined";
  readonly id: string;
  readonly match: string;
  readonly channels: ReadonlyArray<string>;
  readonly messages: ReadonlyArray<ChatMessage>;
}

/** Answer to `SendChat`: the message is stored under this number. Sent again under its id, it keeps the number. */
export interface ChatSent {
  readonly type: "chat_sent";
  readonly id: string;
  readonly match: string;
  readonly channel: string;
  readonly number: number;
}

/** Answer to `GetChat`: messages, oldest first; none where nothing before is kept. */
export interface ChatPage {
  readonly type: "chat_page";
  readonly id: string;
  readonly match: string;
  readonly messages: ReadonlyArray<ChatMessage>;
}

/** Answer to `MutePlayer` and `ListMutedPlayers`: whose chat messages this player does not get. */
export interface MutedPlayers {
  readonly type: "muted_players";
  readonly id: string;
  readonly players: ReadonlyArray<string>;
}

/**
 * Answer to `SeekMatch` and `StopSeeking`. Once there is a match, it is `found`.
 *
 * While this player seeks, `until_ms` is when the search ends, and the request has to come again after `renew_ms`
 * milliseconds, or the player counts as gone soon after. Without `until_ms` they seek nothing.
 */
export interface Seeking {
  readonly type: "seeking";
  readonly id: string;
  readonly until_ms?: number;
  readonly renew_ms?: number;
  readonly found?: MatchFound;
}

/** Answer to `ReportPlayer`: the report is stored. */
export interface PlayerReported {
  readonly type: "player_reported";
  readonly id: string;
  readonly match: string;
}

/** Answer to `ReportContent`: the report is stored. */
export interface ContentReported {
  readonly type: "content_reported";
  readonly id: string;
  readonly kind: "club" | "tournament";
  readonly subject: string;
}

/**
 * Answer to `ReviewMatch`: up to three moments in the order of the match, none if the search found nothing better.
 *
 * `play_outs` is how often each answer was played out to the end of the match.
 */
export interface MatchReview {
  readonly type: "match_review";
  readonly id: string;
  readonly match: string;
  readonly seat: number;
  readonly moments: ReadonlyArray<ReviewedMoment>;
  readonly play_outs: number;
}

/**
 * A moment: record `seq` says what the seat did, and the search would have done `better`.
 *
 * The position is that after the record before, and the search knew no more of it than the seat did. `done_wins` and
 * `better_wins` are the parts of all play-outs, per mille, that the seat won with either; `error` is the standard
 * error of their difference.
 */
export interface ReviewedMoment {
  readonly seq: number;
  readonly done: diskwars.Action | pit.Action | close_quarters.Action | regiments.Action;
  readonly better: diskwars.Action | pit.Action | close_quarters.Action | regiments.Action;
  readonly done_wins: number;
  readonly better_wins: number;
  readonly error: number;
}

/**
 * Answer to every request about notices: what holds from now on.
 *
 * `offered` are the kinds of channels that this server has. `push_key` is its public key (VAPID, RFC 8292), with which
 * a browser subscribes.
 */
export interface NoticeSettings {
  readonly type: "notice_settings";
  readonly id: string;
  readonly preferences: NoticePreferences;
  /** Default: [] */
  readonly channels?: ReadonlyArray<NoticeChannel>;
  /** Default: [] */
  readonly offered?: ReadonlyArray<"email" | "push" | "webhook">;
  readonly push_key?: string;
}

/** One way to reach the player. `label` is the address, or the host of a browser's push service or of a webhook. */
export interface NoticeChannel {
  readonly id: string;
  readonly kind: "email" | "push" | "webhook";
  readonly label: string;
  readonly state: "resting" | "unconfirmed" | "working";
  readonly created_ms: number;
}

/** Answer to `LookAt`. */
export interface LookedAt {
  readonly type: "looked_at";
  readonly id: string;
}

/** Answer to `AddLessonProgress`: what was done on all devices of the player, in the order of their arrival. */
export interface LessonProgress {
  readonly type: "lesson_progress";
  readonly id: string;
  /** Default: [] */
  readonly lessons?: ReadonlyArray<string>;
  readonly guided?: GuidedMatch;
}

/** One page, the newest first. `next_page` is what a request for the page after it names; absent on the last. */
export interface TournamentList {
  readonly type: "tournament_list";
  readonly id: string;
  readonly tournaments: ReadonlyArray<TournamentSummary>;
  readonly next_page?: string;
}

/**
 * What a list shows of a tournament. `rounds` have begun, of `round_count`; 0 where that is not known.
 *
 * `winner` is a player, `winner_bot` a bot.
 */
export interface TournamentSummary {
  readonly tournament: string;
  readonly name: string;
  readonly status: string;
  readonly format: string;
  readonly ruleset: string;
  readonly organiser: string;
  readonly entrants: number;
  readonly entrant_limit: number;
  readonly created_ms: number;
  /** Default: 0 */
  readonly rounds?: number;
  /** Default: 0 */
  readonly round_count?: number;
  readonly starts_ms?: number;
  /** Default: false */
  readonly is_paused?: boolean;
  /** Default: false */
  readonly is_mine?: boolean;
  readonly winner?: string;
  readonly winner_bot?: string;
  readonly club?: string;
}

/**
 * A tournament as it is, with what follows from it: the table, and the bracket if it has one.
 *
 * `begun` are the matches of its open boards that have begun. `entrant` is the one that the player is.
 */
export interface TournamentView {
  readonly type: "tournament_view";
  readonly id: string;
  readonly tournament: Tournament;
  /** Default: [] */
  readonly standings?: ReadonlyArray<StandingsRow>;
  /** Default: [] */
  readonly bracket?: ReadonlyArray<BracketPlace>;
  /** Default: [] */
  readonly begun?: ReadonlyArray<string>;
  readonly entrant?: number;
  /** Default: false */
  readonly is_organiser?: boolean;
}

/**
 * A tournament. `seeds` are the entrants by seed, those who came late at the end.
 *
 * `round_count` is the number of rounds before a final; 0 where it is not known beforehand. `finalists` play the
 * elimination after these, the best first. After an operator has erased its texts (`texts_erased`) no note is shown.
 */
export interface Tournament {
  readonly tournament: string;
  readonly name: string;
  readonly options: TournamentOptions;
  readonly created_ms: number;
  readonly organisers: ReadonlyArray<string>;
  /** Default: "open" */
  readonly status?: "cancelled" | "ended" | "open" | "running";
  /** Default: [] */
  readonly entrants?: ReadonlyArray<Entrant>;
  /** Default: [] */
  readonly rounds?: ReadonlyArray<TournamentRound>;
  /** Default: [] */
  readonly seeds?: ReadonlyArray<number>;
  /** Default: 0 */
  readonly round_count?: number;
  /** Default: [] */
  readonly finalists?: ReadonlyArray<number>;
  readonly paused_ms?: number;
  readonly arena_ends_ms?: number;
  readonly started_ms?: number;
  readonly ended_ms?: number;
  /** Default: [] */
  readonly ranking?: ReadonlyArray<number>;
  readonly note?: string;
  /** Default: 1 */
  readonly seq?: number;
  /** Default: 0 */
  readonly at_ms?: number;
  /** Default: false */
  readonly texts_erased?: boolean;
}

/**
 * What the organiser chooses when a tournament is opened.
 *
 * `rounds` are those of a Swiss tournament; left out, as many as leave one entrant without a loss. `final_top`: after
 * the last round of a Swiss or round-robin tournament this many of the best play an elimination; 0, 2, 4, 8 or 16.
 * `entrant_limit`: those who enter after that wait for a place. `visibility` "link": in nobody's list but those of its
 * organisers and entrants. `starts_ms`: it starts by itself then; otherwise an organiser starts it.
 * `check_in_minutes` before the start entrants can check in; those who have not are out at the start. 0: none.
 * `round_minutes`: a round ends at the latest after this time; matches under way then are drawn. `no_show_minutes`:
 * a player who is not in the seat and ready in this time after the pairing forfeits the match, and is withdrawn.
 * `arena_minutes`: how long an arena pairs those who are free. `pairs_by_hand`: an organiser begins each round.
 * `third_place`: the losers of the semi-finals play for it. `club`: only members of this club enter.
 */
export interface TournamentOptions {
  readonly format: "arena" | "double_elimination" | "round_robin" | "single_elimination" | "swiss";
  readonly template: MatchTemplate;
  readonly rounds?: number;
  /** Default: 0 */
  readonly final_top?: number;
  /** Default: 64 */
  readonly entrant_limit?: number;
  /** Default: "public" */
  readonly visibility?: "link" | "public";
  readonly starts_ms?: number;
  /** Default: 0 */
  readonly check_in_minutes?: number;
  readonly round_minutes?: number;
  /** Default: 10 */
  readonly no_show_minutes?: number;
  /** Default: 60 */
  readonly arena_minutes?: number;
  /** Default: false */
  readonly pairs_by_hand?: boolean;
  /** Default: false */
  readonly third_place?: boolean;
  /** Default: false */
  readonly late_entry?: boolean;
  /** Default: false */
  readonly bots?: boolean;
  /** Default: "random" */
  readonly seeding?: "entry" | "random";
  /** Default: ["buchholz","sonneborn_berger","direct_encounter","points_difference"] */
  readonly tie_breaks?: ReadonlyArray<"buchholz" | "direct_encounter" | "points_difference" | "sonneborn_berger">;
  readonly club?: string;
}

/** What every match of a tournament is opened with, as `open_match` has it. All of them have two seats. */
export interface MatchTemplate {
  readonly ruleset: string;
  readonly settings?: diskwars.Settings | pit.Settings | close_quarters.Settings | regiments.Settings;
  readonly match_options?: MatchOptions;
  readonly packs?: ReadonlyArray<string>;
}

/** A player or a bot in a tournament. `seed` is 0 until the start, and for late entries their number. */
export interface Entrant {
  readonly number: number;
  readonly player?: string;
  readonly bot?: string;
  /** Default: "entered" */
  readonly status?: "entered" | "waiting" | "withdrawn";
  /** Default: false */
  readonly checked_in?: boolean;
  /** Default: 1 */
  readonly from_round?: number;
  /** Default: 0 */
  readonly seed?: number;
}

/** One round: its boards, and who has a bye. */
export interface TournamentRound {
  readonly number: number;
  readonly at_ms: number;
  readonly boards: ReadonlyArray<TournamentBoard>;
  /** Default: [] */
  readonly byes?: ReadonlyArray<number>;
  /** Default: "main" */
  readonly stage?: "final" | "main";
  readonly deadline_ms?: number;
  /** Default: false */
  readonly is_over?: boolean;
}

/** One match of a round. `attempt` counts its matches from 1. */
export interface TournamentBoard {
  readonly number: number;
  readonly entrants: ReadonlyArray<number>;
  readonly match: string;
  readonly place?: string;
  /** Default: 1 */
  readonly attempt?: number;
  readonly no_show_ms?: number;
  readonly result?: BoardResult;
}

/** How a board counts: see `BoardDecided`. `corrected`: an organiser has replaced an earlier result. */
export interface BoardResult {
  readonly half_points: ReadonlyArray<number>;
  readonly decided_by: "better_seed" | "deadline" | "match" | "no_show" | "organiser" | "withdrawn";
  /** Default: [] */
  readonly scores?: ReadonlyArray<number>;
  readonly ended_as?: string;
  readonly note?: string;
  /** Default: false */
  readonly corrected?: boolean;
}

/**
 * One entrant in the table. Ranks are 1, 2, 2, 4 where two are equal in everything.
 *
 * `buchholz_halves` is the sum of the opponents' half points, `sonneborn_berger_quarters` that of each times the own
 * half points against them. `direct_half_points` are those of the games among those who are equal before.
 * `points_difference` is what the entrant scored in the games, less what the opponents scored.
 */
export interface StandingsRow {
  readonly rank: number;
  readonly entrant: number;
  /** Default: 0 */
  readonly half_points?: number;
  /** Default: 0 */
  readonly wins?: number;
  /** Default: 0 */
  readonly draws?: number;
  /** Default: 0 */
  readonly losses?: number;
  /** Default: 0 */
  readonly byes?: number;
  /** Default: 0 */
  readonly buchholz_halves?: number;
  /** Default: 0 */
  readonly sonneborn_berger_quarters?: number;
  /** Default: 0 */
  readonly direct_half_points?: number;
  /** Default: 0 */
  readonly points_difference?: number;
}

/**
 * A match of the tree as it stands.
 *
 * `first` and `second` are its entrants, absent while they are not known; 0 is nobody. So are `winner` and `loser`.
 * `is_free`: it is decided without a match, because somebody is missing.
 */
export interface BracketPlace {
  readonly place: string;
  readonly level: number;
  readonly sources: ReadonlyArray<BracketSource>;
  readonly first?: number;
  readonly second?: number;
  readonly winner?: number;
  readonly loser?: number;
  /** Default: false */
  readonly is_free?: boolean;
  readonly board?: TournamentBoard;
}

/** From where an entrant of a match comes: `of` is a seed, or the place of an earlier match. */
export interface BracketSource {
  readonly kind: "loser" | "seed" | "winner";
  readonly of: string;
}

/** Answer to requests about one challenge: what it is now. */
export interface ChallengeView {
  readonly type: "challenge_view";
  readonly id: string;
  readonly challenge: Challenge;
}

/**
 * Answer to `ListChallenges` and `AllowChallenges`: challenges to and from the player, the newest first.
 *
 * `allowed`: the player takes challenges.
 */
export interface ChallengeList {
  readonly type: "challenge_list";
  readonly id: string;
  /** Default: [] */
  readonly challenges?: ReadonlyArray<Challenge>;
  /** Default: true */
  readonly allowed?: boolean;
}

/** One page, the newest first. `next_page` is what a request for the page after it names; absent on the last. */
export interface ClubList {
  readonly type: "club_list";
  readonly id: string;
  readonly clubs: ReadonlyArray<ClubSummary>;
  readonly next_page?: string;
}

/** What a list shows of a club. `role` is the asker's own; others than members have none. */
export interface ClubSummary {
  readonly club: string;
  readonly name: string;
  readonly visibility: "private" | "public";
  readonly entry: "invitation" | "open";
  readonly members: number;
  readonly created_ms: number;
  readonly role?: "leader" | "member" | "officer";
  readonly season?: string;
}

/**
 * A club as the player may see it.
 *
 * Of the standings of `seasons` it has the first rows only. `role` is one's own. Only members see `present`, the
 * members who are here and show it, and only the leader and officers see `invitations`.
 */
export interface ClubView {
  readonly type: "club_view";
  readonly id: string;
  readonly club: string;
  readonly name: string;
  readonly options: ClubOptions;
  readonly created_ms: number;
  readonly status: "closed" | "open";
  readonly members: ReadonlyArray<ClubMember>;
  readonly seasons: ReadonlyArray<Season>;
  readonly seq: number;
  readonly role?: "leader" | "member" | "officer";
  /** Default: [] */
  readonly present?: ReadonlyArray<string>;
  /** Default: [] */
  readonly invitations?: ReadonlyArray<ClubInvitation>;
}

/**
 * What the leader and the officers of a club decide.
 *
 * `visibility` "private": nobody but its members learns that the club is there, unless by an invitation. `entry`
 * "open": any player with an account may join. `packs` are the content packs that its matches use; left out, any.
 * `ruleset` is the game of its ladder.
 */
export interface ClubOptions {
  /** Default: "public" */
  readonly visibility?: "private" | "public";
  /** Default: "invitation" */
  readonly entry?: "invitation" | "open";
  /** Default: "diskwars" */
  readonly ruleset?: string;
  readonly packs?: ReadonlyArray<string>;
  readonly house_rules?: string;
}

/** A member. `role_since_ms` is when the role was given: the longest-serving officer follows a leader. */
export interface ClubMember {
  readonly player: string;
  readonly joined_ms: number;
  /** Default: "member" */
  readonly role?: "leader" | "member" | "officer";
  /** Default: 0 */
  readonly role_since_ms?: number;
}

/**
 * A season: under way while `ended_ms` is absent. `standings` are the final ones, the best first.
 *
 * `ruleset` is the game of its ladder.
 */
export interface Season {
  readonly number: number;
  readonly name: string;
  readonly began_ms: number;
  readonly ends_ms?: number;
  readonly ended_ms?: number;
  /** Default: [] */
  readonly standings?: ReadonlyArray<SeasonRow>;
  readonly ruleset?: string;
}

/** The row of a member in a ladder: the rating then, and the rated matches in the season. */
export interface SeasonRow {
  readonly player: string;
  readonly rating?: number;
  /** Default: 0 */
  readonly wins?: number;
  /** Default: 0 */
  readonly draws?: number;
  /** Default: 0 */
  readonly losses?: number;
}

/** An invitation as the leader and officers see it. Nobody sees its code again. */
export interface ClubInvitation {
  readonly invitation: string;
  readonly by: string;
  readonly created_ms: number;
  readonly expires_ms?: number;
}

/**
 * The ladder of a club as it is, the best first: by rating, members without one at the end.
 *
 * `season` is the one from which the matches are: that under way, or the one that was requested.
 */
export interface ClubLadder {
  readonly type: "club_ladder";
  readonly id: string;
  readonly club: string;
  readonly ruleset: string;
  readonly rows: ReadonlyArray<SeasonRow>;
  readonly season?: number;
}

/** Answer to `InviteToClub`. The code is sent here only; the server keeps no more than its hash. */
export interface ClubInvited {
  readonly type: "club_invited";
  readonly id: string;
  readonly invitation: string;
  readonly code: string;
}

/** Answer to `FindClubInvitation`: the club that an invitation leads to. */
export interface ClubInvitationFound {
  readonly type: "club_invitation_found";
  readonly id: string;
  readonly club: ClubSummary;
}

/**
 * Sent before the server closes: the close code, a stable word for it, why, and when to reconnect.
 *
 * `place` is where in the frame the fault lies; `versions` are those that the server speaks, when that was the reason.
 * A reader that does not know the word reconnects if there is a `retry_after_ms`, and otherwise does not.
 */
export interface Closing {
  readonly type: "closing";
  readonly code: number;
  readonly close_reason: CloseReason;
  readonly text: string;
  readonly retry_after_ms?: number;
  readonly place?: string;
  /** Default: [] */
  readonly versions?: ReadonlyArray<number>;
}

export type ServerMessage =
  | Welcome
  | Opened
  | Watching
  | Records
  | Unwatched
  | OptionsResponse
  | Openings
  | ChatPosted
  | WatchersChanged
  | RecordRange
  | Accepted
  | Refused
  | MatchesChanged
  | MatchFound
  | RematchChanged
  | TournamentChanged
  | ChallengeChanged
  | ClubChanged
  | MatchList
  | Unfollowed
  | CatalogueResponse
  | ArmyChecked
  | Entered
  | InviteCreated
  | InviteList
  | Rematch
  | BranchOpened
  | ImportStarted
  | ImportPartReceived
  | MatchImported
  | SignedIn
  | RecoveryCodes
  | ApiTokenMade
  | DeviceLoginView
  | AccountChanged
  | DeviceList
  | PlayerList
  | BotAccountList
  | FollowedPlayers
  | OwnData
  | Leaderboard
  | PlayerStatistics
  | ArmyStatistics
  | RatingHistory
  | ChatJoined
  | ChatSent
  | ChatPage
  | MutedPlayers
  | Seeking
  | PlayerReported
  | ContentReported
  | MatchReview
  | NoticeSettings
  | LookedAt
  | LessonProgress
  | TournamentList
  | TournamentView
  | ChallengeView
  | ChallengeList
  | ClubList
  | ClubView
  | ClubLadder
  | ClubInvited
  | ClubInvitationFound
  | Closing;

/** The first line of a match file. The hash chain starts from its bytes; a reader passes over later fields. */
export interface MatchHeader {
  readonly type: "diskwars-match";
  readonly format: number;
  readonly match: string;
  readonly ruleset: string;
}

export type CloseReason = "bad_frame" | "bad_record" | "banned" | "binary" | "fault" | "flood" | "gap" | "going_away" | "hello_expected" | "protocol" | "restarting" | "slow" | "token_bad" | "token_expired" | "token_revoked" | "too_big" | "unsupported_version";

/**
 * The placeholder of a secret in a body: `{"#": SHA-256(salt | canonical(value)) as hex}`.
 *
 * A field that may be secret is typed like `str | Sealed`. The decoder tells the members of a union apart by their
 * JSON type, and a union may have only one object type without a tag. Therefore a secret field is a string, an integer
 * or an array, never an object.
 */
export interface Sealed {
  readonly "#": string;
}

/** `seat_nonce` is the first link of the player's chain, 32 hex digits; an empty one counts as zeros. */
export interface Ready {
  readonly type: "ready";
  /** Default: "" */
  readonly seat_nonce?: string | Sealed;
}

/** Leave the match. Answers no decision. */
export interface Resign {
  readonly type: "resign";
}

/** A new chain head for a player who lost the old chain; valid from the next step but one. Answers no decision. */
export interface ReplaceChain {
  readonly type: "replace_chain";
  readonly chain_head: string;
}

/**
 * Offer something to the other players. Answers no decision.
 *
 * One offer is open at a time. A seat makes one, and the next after it has answered a decision.
 */
export interface MakeOffer {
  readonly type: "make_offer";
  readonly offer: DrawOffer | TakebackOffer | PauseOffer;
}

/** End the match without a winner. */
export interface DrawOffer {
  readonly type: "draw";
}

/** Go back to the state after record `record`. */
export interface TakebackOffer {
  readonly type: "takeback";
  readonly record: number;
}

/** Stop the clocks and take no answers until a player resumes play. */
export interface PauseOffer {
  readonly type: "pause";
}

/** Agree to the open offer, or refuse it; the player who made it withdraws it. Answers no decision. */
export interface AnswerOffer {
  readonly type: "answer_offer";
  readonly offer_id: number;
  readonly agree: boolean;
}

/**
 * Take back the own answers after record `record`, without asking. Answers no decision.
 *
 * It is allowed while only this seat has acted since, nothing was drawn or hidden, and nobody else has to decide.
 */
export interface TakeBack {
  readonly type: "take_back";
  readonly record: number;
}

/** Go on after a pause. Every player may do that, and answers no decision. */
export interface ResumePlay {
  readonly type: "resume_play";
}

/** Give up the own seat before the match begins: others may take it. Answers no decision. */
export interface LeaveSeat {
  readonly type: "leave_seat";
}

/** Play on in the own seat, which the house plays since too many answers were missed. Answers no decision. */
export interface TakeSeatBack {
  readonly type: "take_seat_back";
}

/** Take this seat. Every player without a seat in the match may answer. */
export interface SeatQuestion {
  readonly type: "seat";
}

/** Open your first chain link. */
export interface ReadyQuestion {
  readonly type: "ready";
}

/**
 * What the opener chooses besides the settings of the ruleset.
 *
 * `visibility`: a `public` match is in everybody's list; one by `link` only in the lists of its opener and players.
 * `watchers`: spectators without a seat are allowed always (`live`), always but see each round once it is over
 * (`round_later`), once the match has ended (`after_end`) or never (`none`). Until it begins, everybody with its id
 * may see it, to take a seat.
 * A `rated` match has no takebacks, and its dice follow from no seed.
 * A record holds these; without a clock, `clock` is left out, and what follows is left out at its default.
 * `draws`, `takebacks` and `pauses`: what the players may agree on. `missed_limit`: when the house has to answer for a
 * seat this many times in a row, it resigns for the seat instead of the last answer. With `on_missed_limit` "bot" it
 * gives this answer too and plays on for the seat, in place of its player, as long as other people play.
 * `rematch_of` is the match whose players play again, with their seats turned; only the server opens such a match.
 * `grace_seconds`: how long the house waits at least for a player who has lost the connection while deciding. Left out
 * it is 30, and 0 with a clock of a day or more.
 * `branch_of` is the moment of another match from which this one plays on; so does `branch_match` open it.
 * `abandoned_after_days`: in a match without a clock, the house leaves the match for a seat that owes an answer for
 * this long. 0: the others wait for ever.
 * `club` is the club whose members alone see the match, watch it and take seats. Such a match has the `visibility`
 * "link" for everybody else.
 */
export interface MatchOptions {
  /** Default: "public" */
  readonly visibility?: "link" | "public";
  /** Default: "live" */
  readonly watchers?: "after_end" | "live" | "none" | "round_later";
  /** Default: false */
  readonly rated?: boolean;
  readonly clock?: PerDecisionClock | BankClock;
  /** Default: false */
  readonly draws?: boolean;
  /** Default: false */
  readonly takebacks?: boolean;
  /** Default: false */
  readonly pauses?: boolean;
  readonly missed_limit?: number;
  /** Default: "resign" */
  readonly on_missed_limit?: "bot" | "resign";
  readonly rematch_of?: string;
  readonly branch_of?: BranchPoint;
  readonly grace_seconds?: number;
  /** Default: 14 */
  readonly abandoned_after_days?: number;
  readonly club?: string;
}

/**
 * How long a decision may stay open once the match has begun. After that, the house answers it.
 *
 * The time of a decision runs from `at_ms` of the record that opened it.
 */
export interface PerDecisionClock {
  readonly type: "per_decision";
  readonly decision_seconds: number;
}

/**
 * The time that a seat has for the whole match, once it has begun. When it is used up, the house answers.
 *
 * It runs while at least one decision of the seat is open. Each answer adds the increment.
 */
export interface BankClock {
  readonly type: "bank";
  readonly bank_seconds: number;
  /** Default: 0 */
  readonly increment_seconds?: number;
}

/** A content pack that a match is played with; `hash` is the SHA-256 of its canonical form. */
export interface Pack {
  readonly id: string;
  readonly version: string;
  readonly hash: string;
}

/** A seat gave its link for the next step, or an empty one. Nobody else sees it before `StepBegan`. */
export interface SeatNonceOpened {
  readonly type: "seat_nonce_opened";
  readonly seat: number;
  readonly seat_nonce: string | Sealed;
}

/** A seat is ready; when all are, the first step of the dice begins. */
export interface SeatReady {
  readonly type: "seat_ready";
  readonly seat: number;
}

/**
 * A step of the dice begins.
 *
 * `server_link` is the server's link of the step before; `seat_nonces` are one per seat, 32 hex digits. A seat in
 * `missing` gave no link: its nonce is zeros. Where the ruleset asks no seat for one, both are left out, and all
 * nonces are zeros.
 */
export interface StepBegan {
  readonly type: "step_began";
  readonly step: number;
  readonly server_link: string;
  /** Default: [] */
  readonly seat_nonces?: ReadonlyArray<string>;
  /** Default: [] */
  readonly missing?: ReadonlyArray<number>;
}

/** A new chain head, valid from a step on. */
export interface ChainReplaced {
  readonly type: "chain_replaced";
  readonly seat: number;
  readonly chain_head: string;
  readonly from_step: number;
}

/** A player leaves the match. */
export interface SeatResigned {
  readonly type: "seat_resigned";
  readonly seat: number;
}

/**
 * A player gives up a seat before the match begins, or its opener removes them (`kicked`), in record `record`.
 *
 * Nobody is ready any more. `spent_nonces` are what other seats had given to the first step of the dice, in the order
 * of seats. They go into no dice: the next player could choose a chain that suits them.
 */
export interface SeatVacated {
  readonly type: "seat_vacated";
  readonly seat: number;
  readonly player: string;
  readonly record: number;
  /** Default: [] */
  readonly spent_nonces?: ReadonlyArray<SpentNonce>;
  /** Default: false */
  readonly kicked?: boolean;
}

/** What a seat had given to the dice when it was published without a step: the next link is asked for. */
export interface SpentNonce {
  readonly seat: number;
  readonly seat_nonce: string;
}

/** A seat offers something to the others. `offer_id` is the seq of this record. */
export interface OfferMade {
  readonly type: "offer_made";
  readonly offer_id: number;
  readonly seat: number;
  readonly offer: DrawOffer | TakebackOffer | PauseOffer;
}

/** A seat agrees to the open offer, or ends it: the one that made it withdraws it, another one refuses it. */
export interface OfferAnswered {
  readonly type: "offer_answered";
  readonly seat: number;
  readonly agree: boolean;
}

/** The match goes back to the record that its own record names: by the seat itself, or as the last one agreed. */
export interface TakebackMade {
  readonly type: "takeback_made";
  readonly seat: number;
}

/** All have agreed to pause: clocks stop, and decisions take no answers. */
export interface PlayPaused {
  readonly type: "play_paused";
}

/** A seat ends the pause. `at_ms` is the time of the record: with a clock per decision, all time begins then. */
export interface PlayResumed {
  readonly type: "play_resumed";
  readonly seat: number;
  readonly at_ms: number;
}

/** The house plays a seat from now on, whose player has missed too many answers. It need not wait for their time. */
export interface SeatTakenOver {
  readonly type: "seat_taken_over";
  readonly seat: number;
}

/** The player of a seat that the house has played is back, and plays on. */
export interface SeatTakenBack {
  readonly type: "seat_taken_back";
  readonly seat: number;
}

/** Last event. `server_link` is that of the last step, `deal_secret` opens the deal commitment (hex). */
export interface MatchEnded {
  readonly type: "match_ended";
  readonly server_link: string;
  readonly deal_secret: string;
}

/**
 * Dice in an event, with everything needed to compute them again from the step key.
 *
 * Dice of numbers or symbols have `size` sides; each of `results` is a face, 1 to `size`, and uses one index. What
 * symbol a face shows is the ruleset's own. A pick is drawn like a die, and says which of `size` things it is, counted
 * from 1. A shuffle has `size` items; `results` is the new order as old positions, 0
 * to `size` - 1, and uses `size` - 1 indices. `tag` says what was drawn for.
 */
export interface Draw {
  readonly step: number;
  readonly index: number;
  readonly kind: "number_dice" | "pick" | "shuffle" | "symbol_dice";
  readonly size: number;
  readonly tag: string;
  readonly results: ReadonlyArray<number>;
}

/**
 * End a match that has not begun. Only in records: a client sends the message of that name.
 *
 * `reason` says why the house did it; none where nobody came in time, or an operator wished it.
 */
export interface Close {
  readonly type: "close_match";
  readonly reason?: string;
}

/** Remove the player of a seat before the match begins. Only in records: the opener sends `KickPlayer`. */
export interface Kick {
  readonly type: "kick_player";
  readonly seat: number;
}

/** End a match that has begun, without a winner. Only in records: the house does it for an operator. */
export interface Stop {
  readonly type: "stop_match";
}

/**
 * A seat's hash chain: the link opened last, and the head that replaces it from a step on, if any.
 *
 * `superseded` are the heads that were to replace it, and for which others were sent before their step.
 */
export interface SeatChainState {
  readonly head: string;
  readonly new_head?: string;
  readonly new_from?: number;
  /** Default: 0 */
  readonly superseded?: number;
}

/**
 * What a seat has left of its bank, and since when (the server's clock) it has been running; absent: it stands.
 *
 * A record charges the time since then, less its `lag_ms`.
 */
export interface SeatClock {
  readonly remaining_ms: number;
  readonly running_since_ms?: number;
}

/** An offer that waits for answers. `seat` has made it in record `id`; `agreed` are the others who have agreed. */
export interface OpenOffer {
  readonly id: number;
  readonly seat: number;
  readonly offer: DrawOffer | TakebackOffer | PauseOffer;
  /** Default: [] */
  readonly agreed?: ReadonlyArray<number>;
}

/** One field of a ruleset's settings. It is one of `values`, or a whole number from `least` to `most`. */
export interface RulesetSetting {
  readonly id: string;
  readonly default: boolean | number | string;
  /** Default: [] */
  readonly values?: ReadonlyArray<boolean | number | string>;
  readonly least?: number;
  readonly most?: number;
  readonly text?: string;
  readonly rule?: string;
}

/** A rectangle of cells or points, with its first and last column and row. */
export interface ScenarioArea {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/**
 * What a scenario asks of a side.
 *
 * - to break through: `count` pieces of `side` get into the `zone` before the last round is over
 * - a rescue: the piece number `piece` of `side`, counted from 0 among its own, gets there; it is lost if that falls
 * - a last stand: `side` has `count` pieces left when the last round is over
 * - to hold: at the end of the last round the side with more pieces in the `zone` wins; `side` means nothing
 *
 * A piece is a fighter, a unit or a model.
 */
export interface BattleTask {
  readonly kind: "break_through" | "hold" | "last_stand" | "rescue";
  /** Default: 0 */
  readonly side?: number;
  readonly zone?: ScenarioArea;
  /** Default: 1 */
  readonly count?: number;
  readonly piece?: number;
}

export namespace diskwars {
  /**
   * The options of a match, most of them with the ruling that they answer. The texts go into the catalogue.
   *
   * A record holds every option, so that no default has to be known to read it, nor stay as it is.
   */
  export interface Settings {
    /** Default: "strict" */
    readonly pins?: "contact" | "strict";
    /** Default: "full" */
    readonly setup?: "full" | "quick";
    /** Default: 2 */
    readonly regiments?: number;
    /** Default: true */
    readonly impact_own?: boolean;
    /** Default: true */
    readonly reinforce_onto_enemy?: boolean;
    /** Default: false */
    readonly reinforce_limit?: boolean;
    /** Default: "any_time" */
    readonly battle_ability_timing?: "any_time" | "first_or_last";
    /** Default: "counter" */
    readonly defensive_swift?: "both" | "counter" | "strength";
    /** Default: "per_attack" */
    readonly rampage_flips?: "per_attack" | "per_chaos";
    /** Default: "at_toughness" */
    readonly weakened_wounds?: "above_toughness" | "at_toughness";
    /** Default: "none" */
    readonly special_scenario?: string;
  }

  /**
   * What a player brings to their seat: a starter army, by its id `army` alone, or a list of their own.
   *
   * `hand` is the command cards. Others see nothing of it; `match_started` shows them the disks.
   */
  export interface Loadout {
    /** Default: "" */
    readonly army?: string | Sealed;
    /** Default: [] */
    readonly regiments?: ReadonlyArray<diskwars.Regiment> | Sealed;
    /** Default: [] */
    readonly hand?: ReadonlyArray<string> | Sealed;
  }

  /** R2.1: a hero and the units of the regiment. */
  export interface Regiment {
    readonly hero: string;
    /** Default: [] */
    readonly units?: ReadonlyArray<string>;
  }

  /**
   * Take a seat.
   *
   * `chain_head` is the head of the player's own hash chain, 32 hex digits, made after the server's anchor was seen.
   */
  export interface TakeSeat {
    readonly type: "take_seat";
    readonly chain_head: string;
    readonly loadout: diskwars.Loadout;
  }

  /** R3.2: this seat is the first player. */
  export interface ChooseFirstPlayer {
    readonly type: "choose_first_player";
    readonly seat: number;
  }

  /** Every seat once, first player first. */
  export interface SetOrder {
    readonly type: "set_order";
    readonly order: ReadonlyArray<number>;
  }

  export interface ChooseScenario {
    readonly type: "choose_scenario";
    readonly scenario: string;
  }

  /** A deployment card with face 0 or 1 up, beginning at `offset` along the own edge. */
  export interface LayDeploymentCard {
    readonly type: "lay_deployment_card";
    readonly card: string;
    readonly face: number;
    readonly offset: number;
  }

  /** A terrain piece with face 0 or 1 up, its middle at (x, y), turned by `rotation_steps` of 5°. */
  export interface PlaceTerrain {
    readonly type: "place_terrain";
    readonly card: string;
    readonly face: number;
    readonly x: number;
    readonly y: number;
    readonly rotation_steps: number;
  }

  /** Disks in the order in which they are placed: a later one lies on top. */
  export interface Deploy {
    readonly type: "deploy";
    readonly disks: ReadonlyArray<diskwars.Placement>;
  }

  /** Where a disk is laid down: its number and centre. */
  export interface Placement {
    readonly disk: number;
    readonly x: number;
    readonly y: number;
  }

  /** Leave the other scouts where they are. */
  export interface EndScouting {
    readonly type: "end_scouting";
  }

  /**
   * A card of the hand, the salt of its commitment (32 hex digits), and the seat's next nonce or nothing.
   *
   * Each lock needs 16 fresh random bytes as its salt: a client that knows the salt finds the card by trying the few
   * names there are. Options name the card only.
   */
  export interface LockCard {
    readonly type: "lock_card";
    readonly card: string | Sealed;
    /** Default: "" */
    readonly salt?: string | Sealed;
    /** Default: "" */
    readonly seat_nonce?: string | Sealed;
  }

  /**
   * Flips one after another, each a vector one diameter long. Stops at the first that pins, rolls or triggers.
   *
   * `end_activation` says that the activation is over when the path is carried out; otherwise the seat decides again.
   * `over_own_disks` says that a pin of an own disk does not stop the path (R-76).
   */
  export interface MoveDisk {
    readonly type: "move_disk";
    readonly disk: number;
    readonly path: ReadonlyArray<readonly [dx: number, dy: number]>;
    /** Default: true */
    readonly end_activation?: boolean;
    /** Default: false */
    readonly over_own_disks?: boolean;
  }

  /** Ranged attack number `shot` of the disk. */
  export interface Shoot {
    readonly type: "shoot";
    readonly disk: number;
    readonly target: number;
    /** Default: 0 */
    readonly shot?: number;
  }

  /** Focus ability number `ability` of the disk (`Magic X` comes before printed ones), at a target if it needs one. */
  export interface Focus {
    readonly type: "focus";
    readonly disk: number;
    readonly target?: number;
    /** Default: 0 */
    readonly ability?: number;
  }

  /** Activate a disk without an action, or end its activation early. */
  export interface PassDisk {
    readonly type: "pass_disk";
    readonly disk: number;
  }

  /** R9.1: place a disk of the reserve with its centre at (x, y) in an own zone. */
  export interface Reinforce {
    readonly type: "reinforce";
    readonly disk: number;
    readonly x: number;
    readonly y: number;
  }

  /** Use the battle ability of the card with `disk`, at `target` if it needs one. */
  export interface UseAbility {
    readonly type: "use_ability";
    readonly disk: number;
    readonly target?: number;
  }

  /** Leave the remaining activations of the card unused. */
  export interface EndCard {
    readonly type: "end_card";
  }

  /** R-21: the disk that the scatter dice go against. */
  export interface ChooseScatter {
    readonly type: "choose_scatter";
    readonly target: number;
  }

  /** A permutation of the indices of the triggers in the question. */
  export interface OrderTriggers {
    readonly type: "order_triggers";
    readonly order: ReadonlyArray<number>;
  }

  /** The target of an engage ability, absent where there is none to choose; or that it is not used. */
  export interface UseEngageAbility {
    readonly type: "use_engage_ability";
    readonly target?: number;
    /** Default: true */
    readonly use?: boolean;
  }

  /** R15.2.4: the engagement that comes next. */
  export interface ChooseEngagement {
    readonly type: "choose_engagement";
    readonly engagement: number;
  }

  /** The target of every disk of the question, once. */
  export interface ChooseTargets {
    readonly type: "choose_targets";
    readonly targets: ReadonlyArray<diskwars.MeleeTarget>;
  }

  /** A striking disk and its target. */
  export interface MeleeTarget {
    readonly disk: number;
    readonly target: number;
  }

  export type Action =
    | diskwars.TakeSeat
    | Ready
    | Resign
    | ReplaceChain
    | MakeOffer
    | AnswerOffer
    | TakeBack
    | ResumePlay
    | LeaveSeat
    | TakeSeatBack
    | diskwars.ChooseFirstPlayer
    | diskwars.SetOrder
    | diskwars.ChooseScenario
    | diskwars.LayDeploymentCard
    | diskwars.PlaceTerrain
    | diskwars.Deploy
    | diskwars.EndScouting
    | diskwars.LockCard
    | diskwars.MoveDisk
    | diskwars.Shoot
    | diskwars.Focus
    | diskwars.PassDisk
    | diskwars.Reinforce
    | diskwars.UseAbility
    | diskwars.EndCard
    | diskwars.ChooseScatter
    | diskwars.OrderTriggers
    | diskwars.UseEngageAbility
    | diskwars.ChooseEngagement
    | diskwars.ChooseTargets;

  /** R3.2: the winner of the initiative roll chooses the first player. */
  export interface FirstPlayerQuestion {
    readonly type: "first_player";
  }

  /** R18.1: with three or four players the winner of the initiative roll chooses the whole order. */
  export interface InitiativeOrderQuestion {
    readonly type: "initiative_order";
  }

  /** R3.3.1: choose which of the two drawn scenario cards is the active one. Only the deciding seat knows them. */
  export interface ScenarioQuestion {
    readonly type: "scenario";
  }

  /** R3.4: take one of `cards` and place it along the own edge, wholly within one of the free spans. */
  export interface DeploymentCardQuestion {
    readonly type: "deployment_card";
    readonly cards: ReadonlyArray<string>;
    readonly free_spans: ReadonlyArray<diskwars.EdgeSpan>;
  }

  /** A stretch along an edge of the field. */
  export interface EdgeSpan {
    readonly start: number;
    readonly end: number;
  }

  /** R3.5: take one of `cards` and place its piece. Each of them fits somewhere. */
  export interface TerrainQuestion {
    readonly type: "terrain";
    readonly cards: ReadonlyArray<string>;
  }

  /**
   * R3.6: place `disk_count` disks in the own zones, in each at most its limit.
   *
   * If `disk_count` is less than the sum of the limits, the player spreads them freely (R3.6.1).
   */
  export interface DeploymentQuestion {
    readonly type: "deployment";
    readonly zone_limits: ReadonlyArray<diskwars.ZoneLimit>;
    readonly disk_count: number;
  }

  /** How many disks a zone may take. */
  export interface ZoneLimit {
    readonly zone: number;
    readonly count: number;
  }

  /** R3.7: move one of these disks before round 1, or end scouting. */
  export interface ScoutQuestion {
    readonly type: "scout";
    readonly disks: ReadonlyArray<number>;
  }

  /** R7.3: lock a command card in secret. The lock is made for the step after the match's own. */
  export interface CommandCardQuestion {
    readonly type: "command_card";
  }

  /** R7.11: activate a disk, reinforce, use the battle ability, or end the card. `activations_left` remain. */
  export interface ActivationQuestion {
    readonly type: "activation";
    readonly card: string;
    readonly activations_left: number;
    readonly ability_available: boolean;
  }

  /** R8: continue the activation with `flips_left` more flips or an action in `allowed`: "shoot", "focus", "move". */
  export interface ContinuationQuestion {
    readonly type: "continuation";
    readonly disk: number;
    readonly flips_left: number;
    readonly allowed: ReadonlyArray<"focus" | "move" | "shoot">;
  }

  /** R-21: several disks are nearest to the target; choose the one that the scatter dice go against. */
  export interface ScatterQuestion {
    readonly type: "scatter";
    readonly shooter: number;
    readonly candidates: ReadonlyArray<number>;
  }

  /** Several abilities trigger at once: choose their order. */
  export interface TriggerOrderQuestion {
    readonly type: "trigger_order";
    readonly triggers: ReadonlyArray<diskwars.Trigger>;
  }

  /** An engage ability that goes off: ability number `ability` of `disk`, against `enemy`. */
  export interface Trigger {
    readonly disk: number;
    readonly enemy: number;
    readonly ability: number;
  }

  /** R19.20: choose the target of an engage ability. If `optional`, it can be declined. */
  export interface EngageAbilityQuestion {
    readonly type: "engage_ability";
    readonly trigger: diskwars.Trigger;
    readonly candidates: ReadonlyArray<number>;
    readonly optional: boolean;
  }

  /** R9.6: place one of these within `reach` of the disk `source`, or none by passing `source`. */
  export interface ReinforcementQuestion {
    readonly type: "reinforcement";
    readonly source: number;
    readonly reach: "long" | "medium" | "short" | "siege";
    readonly candidates: ReadonlyArray<number>;
  }

  /** R19.18: flip the disk once toward one of `targets`; if `must_overlap`, so that it overlaps one of them. */
  export interface RampageQuestion {
    readonly type: "rampage";
    readonly disk: number;
    readonly targets: ReadonlyArray<number>;
    readonly must_overlap: boolean;
  }

  /** R15.2, R15.5: choose the engagement that is resolved next. */
  export interface EngagementQuestion {
    readonly type: "engagement";
    readonly engagements: ReadonlyArray<number>;
  }

  /** R15.3.2: choose a target for each of the disks of `choices` in this step. */
  export interface MeleeTargetsQuestion {
    readonly type: "melee_targets";
    readonly engagement: number;
    readonly speed: "normal" | "slow" | "swift";
    readonly role: "attacker" | "defender";
    readonly choices: ReadonlyArray<diskwars.StrikerChoice>;
  }

  /** A striking disk, and the targets that it may have. */
  export interface StrikerChoice {
    readonly disk: number;
    readonly targets: ReadonlyArray<number>;
  }

  export type Question =
    | SeatQuestion
    | ReadyQuestion
    | diskwars.FirstPlayerQuestion
    | diskwars.InitiativeOrderQuestion
    | diskwars.ScenarioQuestion
    | diskwars.DeploymentCardQuestion
    | diskwars.TerrainQuestion
    | diskwars.DeploymentQuestion
    | diskwars.ScoutQuestion
    | diskwars.CommandCardQuestion
    | diskwars.ActivationQuestion
    | diskwars.ContinuationQuestion
    | diskwars.ScatterQuestion
    | diskwars.TriggerOrderQuestion
    | diskwars.EngageAbilityQuestion
    | diskwars.ReinforcementQuestion
    | diskwars.RampageQuestion
    | diskwars.EngagementQuestion
    | diskwars.MeleeTargetsQuestion;

  /**
   * First event of the first record.
   *
   * `anchor` is link 0 of the server's chain, `deal_commitment` the SHA-256 of the deal secret.
   * `rules_version` is that of the ruleset's rules, which decided this record.
   * `repeatable` says that the secrets were made from a seed, so that the dice of this match prove nothing.
   * `packs` are those whose figures the match will use. `match_options` are those of every ruleset.
   */
  export interface MatchOpened {
    readonly type: "match_opened";
    readonly match: string;
    readonly ruleset: string;
    readonly rules_version: number;
    readonly settings: diskwars.Settings;
    readonly seat_count: number;
    readonly anchor: string;
    readonly deal_commitment: string;
    readonly opener: string;
    readonly match_options: MatchOptions;
    /** Default: false */
    readonly repeatable?: boolean;
    /** Default: [] */
    readonly packs?: ReadonlyArray<Pack>;
  }

  /** A player takes a seat, with a loadout. */
  export interface SeatTaken {
    readonly type: "seat_taken";
    readonly seat: number;
    readonly player: string;
    readonly chain_head: string;
    readonly loadout: diskwars.Loadout;
  }

  /** Second event of the first record of a branch. Its secrets are sealed for everybody until the match has ended. */
  export interface PositionSet {
    readonly type: "position_set";
    readonly position: diskwars.Position;
  }

  /**
   * What a branch plays on from: the board of its parent, and the seats of it that had resigned.
   *
   * `resampled`: what its opener could not see of the parent was drawn at random from what it could be.
   */
  export interface Position {
    readonly board: diskwars.Board;
    /** Default: false */
    readonly resampled?: boolean;
    /** Default: [] */
    readonly resigned?: ReadonlyArray<number>;
  }

  /**
   * A position.
   *
   * `pins` are sorted; `terrain` are the pieces on the field; `cursor` is what the rules have still to do, an opaque
   * text that only they read. `revealed_salts` are those of all cards revealed so far.
   */
  export interface Board {
    readonly settings: diskwars.Settings;
    readonly field: diskwars.Field;
    readonly battle_die: ReadonlyArray<"chaos" | "critical" | "hit" | "miss" | "scatter">;
    readonly profiles: ReadonlyArray<diskwars.Profile>;
    readonly cards: ReadonlyArray<diskwars.CommandCard>;
    readonly zones: ReadonlyArray<diskwars.Zone>;
    readonly rounds: number;
    readonly disks: ReadonlyArray<diskwars.Disk>;
    readonly sides: ReadonlyArray<diskwars.Side>;
    readonly layout: diskwars.Layout;
    /** Default: [] */
    readonly pins?: ReadonlyArray<diskwars.Pin>;
    /** Default: [] */
    readonly order?: ReadonlyArray<number>;
    /** Default: 0 */
    readonly round?: number;
    /** Default: "setup" */
    readonly phase?: "activation" | "end" | "melee" | "over" | "setup";
    /** Default: 0 */
    readonly top_z?: number;
    readonly active_seat?: number;
    readonly active_disk?: number;
    /** Default: [] */
    readonly engagements?: ReadonlyArray<diskwars.Engagement>;
    readonly active_engagement?: number;
    /** Default: "" */
    readonly cursor?: string;
    /** Default: [] */
    readonly terrain?: ReadonlyArray<diskwars.TerrainPiece>;
    /** Default: [] */
    readonly revealed_salts?: ReadonlyArray<string>;
  }

  /** The battlefield from (0, 0) to (width, height) and the ruler's three marks, each measured from its short end. */
  export interface Field {
    readonly width: number;
    readonly height: number;
    readonly short: number;
    readonly medium: number;
    readonly long: number;
  }

  /**
   * A disk as printed (R1.1), by an `id` that never changes. Lists and boards show `short_name`, absent = the name.
   *
   * `race` and `traits` are ids from the closed lists of the packs. `cost` is a unit's, `points` (recruitment) and
   * `command` are a hero's. `radius` in micrometres.
   */
  export interface Profile {
    readonly id: string;
    readonly name: string;
    readonly kind: "hero" | "unit";
    readonly faction: "destruction" | "order";
    readonly size: "large" | "medium" | "small";
    readonly radius: number;
    readonly movement: number;
    readonly strength: number;
    readonly counter_strength: number;
    readonly toughness: number;
    readonly race?: string;
    /** Default: 0 */
    readonly stamina?: number;
    /** Default: 0 */
    readonly cost?: number;
    /** Default: 0 */
    readonly points?: number;
    /** Default: 0 */
    readonly command?: number;
    /** Default: false */
    readonly unique?: boolean;
    /** Default: false */
    readonly elite?: boolean;
    /** Default: [] */
    readonly traits?: ReadonlyArray<string>;
    /** Default: [] */
    readonly keywords?: ReadonlyArray<diskwars.Keyword>;
    /** Default: [] */
    readonly shots?: ReadonlyArray<diskwars.Shot>;
    /** Default: [] */
    readonly abilities?: ReadonlyArray<diskwars.Ability>;
    readonly short_name?: string;
  }

  /** A keyword of a disk, with its amount and its kind if it is printed with them: Impact 3, Immune (arcane). */
  export interface Keyword {
    readonly id: "emplace" | "flank" | "flying" | "frenzy" | "guard" | "immune" | "impact" | "magic" | "mobile" | "poison" | "relentless" | "resistant" | "scout" | "slow" | "stalwart" | "strider" | "swift";
    readonly amount?: diskwars.Amount;
    readonly kind?: "arcane" | "both" | "counter" | "guard" | "impact" | "physical" | "ranged" | "strength";
  }

  /** `flat` plus the sum of `d6` six-sided dice, never below 0. */
  export interface Amount {
    /** Default: 0 */
    readonly flat?: number;
    /** Default: 0 */
    readonly d6?: number;
  }

  /**
   * A ranged attack: `dice` battle dice, `strength` per hit, up to `reach`.
   *
   * With `beyond`, a target within that range is too near.
   */
  export interface Shot {
    readonly dice: number;
    readonly strength: diskwars.Amount;
    readonly damage_type: "arcane" | "physical" | "true" | "untyped";
    readonly reach: "long" | "medium" | "short" | "siege";
    readonly beyond?: "long" | "medium" | "short" | "siege";
  }

  /**
   * An effect and when it may or must happen.
   *
   * `user` is the id of the trait, race or kind that the user of a battle ability needs; absent = any disk. An
   * `optional` engage ability need not be used.
   */
  export interface Ability {
    readonly timing: "battle" | "engage" | "focus" | "passive";
    readonly effect: diskwars.DealDamage | diskwars.DealDamageNear | diskwars.RollWound | diskwars.Empower | diskwars.Heal | diskwars.AddActivationToken | diskwars.ReduceToughness | diskwars.RemoveActivationToken | diskwars.ReinforceNear | diskwars.FightEngagement | diskwars.IncreaseRange | diskwars.IncreaseMovement | diskwars.IncreaseShotStrength | diskwars.IncreaseToughness | diskwars.IncreaseMeleeStrength | diskwars.RemoveEmpowerment | diskwars.Rampage | diskwars.DamageAround;
    readonly user?: string;
    /** Default: false */
    readonly unstable?: boolean;
    /** Default: false */
    readonly optional?: boolean;
  }

  /** Damage to a chosen enemy within `reach` of the user and, with `around`, to each other disk within that of it. */
  export interface DealDamage {
    readonly type: "deal_damage";
    readonly amount: diskwars.Amount;
    readonly damage_type: "arcane" | "physical" | "true" | "untyped";
    readonly reach: "long" | "medium" | "short" | "siege";
    readonly around?: "long" | "medium" | "short" | "siege";
  }

  /** Damage to each enemy within `reach` of the user, without a target. */
  export interface DealDamageNear {
    readonly type: "deal_damage_near";
    readonly amount: diskwars.Amount;
    readonly damage_type: "arcane" | "physical" | "true" | "untyped";
    readonly reach: "long" | "medium" | "short" | "siege";
  }

  /** A wound for the enemy on a d6 roll of `minimum` or more. */
  export interface RollWound {
    readonly type: "roll_wound";
    readonly minimum: number;
  }

  /** Empowerment of an own disk within `reach` of the user; with `selector`, one that it selects. */
  export interface Empower {
    readonly type: "empower";
    readonly reach: "long" | "medium" | "short" | "siege";
    readonly selector?: string;
  }

  /** Removal of `amount` damage from an own disk within `reach` of the user; with `selector`, one that it selects. */
  export interface Heal {
    readonly type: "heal";
    readonly amount: diskwars.Amount;
    readonly reach: "long" | "medium" | "short" | "siege";
    readonly selector?: string;
  }

  /** An activation token for a chosen enemy within `reach` of the user. */
  export interface AddActivationToken {
    readonly type: "add_activation_token";
    readonly reach: "long" | "medium" | "short" | "siege";
  }

  /** Reduction of the toughness of a chosen enemy within `reach` by `toughness`, until the end phase. */
  export interface ReduceToughness {
    readonly type: "reduce_toughness";
    readonly toughness: number;
    readonly reach: "long" | "medium" | "short" | "siege";
  }

  /** Removal of the activation token from an own disk within `reach` whose id contains the word `id_word`. */
  export interface RemoveActivationToken {
    readonly type: "remove_activation_token";
    readonly id_word: string;
    readonly reach: "long" | "medium" | "short" | "siege";
  }

  /** Reinforcement by up to `count` disks within `reach` of the user; with `selector`, those that it selects. */
  export interface ReinforceNear {
    readonly type: "reinforce_near";
    readonly reach: "long" | "medium" | "short" | "siege";
    readonly selector?: string;
    /** Default: 1 */
    readonly count?: number;
  }

  /** An immediate fight of one engagement that the user is in. */
  export interface FightEngagement {
    readonly type: "fight_engagement";
  }

  /** A maximum range of own ranged attacks that is `steps` bands longer, up to siege. */
  export interface IncreaseRange {
    readonly type: "increase_range";
    readonly steps: number;
    readonly selector?: string;
  }

  /** `flips` more flips in a move of own disks. */
  export interface IncreaseMovement {
    readonly type: "increase_movement";
    readonly flips: number;
    readonly selector?: string;
  }

  /** `strength` more strength for ranged attacks of own disks. */
  export interface IncreaseShotStrength {
    readonly type: "increase_shot_strength";
    readonly strength: number;
    readonly selector?: string;
  }

  /** `toughness` more toughness for own disks. */
  export interface IncreaseToughness {
    readonly type: "increase_toughness";
    readonly toughness: number;
    readonly selector?: string;
    readonly reach?: "long" | "medium" | "short" | "siege";
  }

  /** More strength and counter strength in melee for own disks. */
  export interface IncreaseMeleeStrength {
    readonly type: "increase_melee_strength";
    readonly strength: number;
    readonly counter_strength: number;
    readonly selector?: string;
    readonly reach?: "long" | "medium" | "short" | "siege";
  }

  /** Loss of empowerment for any disk, friend or enemy, that lands within `reach` of this one during a move. */
  export interface RemoveEmpowerment {
    readonly type: "remove_empowerment";
    readonly reach: "long" | "medium" | "short" | "siege";
  }

  /** A forced flip toward the nearest disk that it does not pin, after a ranged attack that shows chaos. */
  export interface Rampage {
    readonly type: "rampage";
  }

  /** `amount` damage to each other disk within `reach` of the target of a ranged attack that strikes. */
  export interface DamageAround {
    readonly type: "damage_around";
    readonly amount: number;
    readonly damage_type: "arcane" | "physical" | "true" | "untyped";
    readonly reach: "long" | "medium" | "short" | "siege";
  }

  /** `activations` is the card's activation value. `faction` absent = any army may hold it. */
  export interface CommandCard {
    readonly id: string;
    readonly name: string;
    readonly strategy: "bold" | "devious" | "slow" | "steady";
    readonly activations: number;
    readonly faction?: "destruction" | "order";
    /** Default: [] */
    readonly abilities?: ReadonlyArray<diskwars.Ability>;
    readonly short_name?: string;
  }

  /**
   * A deployment zone, the rectangle from (x0, y0) to (x1, y1). `value` is how many disks are deployed in it.
   *
   * `edge` is the side of the field that it lies at; `abilities` hold in the whole of it (R3.4.1).
   */
  export interface Zone {
    readonly seat: number;
    readonly x0: number;
    readonly y0: number;
    readonly x1: number;
    readonly y1: number;
    readonly value: number;
    readonly edge?: "east" | "north" | "south" | "west";
    /** Default: [] */
    readonly abilities?: ReadonlyArray<"ambush" | "rendezvous" | "scouting">;
  }

  /**
   * One disk (R1.2).
   *
   * x, y, z count on the battlefield only, a greater z lies higher; `terrain` are the pieces of terrain that it lies on,
   * by number.
   */
  export interface Disk {
    readonly id: number;
    readonly seat: number;
    readonly profile: number;
    /** Default: "reserve" */
    readonly place?: "battlefield" | "casualty" | "gone" | "reserve";
    /** Default: 0 */
    readonly x?: number;
    /** Default: 0 */
    readonly y?: number;
    /** Default: 0 */
    readonly z?: number;
    /** Default: 0 */
    readonly damage?: number;
    /** Default: 0 */
    readonly wounds?: number;
    /** Default: false */
    readonly activated?: boolean;
    /** Default: false */
    readonly empowered?: boolean;
    /** Default: 0 */
    readonly weakened?: number;
    /** Default: false */
    readonly poisoned?: boolean;
    /** Default: [] */
    readonly terrain?: ReadonlyArray<number>;
  }

  /**
   * One player: cards, and what the army is called.
   *
   * `hand`, `locked_card`, `locked_salt`, `drawn_scenarios` (the scenario cards that the last player chose from) and
   * `objective` (until `objective_revealed`) are sealed where there is one that is hidden, and absent where there is none.
   */
  export interface Side {
    readonly seat: number;
    readonly hand?: ReadonlyArray<string> | Sealed;
    /** Default: 0 */
    readonly card_count?: number;
    /** Default: false */
    readonly has_locked?: boolean;
    readonly locked_card?: string | Sealed;
    readonly locked_salt?: string | Sealed;
    readonly revealed_card?: string;
    /** Default: [] */
    readonly discards?: ReadonlyArray<string>;
    /** Default: false */
    readonly eliminated?: boolean;
    /** Default: 0 */
    readonly points?: number;
    readonly army?: diskwars.ArmyIdentity;
    readonly drawn_scenarios?: ReadonlyArray<string> | Sealed;
    readonly objective?: string | Sealed;
    /** Default: false */
    readonly objective_revealed?: boolean;
  }

  /** The printed name and the id of a starter army; both are absent for an army of a player's own. */
  export interface ArmyIdentity {
    readonly name?: string;
    readonly id?: string;
  }

  /**
   * The cards of a full setup that this match uses, and what of them lies on the table.
   *
   * `edges` are by seat. `active_scenario` is the id of one of `scenarios`; `offered_cards` are the deployment or
   * terrain cards that lie face up to be taken; `laid_cards` are the deployment cards beside the field.
   */
  export interface Layout {
    /** Default: [] */
    readonly scenarios?: ReadonlyArray<diskwars.Scenario>;
    /** Default: [] */
    readonly deployments?: ReadonlyArray<diskwars.DeploymentCard>;
    /** Default: [] */
    readonly terrain?: ReadonlyArray<diskwars.TerrainCard>;
    /** Default: [] */
    readonly edges?: ReadonlyArray<"east" | "north" | "south" | "west">;
    readonly active_scenario?: string;
    /** Default: [] */
    readonly offered_cards?: ReadonlyArray<string>;
    /** Default: [] */
    readonly laid_cards?: ReadonlyArray<diskwars.LaidCard>;
  }

  /** R17.1: a scenario card: an ability that works for everybody while active, and an objective in several parts. */
  export interface Scenario {
    readonly id: string;
    readonly name: string;
    readonly ability: diskwars.DealDamage | diskwars.DealDamageNear | diskwars.RollWound | diskwars.Empower | diskwars.Heal | diskwars.AddActivationToken | diskwars.ReduceToughness | diskwars.RemoveActivationToken | diskwars.ReinforceNear | diskwars.FightEngagement | diskwars.IncreaseRange | diskwars.IncreaseMovement | diskwars.IncreaseShotStrength | diskwars.IncreaseToughness | diskwars.IncreaseMeleeStrength | diskwars.RemoveEmpowerment | diskwars.Rampage | diskwars.DamageAround;
    readonly objective: ReadonlyArray<diskwars.SlayUnits | diskwars.SlayHeroes | diskwars.SlayElite | diskwars.HoldZones | diskwars.HoldTerrain | diskwars.HoldMiddle | diskwars.Survive>;
    readonly short_name?: string;
  }

  /** One point for every `cost` recruitment points of enemy units destroyed, rounded down in all. */
  export interface SlayUnits {
    readonly type: "slay_units";
    readonly cost: number;
  }

  /** `points` for each enemy hero destroyed. */
  export interface SlayHeroes {
    readonly type: "slay_heroes";
    readonly points: number;
  }

  /** `points` for each enemy elite disk destroyed. */
  export interface SlayElite {
    readonly type: "slay_elite";
    readonly points: number;
  }

  /** `points` for each own disk wholly inside an enemy deployment zone. */
  export interface HoldZones {
    readonly type: "hold_zones";
    readonly points: number;
  }

  /** `points` for each terrain piece controlled (R10.1). */
  export interface HoldTerrain {
    readonly type: "hold_terrain";
    readonly points: number;
  }

  /** `points` for each own disk within short range of the middle of the battlefield. */
  export interface HoldMiddle {
    readonly type: "hold_middle";
    readonly points: number;
  }

  /** `points` for each own disk on the battlefield. */
  export interface Survive {
    readonly type: "survive";
    readonly points: number;
  }

  /** A deployment card with its two faces; the first is the common one of value 3. `width` along the edge. */
  export interface DeploymentCard {
    readonly id: string;
    readonly name: string;
    readonly width: number;
    readonly faces: readonly [face_0: diskwars.DeploymentFace, face_1: diskwars.DeploymentFace];
    readonly short_name?: string;
  }

  export interface DeploymentFace {
    readonly value: number;
    /** Default: [] */
    readonly abilities?: ReadonlyArray<"ambush" | "rendezvous" | "scouting">;
  }

  /** A terrain piece with its two faces. */
  export interface TerrainCard {
    readonly id: string;
    readonly name: string;
    readonly faces: readonly [face_0: diskwars.Terrain, face_1: diskwars.Terrain];
  }

  /** One face of a terrain piece: its outline about (0, 0), counter-clockwise, and its keywords. */
  export interface Terrain {
    readonly id: string;
    readonly name: string;
    readonly corners: ReadonlyArray<readonly [x: number, y: number]>;
    /** Default: [] */
    readonly keywords?: ReadonlyArray<diskwars.TerrainKeyword>;
    readonly short_name?: string;
  }

  /** A keyword of a terrain piece; Dangerous has the type of its damage. */
  export interface TerrainKeyword {
    readonly id: "blocks_sight" | "cave" | "cover" | "dangerous" | "defensive" | "fortified" | "high_ground" | "rough" | "windmill";
    readonly damage_type?: "arcane" | "physical" | "true" | "untyped";
  }

  /** A deployment card beside the field. `offset` is where it begins: x along the south and north, else y. */
  export interface LaidCard {
    readonly seat: number;
    readonly card: string;
    readonly face: number;
    readonly offset: number;
  }

  /** One disk pins another. Unpacks as (top, bottom), which is slow: a generator for each. */
  export interface Pin {
    readonly top: number;
    readonly bottom: number;
  }

  /**
   * R15.1: links are frozen at the start.
   *
   * `strikers` are the disks that have dealt damage in it.
   */
  export interface Engagement {
    readonly attackers: ReadonlyArray<number>;
    readonly defenders: ReadonlyArray<number>;
    readonly links: ReadonlyArray<diskwars.Link>;
    /** Default: [] */
    readonly strikers?: ReadonlyArray<number>;
    /** Default: false */
    readonly resolved?: boolean;
  }

  /** Two engaged enemies. Unpacks as (attacker, defender). */
  export interface Link {
    readonly attacker: number;
    readonly defender: number;
  }

  /** A piece on the battlefield. `corners` are where it lies, rounded once when it was placed. */
  export interface TerrainPiece {
    readonly terrain: diskwars.Terrain;
    readonly corners: ReadonlyArray<readonly [x: number, y: number]>;
  }

  /**
   * All are ready, and the board is that of the position. The seats that had resigned in the parent have resigned.
   *
   * `board` is left out where nothing of it is secret; each seat sees its own secrets in it.
   */
  export interface BranchBegan {
    readonly type: "branch_began";
    readonly board?: diskwars.Board;
  }

  /**
   * All stats and display names that this match uses, and the armies (R2.8) by seat, each hero before the regiment.
   *
   * Disks are numbered by their place in `disks`, zones by theirs. `settings` are those of `match_opened`: a board is
   * made of this event alone, and its rules and readers need them.
   */
  export interface MatchStarted {
    readonly type: "match_started";
    readonly settings: diskwars.Settings;
    readonly field: diskwars.Field;
    readonly battle_die: ReadonlyArray<"chaos" | "critical" | "hit" | "miss" | "scatter">;
    readonly profiles: ReadonlyArray<diskwars.Profile>;
    readonly cards: ReadonlyArray<diskwars.CommandCard>;
    readonly armies: ReadonlyArray<diskwars.ArmyIdentity>;
    readonly disks: ReadonlyArray<diskwars.ArmyDisk>;
    readonly zones: ReadonlyArray<diskwars.Zone>;
    readonly rounds: number;
    /** Default: [] */
    readonly scenarios?: ReadonlyArray<diskwars.Scenario>;
    /** Default: [] */
    readonly deployments?: ReadonlyArray<diskwars.DeploymentCard>;
    /** Default: [] */
    readonly terrain?: ReadonlyArray<diskwars.TerrainCard>;
  }

  /** A disk of an army: its seat, and the number of its profile. */
  export interface ArmyDisk {
    readonly seat: number;
    readonly profile: number;
  }

  /** A seat takes its command hand, hidden from others; the number of cards is public. */
  export interface HandTaken {
    readonly type: "hand_taken";
    readonly seat: number;
    readonly count: number;
    readonly cards: ReadonlyArray<string> | Sealed;
  }

  /** R3.2: one die for each seat that rolls; `dice` proves their faces. Seats that tie for the highest roll again. */
  export interface InitiativeRolled {
    readonly type: "initiative_rolled";
    readonly rolls: ReadonlyArray<diskwars.InitiativeRoll>;
    readonly dice: Draw;
    readonly highest: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The die of one seat, and its unspent recruitment points, which are added to it. */
  export interface InitiativeRoll {
    readonly seat: number;
    readonly face: number;
    readonly unspent: number;
  }

  /** The initiative order, first player first. */
  export interface OrderSet {
    readonly type: "order_set";
    readonly order: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** R3.6: a seat has deployed its army; the other disks are its reserve. */
  export interface DisksDeployed {
    readonly type: "disks_deployed";
    readonly seat: number;
    readonly disks: ReadonlyArray<diskwars.DeployedDisk>;
    readonly pins_gained: ReadonlyArray<diskwars.Pin>;
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
  }

  /** A disk laid down: number, centre, height; `terrain` are the pieces of terrain under it, by number. */
  export interface DeployedDisk {
    readonly disk: number;
    readonly x: number;
    readonly y: number;
    readonly z: number;
    /** Default: [] */
    readonly terrain?: ReadonlyArray<number>;
  }

  /** R19.3: the edge of each seat, in the order of the seats. */
  export interface EdgesDrawn {
    readonly type: "edges_drawn";
    readonly edges: ReadonlyArray<diskwars.SeatEdge>;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The side of the field that a seat plays from. */
  export interface SeatEdge {
    readonly seat: number;
    readonly edge: "east" | "north" | "south" | "west";
  }

  /** Deployment cards dealt face up. */
  export interface DeploymentCardsDealt {
    readonly type: "deployment_cards_dealt";
    readonly cards: ReadonlyArray<string>;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A deployment card placed beside the field; `zones` are all zones of all seats after it. */
  export interface DeploymentCardLaid {
    readonly type: "deployment_card_laid";
    readonly seat: number;
    readonly card: string;
    readonly face: number;
    readonly offset: number;
    readonly zones: ReadonlyArray<diskwars.Zone>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The seat has no room for any offered card: this one is discarded (R-28, R-56). */
  export interface SetupCardDiscarded {
    readonly type: "setup_card_discarded";
    readonly seat: number;
    readonly card: string;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** Terrain cards dealt face up. */
  export interface TerrainCardsDealt {
    readonly type: "terrain_cards_dealt";
    readonly cards: ReadonlyArray<string>;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /**
   * A terrain piece placed with one face up, its middle at (x, y), turned by `rotation_steps` of 5°.
   *
   * `corners` are where this puts the corners of the face, rounded; only they count from here on (R10.12).
   */
  export interface TerrainPlaced {
    readonly type: "terrain_placed";
    readonly seat: number;
    readonly card: string;
    readonly face: number;
    readonly x: number;
    readonly y: number;
    readonly rotation_steps: number;
    readonly corners: ReadonlyArray<readonly [x: number, y: number]>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The last player draws two scenario cards. */
  export interface ScenariosDrawn {
    readonly type: "scenarios_drawn";
    readonly seat: number;
    readonly cards: ReadonlyArray<string> | Sealed;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The scenario of the match: its ability works for every player. */
  export interface ScenarioChosen {
    readonly type: "scenario_chosen";
    readonly seat: number;
    readonly scenario: string;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A scenario card dealt face down: only its objective counts, for this seat. */
  export interface ObjectiveDealt {
    readonly type: "objective_dealt";
    readonly seat: number;
    readonly scenario: string | Sealed;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The objectives of all seats that are still in the game. */
  export interface ObjectivesRevealed {
    readonly type: "objectives_revealed";
    readonly objectives: ReadonlyArray<diskwars.RevealedObjective>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The scenario card whose objective counts for a seat. */
  export interface RevealedObjective {
    readonly seat: number;
    readonly scenario: string;
  }

  /** A seat has chosen its card; the commitment binds it. */
  export interface CardLocked {
    readonly type: "card_locked";
    readonly seat: number;
    readonly step: number;
    readonly commitment: string;
    readonly card: string | Sealed;
    readonly salt: string | Sealed;
  }

  /** All locked cards, revealed at once, in the order in which they will be resolved. */
  export interface CardsRevealed {
    readonly type: "cards_revealed";
    readonly step: number;
    readonly cards: ReadonlyArray<diskwars.RevealedCard>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A revealed card with the salt that opens its commitment. */
  export interface RevealedCard {
    readonly seat: number;
    readonly card: string;
    readonly salt: string;
  }

  /** R7.7: this card is resolved now. */
  export interface CardBegan {
    readonly type: "card_began";
    readonly seat: number;
    readonly card: string;
  }

  /** Every revealed card goes face up to its owner's discards. */
  export interface CardsDiscarded {
    readonly type: "cards_discarded";
  }

  /** End phase: every player takes all discards back into the hand. */
  export interface CardsReturned {
    readonly type: "cards_returned";
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
  }

  /** R4.1 */
  export interface RoundBegan {
    readonly type: "round_began";
    readonly round: number;
  }

  /** R4.1: the phases of a round; `over` when the last round has been played. */
  export interface PhaseBegan {
    readonly type: "phase_began";
    readonly phase: "activation" | "end" | "melee" | "over" | "setup";
  }

  /** R7.11: a disk is activated. */
  export interface ActivationBegan {
    readonly type: "activation_began";
    readonly seat: number;
    readonly disk: number;
  }

  /** The activation of a disk is over. It gets its activation token if it is still on the field (`activated`). */
  export interface ActivationEnded {
    readonly type: "activation_ended";
    readonly disk: number;
    readonly activated: boolean;
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
  }

  /**
   * End phase: all tokens but wounds leave these disks together.
   *
   * Damage and poison stay on those of `still_poisoned`.
   */
  export interface TokensCleared {
    readonly type: "tokens_cleared";
    readonly disks: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: [] */
    readonly still_poisoned?: ReadonlyArray<number>;
  }

  /** R4.6, R4.10: a seat is out of the game, and its cards with it. */
  export interface SeatEliminated {
    readonly type: "seat_eliminated";
    readonly seat: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /**
   * What brought a consequence about.
   *
   * `disk` is the one that moved, struck or used the ability. Several strike in a melee step, and terrain, removals and
   * the end phase are the doing of none: then it is left out. `event` is the number, from 0, of the event in which the
   * cause happened, and `record` the seq of the record that holds it; it is left out for the same record.
   */
  export interface Cause {
    readonly kind: "attack" | "battle_ability" | "end_phase" | "engage_ability" | "flip" | "focus_ability" | "guard" | "impact" | "melee" | "passive_ability" | "rampage" | "reinforcement" | "removal" | "terrain" | "withdrawal";
    readonly disk?: number;
    readonly event?: number;
    readonly record?: number;
  }

  /** These disks leave the game together, without being destroyed. */
  export interface DisksWithdrawn {
    readonly type: "disks_withdrawn";
    readonly disks: ReadonlyArray<number>;
    readonly pins_gained: ReadonlyArray<diskwars.Pin>;
    readonly pins_lost: ReadonlyArray<diskwars.Pin>;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** Disks in reserve that go to their owner's casualty pile without having fought. */
  export interface ReservesLost {
    readonly type: "reserves_lost";
    readonly disks: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** Victory points by seat. */
  export interface Scored {
    readonly type: "scored";
    readonly points: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /**
   * `dice` are battle dice, their faces numbers into the match's battle die; `needed` are those that strike.
   *
   * `strength_dice` rolled the strength.
   */
  export interface ShotFired {
    readonly type: "shot_fired";
    readonly attack: diskwars.RangedAttack;
    readonly strength_dice?: Draw;
    readonly dice: Draw;
    readonly needed: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A ranged attack under way: attack number `shot` of `shooter`, `strength` per hit, measured range `reach`. */
  export interface RangedAttack {
    readonly shooter: number;
    readonly target: number;
    readonly shot: number;
    readonly strength: number;
    readonly damage_type: "arcane" | "physical" | "true" | "untyped";
    readonly reach: "long" | "medium" | "short" | "siege";
  }

  /**
   * Scatter dice rolled again, against the disk nearest to the target; without `disk` there was none.
   *
   * `needed` are the faces that strike.
   */
  export interface ShotScattered {
    readonly type: "shot_scattered";
    readonly attack: diskwars.RangedAttack;
    readonly reasons: ReadonlyArray<Reason>;
    readonly disk?: number;
    readonly dice?: Draw;
    /** Default: [] */
    readonly needed?: ReadonlyArray<number>;
    readonly cause?: diskwars.Cause;
  }

  /**
   * A focus or battle ability.
   *
   * `card` is the card of a battle ability, `ability` the number of a focus ability as in `Focus`. `dice` rolled the
   * `amount` that the effect has, or against the `needed` faces. `unstable_dice` is the die of an Unstable card: on a
   * `backfiring` face the effect strikes the disk itself as well.
   */
  export interface AbilityUsed {
    readonly type: "ability_used";
    readonly seat: number;
    readonly disk: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly target?: number;
    readonly card?: string;
    readonly ability?: number;
    readonly amount?: number;
    readonly dice?: Draw;
    /** Default: [] */
    readonly needed?: ReadonlyArray<number>;
    readonly unstable_dice?: Draw;
    /** Default: [] */
    readonly backfiring?: ReadonlyArray<number>;
  }

  /** The `amount` of an Impact keyword, rolled by `dice` unless it is fixed, and the disks that it hits. */
  export interface ImpactRolled {
    readonly type: "impact_rolled";
    readonly disk: number;
    readonly amount: number;
    readonly targets: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice?: Draw;
    readonly cause?: diskwars.Cause;
  }

  /** The `amount` of a Guard keyword, rolled by `dice` unless it is fixed, for the `enemy` that landed on `disk`. */
  export interface GuardRolled {
    readonly type: "guard_rolled";
    readonly disk: number;
    readonly amount: number;
    readonly enemy: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice?: Draw;
    readonly cause?: diskwars.Cause;
  }

  /** The die of a dangerous piece of terrain that a landing has left a disk on; every face deals its `amount`. */
  export interface DangerRolled {
    readonly type: "danger_rolled";
    readonly disk: number;
    readonly piece: number;
    readonly amount: number;
    readonly damage_type: "arcane" | "physical" | "true" | "untyped";
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** A disk has come onto rough ground, and its move is over. */
  export interface MoveStopped {
    readonly type: "move_stopped";
    readonly disk: number;
    readonly piece: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** The disk has to flip toward one of these, overlapping one if `must_overlap`. Without any, nothing happens. */
  export interface Rampaged {
    readonly type: "rampaged";
    readonly disk: number;
    readonly targets: ReadonlyArray<number>;
    readonly must_overlap: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /**
   * R6.6: an engage ability was triggered; its effects follow. `target` is the disk chosen for it, if any.
   *
   * `dice` rolled the `amount` that the effect has, or against the `needed` faces.
   */
  export interface TriggerResolved {
    readonly type: "trigger_resolved";
    readonly trigger: diskwars.Trigger;
    readonly reasons: ReadonlyArray<Reason>;
    readonly target?: number;
    readonly amount?: number;
    readonly dice?: Draw;
    /** Default: [] */
    readonly needed?: ReadonlyArray<number>;
    readonly cause?: diskwars.Cause;
  }

  /**
   * R5.2: a flip and where it landed. All pins of the disk end; those of its landing are new (R6.8).
   *
   * `terrain_entered` and `terrain_left` are the pieces of terrain, by number, that it has come onto or left.
   */
  export interface DiskFlipped {
    readonly type: "disk_flipped";
    readonly disk: number;
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly pins_gained: ReadonlyArray<diskwars.Pin>;
    readonly pins_lost: ReadonlyArray<diskwars.Pin>;
    /** Default: [] */
    readonly terrain_entered?: ReadonlyArray<number>;
    /** Default: [] */
    readonly terrain_left?: ReadonlyArray<number>;
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** R9.1: a disk of the reserve is placed. `terrain_entered` are the pieces of terrain under it, by number. */
  export interface DiskReinforced {
    readonly type: "disk_reinforced";
    readonly disk: number;
    readonly x: number;
    readonly y: number;
    readonly z: number;
    readonly pins_gained: ReadonlyArray<diskwars.Pin>;
    readonly pins_lost: ReadonlyArray<diskwars.Pin>;
    /** Default: [] */
    readonly terrain_entered?: ReadonlyArray<number>;
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /**
   * One instance. `dealt` before, `taken` after Resistant and Immune; `tokens` is the damage on the disk after.
   *
   * `toughness` is the disk's when it was struck: as many tokens are needed for a wound. `sources` are the disks whose
   * blows it took, in melee; of other damage `cause` names the disk.
   */
  export interface DamageDealt {
    readonly type: "damage_dealt";
    readonly disk: number;
    readonly dealt: number;
    readonly taken: number;
    readonly damage_type: "arcane" | "physical" | "true" | "untyped";
    readonly tokens: number;
    readonly toughness: number;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: [] */
    readonly sources?: ReadonlyArray<number>;
    readonly cause?: diskwars.Cause;
  }

  /** Damage is removed; `tokens` is the damage left. */
  export interface DiskHealed {
    readonly type: "disk_healed";
    readonly disk: number;
    readonly tokens: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** A poison token comes or goes. */
  export interface DiskPoisoned {
    readonly type: "disk_poisoned";
    readonly disk: number;
    readonly poisoned: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /**
   * The damage tokens and the poison leave; `wounds` is the count after.
   *
   * A disk removed by its wound is in a `DisksRemoved` instead.
   */
  export interface DiskWounded {
    readonly type: "disk_wounded";
    readonly disk: number;
    readonly wounds: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** To the casualty piles, all together. */
  export interface DisksRemoved {
    readonly type: "disks_removed";
    readonly disks: ReadonlyArray<number>;
    readonly pins_gained: ReadonlyArray<diskwars.Pin>;
    readonly pins_lost: ReadonlyArray<diskwars.Pin>;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** An activation token comes or goes outside the disk's own activation. */
  export interface ActivationTokenChanged {
    readonly type: "activation_token_changed";
    readonly disk: number;
    readonly activated: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** R1.3: an empowerment token comes or goes. */
  export interface DiskEmpowered {
    readonly type: "disk_empowered";
    readonly disk: number;
    readonly empowered: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** `reduction` is by how much the disk's toughness is lowered after this. */
  export interface DiskWeakened {
    readonly type: "disk_weakened";
    readonly disk: number;
    readonly reduction: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly cause?: diskwars.Cause;
  }

  /** R15.1.1: the links at this moment, and the engagements that they form. */
  export interface EngagementsFrozen {
    readonly type: "engagements_frozen";
    readonly engagements: ReadonlyArray<diskwars.Engagement>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** R15.2: this engagement is resolved now. */
  export interface EngagementBegan {
    readonly type: "engagement_began";
    readonly engagement: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** All blows of one speed step, at once. */
  export interface BlowsStruck {
    readonly type: "blows_struck";
    readonly engagement: number;
    readonly speed: "normal" | "slow" | "swift";
    readonly blows: ReadonlyArray<diskwars.Blow>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A disk strikes another with so much. */
  export interface Blow {
    readonly disk: number;
    readonly target: number;
    readonly strength: number;
  }

  /** Resolved, or `dropped` because no living pair is left. */
  export interface EngagementEnded {
    readonly type: "engagement_ended";
    readonly engagement: number;
    readonly dropped: boolean;
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
  }

  export type Event =
    | diskwars.MatchOpened
    | diskwars.SeatTaken
    | SeatNonceOpened
    | SeatReady
    | StepBegan
    | ChainReplaced
    | SeatResigned
    | SeatVacated
    | OfferMade
    | OfferAnswered
    | TakebackMade
    | PlayPaused
    | PlayResumed
    | SeatTakenOver
    | SeatTakenBack
    | diskwars.PositionSet
    | diskwars.BranchBegan
    | MatchEnded
    | diskwars.MatchStarted
    | diskwars.HandTaken
    | diskwars.InitiativeRolled
    | diskwars.OrderSet
    | diskwars.DisksDeployed
    | diskwars.EdgesDrawn
    | diskwars.DeploymentCardsDealt
    | diskwars.DeploymentCardLaid
    | diskwars.SetupCardDiscarded
    | diskwars.TerrainCardsDealt
    | diskwars.TerrainPlaced
    | diskwars.ScenariosDrawn
    | diskwars.ScenarioChosen
    | diskwars.ObjectiveDealt
    | diskwars.ObjectivesRevealed
    | diskwars.CardLocked
    | diskwars.CardsRevealed
    | diskwars.CardBegan
    | diskwars.CardsDiscarded
    | diskwars.CardsReturned
    | diskwars.RoundBegan
    | diskwars.PhaseBegan
    | diskwars.ActivationBegan
    | diskwars.ActivationEnded
    | diskwars.TokensCleared
    | diskwars.SeatEliminated
    | diskwars.DisksWithdrawn
    | diskwars.ReservesLost
    | diskwars.Scored
    | diskwars.ShotFired
    | diskwars.ShotScattered
    | diskwars.AbilityUsed
    | diskwars.ImpactRolled
    | diskwars.GuardRolled
    | diskwars.DangerRolled
    | diskwars.MoveStopped
    | diskwars.Rampaged
    | diskwars.TriggerResolved
    | diskwars.DiskFlipped
    | diskwars.DiskReinforced
    | diskwars.DamageDealt
    | diskwars.DiskHealed
    | diskwars.DiskPoisoned
    | diskwars.DiskWounded
    | diskwars.DisksRemoved
    | diskwars.ActivationTokenChanged
    | diskwars.DiskEmpowered
    | diskwars.DiskWeakened
    | diskwars.EngagementsFrozen
    | diskwars.EngagementBegan
    | diskwars.BlowsStruck
    | diskwars.EngagementEnded;

  /**
   * What one record says: one action of one seat, and everything that followed up to the next decision.
   *
   * `at_ms` is the server's clock in milliseconds. `seat` acted, by answering `decision` (absent for what answers none)
   * with `action`; the first record of a match has neither. `actor` is "house" where the time of the seat was up and the
   * house answered for it; a match is closed by no seat, but by the "house" or its "opener", and the "opener" removes
   * players from seats. `digest` is the command's,
   * sealed when the action holds a secret.
   * `events` are in order. An event that a viewer may not see at all is a `Sealed` in its place.
   * `decisions` are open afterwards, `draw_index` is the index of the next draw in this step: absent where the record
   * leaves them as they were, and a step begins at index 0. `cursor` is what the engine has still to do, if that has
   * changed, opaque to everybody else. `result` ends the match, and with it every decision.
   * A takeback goes back to the state after record `taken_back_to`; what lies between stays in the log. Steps and draw
   * indices never rewind: the record carries the index reached so far. It opens every decision itself, under a new id.
   * `rules_version` is that of the rules that decided this record and those after it, where it is another than before.
   * `lag_ms` is how much of the time that the seat took is not charged to its bank: see `SeatClock`.
   */
  export interface RecordBody {
    readonly at_ms: number;
    readonly seat?: number;
    readonly actor?: string;
    readonly decision?: string;
    readonly action?: diskwars.TakeSeat | Ready | Resign | ReplaceChain | MakeOffer | AnswerOffer | TakeBack | ResumePlay | LeaveSeat | TakeSeatBack | diskwars.ChooseFirstPlayer | diskwars.SetOrder | diskwars.ChooseScenario | diskwars.LayDeploymentCard | diskwars.PlaceTerrain | diskwars.Deploy | diskwars.EndScouting | diskwars.LockCard | diskwars.MoveDisk | diskwars.Shoot | diskwars.Focus | diskwars.PassDisk | diskwars.Reinforce | diskwars.UseAbility | diskwars.EndCard | diskwars.ChooseScatter | diskwars.OrderTriggers | diskwars.UseEngageAbility | diskwars.ChooseEngagement | diskwars.ChooseTargets | Close | Kick | Stop;
    readonly digest?: string | Sealed;
    /** Default: [] */
    readonly events?: ReadonlyArray<diskwars.Event>;
    readonly decisions?: ReadonlyArray<diskwars.Decision>;
    readonly draw_index?: number;
    readonly cursor?: string;
    readonly result?: Result;
    readonly taken_back_to?: number;
    readonly rules_version?: number;
    /** Default: 0 */
    readonly lag_ms?: number;
  }

  /**
   * An open question.
   *
   * `id` is the seq of the record that opened it, a dot and a slot; it stays the same while the decision is open.
   */
  export interface Decision {
    readonly id: string;
    readonly seat: number;
    readonly question: diskwars.Question;
  }

  /**
   * A match as one viewer may know it; as `ALL`, the server's own state.
   *
   * `at_ms` is the time of the last record, and `rules_version` that of the rules that decided it.
   * `status` is "open" until every seat is ready. `server_link` is the server's link that was published last.
   * `seat_nonces[k - 1]` are the nonces of step k, none where no seat was asked for one.
   * `resumed_ms` is when the last pause ended, 0 if there was none.
   * `kicked` are the players whom the opener has removed. `position` is that of a branch, until it begins.
   */
  export interface Match {
    readonly match: string;
    readonly ruleset: string;
    readonly settings: diskwars.Settings;
    readonly seats: ReadonlyArray<diskwars.SeatState>;
    readonly server_link: string;
    readonly deal_commitment: string;
    readonly match_options: MatchOptions;
    /** Default: 0 */
    readonly at_ms?: number;
    /** Default: 0 */
    readonly rules_version?: number;
    /** Default: false */
    readonly repeatable?: boolean;
    /** Default: [] */
    readonly packs?: ReadonlyArray<Pack>;
    /** Default: "open" */
    readonly status?: "ended" | "open" | "running";
    /** Default: 0 */
    readonly step?: number;
    /** Default: 0 */
    readonly draw_index?: number;
    /** Default: [] */
    readonly seat_nonces?: ReadonlyArray<ReadonlyArray<string>>;
    /** Default: [] */
    readonly decisions?: ReadonlyArray<diskwars.Decision>;
    readonly result?: Result;
    readonly deal_secret?: string;
    readonly board?: diskwars.Board;
    readonly offer?: OpenOffer;
    /** Default: false */
    readonly paused?: boolean;
    /** Default: 0 */
    readonly resumed_ms?: number;
    /** Default: [] */
    readonly kicked?: ReadonlyArray<string>;
    readonly position?: diskwars.Position;
  }

  /**
   * One seat of a match.
   *
   * `seat_nonce` is the link opened for the step to come, sealed for others until the step begins.
   * `has_offered`: the seat has made an offer since it answered a decision last. `takebacks` are those that it has made
   * in this step of the dice. `missed` are the answers in a row that the house gave for it, counted where the match has
   * a limit of them. `substitute`: the house plays the seat, until its player takes it back. `clock` is there if the
   * match has a bank clock and has begun. `vacated_in` is the record in which the player before this one left the seat:
   * what that player saw is not for the next.
   */
  export interface SeatState {
    readonly player?: string;
    readonly loadout?: diskwars.Loadout;
    readonly chain?: SeatChainState;
    /** Default: false */
    readonly ready?: boolean;
    readonly seat_nonce?: string | Sealed;
    /** Default: false */
    readonly resigned?: boolean;
    /** Default: false */
    readonly has_offered?: boolean;
    /** Default: 0 */
    readonly takebacks?: number;
    /** Default: 0 */
    readonly missed?: number;
    readonly clock?: SeatClock;
    readonly vacated_in?: number;
    /** Default: false */
    readonly substitute?: boolean;
  }

  /**
   * Legal answers to one decision: complete ones, and parametric options for those with too many variants.
   *
   * `unavailable` says what keeps others out. Both are structs of the ruleset's own: subclasses of `ParametricOption`
   * and `Unavailable`. `to_complete` are the fields of these actions that only the client can fill in: a fresh salt, and
   * the next nonce of its chain.
   */
  export interface Options {
    /** Default: [] */
    readonly actions?: ReadonlyArray<diskwars.Action>;
    /** Default: [] */
    readonly parametric?: ReadonlyArray<diskwars.Option>;
    /** Default: [] */
    readonly unavailable?: ReadonlyArray<diskwars.Unavailable>;
    /** Default: [] */
    readonly to_complete?: ReadonlyArray<string>;
  }

  /**
   * The limits of a move or a placement, and one ready-made example of it.
   *
   * `areas`: what is placed has to be in one of them; for a move, every landing of `disk`, which makes at most `flips`
   * flips of `length` each (of a flying disk, intermediate landings only have to be on the field). For a deployment:
   * `disks` are those that may be placed, and `required` those that have to be, as many as the zones take. `covers` are
   * the disks on the battlefield that the example overlaps, and `pins` those of them that it pins; of a deployment they
   * are disks of the example itself, on which later ones lie.
   */
  export interface Option {
    readonly example: diskwars.Action;
    readonly disk?: number;
    /** Default: 0 */
    readonly flips?: number;
    /** Default: 0 */
    readonly length?: number;
    /** Default: [] */
    readonly areas?: ReadonlyArray<diskwars.Area>;
    /** Default: [] */
    readonly disks?: ReadonlyArray<number>;
    /** Default: [] */
    readonly required?: ReadonlyArray<number>;
    /** Default: [] */
    readonly covers?: ReadonlyArray<number>;
    /** Default: [] */
    readonly pins?: ReadonlyArray<number>;
  }

  /**
   * Where something may be placed: wholly inside the rectangle from (x0, y0) to (x1, y1), on further conditions.
   *
   * `zone`: the rectangle is that of this deployment zone. For disks: with `piece`, the disk overlaps that piece of
   * terrain; with `onto`, at least one of these disks; with `near`, it is within `reach` of that disk, edge to edge.
   * `enemies` says whether it may overlap enemies, may overlap but not pin them, or not even overlap them;
   * `outside_enemy_zones`, that it overlaps no zone of another seat. For a piece of terrain: it is further than `gap`
   * from every other piece.
   */
  export interface Area {
    readonly x0: number;
    readonly y0: number;
    readonly x1: number;
    readonly y1: number;
    readonly zone?: number;
    readonly piece?: number;
    /** Default: [] */
    readonly onto?: ReadonlyArray<number>;
    readonly near?: number;
    readonly reach?: number;
    /** Default: "any" */
    readonly enemies?: "any" | "not_overlapped" | "not_pinned";
    /** Default: false */
    readonly outside_enemy_zones?: boolean;
    readonly gap?: number;
  }

  /**
   * Why a `disk` by its number, or a `card` by its id, is not among the options.
   *
   * `action` is the tag of what it cannot do, absent for everything; `target` what it cannot be aimed at. `numbers` are
   * those that the text mentions.
   */
  export interface Unavailable {
    readonly code: diskwars.RefusalCode;
    readonly text: string;
    readonly rule: string;
    readonly disk?: number;
    readonly card?: string;
    readonly action?: "choose_engagement" | "choose_scatter" | "choose_targets" | "focus" | "move_disk" | "reinforce" | "shoot" | "use_ability" | "use_engage_ability";
    readonly target?: number;
    /** Default: {} */
    readonly numbers?: NameMap<number>;
  }

  export type EndReason = "abandoned" | "absence" | "closed" | "draw_agreed" | "elimination" | "everybody_eliminated" | "initiative" | "resignation" | "stopped" | "victory_points";

  export type RefusalCode = "already_agreed" | "already_registered" | "already_seated" | "bad_action" | "bad_branch" | "bad_chain" | "bad_channel" | "bad_club" | "bad_import" | "bad_invitation" | "bad_invite" | "bad_match_options" | "bad_name" | "bad_page" | "bad_password" | "bad_report" | "bad_result" | "bad_resume" | "bad_salt" | "bad_search" | "bad_seat_nonce" | "bad_settings" | "bad_takeback" | "bad_target" | "bad_text" | "bad_time_zone" | "bad_tournament" | "busy" | "challenge_over" | "challenged_already" | "channel_off" | "club_closed" | "club_full" | "consent_needed" | "dice_exhausted" | "disk_activated" | "disk_pinned" | "duplicate_differs" | "empty_seat" | "fault" | "has_begun" | "has_rated_matches" | "illegal_army" | "illegal_flip" | "import_changed" | "import_conflict" | "import_cut" | "import_failed" | "import_newer_format" | "import_off" | "import_other_rules" | "import_too_large" | "import_too_slow" | "import_unfinished" | "invitation_needed" | "kicked" | "locked" | "match_ended" | "match_full" | "missing_pack" | "name_taken" | "never_began" | "no_bot_seat" | "no_bots_here" | "no_check_in" | "no_offer" | "no_password" | "no_round_due" | "no_season" | "no_seat" | "no_sight" | "no_such_ability" | "no_such_shot" | "nobody_found" | "not_ended" | "not_entered" | "not_in_control" | "not_in_hand" | "not_in_reserve" | "not_leader" | "not_legal" | "not_member" | "not_officer" | "not_on_field" | "not_opener" | "not_organiser" | "not_paused" | "not_registered" | "not_running" | "not_taken_over" | "not_watchable" | "not_watching" | "not_your_channel" | "not_your_disk" | "not_your_seat" | "not_your_turn" | "off_field" | "offer_waiting" | "offered_already" | "option_off" | "out_of_range" | "outside_zone" | "overlaps_enemy" | "own_account" | "own_challenge" | "own_seat" | "paused" | "rematch_declined" | "renamed_lately" | "result_used" | "retry" | "review_failed" | "review_off" | "season_under_way" | "seat_taken" | "stale_decision" | "takes_no_challenges" | "too_few_entrants" | "too_late" | "too_many_accounts" | "too_many_attempts" | "too_many_bots" | "too_many_challengers" | "too_many_challenges" | "too_many_channels" | "too_many_clubs" | "too_many_flips" | "too_many_followed" | "too_many_imports" | "too_many_invitations" | "too_many_invites" | "too_many_kicks" | "too_many_muted" | "too_many_officers" | "too_many_open" | "too_many_organisers" | "too_many_reports" | "too_many_reviews" | "too_many_searches" | "too_many_seasons" | "too_many_tournaments" | "too_many_watched" | "too_much_chat" | "too_much_history" | "too_much_written" | "tournament_begun" | "tournament_full" | "tournament_over" | "unavailable" | "unknown_army" | "unknown_board" | "unknown_bot" | "unknown_challenge" | "unknown_channel" | "unknown_club" | "unknown_device" | "unknown_disk" | "unknown_entrant" | "unknown_invitation" | "unknown_invite" | "unknown_match" | "unknown_member" | "unknown_pack" | "unknown_player" | "unknown_ruleset" | "unknown_tournament" | "unknown_type" | "unknown_user_code" | "unreadable_cursor" | "unsafe_salt" | "wrong_action" | "wrong_count" | "wrong_match_password" | "wrong_password" | "wrong_recovery_code" | "wrong_shape";

  export type LoadoutFaultCode = "already_agreed" | "already_registered" | "already_seated" | "ambiguous_name" | "bad_action" | "bad_branch" | "bad_chain" | "bad_channel" | "bad_club" | "bad_import" | "bad_invitation" | "bad_invite" | "bad_match_options" | "bad_name" | "bad_page" | "bad_password" | "bad_report" | "bad_result" | "bad_resume" | "bad_salt" | "bad_search" | "bad_seat_nonce" | "bad_settings" | "bad_takeback" | "bad_target" | "bad_text" | "bad_time_zone" | "bad_tournament" | "busy" | "card_repeated" | "challenge_over" | "challenged_already" | "channel_off" | "club_closed" | "club_full" | "consent_needed" | "dice_exhausted" | "disk_activated" | "disk_pinned" | "duplicate_differs" | "empty_seat" | "fault" | "has_begun" | "has_rated_matches" | "illegal_army" | "illegal_flip" | "import_changed" | "import_conflict" | "import_cut" | "import_failed" | "import_newer_format" | "import_off" | "import_other_rules" | "import_too_large" | "import_too_slow" | "import_unfinished" | "invitation_needed" | "kicked" | "locked" | "match_ended" | "match_full" | "missing_pack" | "name_taken" | "never_began" | "no_bot_seat" | "no_bots_here" | "no_check_in" | "no_offer" | "no_password" | "no_round_due" | "no_season" | "no_seat" | "no_sight" | "no_such_ability" | "no_such_shot" | "no_unique_hero" | "nobody_found" | "not_a_hero" | "not_ended" | "not_entered" | "not_in_control" | "not_in_hand" | "not_in_reserve" | "not_leader" | "not_legal" | "not_member" | "not_officer" | "not_on_field" | "not_opener" | "not_organiser" | "not_paused" | "not_registered" | "not_running" | "not_taken_over" | "not_watchable" | "not_watching" | "not_your_channel" | "not_your_disk" | "not_your_seat" | "not_your_turn" | "off_field" | "offer_waiting" | "offered_already" | "option_off" | "out_of_range" | "outside_zone" | "overlaps_enemy" | "own_account" | "own_challenge" | "own_seat" | "paused" | "rematch_declined" | "renamed_lately" | "result_used" | "retry" | "review_failed" | "review_off" | "season_under_way" | "seat_taken" | "second_hero" | "stale_decision" | "takes_no_challenges" | "too_few_entrants" | "too_few_small_disks" | "too_late" | "too_many_accounts" | "too_many_attempts" | "too_many_bots" | "too_many_challengers" | "too_many_challenges" | "too_many_channels" | "too_many_clubs" | "too_many_copies" | "too_many_elites" | "too_many_flips" | "too_many_followed" | "too_many_imports" | "too_many_invitations" | "too_many_invites" | "too_many_kicks" | "too_many_muted" | "too_many_officers" | "too_many_open" | "too_many_organisers" | "too_many_points" | "too_many_reports" | "too_many_reviews" | "too_many_searches" | "too_many_seasons" | "too_many_tournaments" | "too_many_watched" | "too_much_chat" | "too_much_history" | "too_much_written" | "tournament_begun" | "tournament_full" | "tournament_over" | "unavailable" | "unique_disk_repeated" | "unknown_army" | "unknown_board" | "unknown_bot" | "unknown_card" | "unknown_challenge" | "unknown_channel" | "unknown_club" | "unknown_device" | "unknown_disk" | "unknown_disk_type" | "unknown_entrant" | "unknown_invitation" | "unknown_invite" | "unknown_match" | "unknown_member" | "unknown_pack" | "unknown_player" | "unknown_ruleset" | "unknown_tournament" | "unknown_type" | "unknown_user_code" | "unreadable_cursor" | "unsafe_salt" | "wrong_action" | "wrong_count" | "wrong_faction" | "wrong_match_password" | "wrong_number_of_cards" | "wrong_number_of_regiments" | "wrong_password" | "wrong_race" | "wrong_recovery_code" | "wrong_shape";

  /** Everything of the packs that a server plays with, each list by id. */
  export interface Catalogue {
    readonly packs: ReadonlyArray<Pack>;
    readonly settings: ReadonlyArray<RulesetSetting>;
    readonly races: ReadonlyArray<diskwars.CatalogueWord>;
    readonly traits: ReadonlyArray<diskwars.CatalogueWord>;
    readonly field: diskwars.Field;
    readonly battle_die: ReadonlyArray<"chaos" | "critical" | "hit" | "miss" | "scatter">;
    readonly disks: ReadonlyArray<diskwars.CatalogueDisk>;
    readonly cards: ReadonlyArray<diskwars.CatalogueCard>;
    readonly armies: ReadonlyArray<diskwars.CatalogueArmy>;
    readonly scenarios: ReadonlyArray<diskwars.CatalogueScenario>;
    readonly deployments: ReadonlyArray<diskwars.CatalogueDeploymentCard>;
    readonly terrain: ReadonlyArray<diskwars.CatalogueTerrain>;
  }

  /** A race or a trait: disks and effects name it by its id. */
  export interface CatalogueWord {
    readonly id: string;
    readonly name: string;
  }

  /** A disk with the texts of its abilities. `copies` is how often it is in the box, which limits no army. */
  export interface CatalogueDisk {
    readonly profile: diskwars.Profile;
    readonly copies: number;
    readonly pack: string;
    /** Default: [] */
    readonly texts?: ReadonlyArray<string>;
  }

  /** A command card with the texts of its abilities. */
  export interface CatalogueCard {
    readonly card: diskwars.CommandCard;
    readonly pack: string;
    /** Default: [] */
    readonly texts?: ReadonlyArray<string>;
  }

  /** A starter army. `unspent` are its unspent recruitment points, which count at initiative. */
  export interface CatalogueArmy {
    readonly id: string;
    readonly name: string;
    readonly regiments: ReadonlyArray<diskwars.Regiment>;
    readonly hand: ReadonlyArray<string>;
    readonly unspent: number;
    readonly pack: string;
    readonly short_name?: string;
  }

  /** A scenario card. A `special` one is in no deck: the option of that name chooses it. */
  export interface CatalogueScenario {
    readonly scenario: diskwars.Scenario;
    readonly pack: string;
    readonly text: string;
    readonly objective_texts: ReadonlyArray<string>;
    /** Default: false */
    readonly special?: boolean;
  }

  export interface CatalogueDeploymentCard {
    readonly card: diskwars.DeploymentCard;
    readonly pack: string;
  }

  export interface CatalogueTerrain {
    readonly card: diskwars.TerrainCard;
    readonly pack: string;
  }

  export type OpenDecisions = ReadonlyArray<diskwars.Decision>;
}

export namespace pit {
  /** Options of a match. A record holds all of them. */
  export interface Settings {
    /** Default: "the-pit" */
    readonly scenario?: string;
  }

  /** Nothing: the scenario gives each side its fighters. */
  export interface Loadout {
  }

  /**
   * Take a seat.
   *
   * `chain_head` is the head of the player's own hash chain, 32 hex digits, made after the server's anchor was seen.
   */
  export interface TakeSeat {
    readonly type: "take_seat";
    readonly chain_head: string;
    readonly loadout: pit.Loadout;
  }

  /** A fighter runs to a cell beside one or more enemies. */
  export interface Engage {
    readonly type: "engage";
    readonly fighter: number;
    readonly x: number;
    readonly y: number;
  }

  /** A fighter walks to a cell beside no enemy. */
  export interface Move {
    readonly type: "move";
    readonly fighter: number;
    readonly x: number;
    readonly y: number;
  }

  /** No further fighter engages, or moves. */
  export interface EndPhase {
    readonly type: "end_phase";
  }

  /** The combat that is fought now, by its number among those of the turn. */
  export interface ChooseCombat {
    readonly type: "choose_combat";
    readonly combat: number;
  }

  /** The fighter that attacks now. */
  export interface ChooseFighter {
    readonly type: "choose_fighter";
    readonly fighter: number;
  }

  /** All attacks of the fighter, in the order in which they are rolled. */
  export interface DeclareAttacks {
    readonly type: "declare_attacks";
    readonly attacks: ReadonlyArray<pit.Attack>;
  }

  /** One attack on `target` with the weapon of this id; without `weapon`, with bare hands or natural weapons. */
  export interface Attack {
    readonly target: number;
    readonly weapon?: string;
  }

  /** The declared target against which the attacks are rolled now. */
  export interface ChooseTarget {
    readonly type: "choose_target";
    readonly target: number;
  }

  /** Whether the fighters leave the field. */
  export interface Concede {
    readonly type: "concede";
    readonly concede: boolean;
  }

  export type Action =
    | pit.TakeSeat
    | Ready
    | Resign
    | ReplaceChain
    | MakeOffer
    | AnswerOffer
    | TakeBack
    | ResumePlay
    | LeaveSeat
    | TakeSeatBack
    | pit.Engage
    | pit.Move
    | pit.EndPhase
    | pit.ChooseCombat
    | pit.ChooseFighter
    | pit.DeclareAttacks
    | pit.ChooseTarget
    | pit.Concede;

  /** Which fighter engages next, and where? Or none. */
  export interface EngageQuestion {
    readonly type: "engagement";
  }

  /** Which fighter moves next, and where? Or none. */
  export interface MoveQuestion {
    readonly type: "movement";
  }

  /** Which combat is fought next? */
  export interface CombatQuestion {
    readonly type: "combat";
  }

  /** Which of several fighters of yours, next in the order of the combat, attacks now? */
  export interface FighterQuestion {
    readonly type: "fighter";
  }

  /** Which weapon does each attack of this fighter use, and whom does it strike? */
  export interface DeclareQuestion {
    readonly type: "attack_declaration";
    readonly fighter: number;
  }

  /** Against which declared target are the attacks rolled next? */
  export interface TargetQuestion {
    readonly type: "target";
    readonly fighter: number;
  }

  /** The rout check is passed. Concede all the same? */
  export interface ConcedeQuestion {
    readonly type: "concession";
  }

  export type Question =
    | SeatQuestion
    | ReadyQuestion
    | pit.EngageQuestion
    | pit.MoveQuestion
    | pit.CombatQuestion
    | pit.FighterQuestion
    | pit.DeclareQuestion
    | pit.TargetQuestion
    | pit.ConcedeQuestion;

  /**
   * First event of the first record.
   *
   * `anchor` is link 0 of the server's chain, `deal_commitment` the SHA-256 of the deal secret.
   * `rules_version` is that of the ruleset's rules, which decided this record.
   * `repeatable` says that the secrets were made from a seed, so that the dice of this match prove nothing.
   * `packs` are those whose figures the match will use. `match_options` are those of every ruleset.
   */
  export interface MatchOpened {
    readonly type: "match_opened";
    readonly match: string;
    readonly ruleset: string;
    readonly rules_version: number;
    readonly settings: pit.Settings;
    readonly seat_count: number;
    readonly anchor: string;
    readonly deal_commitment: string;
    readonly opener: string;
    readonly match_options: MatchOptions;
    /** Default: false */
    readonly repeatable?: boolean;
    /** Default: [] */
    readonly packs?: ReadonlyArray<Pack>;
  }

  /** A player takes a seat, with a loadout. */
  export interface SeatTaken {
    readonly type: "seat_taken";
    readonly seat: number;
    readonly player: string;
    readonly chain_head: string;
    readonly loadout: pit.Loadout;
  }

  /** Second event of the first record of a branch. Its secrets are sealed for everybody until the match has ended. */
  export interface PositionSet {
    readonly type: "position_set";
    readonly position: pit.Position;
  }

  /**
   * What a branch plays on from: the board of its parent, and the seats of it that had resigned.
   *
   * `resampled`: what its opener could not see of the parent was drawn at random from what it could be.
   */
  export interface Position {
    readonly board: pit.Board;
    /** Default: false */
    readonly resampled?: boolean;
    /** Default: [] */
    readonly resigned?: ReadonlyArray<number>;
  }

  /**
   * Everything on the table.
   *
   * `active_seat` is the seat whose turn it is. `combats` are those of this turn by number, `fought`
   * the numbers of those that are over. `cards_left` says how many of each card of `deck` are left. `is_first_turn`
   * forbids engaging; `may_concede` says that a rout check has just been passed. `walls` and `task` are those of the
   * scenario.
   */
  export interface Board {
    readonly width: number;
    readonly height: number;
    readonly rounds: number;
    readonly profiles: ReadonlyArray<pit.FighterProfile>;
    readonly weapons: ReadonlyArray<pit.Weapon>;
    readonly deck: ReadonlyArray<pit.ImprovementCard>;
    readonly fighters: ReadonlyArray<pit.Fighter>;
    readonly seats: ReadonlyArray<pit.Seat>;
    readonly cards_left: ReadonlyArray<number>;
    /** Default: [] */
    readonly order?: ReadonlyArray<number>;
    /** Default: 0 */
    readonly round?: number;
    readonly active_seat?: number;
    /** Default: "upkeep" */
    readonly phase?: "engage" | "melee" | "move" | "over" | "upkeep";
    /** Default: true */
    readonly is_first_turn?: boolean;
    /** Default: false */
    readonly may_concede?: boolean;
    /** Default: [] */
    readonly combats?: ReadonlyArray<ReadonlyArray<number>>;
    /** Default: [] */
    readonly fought?: ReadonlyArray<number>;
    readonly combat?: pit.CombatState;
    /** Default: [] */
    readonly walls?: ReadonlyArray<ScenarioArea>;
    readonly task?: BattleTask;
  }

  /**
   * Printed figures of a fighter.
   *
   * `melee`, `defence`, `agility` and `morale` are target numbers for d20 checks. Without `defence`, no check is made,
   * and it always fails. `wounds` are the hits taken before an injury, `injury` is added to the injury value of its
   * attacks, `pierce` is subtracted from the enemy's defence rolls. `movement` is in cells. `weapons` are ids.
   */
  export interface FighterProfile {
    readonly id: string;
    readonly name: string;
    readonly rank: "henchman" | "hero" | "leader";
    readonly movement: number;
    readonly melee: number;
    readonly agility: number;
    readonly morale: number;
    readonly attacks: number;
    readonly wounds: number;
    readonly defence?: number;
    /** Default: 0 */
    readonly injury?: number;
    /** Default: 0 */
    readonly pierce?: number;
    /** Default: [] */
    readonly weapons?: ReadonlyArray<string>;
    readonly shield?: "shield" | "tower_shield";
    readonly armour?: "fine" | "heavy" | "light";
    /** Default: false */
    readonly natural_weapons?: boolean;
  }

  /**
   * A weapon. `melee` is added to Melee Checks, `injury` to the injury value, `pierce` lowers the enemy's defence.
   *
   * `slots` are those it takes of the two that a fighter has. A `single` weapon is never one of two.
   */
  export interface Weapon {
    readonly id: string;
    readonly name: string;
    /** Default: 0 */
    readonly melee?: number;
    /** Default: 0 */
    readonly injury?: number;
    /** Default: 0 */
    readonly pierce?: number;
    /** Default: 1 */
    readonly slots?: number;
    /** Default: false */
    readonly single?: boolean;
  }

  /**
   * A card of the improvement deck, with how many of it there are.
   *
   * A leader or hero takes the `hero` half: a higher figure, a lower target number, or a skill, which does nothing
   * here. A henchman is promoted as `henchman` says; without it, the card does nothing for a henchman.
   */
  export interface ImprovementCard {
    readonly id: string;
    readonly copies: number;
    readonly hero: "agility" | "attacks" | "defence" | "injury" | "melee" | "morale" | "pierce" | "wounds" | "skill";
    readonly henchman?: "always" | "victim_hero" | "victim_leader";
  }

  /**
   * A fighter. `wounds` are left, `new_wounds` count from the next combat on; other figures are those in force.
   *
   * `has_engaged` says that it engaged in this turn, `has_acted` that it has engaged or moved.
   */
  export interface Fighter {
    readonly id: number;
    readonly seat: number;
    readonly profile: number;
    readonly x: number;
    readonly y: number;
    readonly wounds: number;
    readonly melee: number;
    readonly agility: number;
    readonly morale: number;
    readonly attacks: number;
    readonly wound_limit: number;
    readonly injury: number;
    readonly pierce: number;
    readonly defence?: number;
    /** Default: 0 */
    readonly new_wounds?: number;
    /** Default: "ok" */
    readonly status?: "dazed" | "incapacitated" | "ok" | "staggered" | "stunned" | "withdrawn";
    /** Default: false */
    readonly promoted?: boolean;
    /** Default: false */
    readonly has_engaged?: boolean;
    /** Default: false */
    readonly has_acted?: boolean;
  }

  /** A seat: the losses from which it has to check morale, its losses so far, and whether it is out. */
  export interface Seat {
    readonly rout_losses: number;
    /** Default: 0 */
    readonly losses?: number;
    /** Default: false */
    readonly withdrawn?: boolean;
  }

  /**
   * The combat that is being fought.
   *
   * `waiting` have a slot still to come, in this order. `fighter` attacks now; `declared` are its attacks that are not
   * yet rolled.
   */
  export interface CombatState {
    readonly id: number;
    readonly waiting: ReadonlyArray<number>;
    readonly fighter?: number;
    /** Default: [] */
    readonly declared?: ReadonlyArray<pit.Attack>;
  }

  /**
   * All are ready, and the board is that of the position. The seats that had resigned in the parent have resigned.
   *
   * `board` is left out where nothing of it is secret; each seat sees its own secrets in it.
   */
  export interface BranchBegan {
    readonly type: "branch_began";
    readonly board?: pit.Board;
  }

  /**
   * All figures that this match uses. Fighters are numbered by their place in `fighters`.
   *
   * `rout_losses` are the losses, by seat, from which it has to pass a rout check. `deck` is the improvement deck.
   * Nobody can be on a cell of `walls`, or cross it. Without `task` only the fight decides.
   */
  export interface MatchStarted {
    readonly type: "match_started";
    readonly settings: pit.Settings;
    readonly width: number;
    readonly height: number;
    readonly rounds: number;
    readonly profiles: ReadonlyArray<pit.FighterProfile>;
    readonly weapons: ReadonlyArray<pit.Weapon>;
    readonly deck: ReadonlyArray<pit.ImprovementCard>;
    readonly fighters: ReadonlyArray<pit.StartingFighter>;
    readonly rout_losses: ReadonlyArray<number>;
    /** Default: [] */
    readonly walls?: ReadonlyArray<ScenarioArea>;
    readonly task?: BattleTask;
  }

  /** A fighter at the start: its seat, the number of its profile, and its cell. */
  export interface StartingFighter {
    readonly seat: number;
    readonly profile: number;
    readonly x: number;
    readonly y: number;
  }

  /** One d20 for each of `seats`, in this order. Seats that tie roll again. */
  export interface TurnOrderRolled {
    readonly type: "turn_order_rolled";
    readonly seats: ReadonlyArray<number>;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The order in which the seats take their turns, for the whole match. */
  export interface TurnOrderSet {
    readonly type: "turn_order_set";
    readonly order: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** Every seat takes a turn in a round. */
  export interface RoundBegan {
    readonly type: "round_began";
    readonly round: number;
  }

  /** The turn of a seat begins, with its upkeep. */
  export interface TurnBegan {
    readonly type: "turn_began";
    readonly seat: number;
  }

  /** A phase of the turn begins. */
  export interface PhaseBegan {
    readonly type: "phase_began";
    readonly phase: "engage" | "melee" | "move" | "over" | "upkeep";
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
  }

  /** A rout check by the surviving hero with the best morale; without a `fighter`, no hero is left and it fails. */
  export interface MoraleChecked {
    readonly type: "morale_checked";
    readonly seat: number;
    readonly passed: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly fighter?: number;
    readonly needed?: number;
    readonly dice?: Draw;
  }

  /** All fighters of a seat leave the field; the seat is out. */
  export interface SeatWithdrew {
    readonly type: "seat_withdrew";
    readonly seat: number;
    readonly reason_kind: "conceded" | "resigned" | "routed";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A fighter recovers by a step. */
  export interface StatusChanged {
    readonly type: "status_changed";
    readonly fighter: number;
    readonly status: "dazed" | "incapacitated" | "ok" | "staggered" | "stunned" | "withdrawn";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A fighter has run to a cell beside `targets`. */
  export interface FighterEngaged {
    readonly type: "fighter_engaged";
    readonly fighter: number;
    readonly x: number;
    readonly y: number;
    readonly targets: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A fighter has walked to a cell. */
  export interface FighterMoved {
    readonly type: "fighter_moved";
    readonly fighter: number;
    readonly x: number;
    readonly y: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The combats of this turn, each with its fighters. Contacts that arise later belong to none. */
  export interface CombatsFixed {
    readonly type: "combats_fixed";
    readonly combats: ReadonlyArray<ReadonlyArray<number>>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** One d20 for each of these fighters of equal agility; those that tie roll again. */
  export interface AgilityRolled {
    readonly type: "agility_rolled";
    readonly fighters: ReadonlyArray<number>;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A combat is fought. `order` are the fighters that have a slot, in the order in which they attack. */
  export interface CombatBegan {
    readonly type: "combat_began";
    readonly combat: number;
    readonly order: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A fighter cannot attack when its slot comes. */
  export interface SlotLost {
    readonly type: "slot_lost";
    readonly fighter: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** It is the turn of this fighter to attack. */
  export interface SlotTaken {
    readonly type: "slot_taken";
    readonly fighter: number;
  }

  /** All attacks of a fighter, with their targets. */
  export interface AttacksDeclared {
    readonly type: "attacks_declared";
    readonly fighter: number;
    readonly attacks: ReadonlyArray<pit.Attack>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The Melee Checks of a fighter against one target, one for each of `attacks`. */
  export interface MeleeRolled {
    readonly type: "melee_rolled";
    readonly fighter: number;
    readonly target: number;
    readonly attacks: ReadonlyArray<pit.Attack>;
    readonly dice: Draw;
    readonly checks: ReadonlyArray<pit.Check>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /**
   * One check. `faces` are one die, or two under Advantage or Disadvantage; `kept` is the one that counts.
   *
   * `modifier` is added to it; the check passes if the total is at least `needed`. A natural 20 always passes, a natural
   * 1 always fails.
   */
  export interface Check {
    readonly faces: ReadonlyArray<number>;
    readonly kept: number;
    readonly needed: number;
    readonly passed: boolean;
    /** Default: 0 */
    readonly modifier?: number;
  }

  /**
   * The Defence Checks of a target, one for each hit in `hits`; a critical hit counts twice.
   *
   * `hits` are numbers of the checks before. A target without defence rolls nothing.
   */
  export interface DefenceRolled {
    readonly type: "defence_rolled";
    readonly fighter: number;
    readonly target: number;
    readonly hits: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice?: Draw;
    /** Default: [] */
    readonly checks?: ReadonlyArray<pit.Check>;
  }

  /** A fighter has lost wounds to attacks by `by`; `wounds` are left. */
  export interface WoundsLost {
    readonly type: "wounds_lost";
    readonly fighter: number;
    readonly by: number;
    readonly wounds: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /**
   * Unsaved hits by `by` that only took wounds are dropped at random from `values`, the injury values of all of them.
   *
   * `dropped` are the places in what was left each time, from 0. A pick of one thing draws nothing.
   */
  export interface HitsDropped {
    readonly type: "hits_dropped";
    readonly fighter: number;
    readonly by: number;
    readonly values: ReadonlyArray<number>;
    readonly dropped: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: [] */
    readonly dice?: ReadonlyArray<Draw>;
  }

  /** A fighter is dazed, stunned or incapacitated, with `value` read from the chart; left out where none is read. */
  export interface FighterInjured {
    readonly type: "fighter_injured";
    readonly fighter: number;
    readonly by: number;
    readonly status: "dazed" | "incapacitated" | "ok" | "staggered" | "stunned" | "withdrawn";
    readonly reasons: ReadonlyArray<Reason>;
    readonly value?: number;
  }

  /** All attacks of a fighter that were declared against this target are carried out. */
  export interface TargetResolved {
    readonly type: "target_resolved";
    readonly fighter: number;
    readonly target: number;
  }

  /** A fighter draws an improvement card. `reshuffled` says that the discards went back into the deck before. */
  export interface ImprovementDrawn {
    readonly type: "improvement_drawn";
    readonly fighter: number;
    readonly card: string;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice?: Draw;
    /** Default: false */
    readonly reshuffled?: boolean;
  }

  /**
   * What a card did. `stat` has `value` now; without `stat`, a henchman was promoted or nothing happened.
   *
   * A target number is lowered only if the roll of `dice` is at most the old one, `needed`.
   */
  export interface FighterImproved {
    readonly type: "fighter_improved";
    readonly fighter: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly stat?: "agility" | "attacks" | "defence" | "injury" | "melee" | "morale" | "pierce" | "wounds";
    readonly value?: number;
    /** Default: false */
    readonly promoted?: boolean;
    readonly needed?: number;
    readonly dice?: Draw;
  }

  /** A fighter has `wounds` now: those that it gained in an earlier combat count from this one on. */
  export interface WoundsGained {
    readonly type: "wounds_gained";
    readonly fighter: number;
    readonly wounds: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** Every slot of the combat has been used or lost. */
  export interface CombatEnded {
    readonly type: "combat_ended";
    readonly combat: number;
  }

  export type Event =
    | pit.MatchOpened
    | pit.SeatTaken
    | SeatNonceOpened
    | SeatReady
    | StepBegan
    | ChainReplaced
    | SeatResigned
    | SeatVacated
    | OfferMade
    | OfferAnswered
    | TakebackMade
    | PlayPaused
    | PlayResumed
    | SeatTakenOver
    | SeatTakenBack
    | pit.PositionSet
    | pit.BranchBegan
    | MatchEnded
    | pit.MatchStarted
    | pit.TurnOrderRolled
    | pit.TurnOrderSet
    | pit.RoundBegan
    | pit.TurnBegan
    | pit.PhaseBegan
    | pit.MoraleChecked
    | pit.SeatWithdrew
    | pit.StatusChanged
    | pit.FighterEngaged
    | pit.FighterMoved
    | pit.CombatsFixed
    | pit.AgilityRolled
    | pit.CombatBegan
    | pit.SlotLost
    | pit.SlotTaken
    | pit.AttacksDeclared
    | pit.MeleeRolled
    | pit.DefenceRolled
    | pit.WoundsLost
    | pit.HitsDropped
    | pit.FighterInjured
    | pit.TargetResolved
    | pit.ImprovementDrawn
    | pit.FighterImproved
    | pit.WoundsGained
    | pit.CombatEnded;

  /**
   * What one record says: one action of one seat, and everything that followed up to the next decision.
   *
   * `at_ms` is the server's clock in milliseconds. `seat` acted, by answering `decision` (absent for what answers none)
   * with `action`; the first record of a match has neither. `actor` is "house" where the time of the seat was up and the
   * house answered for it; a match is closed by no seat, but by the "house" or its "opener", and the "opener" removes
   * players from seats. `digest` is the command's,
   * sealed when the action holds a secret.
   * `events` are in order. An event that a viewer may not see at all is a `Sealed` in its place.
   * `decisions` are open afterwards, `draw_index` is the index of the next draw in this step: absent where the record
   * leaves them as they were, and a step begins at index 0. `cursor` is what the engine has still to do, if that has
   * changed, opaque to everybody else. `result` ends the match, and with it every decision.
   * A takeback goes back to the state after record `taken_back_to`; what lies between stays in the log. Steps and draw
   * indices never rewind: the record carries the index reached so far. It opens every decision itself, under a new id.
   * `rules_version` is that of the rules that decided this record and those after it, where it is another than before.
   * `lag_ms` is how much of the time that the seat took is not charged to its bank: see `SeatClock`.
   */
  export interface RecordBody {
    readonly at_ms: number;
    readonly seat?: number;
    readonly actor?: string;
    readonly decision?: string;
    readonly action?: pit.TakeSeat | Ready | Resign | ReplaceChain | MakeOffer | AnswerOffer | TakeBack | ResumePlay | LeaveSeat | TakeSeatBack | pit.Engage | pit.Move | pit.EndPhase | pit.ChooseCombat | pit.ChooseFighter | pit.DeclareAttacks | pit.ChooseTarget | pit.Concede | Close | Kick | Stop;
    readonly digest?: string | Sealed;
    /** Default: [] */
    readonly events?: ReadonlyArray<pit.Event>;
    readonly decisions?: ReadonlyArray<pit.Decision>;
    readonly draw_index?: number;
    readonly cursor?: string;
    readonly result?: Result;
    readonly taken_back_to?: number;
    readonly rules_version?: number;
    /** Default: 0 */
    readonly lag_ms?: number;
  }

  /**
   * An open question.
   *
   * `id` is the seq of the record that opened it, a dot and a slot; it stays the same while the decision is open.
   */
  export interface Decision {
    readonly id: string;
    readonly seat: number;
    readonly question: pit.Question;
  }

  /**
   * A match as one viewer may know it; as `ALL`, the server's own state.
   *
   * `at_ms` is the time of the last record, and `rules_version` that of the rules that decided it.
   * `status` is "open" until every seat is ready. `server_link` is the server's link that was published last.
   * `seat_nonces[k - 1]` are the nonces of step k, none where no seat was asked for one.
   * `resumed_ms` is when the last pause ended, 0 if there was none.
   * `kicked` are the players whom the opener has removed. `position` is that of a branch, until it begins.
   */
  export interface Match {
    readonly match: string;
    readonly ruleset: string;
    readonly settings: pit.Settings;
    readonly seats: ReadonlyArray<pit.SeatState>;
    readonly server_link: string;
    readonly deal_commitment: string;
    readonly match_options: MatchOptions;
    /** Default: 0 */
    readonly at_ms?: number;
    /** Default: 0 */
    readonly rules_version?: number;
    /** Default: false */
    readonly repeatable?: boolean;
    /** Default: [] */
    readonly packs?: ReadonlyArray<Pack>;
    /** Default: "open" */
    readonly status?: "ended" | "open" | "running";
    /** Default: 0 */
    readonly step?: number;
    /** Default: 0 */
    readonly draw_index?: number;
    /** Default: [] */
    readonly seat_nonces?: ReadonlyArray<ReadonlyArray<string>>;
    /** Default: [] */
    readonly decisions?: ReadonlyArray<pit.Decision>;
    readonly result?: Result;
    readonly deal_secret?: string;
    readonly board?: pit.Board;
    readonly offer?: OpenOffer;
    /** Default: false */
    readonly paused?: boolean;
    /** Default: 0 */
    readonly resumed_ms?: number;
    /** Default: [] */
    readonly kicked?: ReadonlyArray<string>;
    readonly position?: pit.Position;
  }

  /**
   * One seat of a match.
   *
   * `seat_nonce` is the link opened for the step to come, sealed for others until the step begins.
   * `has_offered`: the seat has made an offer since it answered a decision last. `takebacks` are those that it has made
   * in this step of the dice. `missed` are the answers in a row that the house gave for it, counted where the match has
   * a limit of them. `substitute`: the house plays the seat, until its player takes it back. `clock` is there if the
   * match has a bank clock and has begun. `vacated_in` is the record in which the player before this one left the seat:
   * what that player saw is not for the next.
   */
  export interface SeatState {
    readonly player?: string;
    readonly loadout?: pit.Loadout;
    readonly chain?: SeatChainState;
    /** Default: false */
    readonly ready?: boolean;
    readonly seat_nonce?: string | Sealed;
    /** Default: false */
    readonly resigned?: boolean;
    /** Default: false */
    readonly has_offered?: boolean;
    /** Default: 0 */
    readonly takebacks?: number;
    /** Default: 0 */
    readonly missed?: number;
    readonly clock?: SeatClock;
    readonly vacated_in?: number;
    /** Default: false */
    readonly substitute?: boolean;
  }

  /**
   * Legal answers to one decision: complete ones, and parametric options for those with too many variants.
   *
   * `unavailable` says what keeps others out. Both are structs of the ruleset's own: subclasses of `ParametricOption`
   * and `Unavailable`. `to_complete` are the fields of these actions that only the client can fill in: a fresh salt, and
   * the next nonce of its chain.
   */
  export interface Options {
    /** Default: [] */
    readonly actions?: ReadonlyArray<pit.Action>;
    /** Default: [] */
    readonly parametric?: ReadonlyArray<pit.Limits>;
    /** Default: [] */
    readonly unavailable?: ReadonlyArray<pit.Unavailable>;
    /** Default: [] */
    readonly to_complete?: ReadonlyArray<string>;
  }

  /**
   * What one fighter may answer.
   *
   * To engage or move: one of `cells`. To declare: `attacks` attacks, each on one of `targets`, with `weapons` that are
   * all used at least once.
   */
  export interface Limits {
    readonly example: pit.Action;
    readonly fighter: number;
    /** Default: [] */
    readonly cells?: ReadonlyArray<pit.Cell>;
    readonly attacks?: number;
    /** Default: [] */
    readonly targets?: ReadonlyArray<number>;
    /** Default: [] */
    readonly weapons?: ReadonlyArray<string>;
  }

  /** A cell of the field. */
  export interface Cell {
    readonly x: number;
    readonly y: number;
  }

  /** Why this fighter cannot do it, or is no target. */
  export interface Unavailable {
    readonly code: pit.RefusalCode;
    readonly text: string;
    readonly rule: string;
    readonly fighter: number;
  }

  export type EndReason = "abandoned" | "absence" | "closed" | "draw_agreed" | "last_side" | "resignation" | "round_limit" | "stopped" | "task_done" | "task_failed";

  export type RefusalCode = "already_agreed" | "already_registered" | "already_seated" | "bad_action" | "bad_branch" | "bad_chain" | "bad_channel" | "bad_club" | "bad_import" | "bad_invitation" | "bad_invite" | "bad_match_options" | "bad_name" | "bad_page" | "bad_password" | "bad_report" | "bad_result" | "bad_resume" | "bad_salt" | "bad_search" | "bad_seat_nonce" | "bad_settings" | "bad_takeback" | "bad_text" | "bad_time_zone" | "bad_tournament" | "busy" | "challenge_over" | "challenged_already" | "channel_off" | "club_closed" | "club_full" | "consent_needed" | "dice_exhausted" | "duplicate_differs" | "empty_seat" | "fault" | "has_begun" | "has_rated_matches" | "import_changed" | "import_conflict" | "import_cut" | "import_failed" | "import_newer_format" | "import_off" | "import_other_rules" | "import_too_large" | "import_too_slow" | "import_unfinished" | "invitation_needed" | "kicked" | "locked" | "match_ended" | "match_full" | "missing_pack" | "name_taken" | "never_began" | "no_bot_seat" | "no_bots_here" | "no_check_in" | "no_offer" | "no_password" | "no_round_due" | "no_season" | "no_seat" | "nobody_found" | "not_ended" | "not_entered" | "not_in_control" | "not_leader" | "not_legal" | "not_member" | "not_officer" | "not_opener" | "not_organiser" | "not_paused" | "not_registered" | "not_running" | "not_taken_over" | "not_watchable" | "not_watching" | "not_your_channel" | "not_your_seat" | "not_your_turn" | "offer_waiting" | "offered_already" | "option_off" | "own_account" | "own_challenge" | "own_seat" | "paused" | "rematch_declined" | "renamed_lately" | "result_used" | "retry" | "review_failed" | "review_off" | "season_under_way" | "seat_taken" | "stale_decision" | "takes_no_challenges" | "too_few_entrants" | "too_late" | "too_many_accounts" | "too_many_attempts" | "too_many_bots" | "too_many_challengers" | "too_many_challenges" | "too_many_channels" | "too_many_clubs" | "too_many_followed" | "too_many_imports" | "too_many_invitations" | "too_many_invites" | "too_many_kicks" | "too_many_muted" | "too_many_officers" | "too_many_open" | "too_many_organisers" | "too_many_reports" | "too_many_reviews" | "too_many_searches" | "too_many_seasons" | "too_many_tournaments" | "too_many_watched" | "too_much_chat" | "too_much_history" | "too_much_written" | "tournament_begun" | "tournament_full" | "tournament_over" | "unavailable" | "unknown_board" | "unknown_bot" | "unknown_challenge" | "unknown_channel" | "unknown_club" | "unknown_device" | "unknown_entrant" | "unknown_invitation" | "unknown_invite" | "unknown_match" | "unknown_member" | "unknown_pack" | "unknown_player" | "unknown_ruleset" | "unknown_tournament" | "unknown_type" | "unknown_user_code" | "unreadable_cursor" | "unsafe_salt" | "wrong_action" | "wrong_match_password" | "wrong_password" | "wrong_recovery_code" | "wrong_shape";

  export type LoadoutFaultCode = "already_agreed" | "already_registered" | "already_seated" | "bad_action" | "bad_branch" | "bad_chain" | "bad_channel" | "bad_club" | "bad_import" | "bad_invitation" | "bad_invite" | "bad_match_options" | "bad_name" | "bad_page" | "bad_password" | "bad_report" | "bad_result" | "bad_resume" | "bad_salt" | "bad_search" | "bad_seat_nonce" | "bad_settings" | "bad_takeback" | "bad_text" | "bad_time_zone" | "bad_tournament" | "busy" | "challenge_over" | "challenged_already" | "channel_off" | "club_closed" | "club_full" | "consent_needed" | "dice_exhausted" | "duplicate_differs" | "empty_seat" | "fault" | "has_begun" | "has_rated_matches" | "import_changed" | "import_conflict" | "import_cut" | "import_failed" | "import_newer_format" | "import_off" | "import_other_rules" | "import_too_large" | "import_too_slow" | "import_unfinished" | "invitation_needed" | "kicked" | "locked" | "match_ended" | "match_full" | "missing_pack" | "name_taken" | "never_began" | "no_bot_seat" | "no_bots_here" | "no_check_in" | "no_offer" | "no_password" | "no_round_due" | "no_season" | "no_seat" | "nobody_found" | "not_ended" | "not_entered" | "not_in_control" | "not_leader" | "not_legal" | "not_member" | "not_officer" | "not_opener" | "not_organiser" | "not_paused" | "not_registered" | "not_running" | "not_taken_over" | "not_watchable" | "not_watching" | "not_your_channel" | "not_your_seat" | "not_your_turn" | "offer_waiting" | "offered_already" | "option_off" | "own_account" | "own_challenge" | "own_seat" | "paused" | "rematch_declined" | "renamed_lately" | "result_used" | "retry" | "review_failed" | "review_off" | "season_under_way" | "seat_taken" | "stale_decision" | "takes_no_challenges" | "too_few_entrants" | "too_late" | "too_many_accounts" | "too_many_attempts" | "too_many_bots" | "too_many_challengers" | "too_many_challenges" | "too_many_channels" | "too_many_clubs" | "too_many_followed" | "too_many_imports" | "too_many_invitations" | "too_many_invites" | "too_many_kicks" | "too_many_muted" | "too_many_officers" | "too_many_open" | "too_many_organisers" | "too_many_reports" | "too_many_reviews" | "too_many_searches" | "too_many_seasons" | "too_many_tournaments" | "too_many_watched" | "too_much_chat" | "too_much_history" | "too_much_written" | "tournament_begun" | "tournament_full" | "tournament_over" | "unavailable" | "unknown_board" | "unknown_bot" | "unknown_challenge" | "unknown_channel" | "unknown_club" | "unknown_device" | "unknown_entrant" | "unknown_invitation" | "unknown_invite" | "unknown_match" | "unknown_member" | "unknown_pack" | "unknown_player" | "unknown_ruleset" | "unknown_tournament" | "unknown_type" | "unknown_user_code" | "unreadable_cursor" | "unsafe_salt" | "wrong_action" | "wrong_match_password" | "wrong_password" | "wrong_recovery_code" | "wrong_shape";

  /** All fighters, weapons, cards and scenarios. */
  export interface Catalogue {
    readonly packs: ReadonlyArray<Pack>;
    readonly settings: ReadonlyArray<RulesetSetting>;
    readonly profiles: ReadonlyArray<pit.FighterProfile>;
    readonly weapons: ReadonlyArray<pit.Weapon>;
    readonly deck: ReadonlyArray<pit.ImprovementCard>;
    readonly scenarios: ReadonlyArray<pit.Scenario>;
  }

  /**
   * `bands` are the fighters of each seat, by profile id; the seats after the last take the first again.
   *
   * `places` are the cells of these fighters, for each seat; without them two bands face each other, and more stand
   * along the edges. With more seats than there are `places`, these, `walls` and `task` are left out (A-0).
   */
  export interface Scenario {
    readonly id: string;
    readonly name: string;
    readonly bands: ReadonlyArray<ReadonlyArray<string>>;
    /** Default: 12 */
    readonly width?: number;
    /** Default: 12 */
    readonly height?: number;
    /** Default: 12 */
    readonly rounds?: number;
    /** Default: [] */
    readonly places?: ReadonlyArray<ReadonlyArray<readonly [x: number, y: number]>>;
    /** Default: [] */
    readonly walls?: ReadonlyArray<ScenarioArea>;
    readonly task?: BattleTask;
  }

  export type OpenDecisions = ReadonlyArray<pit.Decision>;
}

export namespace close_quarters {
  /** Options of a match. A record holds all of them. */
  export interface Settings {
    /** Default: "boarding-action" */
    readonly scenario?: string;
    /** Default: false */
    readonly barricade?: boolean;
    /** Default: false */
    readonly high_ground?: boolean;
  }

  /** Nothing: the scenario gives each side its units. */
  export interface Loadout {
  }

  /**
   * Take a seat.
   *
   * `chain_head` is the head of the player's own hash chain, 32 hex digits, made after the server's anchor was seen.
   */
  export interface TakeSeat {
    readonly type: "take_seat";
    readonly chain_head: string;
    readonly loadout: close_quarters.Loadout;
  }

  /** The unit whose turn it is now. */
  export interface ChooseUnit {
    readonly type: "choose_unit";
    readonly unit: number;
  }

  /** The unit stays where it is. */
  export interface Hold {
    readonly type: "hold";
  }

  /** Models move up to their movement. A model that is not named stays. */
  export interface Advance {
    readonly type: "advance";
    readonly moves: ReadonlyArray<close_quarters.ModelMove>;
  }

  /** The point at which a model ends. */
  export interface ModelMove {
    readonly model: number;
    readonly x: number;
    readonly y: number;
  }

  /** Models move up to twice their movement; the unit gives no defensive fire until its next action. */
  export interface Double {
    readonly type: "double";
    readonly moves: ReadonlyArray<close_quarters.ModelMove>;
  }

  /** The unit that is fired at. */
  export interface FireAt {
    readonly type: "fire_at";
    readonly target: number;
  }

  /** No defensive fire. */
  export interface HoldFire {
    readonly type: "hold_fire";
  }

  /** Models move up to half their movement. A model that is not named stays. */
  export interface Consolidate {
    readonly type: "consolidate";
    readonly moves: ReadonlyArray<close_quarters.ModelMove>;
  }

  /** The server finds the points. */
  export interface ConsolidateBy {
    readonly type: "consolidate_by";
    readonly manoeuvre: "break_off" | "engage" | "hold";
  }

  /** Who fires at whom. A model that is not named holds its fire. */
  export interface Shoot {
    readonly type: "shoot";
    readonly shots: ReadonlyArray<close_quarters.ModelShot>;
  }

  /** A model that fires, and at which unit. */
  export interface ModelShot {
    readonly model: number;
    readonly target: number;
  }

  /** The melee weapon of this id. */
  export interface ChooseWeapon {
    readonly type: "choose_weapon";
    readonly weapon: string;
  }

  /** The models that take one hit more than the others. */
  export interface SplitHits {
    readonly type: "split_hits";
    readonly models: ReadonlyArray<number>;
  }

  /** The models that fall. */
  export interface PickCasualties {
    readonly type: "pick_casualties";
    readonly models: ReadonlyArray<number>;
  }

  export type Action =
    | close_quarters.TakeSeat
    | Ready
    | Resign
    | ReplaceChain
    | MakeOffer
    | AnswerOffer
    | TakeBack
    | ResumePlay
    | LeaveSeat
    | TakeSeatBack
    | close_quarters.ChooseUnit
    | close_quarters.Hold
    | close_quarters.Advance
    | close_quarters.Double
    | close_quarters.FireAt
    | close_quarters.HoldFire
    | close_quarters.Consolidate
    | close_quarters.ConsolidateBy
    | close_quarters.Shoot
    | close_quarters.ChooseWeapon
    | close_quarters.SplitHits
    | close_quarters.PickCasualties;

  /** Which unit acts next in the action phase? */
  export interface ActivateQuestion {
    readonly type: "activation";
  }

  /** What does this unit do? */
  export interface ActionQuestion {
    readonly type: "unit_action";
    readonly unit: number;
  }

  /** At which attacking unit does this unit fire, if at any? */
  export interface DefensiveFireQuestion {
    readonly type: "defensive_fire";
    readonly unit: number;
  }

  /** Where do the models of this unit go? */
  export interface ConsolidateQuestion {
    readonly type: "consolidation";
    readonly unit: number;
  }

  /** Which attacking unit shoots, fights and consolidates next? */
  export interface NextUnitQuestion {
    readonly type: "next_unit";
  }

  /** At which enemy unit does each model fire that touches no enemy? */
  export interface ShootQuestion {
    readonly type: "shooting";
    readonly unit: number;
  }

  /** Which melee weapon does this model use? */
  export interface WeaponQuestion {
    readonly type: "weapon";
    readonly model: number;
  }

  /** Which models take the hits that are left when hits on several units are spread evenly? */
  export interface SplitQuestion {
    readonly type: "hit_split";
  }

  /** Which models of this enemy unit fall first? */
  export interface AllocateQuestion {
    readonly type: "allocation";
    readonly unit: number;
  }

  /** Which models of your unit fall? */
  export interface CasualtiesQuestion {
    readonly type: "casualties";
    readonly unit: number;
  }

  export type Question =
    | SeatQuestion
    | ReadyQuestion
    | close_quarters.ActivateQuestion
    | close_quarters.ActionQuestion
    | close_quarters.DefensiveFireQuestion
    | close_quarters.ConsolidateQuestion
    | close_quarters.NextUnitQuestion
    | close_quarters.ShootQuestion
    | close_quarters.WeaponQuestion
    | close_quarters.SplitQuestion
    | close_quarters.AllocateQuestion
    | close_quarters.CasualtiesQuestion;

  /**
   * First event of the first record.
   *
   * `anchor` is link 0 of the server's chain, `deal_commitment` the SHA-256 of the deal secret.
   * `rules_version` is that of the ruleset's rules, which decided this record.
   * `repeatable` says that the secrets were made from a seed, so that the dice of this match prove nothing.
   * `packs` are those whose figures the match will use. `match_options` are those of every ruleset.
   */
  export interface MatchOpened {
    readonly type: "match_opened";
    readonly match: string;
    readonly ruleset: string;
    readonly rules_version: number;
    readonly settings: close_quarters.Settings;
    readonly seat_count: number;
    readonly anchor: string;
    readonly deal_commitment: string;
    readonly opener: string;
    readonly match_options: MatchOptions;
    /** Default: false */
    readonly repeatable?: boolean;
    /** Default: [] */
    readonly packs?: ReadonlyArray<Pack>;
  }

  /** A player takes a seat, with a loadout. */
  export interface SeatTaken {
    readonly type: "seat_taken";
    readonly seat: number;
    readonly player: string;
    readonly chain_head: string;
    readonly loadout: close_quarters.Loadout;
  }

  /** Second event of the first record of a branch. Its secrets are sealed for everybody until the match has ended. */
  export interface PositionSet {
    readonly type: "position_set";
    readonly position: close_quarters.Position;
  }

  /**
   * What a branch plays on from: the board of its parent, and the seats of it that had resigned.
   *
   * `resampled`: what its opener could not see of the parent was drawn at random from what it could be.
   */
  export interface Position {
    readonly board: close_quarters.Board;
    /** Default: false */
    readonly resampled?: boolean;
    /** Default: [] */
    readonly resigned?: ReadonlyArray<number>;
  }

  /**
   * Everything on the table.
   *
   * Lengths are hundredths of an inch. `turn` counts the turns of the match; `turns` are those of each side.
   * `active_unit` acts in the action phase. `sides` are the seats of each side; those in `withdrawn` have resigned, and
   * have passed their units to the other player of it.
   */
  export interface Board {
    readonly width: number;
    readonly height: number;
    readonly turns: number;
    readonly profiles: ReadonlyArray<close_quarters.UnitProfile>;
    readonly ranged_weapons: ReadonlyArray<close_quarters.RangedWeapon>;
    readonly melee_weapons: ReadonlyArray<close_quarters.MeleeWeapon>;
    readonly sides: ReadonlyArray<ReadonlyArray<number>>;
    readonly units: ReadonlyArray<close_quarters.Unit>;
    readonly models: ReadonlyArray<close_quarters.Model>;
    /** Default: [] */
    readonly order?: ReadonlyArray<number>;
    /** Default: 0 */
    readonly turn?: number;
    /** Default: "action" */
    readonly phase?: "action" | "cycle" | "defensive_fire" | "initial_consolidation" | "over" | "winner_consolidation";
    readonly active_unit?: number;
    readonly combat?: close_quarters.CombatState;
    /** Default: [] */
    readonly withdrawn?: ReadonlyArray<number>;
    readonly barricade?: close_quarters.Barricade;
    /** Default: [] */
    readonly high_ground?: ReadonlyArray<ScenarioArea>;
    readonly task?: BattleTask;
    /** Default: false */
    readonly slow_start?: boolean;
  }

  /**
   * The card of a unit.
   *
   * `evasion` opposes ballistic skill, `armour` armour piercing; armour 0 saves nothing. Without `toughness` every
   * failed save kills. `leadership` are the dice of a leadership test, `nerve` is the number to roll at or under.
   * `leader_weapons` are the melee weapons of the leader, `weapons` those of every other model. All models carry the
   * `ranged_weapon`.
   */
  export interface UnitProfile {
    readonly id: string;
    readonly name: string;
    readonly movement_inches: number;
    readonly awareness_inches: number;
    readonly evasion: number;
    readonly armour: number;
    readonly toughness: number;
    readonly leadership: number;
    readonly nerve: number;
    readonly ballistic_skill: number;
    readonly weapon_skill: number;
    readonly strength: number;
    readonly weapons: ReadonlyArray<string>;
    readonly leader_weapons: ReadonlyArray<string>;
    readonly ranged_weapon?: string;
  }

  /** A ranged weapon, with a strength of its own. `rate_of_fire` are its dice, halved here unless it is one-handed. */
  export interface RangedWeapon {
    readonly id: string;
    readonly name: string;
    readonly rate_of_fire: number;
    readonly strength: number;
    readonly armour_piercing: number;
    /** Default: false */
    readonly one_handed?: boolean;
  }

  /** A melee weapon. `weapon_skill` and `strength` are added to those of the model; `attacks` are its dice. */
  export interface MeleeWeapon {
    readonly id: string;
    readonly name: string;
    readonly attacks: number;
    readonly armour_piercing: number;
    /** Default: 0 */
    readonly weapon_skill?: number;
    /** Default: 0 */
    readonly strength?: number;
  }

  /**
   * A unit.
   *
   * `hit_counter` is 0 to 5. `is_doubled` says that it moved at the double in its last action, `has_fallen_back` that it
   * fell back in this turn, `has_acted` that it has acted in this action phase.
   */
  export interface Unit {
    readonly id: number;
    readonly side: number;
    readonly seat: number;
    readonly profile: number;
    /** Default: 0 */
    readonly markers?: number;
    /** Default: 0 */
    readonly hit_counter?: number;
    /** Default: false */
    readonly is_doubled?: boolean;
    /** Default: false */
    readonly has_fallen_back?: boolean;
    /** Default: false */
    readonly has_acted?: boolean;
  }

  /** A model; its centre is in hundredths of an inch. */
  export interface Model {
    readonly id: number;
    readonly unit: number;
    readonly x: number;
    readonly y: number;
    /** Default: false */
    readonly is_leader?: boolean;
    /** Default: "standing" */
    readonly status?: "caught" | "killed" | "routed" | "withdrawn" | "lost" | "standing";
  }

  /**
   * The close combat of this turn.
   *
   * `units` are in it. `attacker` is the side that attacks in this `cycle`, which is 0 before the first. `waiting` are
   * the units that have still to be asked in this phase; `unit` is the one that acts, with its next `step`.
   * `source` is the unit whose hits are being resolved, and `is_melee` how it made them: `pools` have to be spread,
   * `pending` to be saved, and of one unit a `loss` to be picked.
   */
  export interface CombatState {
    readonly attacker: number;
    readonly units: ReadonlyArray<number>;
    /** Default: 0 */
    readonly cycle?: number;
    /** Default: [] */
    readonly waiting?: ReadonlyArray<number>;
    readonly unit?: number;
    /** Default: "shoot" */
    readonly step?: "consolidate" | "melee" | "shoot";
    /** Default: [] */
    readonly weapons?: ReadonlyArray<close_quarters.WeaponChoice>;
    readonly source?: number;
    /** Default: false */
    readonly is_melee?: boolean;
    /** Default: [] */
    readonly pools?: ReadonlyArray<close_quarters.HitPool>;
    /** Default: [] */
    readonly pending?: ReadonlyArray<close_quarters.UnitHits>;
    readonly loss?: close_quarters.Loss;
  }

  /** The melee weapon that a model uses. */
  export interface WeaponChoice {
    readonly model: number;
    readonly weapon: string;
  }

  /** Hits by models that touch several units, and all models that they touch, over which the hits are spread. */
  export interface HitPool {
    readonly hits: ReadonlyArray<close_quarters.Hit>;
    readonly models: ReadonlyArray<number>;
  }

  /** A hit by a model, with the strength and armour piercing that it has. */
  export interface Hit {
    readonly model: number;
    readonly strength: number;
    readonly armour_piercing: number;
  }

  /** Hits on a unit, in the order in which they were rolled, and the models that can fall to them. */
  export interface UnitHits {
    readonly unit: number;
    readonly hits: ReadonlyArray<close_quarters.Hit>;
    readonly eligible: ReadonlyArray<number>;
  }

  /**
   * Casualties that are being picked: `casualties` of `eligible` fall, `picked` are named already.
   *
   * The attacker picks first after a six; `is_attacker_done` says that this is over.
   */
  export interface Loss {
    readonly unit: number;
    readonly casualties: number;
    readonly eligible: ReadonlyArray<number>;
    readonly sixes: number;
    /** Default: [] */
    readonly picked?: ReadonlyArray<number>;
    /** Default: false */
    readonly is_attacker_done?: boolean;
  }

  /** A straight barricade without width from one point to another, in hundredths of an inch. */
  export interface Barricade {
    readonly x0: number;
    readonly y0: number;
    readonly x1: number;
    readonly y1: number;
  }

  /**
   * All are ready, and the board is that of the position. The seats that had resigned in the parent have resigned.
   *
   * `board` is left out where nothing of it is secret; each seat sees its own secrets in it.
   */
  export interface BranchBegan {
    readonly type: "branch_began";
    readonly board?: close_quarters.Board;
  }

  /**
   * All figures that this match uses. Units and models are numbered by their places in `units` and `models`.
   *
   * `turns` are those of each side. `sides` are the seats of each side. Without `barricade` the table is open, without
   * `high_ground` flat. Without `task` only the fight decides. With `slow_start` nobody moves at the double in the
   * first turn.
   */
  export interface MatchStarted {
    readonly type: "match_started";
    readonly settings: close_quarters.Settings;
    readonly width: number;
    readonly height: number;
    readonly turns: number;
    readonly profiles: ReadonlyArray<close_quarters.UnitProfile>;
    readonly ranged_weapons: ReadonlyArray<close_quarters.RangedWeapon>;
    readonly melee_weapons: ReadonlyArray<close_quarters.MeleeWeapon>;
    readonly sides: ReadonlyArray<ReadonlyArray<number>>;
    readonly units: ReadonlyArray<close_quarters.StartingUnit>;
    readonly models: ReadonlyArray<close_quarters.StartingModel>;
    readonly barricade?: close_quarters.Barricade;
    /** Default: [] */
    readonly high_ground?: ReadonlyArray<ScenarioArea>;
    readonly task?: BattleTask;
    /** Default: false */
    readonly slow_start?: boolean;
  }

  /** A unit at the start: its side, the seat that commands it, and the number of its profile. */
  export interface StartingUnit {
    readonly side: number;
    readonly seat: number;
    readonly profile: number;
  }

  /** A model at the start. */
  export interface StartingModel {
    readonly unit: number;
    readonly x: number;
    readonly y: number;
    /** Default: false */
    readonly is_leader?: boolean;
  }

  /** One die for each of `sides`, in this order. Sides that tie roll again. */
  export interface TurnOrderRolled {
    readonly type: "turn_order_rolled";
    readonly sides: ReadonlyArray<number>;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The order in which the sides take their turns, for the whole match. */
  export interface TurnOrderSet {
    readonly type: "turn_order_set";
    readonly order: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A turn of a side begins, with its action phase; turns count on through the match. */
  export interface TurnBegan {
    readonly type: "turn_began";
    readonly side: number;
    readonly turn: number;
  }

  /** A phase begins. `units` have to be asked in it. */
  export interface PhaseBegan {
    readonly type: "phase_began";
    readonly phase: "action" | "cycle" | "defensive_fire" | "initial_consolidation" | "over" | "winner_consolidation";
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
    /** Default: [] */
    readonly units?: ReadonlyArray<number>;
  }

  /** A unit is the next to act in the action phase. */
  export interface UnitActivated {
    readonly type: "unit_activated";
    readonly unit: number;
  }

  /** A leadership test: it passes if one of the dice is at most `needed`. */
  export interface LeadershipTested {
    readonly type: "leadership_tested";
    readonly unit: number;
    readonly needed: number;
    readonly passed: boolean;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A unit has `markers` suppression markers now. */
  export interface MarkersChanged {
    readonly type: "markers_changed";
    readonly unit: number;
    readonly markers: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A unit stays where it is in the action phase. */
  export interface UnitHeld {
    readonly type: "unit_held";
    readonly unit: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A unit has advanced, or moved at the double. */
  export interface UnitMoved {
    readonly type: "unit_moved";
    readonly unit: number;
    readonly moves: ReadonlyArray<close_quarters.ModelMove>;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: false */
    readonly is_doubled?: boolean;
  }

  /** A unit has fallen back from an enemy model. `models_lost` have left the table. */
  export interface UnitFellBack {
    readonly type: "unit_fell_back";
    readonly unit: number;
    readonly enemy: number;
    readonly moves: ReadonlyArray<close_quarters.ModelMove>;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: [] */
    readonly models_lost?: ReadonlyArray<number>;
  }

  /** Close combat: `units` are in it, those of `attacker` attack. */
  export interface CombatBegan {
    readonly type: "combat_began";
    readonly attacker: number;
    readonly units: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** Units that were outside the combat are in it now. */
  export interface UnitsJoinedCombat {
    readonly type: "units_joined_combat";
    readonly units: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A unit fires at a target, or holds its fire. */
  export interface DefensiveFireDeclared {
    readonly type: "defensive_fire_declared";
    readonly unit: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly target?: number;
  }

  /** A unit that could have given defensive fire has no target any more. */
  export interface DefensiveFireLost {
    readonly type: "defensive_fire_lost";
    readonly unit: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The fire of a unit; without `dice`, it held its fire. `targets` are the units that were hit. */
  export interface ShotsFired {
    readonly type: "shots_fired";
    readonly unit: number;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: [] */
    readonly volleys?: ReadonlyArray<close_quarters.Volley>;
    readonly dice?: Draw;
    /** Default: [] */
    readonly targets?: ReadonlyArray<close_quarters.UnitHits>;
  }

  /** What a model rolls: `dice_count` dice at a unit, each a hit if it is at most `needed`. */
  export interface Volley {
    readonly model: number;
    readonly target: number;
    readonly weapon: string;
    readonly dice_count: number;
    readonly needed: number;
    readonly hits: number;
  }

  /** A model fights with this weapon. */
  export interface WeaponChosen {
    readonly type: "weapon_chosen";
    readonly model: number;
    readonly weapon: string;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The melee of a unit. `targets` are the units that were hit; hits in `pools` are still to be spread. */
  export interface MeleeRolled {
    readonly type: "melee_rolled";
    readonly unit: number;
    readonly assaults: ReadonlyArray<close_quarters.Assault>;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: [] */
    readonly targets?: ReadonlyArray<close_quarters.UnitHits>;
    /** Default: [] */
    readonly pools?: ReadonlyArray<close_quarters.HitPool>;
  }

  /** What a model rolls in melee: `dice_count` dice, each a hit if it is at most `needed`; it touches `touched`. */
  export interface Assault {
    readonly model: number;
    readonly weapon: string;
    readonly touched: ReadonlyArray<number>;
    readonly dice_count: number;
    readonly needed: number;
    readonly hits: number;
  }

  /** The first pool is spread; `models` take one hit more than the others. `targets` are all hits by unit now. */
  export interface HitsSplit {
    readonly type: "hits_split";
    readonly models: ReadonlyArray<number>;
    readonly targets: ReadonlyArray<close_quarters.UnitHits>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** Hits on a unit move its hit counter to `hit_counter`; every sixth is a marker. */
  export interface HitsCounted {
    readonly type: "hits_counted";
    readonly unit: number;
    readonly hits: number;
    readonly hit_counter: number;
    readonly markers: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /**
   * One save for each of `hits`, each needs the number in `needed`. A unit without armour rolls nothing.
   *
   * `failed` are the places of the hits that are not saved.
   */
  export interface SavesRolled {
    readonly type: "saves_rolled";
    readonly unit: number;
    readonly hits: ReadonlyArray<close_quarters.Hit>;
    readonly needed: ReadonlyArray<number>;
    readonly failed: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice?: Draw;
  }

  /**
   * Dice for each hit that was not saved, as many as the toughness of the unit; a hit kills if all are at most its
   * strength. Without toughness nothing is rolled. `killing` are the places of the hits that kill, among `hits`.
   */
  export interface KillsRolled {
    readonly type: "kills_rolled";
    readonly unit: number;
    readonly hits: ReadonlyArray<close_quarters.Hit>;
    readonly toughness: number;
    readonly killing: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice?: Draw;
  }

  /** Two dice decide who picks which of `eligible` fall: `casualties` of them. */
  export interface AllocationRolled {
    readonly type: "allocation_rolled";
    readonly unit: number;
    readonly casualties: number;
    readonly eligible: ReadonlyArray<number>;
    readonly sixes: number;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A player has picked models that fall. */
  export interface CasualtiesPicked {
    readonly type: "casualties_picked";
    readonly unit: number;
    readonly models: ReadonlyArray<number>;
    readonly picker: "attacker" | "defender";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** Models of a unit leave the table. */
  export interface ModelsRemoved {
    readonly type: "models_removed";
    readonly unit: number;
    readonly models: ReadonlyArray<number>;
    readonly reason_kind: "caught" | "killed" | "routed" | "withdrawn";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A unit has consolidated; `moves` are those of its models, none if nobody moved. */
  export interface UnitConsolidated {
    readonly type: "unit_consolidated";
    readonly unit: number;
    readonly moves: ReadonlyArray<close_quarters.ModelMove>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A cycle of the combat: `units` of `attacker` shoot, fight and consolidate, one after another. */
  export interface CycleBegan {
    readonly type: "cycle_began";
    readonly cycle: number;
    readonly attacker: number;
    readonly units: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** It is the turn of this attacking unit. */
  export interface UnitChosen {
    readonly type: "unit_chosen";
    readonly unit: number;
  }

  /** The combat is over. */
  export interface CombatEnded {
    readonly type: "combat_ended";
    readonly reason_kind: "apart" | "broken_off" | "won";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /**
   * A seat that resigned is out; `to_seat`, the other player of its side, commands its units.
   *
   * A seat without a partner takes its units off the table instead: `ModelsRemoved`.
   */
  export interface SeatWithdrew {
    readonly type: "seat_withdrew";
    readonly seat: number;
    readonly to_seat: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  export type Event =
    | close_quarters.MatchOpened
    | close_quarters.SeatTaken
    | SeatNonceOpened
    | SeatReady
    | StepBegan
    | ChainReplaced
    | SeatResigned
    | SeatVacated
    | OfferMade
    | OfferAnswered
    | TakebackMade
    | PlayPaused
    | PlayResumed
    | SeatTakenOver
    | SeatTakenBack
    | close_quarters.PositionSet
    | close_quarters.BranchBegan
    | MatchEnded
    | close_quarters.MatchStarted
    | close_quarters.TurnOrderRolled
    | close_quarters.TurnOrderSet
    | close_quarters.TurnBegan
    | close_quarters.PhaseBegan
    | close_quarters.UnitActivated
    | close_quarters.LeadershipTested
    | close_quarters.MarkersChanged
    | close_quarters.UnitHeld
    | close_quarters.UnitMoved
    | close_quarters.UnitFellBack
    | close_quarters.CombatBegan
    | close_quarters.UnitsJoinedCombat
    | close_quarters.DefensiveFireDeclared
    | close_quarters.DefensiveFireLost
    | close_quarters.ShotsFired
    | close_quarters.WeaponChosen
    | close_quarters.MeleeRolled
    | close_quarters.HitsSplit
    | close_quarters.HitsCounted
    | close_quarters.SavesRolled
    | close_quarters.KillsRolled
    | close_quarters.AllocationRolled
    | close_quarters.CasualtiesPicked
    | close_quarters.ModelsRemoved
    | close_quarters.UnitConsolidated
    | close_quarters.CycleBegan
    | close_quarters.UnitChosen
    | close_quarters.CombatEnded
    | close_quarters.SeatWithdrew;

  /**
   * What one record says: one action of one seat, and everything that followed up to the next decision.
   *
   * `at_ms` is the server's clock in milliseconds. `seat` acted, by answering `decision` (absent for what answers none)
   * with `action`; the first record of a match has neither. `actor` is "house" where the time of the seat was up and the
   * house answered for it; a match is closed by no seat, but by the "house" or its "opener", and the "opener" removes
   * players from seats. `digest` is the command's,
   * sealed when the action holds a secret.
   * `events` are in order. An event that a viewer may not see at all is a `Sealed` in its place.
   * `decisions` are open afterwards, `draw_index` is the index of the next draw in this step: absent where the record
   * leaves them as they were, and a step begins at index 0. `cursor` is what the engine has still to do, if that has
   * changed, opaque to everybody else. `result` ends the match, and with it every decision.
   * A takeback goes back to the state after record `taken_back_to`; what lies between stays in the log. Steps and draw
   * indices never rewind: the record carries the index reached so far. It opens every decision itself, under a new id.
   * `rules_version` is that of the rules that decided this record and those after it, where it is another than before.
   * `lag_ms` is how much of the time that the seat took is not charged to its bank: see `SeatClock`.
   */
  export interface RecordBody {
    readonly at_ms: number;
    readonly seat?: number;
    readonly actor?: string;
    readonly decision?: string;
    readonly action?: close_quarters.TakeSeat | Ready | Resign | ReplaceChain | MakeOffer | AnswerOffer | TakeBack | ResumePlay | LeaveSeat | TakeSeatBack | close_quarters.ChooseUnit | close_quarters.Hold | close_quarters.Advance | close_quarters.Double | close_quarters.FireAt | close_quarters.HoldFire | close_quarters.Consolidate | close_quarters.ConsolidateBy | close_quarters.Shoot | close_quarters.ChooseWeapon | close_quarters.SplitHits | close_quarters.PickCasualties | Close | Kick | Stop;
    readonly digest?: string | Sealed;
    /** Default: [] */
    readonly events?: ReadonlyArray<close_quarters.Event>;
    readonly decisions?: ReadonlyArray<close_quarters.Decision>;
    readonly draw_index?: number;
    readonly cursor?: string;
    readonly result?: Result;
    readonly taken_back_to?: number;
    readonly rules_version?: number;
    /** Default: 0 */
    readonly lag_ms?: number;
  }

  /**
   * An open question.
   *
   * `id` is the seq of the record that opened it, a dot and a slot; it stays the same while the decision is open.
   */
  export interface Decision {
    readonly id: string;
    readonly seat: number;
    readonly question: close_quarters.Question;
  }

  /**
   * A match as one viewer may know it; as `ALL`, the server's own state.
   *
   * `at_ms` is the time of the last record, and `rules_version` that of the rules that decided it.
   * `status` is "open" until every seat is ready. `server_link` is the server's link that was published last.
   * `seat_nonces[k - 1]` are the nonces of step k, none where no seat was asked for one.
   * `resumed_ms` is when the last pause ended, 0 if there was none.
   * `kicked` are the players whom the opener has removed. `position` is that of a branch, until it begins.
   */
  export interface Match {
    readonly match: string;
    readonly ruleset: string;
    readonly settings: close_quarters.Settings;
    readonly seats: ReadonlyArray<close_quarters.SeatState>;
    readonly server_link: string;
    readonly deal_commitment: string;
    readonly match_options: MatchOptions;
    /** Default: 0 */
    readonly at_ms?: number;
    /** Default: 0 */
    readonly rules_version?: number;
    /** Default: false */
    readonly repeatable?: boolean;
    /** Default: [] */
    readonly packs?: ReadonlyArray<Pack>;
    /** Default: "open" */
    readonly status?: "ended" | "open" | "running";
    /** Default: 0 */
    readonly step?: number;
    /** Default: 0 */
    readonly draw_index?: number;
    /** Default: [] */
    readonly seat_nonces?: ReadonlyArray<ReadonlyArray<string>>;
    /** Default: [] */
    readonly decisions?: ReadonlyArray<close_quarters.Decision>;
    readonly result?: Result;
    readonly deal_secret?: string;
    readonly board?: close_quarters.Board;
    readonly offer?: OpenOffer;
    /** Default: false */
    readonly paused?: boolean;
    /** Default: 0 */
    readonly resumed_ms?: number;
    /** Default: [] */
    readonly kicked?: ReadonlyArray<string>;
    readonly position?: close_quarters.Position;
  }

  /**
   * One seat of a match.
   *
   * `seat_nonce` is the link opened for the step to come, sealed for others until the step begins.
   * `has_offered`: the seat has made an offer since it answered a decision last. `takebacks` are those that it has made
   * in this step of the dice. `missed` are the answers in a row that the house gave for it, counted where the match has
   * a limit of them. `substitute`: the house plays the seat, until its player takes it back. `clock` is there if the
   * match has a bank clock and has begun. `vacated_in` is the record in which the player before this one left the seat:
   * what that player saw is not for the next.
   */
  export interface SeatState {
    readonly player?: string;
    readonly loadout?: close_quarters.Loadout;
    readonly chain?: SeatChainState;
    /** Default: false */
    readonly ready?: boolean;
    readonly seat_nonce?: string | Sealed;
    /** Default: false */
    readonly resigned?: boolean;
    /** Default: false */
    readonly has_offered?: boolean;
    /** Default: 0 */
    readonly takebacks?: number;
    /** Default: 0 */
    readonly missed?: number;
    readonly clock?: SeatClock;
    readonly vacated_in?: number;
    /** Default: false */
    readonly substitute?: boolean;
  }

  /**
   * Legal answers to one decision: complete ones, and parametric options for those with too many variants.
   *
   * `unavailable` says what keeps others out. Both are structs of the ruleset's own: subclasses of `ParametricOption`
   * and `Unavailable`. `to_complete` are the fields of these actions that only the client can fill in: a fresh salt, and
   * the next nonce of its chain.
   */
  export interface Options {
    /** Default: [] */
    readonly actions?: ReadonlyArray<close_quarters.Action>;
    /** Default: [] */
    readonly parametric?: ReadonlyArray<close_quarters.Limits>;
    /** Default: [] */
    readonly unavailable?: ReadonlyArray<close_quarters.Unavailable>;
    /** Default: [] */
    readonly to_complete?: ReadonlyArray<string>;
  }

  /**
   * What may be answered about a unit.
   *
   * To move: each model goes at most `distance`, and ends within `radius` of its leader, both between centres and in
   * hundredths of an inch. To shoot: some of `shooters`. To pick: `least` to `most` of `models`, or the `leader` alone.
   */
  export interface Limits {
    readonly example: close_quarters.Action;
    readonly unit: number;
    readonly distance?: number;
    readonly radius?: number;
    /** Default: [] */
    readonly shooters?: ReadonlyArray<close_quarters.Shooter>;
    /** Default: [] */
    readonly models?: ReadonlyArray<number>;
    readonly least?: number;
    readonly most?: number;
    readonly leader?: number;
  }

  /** A model that may fire at one of these units. */
  export interface Shooter {
    readonly model: number;
    readonly targets: ReadonlyArray<number>;
  }

  /** Why this unit, this model or this manoeuvre is not offered. */
  export interface Unavailable {
    readonly code: close_quarters.RefusalCode;
    readonly text: string;
    readonly rule: string;
    readonly unit?: number;
    readonly model?: number;
    readonly manoeuvre?: "break_off" | "engage" | "hold";
  }

  export type EndReason = "abandoned" | "absence" | "closed" | "draw_agreed" | "last_side" | "resignation" | "stopped" | "task_done" | "task_failed" | "turn_limit";

  export type RefusalCode = "already_agreed" | "already_registered" | "already_seated" | "bad_action" | "bad_branch" | "bad_chain" | "bad_channel" | "bad_club" | "bad_import" | "bad_invitation" | "bad_invite" | "bad_match_options" | "bad_name" | "bad_page" | "bad_password" | "bad_report" | "bad_result" | "bad_resume" | "bad_salt" | "bad_search" | "bad_seat_nonce" | "bad_settings" | "bad_takeback" | "bad_text" | "bad_time_zone" | "bad_tournament" | "busy" | "challenge_over" | "challenged_already" | "channel_off" | "club_closed" | "club_full" | "consent_needed" | "dice_exhausted" | "duplicate_differs" | "empty_seat" | "fault" | "has_begun" | "has_rated_matches" | "import_changed" | "import_conflict" | "import_cut" | "import_failed" | "import_newer_format" | "import_off" | "import_other_rules" | "import_too_large" | "import_too_slow" | "import_unfinished" | "invitation_needed" | "kicked" | "locked" | "match_ended" | "match_full" | "missing_pack" | "name_taken" | "never_began" | "no_bot_seat" | "no_bots_here" | "no_check_in" | "no_offer" | "no_password" | "no_round_due" | "no_season" | "no_seat" | "nobody_found" | "not_ended" | "not_entered" | "not_in_control" | "not_leader" | "not_legal" | "not_member" | "not_officer" | "not_opener" | "not_organiser" | "not_paused" | "not_registered" | "not_running" | "not_taken_over" | "not_watchable" | "not_watching" | "not_your_channel" | "not_your_seat" | "not_your_turn" | "offer_waiting" | "offered_already" | "option_off" | "own_account" | "own_challenge" | "own_seat" | "paused" | "rematch_declined" | "renamed_lately" | "result_used" | "retry" | "review_failed" | "review_off" | "season_under_way" | "seat_taken" | "stale_decision" | "takes_no_challenges" | "too_few_entrants" | "too_late" | "too_many_accounts" | "too_many_attempts" | "too_many_bots" | "too_many_challengers" | "too_many_challenges" | "too_many_channels" | "too_many_clubs" | "too_many_followed" | "too_many_imports" | "too_many_invitations" | "too_many_invites" | "too_many_kicks" | "too_many_muted" | "too_many_officers" | "too_many_open" | "too_many_organisers" | "too_many_reports" | "too_many_reviews" | "too_many_searches" | "too_many_seasons" | "too_many_tournaments" | "too_many_watched" | "too_much_chat" | "too_much_history" | "too_much_written" | "tournament_begun" | "tournament_full" | "tournament_over" | "unavailable" | "unknown_board" | "unknown_bot" | "unknown_challenge" | "unknown_channel" | "unknown_club" | "unknown_device" | "unknown_entrant" | "unknown_invitation" | "unknown_invite" | "unknown_match" | "unknown_member" | "unknown_pack" | "unknown_player" | "unknown_ruleset" | "unknown_tournament" | "unknown_type" | "unknown_user_code" | "unreadable_cursor" | "unsafe_salt" | "wrong_action" | "wrong_match_password" | "wrong_password" | "wrong_recovery_code" | "wrong_shape";

  export type LoadoutFaultCode = "already_agreed" | "already_registered" | "already_seated" | "bad_action" | "bad_branch" | "bad_chain" | "bad_channel" | "bad_club" | "bad_import" | "bad_invitation" | "bad_invite" | "bad_match_options" | "bad_name" | "bad_page" | "bad_password" | "bad_report" | "bad_result" | "bad_resume" | "bad_salt" | "bad_search" | "bad_seat_nonce" | "bad_settings" | "bad_takeback" | "bad_text" | "bad_time_zone" | "bad_tournament" | "busy" | "challenge_over" | "challenged_already" | "channel_off" | "club_closed" | "club_full" | "consent_needed" | "dice_exhausted" | "duplicate_differs" | "empty_seat" | "fault" | "has_begun" | "has_rated_matches" | "import_changed" | "import_conflict" | "import_cut" | "import_failed" | "import_newer_format" | "import_off" | "import_other_rules" | "import_too_large" | "import_too_slow" | "import_unfinished" | "invitation_needed" | "kicked" | "locked" | "match_ended" | "match_full" | "missing_pack" | "name_taken" | "never_began" | "no_bot_seat" | "no_bots_here" | "no_check_in" | "no_offer" | "no_password" | "no_round_due" | "no_season" | "no_seat" | "nobody_found" | "not_ended" | "not_entered" | "not_in_control" | "not_leader" | "not_legal" | "not_member" | "not_officer" | "not_opener" | "not_organiser" | "not_paused" | "not_registered" | "not_running" | "not_taken_over" | "not_watchable" | "not_watching" | "not_your_channel" | "not_your_seat" | "not_your_turn" | "offer_waiting" | "offered_already" | "option_off" | "own_account" | "own_challenge" | "own_seat" | "paused" | "rematch_declined" | "renamed_lately" | "result_used" | "retry" | "review_failed" | "review_off" | "season_under_way" | "seat_taken" | "stale_decision" | "takes_no_challenges" | "too_few_entrants" | "too_late" | "too_many_accounts" | "too_many_attempts" | "too_many_bots" | "too_many_challengers" | "too_many_challenges" | "too_many_channels" | "too_many_clubs" | "too_many_followed" | "too_many_imports" | "too_many_invitations" | "too_many_invites" | "too_many_kicks" | "too_many_muted" | "too_many_officers" | "too_many_open" | "too_many_organisers" | "too_many_reports" | "too_many_reviews" | "too_many_searches" | "too_many_seasons" | "too_many_tournaments" | "too_many_watched" | "too_much_chat" | "too_much_history" | "too_much_written" | "tournament_begun" | "tournament_full" | "tournament_over" | "unavailable" | "unknown_board" | "unknown_bot" | "unknown_challenge" | "unknown_channel" | "unknown_club" | "unknown_device" | "unknown_entrant" | "unknown_invitation" | "unknown_invite" | "unknown_match" | "unknown_member" | "unknown_pack" | "unknown_player" | "unknown_ruleset" | "unknown_tournament" | "unknown_type" | "unknown_user_code" | "unreadable_cursor" | "unsafe_salt" | "wrong_action" | "wrong_match_password" | "wrong_password" | "wrong_recovery_code" | "wrong_shape";

  /** All units, weapons and scenarios. */
  export interface Catalogue {
    readonly packs: ReadonlyArray<Pack>;
    readonly settings: ReadonlyArray<RulesetSetting>;
    readonly profiles: ReadonlyArray<close_quarters.UnitProfile>;
    readonly ranged_weapons: ReadonlyArray<close_quarters.RangedWeapon>;
    readonly melee_weapons: ReadonlyArray<close_quarters.MeleeWeapon>;
    readonly scenarios: ReadonlyArray<close_quarters.Scenario>;
  }

  /**
   * A table, the turns of each side, and the squads of the first side; those of the second are turned by 180°.
   *
   * With `opposing` the second side has these instead, at points of the whole table. Lengths are in hundredths of an
   * inch. Only matches with the options of these names have the `barricade` and the `high_ground`. With `slow_start`
   * nobody moves at the double in the first turn of the match (B-30).
   */
  export interface Scenario {
    readonly id: string;
    readonly name: string;
    readonly width: number;
    readonly height: number;
    readonly turns: number;
    readonly squads: ReadonlyArray<close_quarters.Squad>;
    readonly barricade?: close_quarters.Barricade;
    /** Default: [] */
    readonly high_ground?: ReadonlyArray<ScenarioArea>;
    /** Default: [] */
    readonly opposing?: ReadonlyArray<close_quarters.Squad>;
    readonly task?: BattleTask;
    /** Default: false */
    readonly slow_start?: boolean;
  }

  /** A unit of the first side: its profile by id, the point of its leader, and those of the others from there. */
  export interface Squad {
    readonly profile: string;
    readonly x: number;
    readonly y: number;
    /** Default: [] */
    readonly formation?: ReadonlyArray<readonly [dx: number, dy: number]>;
  }

  export type OpenDecisions = ReadonlyArray<close_quarters.Decision>;
}

export namespace regiments {
  /** Options of a match. A record holds all of them. */
  export interface Settings {
    /** Default: "field-trial" */
    readonly scenario?: string;
    /** Default: true */
    readonly flank_test?: boolean;
    /** Default: "d12" */
    readonly break_die?: "2d6" | "d12";
    /** Default: false */
    readonly secret_orders?: boolean;
  }

  /** Nothing: the scenario gives each side its units. */
  export interface Loadout {
  }

  /**
   * Take a seat.
   *
   * `chain_head` is the head of the player's own hash chain, 32 hex digits, made after the server's anchor was seen.
   */
  export interface TakeSeat {
    readonly type: "take_seat";
    readonly chain_head: string;
    readonly loadout: regiments.Loadout;
  }

  /** The unit stays where it is. */
  export interface Hold {
    readonly type: "hold";
  }

  /** The unit moves by cells ahead and quarter wheels, one point each. */
  export interface March {
    readonly type: "march";
    readonly path: ReadonlyArray<"forward" | "left" | "right">;
  }

  /** The unit takes another number of files, in its place. */
  export interface Reform {
    readonly type: "reform";
    readonly files: number;
  }

  /** The unit runs into an enemy. */
  export interface Charge {
    readonly type: "charge";
    readonly target: number;
  }

  /** The unit, in melee, stays in it. */
  export interface Fight {
    readonly type: "fight";
  }

  /** The unit, in melee, flees from it. */
  export interface Retreat {
    readonly type: "retreat";
  }

  /**
   * An order for each unit, the salt of their commitment (32 hex digits), and the seat's next nonce or nothing.
   *
   * Each lock needs 16 fresh random bytes as its salt: a client that knows the salt finds the orders by trying all
   * possible ones. Options name the orders only.
   */
  export interface LockOrders {
    readonly type: "lock_orders";
    readonly orders: ReadonlyArray<regiments.UnitOrder> | Sealed;
    /** Default: "" */
    readonly salt?: string | Sealed;
    /** Default: "" */
    readonly seat_nonce?: string | Sealed;
  }

  /** The order of one unit. */
  export interface UnitOrder {
    readonly unit: number;
    readonly order: regiments.Hold | regiments.March | regiments.Reform | regiments.Charge | regiments.Fight | regiments.Retreat;
  }

  export type Action =
    | regiments.TakeSeat
    | Ready
    | Resign
    | ReplaceChain
    | MakeOffer
    | AnswerOffer
    | TakeBack
    | ResumePlay
    | LeaveSeat
    | TakeSeatBack
    | regiments.Hold
    | regiments.March
    | regiments.Reform
    | regiments.Charge
    | regiments.Fight
    | regiments.Retreat
    | regiments.LockOrders;

  /** What does this unit do now? */
  export interface OrderQuestion {
    readonly type: "order";
    readonly unit: number;
  }

  /** C-29: lock an order for each of these units in secret. The lock is made for the step after the match's own. */
  export interface SecretOrdersQuestion {
    readonly type: "secret_orders";
    readonly units: ReadonlyArray<number>;
  }

  export type Question =
    | SeatQuestion
    | ReadyQuestion
    | regiments.OrderQuestion
    | regiments.SecretOrdersQuestion;

  /**
   * First event of the first record.
   *
   * `anchor` is link 0 of the server's chain, `deal_commitment` the SHA-256 of the deal secret.
   * `rules_version` is that of the ruleset's rules, which decided this record.
   * `repeatable` says that the secrets were made from a seed, so that the dice of this match prove nothing.
   * `packs` are those whose figures the match will use. `match_options` are those of every ruleset.
   */
  export interface MatchOpened {
    readonly type: "match_opened";
    readonly match: string;
    readonly ruleset: string;
    readonly rules_version: number;
    readonly settings: regiments.Settings;
    readonly seat_count: number;
    readonly anchor: string;
    readonly deal_commitment: string;
    readonly opener: string;
    readonly match_options: MatchOptions;
    /** Default: false */
    readonly repeatable?: boolean;
    /** Default: [] */
    readonly packs?: ReadonlyArray<Pack>;
  }

  /** A player takes a seat, with a loadout. */
  export interface SeatTaken {
    readonly type: "seat_taken";
    readonly seat: number;
    readonly player: string;
    readonly chain_head: string;
    readonly loadout: regiments.Loadout;
  }

  /** Second event of the first record of a branch. Its secrets are sealed for everybody until the match has ended. */
  export interface PositionSet {
    readonly type: "position_set";
    readonly position: regiments.Position;
  }

  /**
   * What a branch plays on from: the board of its parent, and the seats of it that had resigned.
   *
   * `resampled`: what its opener could not see of the parent was drawn at random from what it could be.
   */
  export interface Position {
    readonly board: regiments.Board;
    /** Default: false */
    readonly resampled?: boolean;
    /** Default: [] */
    readonly resigned?: ReadonlyArray<number>;
  }

  /**
   * Everything on the table.
   *
   * `sides` are the seats of each side. `contacts` are the pairs of units that fight each other. `waiting` are the units
   * that have not yet acted in this round, the next one first. `withdrawn` are the seats that have resigned.
   * `locks` are the orders locked and not yet revealed, in the order of locking; `revealed_salts` are those of all
   * orders revealed so far. `obstacles` and `task` are those of the scenario.
   */
  export interface Board {
    readonly settings: regiments.Settings;
    readonly width: number;
    readonly height: number;
    readonly rounds: number;
    readonly profiles: ReadonlyArray<regiments.UnitProfile>;
    readonly weapons: ReadonlyArray<regiments.Weapon>;
    readonly units: ReadonlyArray<regiments.Unit>;
    readonly sides: ReadonlyArray<ReadonlyArray<number>>;
    /** Default: [] */
    readonly contacts?: ReadonlyArray<regiments.Contact>;
    /** Default: [] */
    readonly waiting?: ReadonlyArray<number>;
    /** Default: 0 */
    readonly round?: number;
    /** Default: "orders" */
    readonly phase?: "break" | "melee" | "morale" | "orders" | "over" | "redress" | "score";
    /** Default: [] */
    readonly withdrawn?: ReadonlyArray<number>;
    /** Default: [] */
    readonly locks?: ReadonlyArray<regiments.OrdersLock>;
    /** Default: [] */
    readonly revealed_salts?: ReadonlyArray<string>;
    /** Default: [] */
    readonly obstacles?: ReadonlyArray<ScenarioArea>;
    readonly task?: BattleTask;
  }

  /**
   * Printed figures of a unit, the same for all its models. The weapon is an id.
   *
   * `movement` is in cells, `wounds` are those of one model. A unit of `initiative` 0 strikes on the charge only.
   */
  export interface UnitProfile {
    readonly id: string;
    readonly name: string;
    readonly movement: number;
    readonly weapon_skill: number;
    readonly strength: number;
    readonly toughness: number;
    readonly wounds: number;
    readonly initiative: number;
    readonly attacks: number;
    readonly leadership: number;
    readonly armour: number;
    /** Default: "hand" */
    readonly weapon?: string;
    /** Default: "regular" */
    readonly size?: "large" | "regular";
  }

  /** What a unit fights with; `strength` is added to that of its models. */
  export interface Weapon {
    readonly id: string;
    readonly name: string;
    /** Default: 0 */
    readonly strength?: number;
  }

  /**
   * A unit. `models` are the wounds that each has left, rank by rank; 0 is a gap.
   *
   * `started` is how many models it began with. `has_charged` and `hit` say what has happened in this round.
   */
  export interface Unit {
    readonly id: number;
    readonly seat: number;
    readonly profile: number;
    readonly x: number;
    readonly y: number;
    readonly facing: "east" | "north" | "south" | "west";
    readonly files: number;
    readonly models: ReadonlyArray<number>;
    readonly started: number;
    /** Default: "steady" */
    readonly status?: "destroyed" | "fleeing" | "routed" | "steady" | "withdrawn";
    /** Default: false */
    readonly has_charged?: boolean;
    /** Default: false */
    readonly hit?: boolean;
  }

  /** Two enemy units that fight: the one that charged, and its target. */
  export interface Contact {
    readonly charger: number;
    readonly target: number;
  }

  /** The orders that a seat has locked for this round, and the salt of their commitment; hidden from others. */
  export interface OrdersLock {
    readonly seat: number;
    readonly orders: ReadonlyArray<regiments.UnitOrder> | Sealed;
    readonly salt: string | Sealed;
  }

  /**
   * All are ready, and the board is that of the position. The seats that had resigned in the parent have resigned.
   *
   * `board` is left out where nothing of it is secret; each seat sees its own secrets in it.
   */
  export interface BranchBegan {
    readonly type: "branch_began";
    readonly board?: regiments.Board;
  }

  /**
   * All figures that this match uses. Units are numbered by their place in `units`.
   *
   * `sides` are the seats of each side. No unit can be on a cell of `obstacles`. Without `task` only the fight
   * decides.
   */
  export interface MatchStarted {
    readonly type: "match_started";
    readonly settings: regiments.Settings;
    readonly width: number;
    readonly height: number;
    readonly rounds: number;
    readonly profiles: ReadonlyArray<regiments.UnitProfile>;
    readonly weapons: ReadonlyArray<regiments.Weapon>;
    readonly units: ReadonlyArray<regiments.StartingUnit>;
    readonly sides: ReadonlyArray<ReadonlyArray<number>>;
    /** Default: [] */
    readonly obstacles?: ReadonlyArray<ScenarioArea>;
    readonly task?: BattleTask;
  }

  /** A unit at the start: its seat, the number of its profile, its cell, and how its models stand. */
  export interface StartingUnit {
    readonly seat: number;
    readonly profile: number;
    readonly x: number;
    readonly y: number;
    readonly facing: "east" | "north" | "south" | "west";
    readonly files: number;
    readonly models: number;
  }

  /** Every unit gets one order in a round. */
  export interface RoundBegan {
    readonly type: "round_began";
    readonly round: number;
  }

  /** A phase of the round begins. */
  export interface PhaseBegan {
    readonly type: "phase_began";
    readonly phase: "break" | "melee" | "morale" | "orders" | "over" | "redress" | "score";
    /** Default: [] */
    readonly reasons?: ReadonlyArray<Reason>;
  }

  /** One d6 for each of these units of equal speed; those that tie roll again. */
  export interface SpeedRolled {
    readonly type: "speed_rolled";
    readonly units: ReadonlyArray<number>;
    readonly dice: Draw;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The order in which the units act in this round. */
  export interface TurnOrderSet {
    readonly type: "turn_order_set";
    readonly order: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A seat has given all its units their orders; the commitment binds it. Only the seat sees `orders` and `salt`. */
  export interface OrdersLocked {
    readonly type: "orders_locked";
    readonly seat: number;
    readonly step: number;
    readonly commitment: string;
    readonly orders: ReadonlyArray<regiments.UnitOrder> | Sealed;
    readonly salt: string | Sealed;
  }

  /** All locked orders, revealed at once, by seat. The units carry them out in the order of their speed. */
  export interface OrdersRevealed {
    readonly type: "orders_revealed";
    readonly step: number;
    readonly locks: ReadonlyArray<regiments.RevealedOrders>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** What a seat had locked, and the salt of its commitment. */
  export interface RevealedOrders {
    readonly seat: number;
    readonly orders: ReadonlyArray<regiments.UnitOrder>;
    readonly salt: string;
  }

  /** A locked order of a unit is no longer possible when its turn comes, and becomes another. */
  export interface OrderReplaced {
    readonly type: "order_replaced";
    readonly unit: number;
    readonly locked: regiments.Hold | regiments.March | regiments.Reform | regiments.Charge | regiments.Fight | regiments.Retreat;
    readonly order: regiments.Hold | regiments.March | regiments.Reform | regiments.Charge | regiments.Fight | regiments.Retreat;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** It is no longer the turn of this unit in this round; the events before say what it did, if it did anything. */
  export interface UnitActed {
    readonly type: "unit_acted";
    readonly unit: number;
  }

  /** A unit has marched to a cell, and faces this way. */
  export interface UnitMarched {
    readonly type: "unit_marched";
    readonly unit: number;
    readonly path: ReadonlyArray<"forward" | "left" | "right">;
    readonly x: number;
    readonly y: number;
    readonly facing: "east" | "north" | "south" | "west";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A unit has this many files now. */
  export interface UnitReformed {
    readonly type: "unit_reformed";
    readonly unit: number;
    readonly files: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A unit has run into `target` along `cells`, and is in contact with it on its side `arc`. */
  export interface UnitCharged {
    readonly type: "unit_charged";
    readonly unit: number;
    readonly target: number;
    readonly arc: "front" | "left" | "rear" | "right";
    readonly cells: ReadonlyArray<regiments.Cell>;
    readonly x: number;
    readonly y: number;
    readonly facing: "east" | "north" | "south" | "west";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A cell of the field. */
  export interface Cell {
    readonly x: number;
    readonly y: number;
  }

  /** A unit charged in the flank or rear tests its leadership: a d12 of at most `needed` passes. */
  export interface FlankTested {
    readonly type: "flank_tested";
    readonly unit: number;
    readonly needed: number;
    readonly passed: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice: Draw;
  }

  /** The combats of this round, each with its units, and the models that touch until the phase is over. */
  export interface CombatsFixed {
    readonly type: "combats_fixed";
    readonly combats: ReadonlyArray<ReadonlyArray<number>>;
    readonly touches: ReadonlyArray<regiments.Touch>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A model of one unit touches a model of an enemy; `unit` has the lower number. */
  export interface Touch {
    readonly unit: number;
    readonly model: number;
    readonly enemy: number;
    readonly enemy_model: number;
  }

  /**
   * All attacks of a unit, which strikes in the step `priority`. Wounds follow when the whole step is rolled.
   *
   * `strength` is that of each attack. `units_hit` were hit at least once. `attacks_lost` is how many had no living
   * target. `dice` are in the order in which they were rolled.
   */
  export interface AttacksRolled {
    readonly type: "attacks_rolled";
    readonly combat: number;
    readonly priority: number;
    readonly unit: number;
    readonly strength: number;
    readonly needs: ReadonlyArray<regiments.Needs>;
    readonly attacks: ReadonlyArray<regiments.AttackRoll>;
    readonly units_hit: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: 0 */
    readonly attacks_lost?: number;
    /** Default: [] */
    readonly dice?: ReadonlyArray<Draw>;
  }

  /**
   * What attacks on one unit need on a d6.
   *
   * At least `hit`, left out where hits are automatic; at least `wound`, left out where no die can wound; a save is made
   * with at most `save`, left out where none is rolled.
   */
  export interface Needs {
    readonly target: number;
    readonly hit?: number;
    readonly wound?: number;
    /** Default: 0 */
    readonly save?: number;
  }

  /** One attack of a model on a model of an enemy, with the dice that were rolled, and whether it `wounded`. */
  export interface AttackRoll {
    readonly model: number;
    readonly target: number;
    readonly target_model: number;
    readonly hit?: number;
    readonly wound?: number;
    readonly save?: number;
    /** Default: false */
    readonly wounded?: boolean;
  }

  /**
   * All attacks of a unit on `target`, which flees from it, past it, or is caught by it. They hit by themselves.
   *
   * `units_hit` is the target, unless every attack was lost.
   */
  export interface HacksRolled {
    readonly type: "hacks_rolled";
    readonly unit: number;
    readonly target: number;
    readonly moment: "contact" | "passing" | "pursuit";
    readonly strength: number;
    readonly needs: ReadonlyArray<regiments.Needs>;
    readonly attacks: ReadonlyArray<regiments.AttackRoll>;
    readonly units_hit: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
    /** Default: 0 */
    readonly attacks_lost?: number;
    /** Default: [] */
    readonly dice?: ReadonlyArray<Draw>;
  }

  /** Models of a unit have taken wounds; the dead leave gaps. `taken` counts wounds up to death only. */
  export interface ModelsWounded {
    readonly type: "models_wounded";
    readonly unit: number;
    readonly models: ReadonlyArray<regiments.ModelWounds>;
    readonly taken: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The wounds that a model has left; 0 if it is dead. */
  export interface ModelWounds {
    readonly model: number;
    readonly wounds: number;
  }

  /** The last model of a unit is dead. */
  export interface UnitDestroyed {
    readonly type: "unit_destroyed";
    readonly unit: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** These units do not fight each other any more. */
  export interface ContactsEnded {
    readonly type: "contacts_ended";
    readonly contacts: ReadonlyArray<regiments.Contact>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The score of a combat, `side_scores` by side. Without `loser` it is drawn. */
  export interface CombatScored {
    readonly type: "combat_scored";
    readonly combat: number;
    readonly side_scores: readonly [side_0: regiments.SideScore, side_1: regiments.SideScore];
    readonly difference: number;
    readonly reasons: ReadonlyArray<Reason>;
    readonly loser?: number;
  }

  /** The score of one side in a combat, item by item. */
  export interface SideScore {
    readonly wounds: number;
    readonly ranks: number;
    readonly flanks: number;
    readonly rears: number;
    readonly total: number;
  }

  /** A unit of the losing side tests its leadership less the difference: a roll of at most `needed` passes. */
  export interface BreakTested {
    readonly type: "break_tested";
    readonly unit: number;
    readonly needed: number;
    readonly passed: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice: Draw;
  }

  /** A unit flees straight away from `enemy`, and faces that way. */
  export interface FlightBegan {
    readonly type: "flight_began";
    readonly unit: number;
    readonly reason_kind: "broken" | "flanked" | "retreated" | "still_fleeing";
    readonly enemy: number;
    readonly facing: "east" | "north" | "south" | "west";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A fleeing unit has come to a cell. */
  export interface UnitFled {
    readonly type: "unit_fled";
    readonly unit: number;
    readonly x: number;
    readonly y: number;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A fleeing unit has left the field, or disbands after a rout test. */
  export interface UnitRouted {
    readonly type: "unit_routed";
    readonly unit: number;
    readonly reason_kind: "left_the_field" | "rout_test";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A d6 for the pursuer and one for the unit that flees, each with its movement. As much is enough to catch it. */
  export interface PursuitRolled {
    readonly type: "pursuit_rolled";
    readonly unit: number;
    readonly target: number;
    readonly pursuit: number;
    readonly flight: number;
    readonly caught: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice: Draw;
  }

  /** A pursuer has advanced to a cell along the line of the flight, and faces that way. */
  export interface UnitPursued {
    readonly type: "unit_pursued";
    readonly unit: number;
    readonly x: number;
    readonly y: number;
    readonly facing: "east" | "north" | "south" | "west";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** A fleeing unit that was hit, or is small, tests its leadership: a d12 of at most `needed` passes. */
  export interface RoutTested {
    readonly type: "rout_tested";
    readonly unit: number;
    readonly needed: number;
    readonly passed: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice: Draw;
  }

  /** A fleeing unit that nobody harries tests its leadership: a d12 of at most `needed` passes. */
  export interface RallyTested {
    readonly type: "rally_tested";
    readonly unit: number;
    readonly needed: number;
    readonly passed: boolean;
    readonly reasons: ReadonlyArray<Reason>;
    readonly dice: Draw;
  }

  /** A unit is steady again, and faces the nearest enemy. */
  export interface UnitRallied {
    readonly type: "unit_rallied";
    readonly unit: number;
    readonly facing: "east" | "north" | "south" | "west";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** The gaps of a unit are filled. `models` are the wounds that each model has left, in its new place. */
  export interface UnitRedressed {
    readonly type: "unit_redressed";
    readonly unit: number;
    readonly models: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** What lasted for the round is over: no unit has just charged, or has just been hit. */
  export interface RoundEnded {
    readonly type: "round_ended";
    readonly reasons: ReadonlyArray<Reason>;
  }

  /** All units of a seat that resigned leave the field. */
  export interface SeatWithdrew {
    readonly type: "seat_withdrew";
    readonly seat: number;
    readonly units: ReadonlyArray<number>;
    readonly reasons: ReadonlyArray<Reason>;
  }

  export type Event =
    | regiments.MatchOpened
    | regiments.SeatTaken
    | SeatNonceOpened
    | SeatReady
    | StepBegan
    | ChainReplaced
    | SeatResigned
    | SeatVacated
    | OfferMade
    | OfferAnswered
    | TakebackMade
    | PlayPaused
    | PlayResumed
    | SeatTakenOver
    | SeatTakenBack
    | regiments.PositionSet
    | regiments.BranchBegan
    | MatchEnded
    | regiments.MatchStarted
    | regiments.RoundBegan
    | regiments.PhaseBegan
    | regiments.SpeedRolled
    | regiments.TurnOrderSet
    | regiments.OrdersLocked
    | regiments.OrdersRevealed
    | regiments.OrderReplaced
    | regiments.UnitActed
    | regiments.UnitMarched
    | regiments.UnitReformed
    | regiments.UnitCharged
    | regiments.FlankTested
    | regiments.CombatsFixed
    | regiments.AttacksRolled
    | regiments.HacksRolled
    | regiments.ModelsWounded
    | regiments.UnitDestroyed
    | regiments.ContactsEnded
    | regiments.CombatScored
    | regiments.BreakTested
    | regiments.FlightBegan
    | regiments.UnitFled
    | regiments.UnitRouted
    | regiments.PursuitRolled
    | regiments.UnitPursued
    | regiments.RoutTested
    | regiments.RallyTested
    | regiments.UnitRallied
    | regiments.UnitRedressed
    | regiments.RoundEnded
    | regiments.SeatWithdrew;

  /**
   * What one record says: one action of one seat, and everything that followed up to the next decision.
   *
   * `at_ms` is the server's clock in milliseconds. `seat` acted, by answering `decision` (absent for what answers none)
   * with `action`; the first record of a match has neither. `actor` is "house" where the time of the seat was up and the
   * house answered for it; a match is closed by no seat, but by the "house" or its "opener", and the "opener" removes
   * players from seats. `digest` is the command's,
   * sealed when the action holds a secret.
   * `events` are in order. An event that a viewer may not see at all is a `Sealed` in its place.
   * `decisions` are open afterwards, `draw_index` is the index of the next draw in this step: absent where the record
   * leaves them as they were, and a step begins at index 0. `cursor` is what the engine has still to do, if that has
   * changed, opaque to everybody else. `result` ends the match, and with it every decision.
   * A takeback goes back to the state after record `taken_back_to`; what lies between stays in the log. Steps and draw
   * indices never rewind: the record carries the index reached so far. It opens every decision itself, under a new id.
   * `rules_version` is that of the rules that decided this record and those after it, where it is another than before.
   * `lag_ms` is how much of the time that the seat took is not charged to its bank: see `SeatClock`.
   */
  export interface RecordBody {
    readonly at_ms: number;
    readonly seat?: number;
    readonly actor?: string;
    readonly decision?: string;
    readonly action?: regiments.TakeSeat | Ready | Resign | ReplaceChain | MakeOffer | AnswerOffer | TakeBack | ResumePlay | LeaveSeat | TakeSeatBack | regiments.Hold | regiments.March | regiments.Reform | regiments.Charge | regiments.Fight | regiments.Retreat | regiments.LockOrders | Close | Kick | Stop;
    readonly digest?: string | Sealed;
    /** Default: [] */
    readonly events?: ReadonlyArray<regiments.Event>;
    readonly decisions?: ReadonlyArray<regiments.Decision>;
    readonly draw_index?: number;
    readonly cursor?: string;
    readonly result?: Result;
    readonly taken_back_to?: number;
    readonly rules_version?: number;
    /** Default: 0 */
    readonly lag_ms?: number;
  }

  /**
   * An open question.
   *
   * `id` is the seq of the record that opened it, a dot and a slot; it stays the same while the decision is open.
   */
  export interface Decision {
    readonly id: string;
    readonly seat: number;
    readonly question: regiments.Question;
  }

  /**
   * A match as one viewer may know it; as `ALL`, the server's own state.
   *
   * `at_ms` is the time of the last record, and `rules_version` that of the rules that decided it.
   * `status` is "open" until every seat is ready. `server_link` is the server's link that was published last.
   * `seat_nonces[k - 1]` are the nonces of step k, none where no seat was asked for one.
   * `resumed_ms` is when the last pause ended, 0 if there was none.
   * `kicked` are the players whom the opener has removed. `position` is that of a branch, until it begins.
   */
  export interface Match {
    readonly match: string;
    readonly ruleset: string;
    readonly settings: regiments.Settings;
    readonly seats: ReadonlyArray<regiments.SeatState>;
    readonly server_link: string;
    readonly deal_commitment: string;
    readonly match_options: MatchOptions;
    /** Default: 0 */
    readonly at_ms?: number;
    /** Default: 0 */
    readonly rules_version?: number;
    /** Default: false */
    readonly repeatable?: boolean;
    /** Default: [] */
    readonly packs?: ReadonlyArray<Pack>;
    /** Default: "open" */
    readonly status?: "ended" | "open" | "running";
    /** Default: 0 */
    readonly step?: number;
    /** Default: 0 */
    readonly draw_index?: number;
    /** Default: [] */
    readonly seat_nonces?: ReadonlyArray<ReadonlyArray<string>>;
    /** Default: [] */
    readonly decisions?: ReadonlyArray<regiments.Decision>;
    readonly result?: Result;
    readonly deal_secret?: string;
    readonly board?: regiments.Board;
    readonly offer?: OpenOffer;
    /** Default: false */
    readonly paused?: boolean;
    /** Default: 0 */
    readonly resumed_ms?: number;
    /** Default: [] */
    readonly kicked?: ReadonlyArray<string>;
    readonly position?: regiments.Position;
  }

  /**
   * One seat of a match.
   *
   * `seat_nonce` is the link opened for the step to come, sealed for others until the step begins.
   * `has_offered`: the seat has made an offer since it answered a decision last. `takebacks` are those that it has made
   * in this step of the dice. `missed` are the answers in a row that the house gave for it, counted where the match has
   * a limit of them. `substitute`: the house plays the seat, until its player takes it back. `clock` is there if the
   * match has a bank clock and has begun. `vacated_in` is the record in which the player before this one left the seat:
   * what that player saw is not for the next.
   */
  export interface SeatState {
    readonly player?: string;
    readonly loadout?: regiments.Loadout;
    readonly chain?: SeatChainState;
    /** Default: false */
    readonly ready?: boolean;
    readonly seat_nonce?: string | Sealed;
    /** Default: false */
    readonly resigned?: boolean;
    /** Default: false */
    readonly has_offered?: boolean;
    /** Default: 0 */
    readonly takebacks?: number;
    /** Default: 0 */
    readonly missed?: number;
    readonly clock?: SeatClock;
    readonly vacated_in?: number;
    /** Default: false */
    readonly substitute?: boolean;
  }

  /**
   * Legal answers to one decision: complete ones, and parametric options for those with too many variants.
   *
   * `unavailable` says what keeps others out. Both are structs of the ruleset's own: subclasses of `ParametricOption`
   * and `Unavailable`. `to_complete` are the fields of these actions that only the client can fill in: a fresh salt, and
   * the next nonce of its chain.
   */
  export interface Options {
    /** Default: [] */
    readonly actions?: ReadonlyArray<regiments.Action>;
    /** Default: [] */
    readonly parametric?: ReadonlyArray<regiments.OrderLimits>;
    /** Default: [] */
    readonly unavailable?: ReadonlyArray<regiments.Unavailable>;
    /** Default: [] */
    readonly to_complete?: ReadonlyArray<string>;
  }

  /**
   * Which orders a unit may be given: to march at most `points` steps, to one of `ends`, or one of `orders`.
   *
   * `orders` are listed where the orders of all units are locked together; `example` then holds those of all.
   */
  export interface OrderLimits {
    readonly example: regiments.Action;
    readonly unit: number;
    /** Default: 0 */
    readonly points?: number;
    /** Default: [] */
    readonly ends?: ReadonlyArray<regiments.MarchEnd>;
    /** Default: [] */
    readonly orders?: ReadonlyArray<regiments.Hold | regiments.March | regiments.Reform | regiments.Charge | regiments.Fight | regiments.Retreat>;
  }

  /** Where a march can end, and a shortest path that leads there. Other paths may end there too. */
  export interface MarchEnd {
    readonly x: number;
    readonly y: number;
    readonly facing: "east" | "north" | "south" | "west";
    readonly path: ReadonlyArray<"forward" | "left" | "right">;
  }

  /**
   * Why the unit cannot be given an order; a charge at `target`, or to reform to `files`.
   *
   * `unit` is named where the orders of all units are locked together.
   */
  export interface Unavailable {
    readonly code: regiments.RefusalCode;
    readonly text: string;
    readonly rule: string;
    readonly order: "charge" | "fight" | "hold" | "march" | "reform" | "retreat";
    readonly target?: number;
    readonly files?: number;
    readonly unit?: number;
  }

  export type EndReason = "abandoned" | "absence" | "closed" | "draw_agreed" | "last_side" | "resignation" | "round_limit" | "stopped" | "task_done" | "task_failed";

  export type RefusalCode = "already_agreed" | "already_registered" | "already_seated" | "bad_action" | "bad_branch" | "bad_chain" | "bad_channel" | "bad_club" | "bad_import" | "bad_invitation" | "bad_invite" | "bad_match_options" | "bad_name" | "bad_page" | "bad_password" | "bad_report" | "bad_result" | "bad_resume" | "bad_salt" | "bad_search" | "bad_seat_nonce" | "bad_settings" | "bad_takeback" | "bad_text" | "bad_time_zone" | "bad_tournament" | "busy" | "challenge_over" | "challenged_already" | "channel_off" | "club_closed" | "club_full" | "consent_needed" | "dice_exhausted" | "duplicate_differs" | "empty_seat" | "fault" | "has_begun" | "has_rated_matches" | "import_changed" | "import_conflict" | "import_cut" | "import_failed" | "import_newer_format" | "import_off" | "import_other_rules" | "import_too_large" | "import_too_slow" | "import_unfinished" | "invitation_needed" | "kicked" | "locked" | "match_ended" | "match_full" | "missing_pack" | "name_taken" | "never_began" | "no_bot_seat" | "no_bots_here" | "no_check_in" | "no_offer" | "no_password" | "no_round_due" | "no_season" | "no_seat" | "nobody_found" | "not_ended" | "not_entered" | "not_in_control" | "not_leader" | "not_legal" | "not_member" | "not_officer" | "not_opener" | "not_organiser" | "not_paused" | "not_registered" | "not_running" | "not_taken_over" | "not_watchable" | "not_watching" | "not_your_channel" | "not_your_seat" | "not_your_turn" | "offer_waiting" | "offered_already" | "option_off" | "own_account" | "own_challenge" | "own_seat" | "paused" | "rematch_declined" | "renamed_lately" | "result_used" | "retry" | "review_failed" | "review_off" | "season_under_way" | "seat_taken" | "stale_decision" | "takes_no_challenges" | "too_few_entrants" | "too_late" | "too_many_accounts" | "too_many_attempts" | "too_many_bots" | "too_many_challengers" | "too_many_challenges" | "too_many_channels" | "too_many_clubs" | "too_many_followed" | "too_many_imports" | "too_many_invitations" | "too_many_invites" | "too_many_kicks" | "too_many_muted" | "too_many_officers" | "too_many_open" | "too_many_organisers" | "too_many_reports" | "too_many_reviews" | "too_many_searches" | "too_many_seasons" | "too_many_tournaments" | "too_many_watched" | "too_much_chat" | "too_much_history" | "too_much_written" | "tournament_begun" | "tournament_full" | "tournament_over" | "unavailable" | "unknown_board" | "unknown_bot" | "unknown_challenge" | "unknown_channel" | "unknown_club" | "unknown_device" | "unknown_entrant" | "unknown_invitation" | "unknown_invite" | "unknown_match" | "unknown_member" | "unknown_pack" | "unknown_player" | "unknown_ruleset" | "unknown_tournament" | "unknown_type" | "unknown_user_code" | "unreadable_cursor" | "unsafe_salt" | "wrong_action" | "wrong_match_password" | "wrong_password" | "wrong_recovery_code" | "wrong_shape";

  export type LoadoutFaultCode = "already_agreed" | "already_registered" | "already_seated" | "bad_action" | "bad_branch" | "bad_chain" | "bad_channel" | "bad_club" | "bad_import" | "bad_invitation" | "bad_invite" | "bad_match_options" | "bad_name" | "bad_page" | "bad_password" | "bad_report" | "bad_result" | "bad_resume" | "bad_salt" | "bad_search" | "bad_seat_nonce" | "bad_settings" | "bad_takeback" | "bad_text" | "bad_time_zone" | "bad_tournament" | "busy" | "challenge_over" | "challenged_already" | "channel_off" | "club_closed" | "club_full" | "consent_needed" | "dice_exhausted" | "duplicate_differs" | "empty_seat" | "fault" | "has_begun" | "has_rated_matches" | "import_changed" | "import_conflict" | "import_cut" | "import_failed" | "import_newer_format" | "import_off" | "import_other_rules" | "import_too_large" | "import_too_slow" | "import_unfinished" | "invitation_needed" | "kicked" | "locked" | "match_ended" | "match_full" | "missing_pack" | "name_taken" | "never_began" | "no_bot_seat" | "no_bots_here" | "no_check_in" | "no_offer" | "no_password" | "no_round_due" | "no_season" | "no_seat" | "nobody_found" | "not_ended" | "not_entered" | "not_in_control" | "not_leader" | "not_legal" | "not_member" | "not_officer" | "not_opener" | "not_organiser" | "not_paused" | "not_registered" | "not_running" | "not_taken_over" | "not_watchable" | "not_watching" | "not_your_channel" | "not_your_seat" | "not_your_turn" | "offer_waiting" | "offered_already" | "option_off" | "own_account" | "own_challenge" | "own_seat" | "paused" | "rematch_declined" | "renamed_lately" | "result_used" | "retry" | "review_failed" | "review_off" | "season_under_way" | "seat_taken" | "stale_decision" | "takes_no_challenges" | "too_few_entrants" | "too_late" | "too_many_accounts" | "too_many_attempts" | "too_many_bots" | "too_many_challengers" | "too_many_challenges" | "too_many_channels" | "too_many_clubs" | "too_many_followed" | "too_many_imports" | "too_many_invitations" | "too_many_invites" | "too_many_kicks" | "too_many_muted" | "too_many_officers" | "too_many_open" | "too_many_organisers" | "too_many_reports" | "too_many_reviews" | "too_many_searches" | "too_many_seasons" | "too_many_tournaments" | "too_many_watched" | "too_much_chat" | "too_much_history" | "too_much_written" | "tournament_begun" | "tournament_full" | "tournament_over" | "unavailable" | "unknown_board" | "unknown_bot" | "unknown_challenge" | "unknown_channel" | "unknown_club" | "unknown_device" | "unknown_entrant" | "unknown_invitation" | "unknown_invite" | "unknown_match" | "unknown_member" | "unknown_pack" | "unknown_player" | "unknown_ruleset" | "unknown_tournament" | "unknown_type" | "unknown_user_code" | "unreadable_cursor" | "unsafe_salt" | "wrong_action" | "wrong_match_password" | "wrong_password" | "wrong_recovery_code" | "wrong_shape";

  /** All units, weapons and scenarios. */
  export interface Catalogue {
    readonly packs: ReadonlyArray<Pack>;
    readonly settings: ReadonlyArray<RulesetSetting>;
    readonly profiles: ReadonlyArray<regiments.UnitProfile>;
    readonly weapons: ReadonlyArray<regiments.Weapon>;
    readonly scenarios: ReadonlyArray<regiments.Scenario>;
  }

  /**
   * `armies` are the units of the two sides; where there is one army, both sides have it.
   *
   * No unit can be on a cell of `obstacles`, and nobody sees through it (C-31).
   */
  export interface Scenario {
    readonly id: string;
    readonly name: string;
    readonly armies: ReadonlyArray<ReadonlyArray<regiments.ScenarioUnit>>;
    /** Default: 10 */
    readonly width?: number;
    /** Default: 8 */
    readonly height?: number;
    /** Default: 15 */
    readonly rounds?: number;
    /** Default: [] */
    readonly obstacles?: ReadonlyArray<ScenarioArea>;
    readonly task?: BattleTask;
  }

  /**
   * A unit of a scenario: its profile by id, how its models stand, its row on the west side, and its column there.
   *
   * `leader` is who leads it where two players share a side: the first of them or the second. Places of the east side
   * are mirrored. A unit faces the enemy's edge, or where `facing` says.
   */
  export interface ScenarioUnit {
    readonly profile: string;
    readonly models: number;
    readonly files: number;
    readonly row: number;
    /** Default: 0 */
    readonly leader?: number;
    /** Default: 1 */
    readonly column?: number;
    readonly facing?: "east" | "north" | "south" | "west";
  }

  export type OpenDecisions = ReadonlyArray<regiments.Decision>;
}
