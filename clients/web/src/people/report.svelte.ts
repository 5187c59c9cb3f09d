// What is being reported to the operators: a player from a moment of a match on, or what a club or tournament shows.

export interface ReportedPlayer {
  readonly match: string;
  /** The record up to which what they did was seen. */
  readonly seq: number;
  readonly player: string;
  readonly name: string;
}
export interface ReportedContent {
  readonly kind: "club" | "tournament";
  readonly subject: string;
  readonly name: string;
}
export type Reported = ReportedPlayer | ReportedContent;

class Reporting {
  reported = $state.raw<Reported | null>(null);
}

export const reporting = new Reporting();
