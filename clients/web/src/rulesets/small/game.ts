// What the page has to know of a small game to show and play it: plain values, made from the board by each ruleset.

import type { Ground } from "./ground";
import type { BoardToken, Ghost } from "../../board/view";
import type { SeatLetter } from "../../client/records/seats";
import type { Turn } from "../../board/projection";
import { letterOf } from "../../client/records/seats";
import type { Decision as AnyDecision } from "../../client/records/match.js";
import type { Action } from "../../client/client";
import type { RollReader } from "../../replay/luck";
import type { Ordered } from "./typed_orders";

export type { Action };
export type Decision<Question> = Omit<AnyDecision, "question"> & { readonly question: Question };

/** How a token is drawn. */
type Look =
  | {
      readonly kind: "fighter";
      readonly mark: string;
      readonly rank: string;
      readonly wounds: number;
      readonly status: string;
      readonly hasActed: boolean;
      readonly hasEngaged: boolean;
    }
  | { readonly kind: "model"; readonly mark: string; readonly isLeader: boolean; readonly isDone: boolean }
  | {
      readonly kind: "block";
      readonly mark: string;
      readonly files: number;
      readonly models: ReadonlyArray<number>;
      readonly angle: number;
      readonly status: string;
      readonly isDone: boolean;
    };

export interface Token extends BoardToken {
  readonly seat: number;
  readonly name: string;
  readonly owner: string;
  readonly place: string;
  readonly state: string;
  readonly look: Look;
}

/** A place that may be chosen, in millimetres of the field (y up), and the answer that choosing it prepares. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly draft: Draft;
  readonly isChosen: boolean;
}

/** Something between tokens: a contact, an attack, a shot. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly kind: "attack" | "contact" | "flank" | "rear";
  readonly group: number;
  readonly text?: string;
}

/** The halo round the models of a squad, with its name and numbers. */
export interface Halo {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly letter: SeatLetter;
  readonly text: string;
  readonly isActive: boolean;
}

export interface StripItem {
  readonly token: number;
  readonly mark: string;
  readonly name: string;
  readonly letter: SeatLetter;
  readonly state: "done" | "now" | "waiting";
}

/** A whole answer, and what the button says that sends it once it is chosen, where that is more than its name. */
export interface Choice {
  readonly label: string;
  readonly action: Action;
  readonly commit?: string;
}

/** One line of an answer that is put together: what it is about, and what may be chosen for it. */
export interface Row {
  readonly label: string;
  readonly value: string;
  readonly values: ReadonlyArray<{ readonly value: string; readonly label: string }>;
  readonly set: (value: string) => Draft;
  /** For a row of yes and no: whether yes is chosen. Choosing it again takes it back. */
  readonly isOn?: boolean;
}

/** What the player has chosen so far of an answer that is not yet sent. */
export interface Draft {
  readonly selected: number | null;
  readonly action: Action | null;
}
export const NO_DRAFT: Draft = { selected: null, action: null };

export const isSameAction = (one: Action | null, other: Action | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Why something is not offered, and which piece that is about. */
export interface Unavailable {
  readonly code: string;
  readonly text: string;
  readonly rule: string;
  readonly fighter?: number;
  readonly model?: number;
  readonly target?: number;
}

/** Return why the piece that the player looks at is not offered, else the first reason of all. */
export function reasonShown(
  unavailable: ReadonlyArray<Unavailable>,
  looked: number | null,
): { readonly reason: Unavailable; readonly piece: number | null; readonly isLooked: boolean } | null {
  const pieceOf = ({ fighter, model, target }: Unavailable) => model ?? fighter ?? target ?? null;
  const about = looked === null ? undefined : unavailable.find((one) => pieceOf(one) === looked);
  const reason = about ?? unavailable[0];
  return reason ? { reason, piece: pieceOf(reason), isLooked: about !== undefined } : null;
}

/** One question as the page asks it. */
export interface Asked {
  readonly title: string;
  readonly help: string;
  /** The token that the question is about. */
  readonly focus: number | null;
  readonly choices: ReadonlyArray<Choice>;
  /** Other ways to begin an answer, such as advancing or moving at the double. */
  readonly ways: ReadonlyArray<{ readonly label: string; readonly isOn: boolean; readonly draft: Draft }>;
  /** What a click on a piece prepares. Nothing is sent by it. */
  readonly tokens: ReadonlyMap<number, Draft>;
  readonly spots: ReadonlyArray<Spot>;
  readonly rows: ReadonlyArray<Row>;
  readonly ghosts: ReadonlyArray<Ghost>;
  /** What the drafted answer aims at. */
  readonly links: ReadonlyArray<Link>;
  /** What the dice of the drafted answer need, and their exact chances, in sentences. */
  readonly outlook: ReadonlyArray<string>;
  readonly commit: Choice | null;
  /** Where the next place is chosen freely instead of from spots. */
  readonly onPlace: ((x: number, y: number) => Draft) | null;
  /** Move what is being placed by this many millimetres of the field, for the arrow keys. */
  readonly onStep: ((dx: number, dy: number) => Draft) | null;
  /** What a typed line orders, in the words of the terminal. */
  readonly onOrder: ((line: string) => Ordered) | null;
  /** The forms of the orders that are taken now. */
  readonly orderForms: ReadonlyArray<string>;
  readonly unavailable: ReadonlyArray<Unavailable>;
}
export const NOTHING_ASKED: Asked = {
  title: "",
  help: "",
  focus: null,
  choices: [],
  ways: [],
  tokens: new Map(),
  spots: [],
  rows: [],
  ghosts: [],
  links: [],
  outlook: [],
  commit: null,
  onPlace: null,
  onStep: null,
  onOrder: null,
  orderForms: [],
  unavailable: [],
};

/** Return a question with a button that sends what is chosen: the drafted one of its whole answers, or the only answer there is. */
export function withCommit(asked: Asked, draft: Draft): Asked {
  if (asked.commit) return asked;
  const [only, ...others] = asked.choices;
  const isAlone =
    only &&
    !others.length &&
    !asked.ways.length &&
    !asked.spots.length &&
    !asked.rows.length &&
    [...asked.tokens.values()].every(({ action }) => isSameAction(action, only.action));
  const chosen = isAlone ? only : asked.choices.find(({ action }) => isSameAction(action, draft.action));
  if (!chosen) return asked;
  return {
    ...asked,
    choices: isAlone ? [] : asked.choices,
    commit: { label: chosen.commit ?? chosen.label, action: chosen.action },
  };
}

export interface Inspected {
  readonly name: string;
  readonly kind: string;
  readonly figures: ReadonlyArray<readonly [label: string, value: string]>;
  readonly lines: ReadonlyArray<string>;
}

/** A box of the context column: a fight with its numbers, or the score sheet of one. */
export interface Sheet {
  readonly title: string;
  readonly columns: ReadonlyArray<string>;
  readonly rows: ReadonlyArray<ReadonlyArray<string>>;
  readonly rule: string;
}

export interface Shown {
  readonly tokens: ReadonlyArray<Token>;
  readonly links: ReadonlyArray<Link>;
  readonly halos: ReadonlyArray<Halo>;
  readonly strip: ReadonlyArray<StripItem>;
  readonly stripTitle: string;
  /** Walls, hills and the place of the task, and what that asks of whom, with its rule. */
  readonly grounds?: ReadonlyArray<Ground>;
  readonly task?: { readonly text: string; readonly rule: string } | null;
  readonly walls: ReadonlyArray<readonly [x0: number, y0: number, x1: number, y1: number]>;
  readonly round: string;
  readonly phases: ReadonlyArray<{ readonly id: string; readonly name: string; readonly isOn: boolean }>;
  readonly counter: { readonly label: string; readonly value: string } | null;
  /** What each seat has left, in words. */
  readonly tallies: ReadonlyArray<string>;
}

export interface LogText {
  readonly text: string;
  readonly icon: string;
}

export interface SmallGame<Board, Question, Options, Event> {
  /** Of the field, in millimetres, and of a cell where there are cells. */
  size(board: Board): { readonly width: number; readonly height: number; readonly cell: number | null };
  turn(board: Board, seat: number | null): Turn;
  show(board: Board, context: Context): Shown;
  /** A short title of a question, shown to the player who answers it and to the players who wait. */
  title(board: Board, question: Question): string;
  ask(board: Board, decision: Decision<Question>, options: Options, draft: Draft, context: Context): Asked;
  /** What an answer is in words. */
  deed(board: Board, decision: Decision<Question>, action: Action): string;
  inspect(board: Board, token: number, context: Context): Inspected;
  sheets(board: Board, events: ReadonlyArray<Event>, context: Context): ReadonlyArray<Sheet>;
  log(board: Board | null, event: Event, context: Context): LogText | null;
  readonly rolls: RollReader;
  /** Whether it is played in turns, and not in rounds. */
  readonly hasTurns?: boolean;
  /** What the score of a seat counts. */
  readonly score: () => string;
}

export interface Context {
  readonly seat: number | null;
  readonly seats: ReadonlyArray<string>;
  /** Place of the field in millimetres (y up) to the picture. */
  readonly toPicture: (x: number, y: number) => [x: number, y: number];
  /** How the picture is turned, in degrees clockwise. */
  readonly turned: Turn;
}

// ---------------------------------------------------------------- what all have in common

/** Number those that share a name within a seat, and lead with the seat where several have the name: `A Boys 2`. */
export function numbered(items: ReadonlyArray<{ readonly seat: number; readonly name: string }>): string[] {
  const owners = new Map<string, Set<number>>();
  for (const { seat, name } of items) owners.set(name, (owners.get(name) ?? new Set()).add(seat));
  const full = (item: { readonly seat: number; readonly name: string }, name: string) =>
    (owners.get(item.name)?.size ?? 0) > 1 ? `${letterOf(item.seat).toUpperCase()} ${name}` : name;
  const key = ({ seat, name }: { seat: number; name: string }) => `${seat} ${name}`;
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  const seen = new Map<string, number>();
  return items.map((item) => {
    const number = (seen.get(key(item)) ?? 0) + 1;
    seen.set(key(item), number);
    return full(item, (counts.get(key(item)) ?? 0) > 1 ? `${item.name} ${number}` : item.name);
  });
}

/** Letters of a mark that is made of one word, and of several. */
const WORD_LETTERS = 4;
const INITIALS = 3;

/** The name without the letter of the seat, which the ring of a token shows too. */
export const bareName = (name: string): string => name.replace(/^[A-D] (?=\S)/, "");

/** A short mark of a name: the beginning of its word or its initials, and the number if there is one. */
export const markOf = (name: string): string => {
  const words = name.split(/[\s-]+/).filter((word, k) => word && (k > 0 || !/^[A-D]$/.test(word)));
  const number = /^\d+$/.test(words.at(-1) ?? "") ? words.pop() : "";
  const initials =
    words.length > 1
      ? words
          .map((word) => word.slice(0, 1))
          .join("")
          .slice(0, INITIALS)
      : (words[0] ?? "").slice(0, WORD_LETTERS);
  return `${initials}${number ?? ""}`;
};

/** Of a letter of the narrow face, on average, in parts of its size. */
const LETTER = 0.46;
/** What is readable, in px, and the room for a name in a token of radius 100. */
export const LEAST_PX = 9.5;
const ROOM = 172;
const LARGEST = 58;

/** Return what is written on a token that is drawn with this radius in px: its name in one or two lines where that is readable, else its mark. */
export function printedName(
  name: string,
  mark: string,
  drawn: number,
): { readonly lines: ReadonlyArray<string>; readonly size: number } {
  const words = name.split(/\s+|(?<=-)/).filter(Boolean);
  const splits = words.map((_, place) =>
    [words.slice(0, place).join(" "), words.slice(place).join(" ")].filter(Boolean),
  );
  const sizeOf = (lines: ReadonlyArray<string>) =>
    Math.min(LARGEST / Math.sqrt(lines.length), ROOM / (LETTER * Math.max(1, ...lines.map((line) => line.length))));
  const [lines] = splits.sort((one, other) => sizeOf(other) - sizeOf(one));
  return lines && (sizeOf(lines) * drawn) / 100 >= LEAST_PX
    ? { lines, size: sizeOf(lines) }
    : {
        lines: [mark],
        size: Math.max(
          sizeOf([mark]),
          Math.min((100 * LEAST_PX) / Math.max(1, drawn), ROOM / (LETTER * Math.max(1, mark.length))),
        ),
      };
}

/** What is open in the table of a ruleset, whose types meet here only. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyGame = SmallGame<any, any, any, any>;
