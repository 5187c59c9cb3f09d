// What a phone shows beside the table: one sheet at a time, chosen in the bar at the lower edge.

/** The one of the seats, as its ruleset calls it. */
export type SeatSheet = "cards" | "pieces";
export type Sheet = SeatSheet | "about" | "chat" | "log" | "table";

/** Below these, and on a tablet that is held upright, there is no room for the columns beside the table. */
const COMPACT_WIDTH_PX = 760;
const COMPACT_HEIGHT_PX = 520;
const COLUMNS_WIDTH_PX = 1180;

/** Whether what else there is has to lie over the table; the style sheets ask the same. */
export const isCompactWindow = (width: number, height: number): boolean =>
  width < COMPACT_WIDTH_PX || height < COMPACT_HEIGHT_PX || (width < COLUMNS_WIDTH_PX && width <= height);

/** Whether it is a tablet on its side: the seats are a rail there, and their panels a drawer over the table. */
export const isRailWindow = (width: number, height: number): boolean =>
  width < COLUMNS_WIDTH_PX && !isCompactWindow(width, height);
/** Whether it is a tablet that is held upright: a sheet leaves part of the table in view there. */
export const isUprightTablet = (width: number, height: number): boolean =>
  width >= COMPACT_WIDTH_PX && height >= COMPACT_HEIGHT_PX && isCompactWindow(width, height);

export const SHEET_ICONS: Readonly<Record<Sheet, string>> = {
  table: "stack",
  cards: "hand",
  pieces: "users",
  about: "info",
  log: "list",
  chat: "chat",
};
