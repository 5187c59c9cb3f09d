import type { MatchOptions, OpenOffer, Pack, Result, Sealed, diskwars } from "../../protocol/types";

export type RecordBody = diskwars.RecordBody;
export type Decision = diskwars.Decision;

/** The fold writes every field: what is absent on the wire is null or its default here. */
export interface DiskState {
  readonly id: number;
  readonly seat: number;
  readonly profile: number;
  place: "battlefield" | "casualty" | "gone" | "reserve";
  x: number;
  y: number;
  z: number;
  damage: number;
  wounds: number;
  activated: boolean;
  empowered: boolean;
  weakened: number;
  poisoned: boolean;
  terrain: number[];
}
export interface SideState {
  readonly seat: number;
  hand: ReadonlyArray<string> | Sealed | null;
  card_count: number;
  has_locked: boolean;
  locked_card: string | Sealed | null;
  revealed_card: string | null;
  discards: string[];
  eliminated: boolean;
  points: number;
  army: diskwars.ArmyIdentity | null;
  objective: string | Sealed | null;
  objective_revealed: boolean;
}
export interface LayoutState {
  scenarios: ReadonlyArray<diskwars.Scenario>;
  deployments: ReadonlyArray<diskwars.DeploymentCard>;
  terrain: ReadonlyArray<diskwars.TerrainCard>;
  edges: ReadonlyArray<"east" | "north" | "south" | "west">;
  active_scenario: string | null;
  offered_cards: ReadonlyArray<string>;
  laid_cards: ReadonlyArray<diskwars.LaidCard>;
}
export interface BoardState {
  readonly settings: diskwars.Settings;
  readonly field: diskwars.Field;
  readonly battle_die: ReadonlyArray<string>;
  readonly profiles: ReadonlyArray<diskwars.Profile>;
  readonly cards: ReadonlyArray<diskwars.CommandCard>;
  zones: ReadonlyArray<diskwars.Zone>;
  readonly rounds: number;
  readonly disks: DiskState[];
  readonly sides: SideState[];
  readonly layout: LayoutState;
  pins: ReadonlyArray<diskwars.Pin>;
  order: ReadonlyArray<number>;
  round: number;
  phase: "activation" | "end" | "melee" | "over" | "setup";
  active_seat: number | null;
  active_disk: number | null;
  engagements: ReadonlyArray<Required<diskwars.Engagement>>;
  active_engagement: number | null;
  terrain: ReadonlyArray<diskwars.TerrainPiece>;
}
export interface SeatChain {
  head: string;
  new_head: string | null;
  new_from: number | null;
  superseded: number;
}
export interface SeatState {
  player: string | null;
  loadout: diskwars.Loadout | null;
  chain: SeatChain | null;
  ready: boolean;
  resigned: boolean;
  has_offered: boolean;
  substitute: boolean;
  clock: { remaining_ms: number; running_since_ms: number | null } | null;
}
export interface MatchState {
  readonly match: string;
  readonly ruleset: string;
  readonly settings: diskwars.Settings;
  readonly packs: ReadonlyArray<Pack>;
  readonly seats: SeatState[];
  readonly match_options: MatchOptions;
  status: "ended" | "open" | "running";
  step: number;
  at_ms: number;
  decisions: ReadonlyArray<Decision>;
  result: Result | null;
  board: BoardState | null;
  offer: OpenOffer | null;
  paused: boolean;
  /** What a branch plays on from, until it has begun. */
  position: {
    readonly board: BoardState;
    readonly resampled: boolean;
    readonly resigned: ReadonlyArray<number>;
  } | null;
}
export function foldRecord(match: MatchState | null, body: RecordBody): MatchState;
export function foldTakeback(
  before: MatchState | null,
  undone: ReadonlyArray<RecordBody>,
  body: RecordBody,
): MatchState;
export function copyMatch(match: MatchState): MatchState;
export function foldLog(bodies: ReadonlyArray<RecordBody>): MatchState | null;
export function fullMatch(plain: unknown): MatchState;
export function plainMatch(match: MatchState): diskwars.Match;
export function opensItsDecisions(seq: number, body: RecordBody): boolean;
export function dueMs(match: MatchState, decision: Decision, openedMs: number): number | null;
