// The steps of a set-up: what is done and how it came out, what is asked now, and what follows.

import { cardName } from "../names";
import type { BoardState, Decision, RecordBody } from "../../../client/records/match.js";
import { names, t } from "../../../messages";

type SetupStepId =
  "cards" | "deploy" | "edges" | "initiative" | "objective" | "round" | "scenario" | "scouts" | "terrain";
export interface SetupStep {
  readonly id: SetupStepId;
  readonly state: "done" | "next" | "now";
  readonly text: string;
}

/** The questions that belong to each step. */
const QUESTIONS: Readonly<Record<string, SetupStepId>> = {
  first_player: "initiative",
  initiative_order: "initiative",
  scenario: "scenario",
  deployment_card: "cards",
  terrain: "terrain",
  deployment: "deploy",
  scout: "scouts",
  command_card: "round",
};
const FULL: ReadonlyArray<SetupStepId> = [
  "edges",
  "initiative",
  "scenario",
  "objective",
  "cards",
  "terrain",
  "deploy",
  "scouts",
  "round",
];
const QUICK: ReadonlyArray<SetupStepId> = ["initiative", "deploy", "scouts", "round"];

/** Return the steps in their order. `own` is the seat that looks, `seats` the names. */
export function setupSteps(
  board: BoardState,
  bodies: ReadonlyArray<RecordBody>,
  decisions: ReadonlyArray<Decision>,
  seats: ReadonlyArray<string>,
  own: number | null,
): SetupStep[] {
  const ids = board.layout.scenarios.length ? FULL : QUICK;
  const current = Math.max(...decisions.map(({ question }) => ids.indexOf(QUESTIONS[question.type] ?? "edges")), -1);
  const who = (seat: number) => (seat === own ? t("table.you") : (seats[seat] ?? ""));
  return ids.map((id, place) => {
    const state = current < 0 || place > current ? "next" : place < current ? "done" : "now";
    return { id, state, text: textOf(id, state, board, bodies, decisions, who, own) };
  });
}

function textOf(
  id: SetupStepId,
  state: SetupStep["state"],
  board: BoardState,
  bodies: ReadonlyArray<RecordBody>,
  decisions: ReadonlyArray<Decision>,
  who: (seat: number) => string,
  own: number | null,
): string {
  const { layout } = board;
  const scenario = (card: string | null | undefined) => layout.scenarios.find((one) => one.id === card)?.name ?? "";
  const waits = () => names([...new Set(decisions.map(({ seat }) => who(seat)))]);
  switch (id) {
    case "edges":
      return names(
        layout.edges.map((edge, seat) => t("setup.step.edge", { name: who(seat), edge: t(`edge.${edge as "south"}`) })),
      );
    case "initiative": {
      const rolled = bodies
        .flatMap(({ events = [] }) => events)
        .findLast((event) => event.type === "initiative_rolled");
      return rolled?.type === "initiative_rolled"
        ? rolled.rolls.map(({ seat, face, unspent }) => `${who(seat)} ${face + unspent}`).join(", ")
        : "";
    }
    case "scenario":
      return scenario(layout.active_scenario) || (state === "now" ? waits() : "");
    case "objective": {
      const objective = own === null ? null : board.sides[own]?.objective;
      return typeof objective === "string" ? scenario(objective) : "";
    }
    case "cards":
      return state === "next"
        ? ""
        : names(
            layout.laid_cards.map(
              ({ card }) => layout.deployments.find((one) => one.id === card)?.name ?? cardName(board, card),
            ),
          ) || waits();
    case "terrain":
      return state === "next" ? "" : t("setup.step.pieces", { count: board.terrain.length });
    case "deploy": {
      const done = board.sides.flatMap((_, seat) =>
        board.disks.some((disk) => disk.seat === seat && disk.place === "battlefield") ? [who(seat)] : [],
      );
      return done.length ? t("setup.step.deployed", { names: names(done) }) : state === "now" ? waits() : "";
    }
    default:
      return state === "now" ? waits() : "";
  }
}
