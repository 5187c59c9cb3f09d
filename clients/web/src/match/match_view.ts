// What a ruleset gives the screen of its matches: its table, its parts of the screen, and what only it has.

import type { Component, Snippet } from "svelte";

import type { Decision, MatchState, RecordBody } from "../client/records/match.js";
import type { MatchStream } from "../client/stream";
import type { MessageKey } from "../messages";
import type { LiveMatch } from "../page/live_match";
import type { MatchChat } from "../people/chat.svelte";
import type { RollReader } from "../replay/luck";
import type { Moments } from "../replay/moments";
import type { StrengthLine } from "../replay/strength";
import type { MatchTable } from "./match_table.svelte";
import type { SeatSheet } from "./phone/phone";
import type { ScreenState } from "./screen.svelte";

/** Turns a place of the window into one of the field; null beside it. */
export type FieldAt = (x: number, y: number) => [x: number, y: number] | null;

/** What a key does: the end of the message that says it. */
export type TableKey = Extract<MessageKey, `key.${string}`> extends `key.${infer Name}` ? Name : never;

/** A list of the ruleset beside log and chat. */
interface ListTab {
  readonly id: string;
  readonly label: () => string;
}

interface PartProps<Table extends MatchTable> {
  readonly screen: ScreenState<Table>;
}

export interface MatchView<Table extends MatchTable> {
  openTable(live: LiveMatch): Table;
  /** The sheet of a phone that shows the seats. */
  readonly seatSheet: SeatSheet;
  readonly tabs: ReadonlyArray<ListTab>;
  /** Whether so much stands beside the table that its buttons are smaller. */
  readonly isDense: boolean;
  /** What can be pressed at the table. */
  readonly keys: ReadonlyArray<readonly [key: string, what: TableKey]>;
  /** Reads the rolls of the luck report; without it, those of Diskwars are read. */
  readonly rolls?: RollReader;
  /** Whether the link is offered of a file of this device too. */
  readonly linksFiles: boolean;
  momentsOf(bodies: ReadonlyArray<RecordBody>): Moments;
  /** What a round is called on the slider of a replay; without it, a round. */
  readonly roundName?: (round: number) => string;
  /** How strong each army was, for the chart of a replay. */
  strengthOf?(table: Table, bodies: ReadonlyArray<RecordBody>): ReadonlyArray<StrengthLine>;
  /** What a question wants of a seat, in few words. */
  questionText(table: Table, decision: Decision): string;
  /** What an answer to a decision is in words; without it, a review names only the moment. */
  deedText?(action: unknown, before: MatchState, decision: Decision, seats: ReadonlyArray<string>): string;
  readonly parts: {
    /** The column of the seats. */
    readonly Seats: Component<PartProps<Table>>;
    readonly Stage: Component<PartProps<Table>>;
    readonly Bar: Component<{ readonly table: Table; fieldAt: FieldAt; onMore?: () => void }>;
    /** What is looked at, fought or forecast. */
    readonly About: Component<PartProps<Table>>;
    /** The panels of `tabs`: each is shown while its tab is chosen. */
    readonly Lists: Component<PartProps<Table>>;
    readonly CommandLine: Component<{ readonly table: Table }>;
    /** What each seat scored, once the match has ended. */
    readonly Scores: Component<PartProps<Table>>;
  };
}

/** What is shown on the screen of a match. */
export interface MatchProps {
  /** The match at its address; null for a file. */
  readonly match: string | null;
  /** The record that the address names. */
  readonly at: number | null;
  /** The records of a match that is on this device. */
  readonly file: MatchStream | null;
  readonly chat: MatchChat | null;
  /** What lies over the stage. */
  readonly over?: Snippet<[ScreenState<MatchTable>]>;
}
