// Which player is being reported to the operators, and from which moment on.

export interface Reported {
  readonly match: string;
  /** The record up to which what they did was seen. */
  readonly seq: number;
  readonly player: string;
  readonly name: string;
}

class Reporting {
  reported = $state.raw<Reported | null>(null);
}

export const reporting = new Reporting();
