// How each game is played, in a few steps with the rules they rest on; their texts in the language of the reader.

import en from "../messages/en/parts/how_to_play.json";
import { makeTexts } from "../messages/texts";

export const howText = makeTexts("how_to_play", en);

export const GAMES = ["diskwars", "pit", "close_quarters", "regiments"] as const;
export type Game = (typeof GAMES)[number];
export const isGame = (name: string | null): name is Game => GAMES.some((game) => game === name);

interface Guide {
  readonly steps: ReadonlyArray<{ readonly text: keyof typeof en; readonly rules: ReadonlyArray<string> }>;
  /** A puzzle whose position is the picture, and what the picture is. */
  readonly puzzle: string;
  readonly board: keyof typeof en;
}

export const GUIDES: Readonly<Record<Game, Guide>> = {
  diskwars: {
    steps: [
      { text: "diskwars.cards", rules: ["R7.3", "R7.5", "R7.17"] },
      { text: "diskwars.flip", rules: ["R5.2", "R8.4"] },
      { text: "diskwars.pin", rules: ["R6.1", "R8.5.5"] },
      { text: "diskwars.melee", rules: ["R15.6", "R13.4", "R13.5"] },
      { text: "diskwars.end", rules: ["R4.5", "R4.6"] },
    ],
    puzzle: "diskwars-01",
    board: "diskwars.board",
  },
  pit: {
    steps: [
      { text: "pit.turn", rules: ["A-0", "A-8"] },
      { text: "pit.engage", rules: ["A-9", "A-12"] },
      { text: "pit.combat", rules: ["A-11", "A-3", "A-4"] },
      { text: "pit.injury", rules: ["A-16", "A-6"] },
      { text: "pit.rout", rules: ["A-7", "A-0"] },
    ],
    puzzle: "pit-01",
    board: "pit.board",
  },
  close_quarters: {
    steps: [
      { text: "close_quarters.turn", rules: ["B-0", "B-25"] },
      { text: "close_quarters.combat", rules: ["B-6"] },
      { text: "close_quarters.dice", rules: ["B-1", "B-12", "B-2"] },
      { text: "close_quarters.markers", rules: ["B-4", "B-3", "B-16"] },
      { text: "close_quarters.end", rules: ["B-23"] },
    ],
    puzzle: "close-quarters-01",
    board: "close_quarters.board",
  },
  regiments: {
    steps: [
      { text: "regiments.orders", rules: ["C-21", "C-24", "C-25", "C-26"] },
      { text: "regiments.charge", rules: ["C-1", "C-5", "C-2"] },
      { text: "regiments.fight", rules: ["C-6", "C-7", "C-8", "C-10"] },
      { text: "regiments.break", rules: ["C-11", "C-12", "C-15"] },
      { text: "regiments.end", rules: ["C-23"] },
    ],
    puzzle: "regiments-01",
    board: "regiments.board",
  },
};
