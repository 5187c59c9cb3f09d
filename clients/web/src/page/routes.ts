// What is shown at which address. Each view is a part of its own that is loaded when it is first shown.

export type Route =
  | { readonly view: "match"; readonly match: string; readonly at: number | null; readonly isDecided: boolean }
  | {
      readonly view: "armies" | "clubs" | "figures" | "learn" | "players" | "puzzles" | "rules" | "tournaments";
      readonly id: string | null;
    }
  | { readonly view: "join_club"; readonly code: string }
  | {
      readonly view: "history" | "leaderboard" | "lobby" | "missing" | "new" | "open" | "settings" | "watch";
    };

const MATCH = /^\/m\/([a-z0-9-]{1,64})(?:\/(\d{1,7}|decided))?$/;
const WITH_ID = /^\/(armies|clubs|figures|learn|players|puzzles|rules|tournaments)(?:\/([0-9A-Za-z._-]{1,64}))?$/;
const JOIN_CLUB = /^\/clubs\/join\/([0-9A-Za-z-]{1,128})$/;
const PLAIN = /^\/(history|leaderboard|new|open|settings|watch)$/;

/** Return what is shown at a path. A slash at its end, which people type, changes nothing. */
export function routeOf(address: string): Route {
  const path = address.length > 1 ? address.replace(/\/$/, "") : address;
  const match = MATCH.exec(path);
  if (match?.[1]) {
    const isDecided = match[2] === "decided";
    return { view: "match", match: match[1], at: match[2] && !isDecided ? Number(match[2]) : null, isDecided };
  }
  const code = JOIN_CLUB.exec(path)?.[1];
  if (code) return { view: "join_club", code };
  const withId = WITH_ID.exec(path);
  if (withId)
    return {
      view: withId[1] as "armies" | "clubs" | "figures" | "learn" | "players" | "puzzles" | "rules" | "tournaments",
      id: withId[2] ?? null,
    };
  const plain = PLAIN.exec(path)?.[1];
  return { view: (plain ?? (path === "/" ? "lobby" : "missing")) as "lobby" };
}
