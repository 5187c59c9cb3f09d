// What stands beside the table: steps of the set-up, order of the cards, reasons of figures, strength of armies, order of strategies.

import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { MatchStream } from "../../../src/client/stream";
import type { BoardState, RecordBody } from "../../../src/client/records/match.js";
import { readFile } from "../../../src/client/records/records.js";
import { goesBefore, orderReason } from "../../../src/rulesets/diskwars/cards/reveal";
import { setupSteps } from "../../../src/rulesets/diskwars/panels/setup_steps";
import {
  counterOf,
  movementOf,
  statReasons,
  strengthOf,
  toughnessOf,
} from "../../../src/rulesets/diskwars/forecast/stats";
import { cardTurns, resolutionOrder } from "../../../src/rulesets/diskwars/cards/turn_order";
import { t } from "../../../src/messages";
import { describe as describeAction, promptOf } from "../../../src/rulesets/diskwars/orders";
import { strengthLines } from "../../../src/replay/strength";
import { markOf, printedName } from "../../../src/rulesets/small/game";

function load(name: string): MatchStream {
  const { header, records } = readFile(
    new Uint8Array(readFileSync(new URL(`../../../../../tests/golden/files/${name}.match.jsonl`, import.meta.url))),
  );
  if (!header) throw new Error("no header");
  const stream = new MatchStream({ match: header.match, header, head: records.length });
  stream.append(records);
  return stream;
}
const states = (stream: MatchStream, step = 1) =>
  stream.bodies.flatMap((_, place) => {
    const state = place % step === 0 ? stream.stateAt(place + 1) : null;
    return state?.board
      ? [{ seq: place + 1, state: structuredClone(state) as typeof state & { board: BoardState } }]
      : [];
  });
const NAMES = ["Ilse", "Marek", "Vera", "Jan"];

describe("answers of the set-up", () => {
  it("speak to the player who goes first, and name the others", () => {
    const { state } = states(load("diskwars-reserves"))[0] ?? expect.fail("no board");
    const words = (seat: number) =>
      describeAction({ type: "choose_first_player", seat }, state.board, NAMES, { seat: 1 } as Parameters<
        typeof describeAction
      >[3]);
    expect([0, 1].map(words)).toEqual(["Ilse goes first", "You go first"]);
  });
  it("come with what a scenario is for", () => {
    const asked = { seat: 0, question: { type: "scenario" } } as unknown as Parameters<typeof promptOf>[0];
    expect(promptOf(asked, null)).toEqual({
      title: "Choose the scenario",
      help: "It applies to all players for the whole match.",
    });
  });
  it("say of a card how many disks it takes", () => {
    expect([1, 3].map((value) => t("setup.card", { name: "Scout", value }))).toEqual([
      "Scout: 1 disk",
      "Scout: 3 disks",
    ]);
  });
});

/** The step that each question of the set-up belongs to. */
const STEPS: Readonly<Record<string, string>> = {
  deployment: "deploy",
  deployment_card: "cards",
  scenario: "scenario",
  scout: "scouts",
  terrain: "terrain",
  first_player: "initiative",
  initiative_order: "initiative",
};

describe("the steps of a set-up", () => {
  const stream = load("diskwars-four");
  const found = states(stream)
    .filter(({ state }) => state.board.phase === "setup" && state.decisions.length)
    .map(({ seq, state }) => ({
      question: state.decisions[0]!.question.type,
      steps: setupSteps(state.board, stream.bodies.slice(0, seq), state.decisions, NAMES, 0),
    }));
  it("name what is asked, mark what is done, and never go back", () => {
    expect(found.map(({ question }) => question)).toContain("terrain");
    for (const { question, steps } of found) {
      const now = steps.find(({ state }) => state === "now");
      const expected = STEPS[question];
      if (expected) expect(now?.id).toBe(expected);
    }
    const places = found.map(({ steps }) => steps.findIndex(({ state }) => state === "now"));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    const terrain = found.findLast(({ question }) => question === "terrain")!.steps;
    expect(terrain.find(({ id }) => id === "edges")?.text).toContain("Marek");
    expect(terrain.find(({ id }) => id === "scenario")?.text).not.toBe("");
  });
});

describe("the order of revealed cards", () => {
  const FILES = ["diskwars-points", "diskwars-four", "diskwars-three", "diskwars-expansion", "diskwars-elimination"];
  /** Every moment of a match at which cards lie open. */
  const open = (stream: MatchStream) =>
    states(stream).filter(({ state }) => state.board.sides.some(({ revealed_card }) => revealed_card));
  it("follows from the board as the server resolves it", () => {
    let [compared, swapped] = [0, 0];
    for (const stream of FILES.map(load)) {
      for (const {
        seq,
        state: { board },
      } of states(stream)) {
        const reveal = stream.bodies[seq - 1]?.events?.findLast((event) => event.type === "cards_revealed");
        if (!reveal || board.sides.some(({ revealed_card, eliminated }) => !revealed_card && !eliminated)) continue;
        const seats = reveal.cards.map(({ seat }) => seat);
        expect(resolutionOrder(board), `record ${seq}`).toEqual(seats);
        compared += 1;
        if (seats.join() !== board.order.filter((seat) => seats.includes(seat)).join()) swapped += 1;
      }
    }
    expect(compared).toBeGreaterThan(20);
    expect(swapped).toBeGreaterThan(3);
  });
  it("is the same in a branch, which has no reveal of its own", () => {
    let [over, unknown] = [0, 0];
    for (const stream of FILES.map(load)) {
      for (const {
        seq,
        state: { board, decisions },
      } of open(stream)) {
        if (!decisions.length || board.order.some((seat) => board.sides[seat]?.eliminated)) continue;
        const bodies = [{ events: [] }, { events: [{ type: "branch_began" }], decisions }] as unknown as RecordBody[];
        const whole = cardTurns(board, stream.bodies, seq);
        const turn = stream.bodies.slice(0, seq).flatMap(({ events = [] }) => events);
        const began = turn
          .slice(turn.findLastIndex(({ type }) => type === "cards_revealed"))
          .flatMap((event) => (event.type === "card_began" ? [event.seat] : []));
        expect(
          whole.flatMap(({ seat, state }) => (state === "next" ? [] : [seat])),
          `record ${seq}`,
        ).toEqual(began);
        expect(whole.find(({ state }) => state === "now")?.seat).toBe(began.at(-1));
        const branch = cardTurns(board, bodies, 2);
        expect(
          branch.map(({ seat, state }) => [seat, state]),
          `record ${seq}`,
        ).toEqual(whole.map(({ seat, state }) => [seat, state]));
        expect(branch.map(({ done }, place) => done ?? whole[place]?.done)).toEqual(whole.map(({ done }) => done));
        over += branch.filter(({ state }) => state === "over").length;
        unknown += branch.filter(({ done }) => done === null).length;
        if (decisions.some(({ question }) => question.type === "activation"))
          expect(branch.every(({ done }) => done !== null)).toBe(true);
      }
    }
    expect(over).toBeGreaterThan(5);
    expect(unknown).toBeGreaterThan(0);
  });
  it("counts the activations of a card, and agrees with the open question", () => {
    const stream = load("diskwars-points");
    let compared = 0;
    for (const { seq, state } of states(stream)) {
      for (const { seat, question } of state.decisions) {
        if (question.type !== "activation") continue;
        const total = state.board.cards.find(({ id }) => id === question.card)?.activations ?? 0;
        // Counted from the events alone, as while an activation goes on.
        const bodies = stream.bodies.map(({ decisions: _, ...body }) => body as RecordBody);
        const turn = { seat, state: "now", done: total - question.activations_left };
        expect(cardTurns(state.board, bodies, seq), `record ${seq}`).toContainEqual(turn);
        expect(cardTurns(state.board, stream.bodies, seq)).toContainEqual(turn);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(5);
  });
});

describe("the reasons of figures", () => {
  it("add up to what differs from the printed figures, all through a match", () => {
    let differing = 0;
    for (const name of ["diskwars-points", "diskwars-four"]) {
      // Every tenth board: figures change with cards, tokens and places, and all of these do often.
      for (const {
        state: { board },
      } of states(load(name), 10)) {
        for (const { id, profile: number, place } of board.disks) {
          if (place !== "battlefield") continue;
          const profile = board.profiles[number]!;
          const reasons = statReasons(board, id);
          const sum = (figure: string) =>
            reasons.filter((one) => one.figure === figure).reduce((total, { by }) => total + by, 0);
          expect([sum("strength"), sum("counter"), sum("toughness"), sum("movement")]).toEqual([
            strengthOf(board, id) - profile.strength,
            counterOf(board, id) - profile.counter_strength,
            toughnessOf(board, id) - profile.toughness,
            movementOf(board, id) - profile.movement,
          ]);
          differing += reasons.length;
        }
      }
    }
    expect(differing).toBeGreaterThan(0);
  });
  it("name the card that gives them", () => {
    const board = states(load("diskwars-points")).find(({ state }) =>
      state.board.disks.some(({ place }) => place === "battlefield"),
    )!.state.board;
    const disk = board.disks.find(({ place }) => place === "battlefield")!;
    (board.cards as unknown[]).push({
      ...board.cards[0],
      id: "of-the-test",
      name: "Stand Firm",
      abilities: [{ timing: "passive", effect: { type: "increase_toughness", toughness: 2 } }],
    });
    (board.sides[disk.seat] as { revealed_card: string }).revealed_card = "of-the-test";
    expect(statReasons(board, disk.id)).toContainEqual({
      figure: "toughness",
      by: 2,
      source: "Stand Firm",
      token: null,
    });
  });
});

describe("the strength of armies", () => {
  it("is that of the disks that are not lost, after every record", () => {
    const stream = load("diskwars-elimination");
    const all = states(stream);
    const lines = strengthLines(stream.bodies, all.at(-1)!.state.board);
    for (const {
      seq,
      state: { board },
    } of all) {
      for (const { seat, steps } of lines) {
        const left = board.disks
          .filter((disk) => disk.seat === seat && disk.place !== "casualty" && disk.place !== "gone")
          .reduce(
            (sum, disk) =>
              sum + (board.profiles[disk.profile]?.cost ?? 0) + (board.profiles[disk.profile]?.points ?? 0),
            0,
          );
        expect(steps.findLast(([at]) => at <= seq)?.[1], `record ${seq}, seat ${seat}`).toBe(left);
      }
    }
    expect(lines.some(({ steps }) => steps.length > 1)).toBe(true);
  });
});

describe("strategies", () => {
  it("go in a circle, and slow last (R7.17)", () => {
    const three = ["bold", "steady", "devious"] as const;
    three.forEach((one, place) => {
      expect(goesBefore(one, three[(place + 1) % 3]!)).toBe(true);
      expect(goesBefore(three[(place + 1) % 3]!, one)).toBe(false);
      expect(goesBefore(one, "slow")).toBe(true);
      expect(goesBefore(one, one)).toBeNull();
    });
    expect([
      orderReason("bold", "slow"),
      orderReason("bold", "steady"),
      orderReason("slow", "slow"),
      orderReason("steady", "steady"),
    ]).toEqual(["slow", "circle", "same_slow", "same"]);
  });
});

describe("what is written on a token", () => {
  it("is its name where that is readable, and else a mark of more than two letters", () => {
    expect(printedName("Dock Guard 2", markOf("Dock Guard 2"), 60).lines.join(" ")).toBe("Dock Guard 2");
    const { lines, size } = printedName("Marksman 1", markOf("Marksman 1"), 18);
    expect(lines).toEqual(["Mark1"]);
    expect((size * 18) / 100).toBeGreaterThan(7);
  });
});
