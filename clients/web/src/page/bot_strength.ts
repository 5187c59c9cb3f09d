// How often each bot beat the next weaker one, in percent, by game: the numbers of the measured ladder in docs/league.md.

interface Measured {
  readonly over: string;
  readonly percent: number;
}

export const BOT_STRENGTH: Readonly<Record<string, Readonly<Record<string, Measured>>>> = {
  diskwars: {
    mild: { over: "random", percent: 90 },
    greedy: { over: "mild", percent: 73 },
    search: { over: "greedy", percent: 88 },
  },
  pit: {
    mild: { over: "random", percent: 85 },
    greedy: { over: "mild", percent: 55 },
    search: { over: "greedy", percent: 52 },
  },
  close_quarters: {
    mild: { over: "random", percent: 84 },
    greedy: { over: "mild", percent: 75 },
    search: { over: "greedy", percent: 42 },
  },
  regiments: {
    mild: { over: "random", percent: 77 },
    greedy: { over: "mild", percent: 97 },
    search: { over: "greedy", percent: 62 },
  },
};
