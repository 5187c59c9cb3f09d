// What a bar of answers holds, whatever the ruleset, and how much of it fits into its rows.

import type { Snippet } from "svelte";

import type { SeatLetter } from "../../client/records/seats";

interface ChoiceSide {
  readonly of: string;
  readonly count: number;
  readonly label: string;
  readonly lines: ReadonlyArray<{ readonly icon: string; readonly text: string }>;
}

/** A button of the bar, or of the picker over the table where the bar has no room for it. */
export interface BarChoice {
  readonly id: string;
  readonly label: string;
  readonly act: () => void;
  readonly key?: string;
  readonly isOn?: boolean;
  readonly isOff?: boolean;
  readonly icon?: string;
  /** The seat that it names, or whose disk it names: its emblem stands before the label. */
  readonly letter?: SeatLetter | undefined;
  /** Whether it is on or off beside the answer, and is no answer itself. */
  readonly isSwitch?: boolean;
  /** What it does, below the label. */
  readonly detail?: string;
  /** The thing of which it is a side: the sides of one lie below one another, under its name. */
  readonly side?: ChoiceSide;
}

/** What follows of the plan, in one line. */
export interface Fates {
  /** The worst for each side, where disks are struck: in place of the text. What becomes of them is never cut, their name may be. */
  readonly sides?: ReadonlyArray<{
    readonly letter: SeatLetter;
    readonly text: string;
    readonly name: string;
    readonly isBad: boolean;
  }>;
  readonly text: string;
  readonly tone: string;
  readonly rule: string;
  /** How many more things follow. */
  readonly more: number;
}

export interface BarProps {
  readonly question: string;
  readonly decision: string;
  readonly status: string | undefined;
  readonly isBusy: boolean;
  readonly isSending: boolean;
  readonly title: string;
  readonly help: string;
  /** The rule that the help speaks of. */
  readonly helpRule?: string;
  readonly refusal: { readonly text: string; readonly rule: string } | null;
  /** Alternatives of which one may be on. */
  readonly ways?: ReadonlyArray<BarChoice>;
  readonly choices?: ReadonlyArray<BarChoice>;
  /** Buttons of the pointer: by icon, or by a label of a few signs. */
  readonly tools?: ReadonlyArray<BarChoice>;
  readonly primary?: BarChoice | null;
  readonly fates?: Fates | null;
  /** Opens all that follows of the plan. */
  readonly onMore?: () => void;
  /** Whether something lies over the lower edge of the table that can be lowered. */
  readonly hasFan?: boolean;
  /** Whether disks to choose from lie at its far edge. */
  readonly hasTray?: boolean;
  /** Beside the choices. */
  readonly beside?: Snippet;
  /** What an answer is put together from, and of how many parts: few lie beside the choices, more over the table. */
  readonly parts?: Snippet;
  readonly partCount?: number;
  /** Over the table. */
  readonly over?: Snippet<[isLowered: boolean]>;
  readonly requests?: Snippet;
}

/** More choices than these are a picker over the table. */
const MOST_IN_ROW = 4;
export const MOST_PARTS_IN_ROW = 2;
export const MOST_PHONE_TOOLS = 3;
const LETTER_PX = 6.5;
const PADDING_PX = 26;
const SIGN_PX = 28;
const LEAST_PX = 50;

/** Return about how wide a button is, in px. */
const widthOf = ({ label, icon, letter, key, isSwitch }: BarChoice): number =>
  label.length * LETTER_PX +
  PADDING_PX +
  (icon || letter || isSwitch ? SIGN_PX : 0) +
  (key?.length === 1 ? SIGN_PX : 0);

/** Whether choices lie side by side in a row of this width, behind the alternatives before them. */
export const isRow = (ways: ReadonlyArray<BarChoice>, choices: ReadonlyArray<BarChoice>, width: number): boolean =>
  choices.length <= MOST_IN_ROW &&
  choices.every(({ detail }) => detail === undefined) &&
  [...ways, ...choices].reduce((sum, one) => sum + widthOf(one), 0) <= width;

/** Whether all lie side by side above a thumb: as high as two lines. */
export const isPhoneRow = (all: ReadonlyArray<BarChoice>, width: number): boolean =>
  all.length <= MOST_IN_ROW &&
  all.every(({ detail }) => detail === undefined) &&
  all.reduce((sum, { label }) => sum + Math.max(LEAST_PX, (label.length * LETTER_PX) / 2 + PADDING_PX), 0) <= width;
