// The rulesets whose matches this page can show, each loaded when a match of it is opened.

import type { Component } from "svelte";

import type { MatchProps } from "../match/match_view";

type LoadMatch = () => Promise<{ readonly default: Component<MatchProps> }>;

export const RULESETS: Readonly<Record<string, LoadMatch | undefined>> = {
  diskwars: () => import("./diskwars/DiskwarsMatch.svelte"),
  pit: () => import("./pit/PitMatch.svelte"),
  close_quarters: () => import("./close_quarters/CloseQuartersMatch.svelte"),
  regiments: () => import("./regiments/RegimentsMatch.svelte"),
};
