// What Diskwars gives the screen of its matches.

import type { MatchView } from "../../match/match_view";
import { t } from "../../messages";
import { session } from "../../page/session.svelte";
import { momentsOf } from "../../replay/moments";
import { strengthLines } from "../../replay/strength";
import ActionBar from "./ActionBar.svelte";
import CommandLine from "./CommandLine.svelte";
import DiskLists from "./DiskLists.svelte";
import DiskwarsAbout from "./DiskwarsAbout.svelte";
import DiskwarsScores from "./DiskwarsScores.svelte";
import DiskwarsSeats from "./DiskwarsSeats.svelte";
import DiskwarsStage from "./DiskwarsStage.svelte";
import type { diskwars } from "../../protocol/types";
import { describe, promptOf } from "./orders";
import { Table } from "./table.svelte";

export const view: MatchView<Table> = {
  openTable(live) {
    void session.loadCatalogue();
    return new Table(live);
  },
  seatSheet: "cards",
  tabs: [
    { id: "disks", label: () => t("table.disks") },
    { id: "stacks", label: () => t("table.stacks") },
  ],
  isDense: true,
  keys: [
    ["N ⇧ N", "next"],
    ["M S F R B P", "modes"],
    ["← →", "turn"],
    ["⇧ ← →", "fine"],
    ["Enter", "primary"],
    ["⇧ Enter", "keep"],
    ["A", "add"],
    ["E", "end"],
    ["← → ↑ ↓", "disks"],
    [", .", "rotate"],
    ["␣", "face"],
    ["⌫", "undo"],
    ["Esc", "back"],
    ["1 … 9", "choice"],
    ["Tab ⇧ Tab", "target"],
    ["N …", "names"],
    ["D", "measure"],
    ["V", "peek"],
    ["+ - 0", "zoom"],
    ["C", "follow"],
    ["H", "hand"],
    ["T", "table"],
    ["/", "command"],
    ["?", "help"],
  ],
  linksFiles: true,
  momentsOf,
  strengthOf(table, bodies) {
    const board = table.stream?.state?.board;
    return board ? strengthLines(bodies, board) : [];
  },
  questionText: (table, decision) => (table.board.value ? promptOf(decision, table.board.value).title : ""),
  deedText: (action, { board }, decision, seats) =>
    board ? describe(action as diskwars.Action, board, seats, decision) : "",
  parts: {
    Seats: DiskwarsSeats,
    Stage: DiskwarsStage,
    Bar: ActionBar,
    About: DiskwarsAbout,
    Lists: DiskLists,
    CommandLine,
    Scores: DiskwarsScores,
  },
};
