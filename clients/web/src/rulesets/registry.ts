// The smaller games that this page can show, each loaded when a match of it is opened.

import type { AnyGame } from "./small/game";

export const SMALLER_GAMES: Readonly<Record<string, (() => Promise<{ readonly game: AnyGame }>) | undefined>> = {
  pit: () => import("./pit/pit"),
  close_quarters: () => import("./close_quarters/close_quarters"),
  regiments: () => import("./regiments/regiments"),
};
