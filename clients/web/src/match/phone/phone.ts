// What a phone shows beside the table: one sheet at a time, chosen in the bar at the lower edge.

/** The one of the seats, as its ruleset calls it. */
export type SeatSheet = "cards" | "pieces";
export type Sheet = SeatSheet | "about" | "chat" | "log" | "table";

/** Below these, there is no room for the columns beside the table. */
export const COMPACT_WIDTH_PX = 760;
export const COMPACT_HEIGHT_PX = 520;

export const SHEET_ICONS: Readonly<Record<Sheet, string>> = {
  table: "stack",
  cards: "hand",
  pieces: "users",
  about: "info",
  log: "list",
  chat: "chat",
};
