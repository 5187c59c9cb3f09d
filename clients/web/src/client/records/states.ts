// The types of states: what the folds of the records hold, by ruleset. Nothing here runs.

import type {
  OpenOffer,
  SeatChainState,
  SeatClock,
  close_quarters,
  diskwars,
  pit,
  regiments,
} from "../../protocol/types";

/** A value of the wire as a fold holds it: every field is there, and those of `Absent` are null where the wire has none. */
type Folded<Wire, Absent extends keyof Wire = never> = {
  -readonly [Field in keyof Wire]-?: Exclude<Wire[Field], undefined> | (Field extends Absent ? null : never);
};
/** A value without the fields that are as its defaults, as JSON has it. */
export type Lean<Value, Defaults> = Omit<Value, keyof Defaults> & {
  [Field in keyof Value & keyof Defaults]?: Exclude<Value[Field], null>;
};
type Overwritten<Value, Fields> = Omit<Value, keyof Fields> & Fields;

// ---------------------------------------------------------------- boards

export type DiskState = Folded<diskwars.Disk>;
export type SideState = Folded<
  diskwars.Side,
  "army" | "drawn_scenarios" | "hand" | "locked_card" | "locked_salt" | "objective" | "revealed_card"
>;
export type LayoutState = Folded<diskwars.Layout, "active_scenario">;
export type EngagementState = Folded<diskwars.Engagement>;
/** The board of Diskwars. */
export type BoardState = Overwritten<
  Folded<diskwars.Board, "active_disk" | "active_engagement" | "active_seat">,
  {
    disks: DiskState[];
    sides: SideState[];
    layout: LayoutState;
    engagements: EngagementState[];
  }
>;

export type PitFighterState = Folded<pit.Fighter, "defence">;
export type PitCombatState = Folded<pit.CombatState, "fighter">;
export type PitBoardState = Overwritten<
  Folded<pit.Board, "active_seat" | "task">,
  { fighters: PitFighterState[]; seats: Folded<pit.Seat>[]; combat: PitCombatState | null }
>;

export type SquadState = Folded<close_quarters.Unit>;
export type ModelState = Folded<close_quarters.Model>;
export type LossState = Folded<close_quarters.Loss>;
export type SquadCombatState = Overwritten<
  Folded<close_quarters.CombatState, "source" | "unit">,
  { loss: LossState | null }
>;
export type SquadBoardState = Overwritten<
  Folded<close_quarters.Board, "active_unit" | "barricade" | "task">,
  { units: SquadState[]; models: ModelState[]; combat: SquadCombatState | null }
>;

export type RegimentState = Folded<regiments.Unit>;
export type RegimentsBoardState = Overwritten<Folded<regiments.Board, "task">, { units: RegimentState[] }>;

// ---------------------------------------------------------------- rulesets

interface Rulesets {
  diskwars: { board: BoardState; match: diskwars.Match; body: diskwars.RecordBody };
  pit: { board: PitBoardState; match: pit.Match; body: pit.RecordBody };
  close_quarters: { board: SquadBoardState; match: close_quarters.Match; body: close_quarters.RecordBody };
  regiments: { board: RegimentsBoardState; match: regiments.Match; body: regiments.RecordBody };
}
export type RulesetName = keyof Rulesets;
type BoardOf<Name extends RulesetName> = Rulesets[Name]["board"];
export type BodyOf<Name extends RulesetName> = Rulesets[Name]["body"];
export type WireMatchOf<Name extends RulesetName> = Rulesets[Name]["match"];
export type WireBoardOf<Name extends RulesetName> = NonNullable<WireMatchOf<Name>["board"]>;
export type EventOf<Name extends RulesetName> = NonNullable<BodyOf<Name>["events"]>[number];

/** The events of every match, whatever is played; all others are of the board. */
type MatchEventType =
  | "branch_began"
  | "chain_replaced"
  | "match_ended"
  | "match_opened"
  | "offer_answered"
  | "offer_made"
  | "play_paused"
  | "play_resumed"
  | "position_set"
  | "seat_nonce_opened"
  | "seat_ready"
  | "seat_resigned"
  | "seat_taken"
  | "seat_taken_back"
  | "seat_taken_over"
  | "seat_vacated"
  | "step_began"
  | "takeback_made";
export type MatchEventOf<Name extends RulesetName> = Extract<EventOf<Name>, { readonly type: MatchEventType }>;
type BoardEventOf<Name extends RulesetName> = Exclude<EventOf<Name>, { readonly type: MatchEventType }>;
type Typed = { readonly type: string };
type ByType<Event extends Typed> = { readonly [One in Event as One["type"]]: One };
/** One fold for each type of event. */
export type Folds<State, Event extends Typed> = {
  readonly [Type in keyof ByType<Event>]: (state: State, event: ByType<Event>[Type]) => void;
};
/** The folds of a board: the first event makes it. */
export type BoardFolds<Name extends RulesetName> = Folds<
  BoardOf<Name>,
  Exclude<BoardEventOf<Name>, { readonly type: "match_started" }>
>;
export type MatchStartedOf<Name extends RulesetName> = Extract<EventOf<Name>, { readonly type: "match_started" }>;

/** The board of a ruleset: how it is folded, copied, and spelled as JSON. */
export interface BoardRules<Name extends RulesetName> {
  /** Fold one event into the board, which is changed; the first one makes it. */
  readonly fold: (board: BoardOf<Name> | null, event: BoardEventOf<Name>) => BoardOf<Name>;
  readonly copy: (board: BoardOf<Name>) => BoardOf<Name>;
  readonly plain: (board: BoardOf<Name>) => WireBoardOf<Name>;
  readonly full: (plain: WireBoardOf<Name>) => BoardOf<Name>;
}

// ---------------------------------------------------------------- matches

export type SeatChain = Folded<SeatChainState, "new_from" | "new_head">;
export type ClockState = Folded<SeatClock, "running_since_ms">;
type WireSeatOf<Name extends RulesetName> = WireMatchOf<Name>["seats"][number];
export type SeatStateOf<Name extends RulesetName> = Overwritten<
  Folded<WireSeatOf<Name>, "loadout" | "player" | "seat_nonce" | "vacated_in">,
  { chain: SeatChain | null; clock: ClockState | null }
>;
/** What a branch plays on from, until it has begun. */
export interface PositionOf<Name extends RulesetName> {
  readonly board: BoardOf<Name>;
  readonly resampled: boolean;
  readonly resigned: ReadonlyArray<number>;
}
type DecisionOf<Name extends RulesetName> = NonNullable<WireMatchOf<Name>["decisions"]>[number];
/** A body in which the fields of any of the rulesets may be. */
export type AnyBody = Overwritten<
  BodyOf<RulesetName>,
  {
    readonly events?: ReadonlyArray<EventOf<RulesetName>> | undefined;
    readonly decisions?: ReadonlyArray<DecisionOf<RulesetName>> | undefined;
  }
>;
export type MatchOf<Name extends RulesetName> = Overwritten<
  Folded<WireMatchOf<Name>, "deal_secret" | "result">,
  {
    ruleset: Name;
    seats: SeatStateOf<Name>[];
    seat_nonces: ReadonlyArray<string>[];
    decisions: ReadonlyArray<DecisionOf<Name>>;
    offer: Folded<OpenOffer> | null;
    board: BoardOf<Name> | null;
    position: PositionOf<Name> | null;
  }
>;
