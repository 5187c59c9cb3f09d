// The page forecasts each effect in docs/forecasts.md, or shows that it is not forecast.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { boardRulesOf } from "../../../src/client/records/boards.js";
import type { BoardState, Decision } from "../../../src/client/records/match.js";
import {
  abilityNotes,
  landingNotes,
  pathNotes,
  shotConsequences,
  unforecastNotes,
} from "../../../src/rulesets/diskwars/forecast/forecast";
import { effectOf } from "../../../src/rulesets/diskwars/forecast/preselect";
import type { diskwars } from "../../../src/protocol/types";

interface Row {
  rule: string;
  subject: string;
  board: diskwars.Board;
  action: diskwars.Focus | diskwars.MoveDisk | diskwars.Reinforce | diskwars.Shoot | diskwars.UseAbility;
  card: string;
  page: string;
}
const { effects } = JSON.parse(
  readFileSync(new URL("../../../../../tests/vectors/forecast_effects.json", import.meta.url), "utf8"),
) as { effects: Row[] };

function textsOf(board: BoardState, { action, card }: Row): string[] {
  const now = board.disks[action.disk];
  switch (action.type) {
    case "move_disk": {
      let [x, y] = [now?.x ?? 0, now?.y ?? 0];
      const path = action.path.map(([dx, dy]) => ({ x: (x += dx), y: (y += dy) }));
      return pathNotes(board, action.disk, path).map(({ text }) => text);
    }
    case "reinforce":
      return landingNotes(board, action.disk, action.x, action.y, false).map(({ text }) => text);
    case "shoot":
      return shotConsequences(board, action.disk, action.target, true).map(({ text }) => text);
    default: {
      const decision = { question: { type: "activation", card } } as Decision;
      const effect = effectOf(board, decision, action) ?? expect.fail("no effect");
      const notes = abilityNotes(board, action.disk, action.target ?? null, effect) ?? [];
      return [...notes, ...unforecastNotes(effect, null)].map(({ text }) => text);
    }
  }
}

describe("the list of effects", () => {
  it.each(effects)("$rule, $subject: the page says it", (row) => {
    const board = boardRulesOf("diskwars").full(row.board);
    expect(textsOf(board, row).join("\n")).toContain(row.page);
  });
});
