// The rulesets whose matches and boards this page can show, each loaded when one of it is opened.

import type { Component } from "svelte";

import type { MatchStream } from "../client/stream";
import type { LessonProps } from "../learn/lesson_props";
import type { MatchProps } from "../match/match_view";

type LoadMatch = () => Promise<{ readonly default: Component<MatchProps> }>;

export const RULESETS: Readonly<Record<string, LoadMatch | undefined>> = {
  diskwars: () => import("./diskwars/DiskwarsMatch.svelte"),
  pit: () => import("./pit/PitMatch.svelte"),
  close_quarters: () => import("./close_quarters/CloseQuartersMatch.svelte"),
  regiments: () => import("./regiments/RegimentsMatch.svelte"),
};

type LoadLessons = () => Promise<{ readonly default: Component<LessonProps> }>;

/** The boards of a first match. */
export const LESSONS: Readonly<Record<string, LoadLessons | undefined>> = {
  diskwars: () => import("./diskwars/lessons/LessonPage.svelte"),
  pit: () => import("./pit/PitLessons.svelte"),
  close_quarters: () => import("./close_quarters/CloseQuartersLessons.svelte"),
  regiments: () => import("./regiments/RegimentsLessons.svelte"),
};

type LoadGuide = () => Promise<{ readonly default: Component<{ readonly match: string }> }>;

/** The hints of a guided match. */
export const GUIDES: Readonly<Record<string, LoadGuide | undefined>> = {
  diskwars: () => import("./diskwars/guide/HintCard.svelte"),
};

type LoadDecided = () => Promise<{ readonly default: Component<{ readonly match: string }> }>;

/** What decided a match, where a chart of strength is known. */
export const DECIDED: Readonly<Record<string, LoadDecided | undefined>> = {
  diskwars: () => import("./diskwars/decided/DecidedPage.svelte"),
};

type LoadPicture = () => Promise<{ readonly default: Component<{ readonly stream: MatchStream }> }>;

/** The board of a position, as a picture. */
export const PICTURES = {
  diskwars: () => import("./diskwars/DiskwarsPicture.svelte"),
  pit: () => import("./pit/PitPicture.svelte"),
  close_quarters: () => import("./close_quarters/CloseQuartersPicture.svelte"),
  regiments: () => import("./regiments/RegimentsPicture.svelte"),
} satisfies Readonly<Record<string, LoadPicture>>;
