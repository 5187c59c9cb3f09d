// What each of the small games gives the screen of its matches.

import type { RecordBody } from "../../client/records/match.js";
import type { MatchView } from "../../match/match_view";
import { roundsOf } from "../../replay/moments";
import AskBar from "./AskBar.svelte";
import CommandLine from "./CommandLine.svelte";
import type { Action, AnyGame } from "./game";
import PieceList from "./PieceList.svelte";
import SmallAbout from "./SmallAbout.svelte";
import SmallScores from "./SmallScores.svelte";
import SmallSeats from "./SmallSeats.svelte";
import SmallStage from "./SmallStage.svelte";
import { SmallTable } from "./table.svelte";
import { smallText } from "./texts";

/** Rounds of two of the games, and turns of the third. */
function roundOf(event: { readonly type: string; readonly round?: number; readonly turn?: number }) {
  return event.type === "round_began" ? event.round : event.type === "turn_began" ? event.turn : undefined;
}

function momentsOf(bodies: ReadonlyArray<RecordBody>) {
  const rounds = roundsOf(bodies as unknown as Parameters<typeof roundsOf<Parameters<typeof roundOf>[0]>>[0], roundOf);
  return { rounds, activations: [], reveals: [], losses: [], dice: [] };
}

export const makeView = (game: AnyGame): MatchView<SmallTable> => ({
  openTable: (live) => new SmallTable(live, game),
  seatSheet: "pieces",
  tabs: [{ id: "pieces", label: () => smallText("tab.pieces") }],
  isDense: false,
  keys: [
    ["1 … 9", "choice"],
    ["Enter", "primary"],
    ["Esc", "back"],
    ["← → ↑ ↓", "disks"],
    ["/", "command"],
    ["+ - 0", "zoom"],
    ["C", "follow"],
    ["T", "table"],
    ["?", "help"],
  ],
  questionText: (table, decision) => table.titleOf(decision),
  deedText: (action, { board }, decision) => (board ? game.deed(board, decision as never, action as Action) : ""),
  rolls: game.rolls,
  linksFiles: false,
  momentsOf,
  ...(game.hasTurns ? { roundName: (turn: number) => smallText("turn.mark", { turn }) } : {}),
  parts: {
    Seats: SmallSeats,
    Stage: SmallStage,
    Bar: AskBar,
    About: SmallAbout,
    Lists: PieceList,
    CommandLine,
    Scores: SmallScores,
  },
});
