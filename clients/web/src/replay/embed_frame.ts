// What another page shows a moment of a match with: see docs/embedding.md.

import type { MatchState } from "../client/records/match.js";

const WIDTH = 640;
const HEIGHT = 420;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const escape = (text: string): string => text.replace(/[&"<>]/g, (letter) => ESCAPES[letter] ?? letter);

/** Whether other sites may show a match: it has ended, and others than its players may watch it. No state names a lock. */
export const canShowElsewhere = (state: Pick<MatchState, "status" | "match_options"> | null): boolean =>
  state?.status === "ended" && state.match_options?.watchers !== "none";

/** Return the frame of a record of a match as HTML; screen readers announce its `title`. */
export const embedFrame = (site: string, match: string, seq: number, title: string): string =>
  `<iframe src="${escape(`${site}/embed/${match}/${seq}`)}" width="${WIDTH}" height="${HEIGHT}" ` +
  `title="${escape(title)}" style="border:0" loading="lazy"></iframe>`;
