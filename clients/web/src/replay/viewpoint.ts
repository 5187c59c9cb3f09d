// A match as a seat or the public could see it while it was played: the openings that others were shown are left out.

import { MatchStream } from "../client/stream";

export type Viewpoint = number | "all" | "public";

/** Whether the records say who could see what: only openings of an ended match name their seats. */
export const hasViewpoints = (stream: MatchStream): boolean =>
  stream.records.some(({ openings }) => openings?.some(({ seats }) => (seats?.length ?? 0) > 0) ?? false);

export function seenFrom(stream: MatchStream, viewpoint: Viewpoint): MatchStream {
  if (viewpoint === "all") return stream;
  const seen = new MatchStream({
    match: stream.match,
    header: stream.header,
    head: stream.head,
    ...(viewpoint === "public" ? {} : { seat: viewpoint }),
  });
  seen.append(
    stream.records.map(({ openings, ...record }) => {
      const shown = (openings ?? []).filter(({ seats }) => viewpoint !== "public" && seats?.includes(viewpoint));
      return shown.length ? { ...record, openings: shown } : record;
    }),
  );
  return seen;
}

/** Read a viewpoint as a link names it: `all`, `public`, or the letter of a seat. */
export function readViewpoint(text: string | null, seats: number): Viewpoint {
  const seat = text === null ? -1 : ["a", "b", "c", "d"].indexOf(text);
  return text === "public" ? "public" : seat >= 0 && seat < seats ? seat : "all";
}

export const viewpointText = (viewpoint: Viewpoint): string =>
  typeof viewpoint === "number" ? ("abcd"[viewpoint] ?? "all") : viewpoint;
