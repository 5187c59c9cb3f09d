// What the table shows, as plain values in millimetres of the picture; each ruleset makes them from its board.

import type { SeatLetter } from "../client/records/seats";

/** What the board has to know of a token, of whatever ruleset; a snippet of the ruleset draws it. */
export interface BoardToken {
  readonly id: number;
  readonly letter: SeatLetter;
  readonly short: string;
  readonly isEngaged: boolean;
  /** Whether so much of it is covered that it needs a sign beside the stack. */
  readonly isCovered: boolean;
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly damage: number;
  /** Everything that is to know of it, as one sentence. */
  readonly label: string;
}

export interface DiskView extends BoardToken {
  readonly seat: number;
  readonly letter: SeatLetter;
  readonly name: string;
  readonly short: string;
  readonly race: string;
  readonly kind: string;
  readonly traits: string;
  readonly isHero: boolean;
  readonly isElite: boolean;
  readonly isActivated: boolean;
  readonly isEngaged: boolean;
  readonly isActive: boolean;
  /** How many disks lie under this one. */
  readonly depth: number;
  /** Whether so much of it is covered that it needs a sign beside the stack. */
  readonly isCovered: boolean;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly r: number;
  readonly movement: number;
  readonly strength: number;
  readonly counter: number;
  readonly toughness: number;
  readonly change: { readonly strength: number; readonly counter: number; readonly toughness: number };
  readonly damage: number;
  readonly wounds: number;
  readonly stamina: number;
  readonly empowered: boolean;
  readonly weakened: number;
  readonly poisoned: boolean;
  readonly label: string;
  readonly pins: ReadonlyArray<number>;
  readonly pinnedBy: ReadonlyArray<number>;
}

export interface TerrainView {
  readonly name: string;
  /** What it is called and does, in words. */
  readonly tooltip: string;
  readonly points: string;
  readonly corners: ReadonlyArray<readonly [x: number, y: number]>;
  readonly texture: string;
  readonly fill: string;
  readonly blocksSight: boolean;
  readonly icons: ReadonlyArray<string>;
}

export interface ZoneView {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly letter: SeatLetter;
}

export interface PinView {
  readonly top: number;
  readonly bottom: number;
  /** The bearing of the lower disk from the upper one, in degrees. */
  readonly angle: number;
  /** The centres of the upper and the lower disk. */
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly isEnemy: boolean;
  /** Whether it belongs to the engagement that is chosen or resolved. */
  readonly isMarked: boolean;
}

/** A place of the picture where something would come to lie. */
export interface Ghost {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly label: string;
  readonly isLegal: boolean;
}

/** Why a disk is drawn with a ring, or pale. */
export type Mark = "acting" | "choice" | "dim" | "own_choice" | "own_target" | "ready" | "selected" | "target";
/** The mark of a target, with a warning where it is an own disk that would be harmed. */
export const targetMark = (isChosen: boolean, isOwn: boolean): Mark =>
  isOwn ? (isChosen ? "own_target" : "own_choice") : isChosen ? "target" : "choice";

/** The signs of what the zones of deployment cards allow. */
export const ZONE_ICONS: Readonly<Record<string, string>> = { ambush: "target", rendezvous: "flag", scouting: "eye" };

/** A deployment card that lies on the rail. */
export interface RailCard {
  readonly id: string;
  readonly name: string;
  readonly value: number;
  readonly abilities: ReadonlyArray<string>;
  readonly letter: SeatLetter;
  /** The middle of the card, its size along the edge and across it, in millimetres of the picture, and how its text is turned. */
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly depth: number;
  readonly turn: -90 | 0 | 90;
}
