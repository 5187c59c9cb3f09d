// Colours that mean something stay apart for people without one kind of cones, in both themes.
//
// Simulated by the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
// Vision Deficiency" (IEEE TVCG 15, 2009), severity 1, on linear RGB; differences are CIEDE2000.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const VISIONS: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Two colours at this difference are told apart at a glance; at 1 to 2 they are just told apart side by side. */
const SEATS_APART = 12;
/** Rings and badges lie on felt or on rims, and each has a shape of its own. */
const RINGS_APART = 11;
/** The strategies of cards have signs, and the colours of their bands must carry light letters. */
const STRATEGIES_APART = 9;

const css = readFileSync(new URL("../../src/app/tokens.css", import.meta.url), "utf8");

/** Return the colours that a theme gives to variables: those of both themes, and its own. */
function coloursOf(theme: "dark" | "light"): ReadonlyMap<string, string> {
  const blocks = [...css.matchAll(/(:root|\[data-theme="\w+"\])\s*\{([^}]*)\}/g)];
  const own = blocks.filter(([, name]) => name === ":root" || name === `[data-theme="${theme}"]`);
  return new Map(
    own.flatMap(([, , body = ""]) =>
      [...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/gi)].map(([, name = "", colour = ""]) => [name, colour]),
    ),
  );
}

const linear = (share: number): number => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
const times = (matrix: Matrix, [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple;
const XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Triple = [0.95047, 1, 1.08883];

/** Return a colour as somebody sees it, in CIELAB. */
function seen(colour: string, vision: Matrix): Triple {
  const rgb = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255)) as unknown as Triple;
  const shown = times(vision, rgb).map((part) => Math.min(1, Math.max(0, part))) as unknown as Triple;
  const [x, y, z] = times(XYZ, shown).map((part, k) => {
    const share = part / (WHITE[k] ?? 1);
    return share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116;
  }) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const hue = (a: number, b: number): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;

/** Return the difference of two colours by CIEDE2000. */
function difference([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const grey = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const [u1, u2] = [a1 * (1 + grey), a2 * (1 + grey)];
  const [c1, c2] = [Math.hypot(u1, b1), Math.hypot(u2, b2)];
  const [h1, h2] = [hue(u1, b1), hue(u2, b2)];
  const isGrey = c1 * c2 === 0;
  const turn = isGrey ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const [dl, dc, dh] = [l2 - l1, c2 - c1, 2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))];
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const h = isGrey ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const t =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63));
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const [sc, sh] = [1 + 0.045 * c, 1 + 0.015 * c * t];
  const rotation =
    2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(radians(60 * Math.exp(-(((h - 275) / 25) ** 2))));
  return Math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 - (rotation * dc * dh) / (sc * sh));
}

type Pair = readonly [string, string];
const pairs = (names: ReadonlyArray<string>): ReadonlyArray<Pair> =>
  names.flatMap((name, k) => names.slice(k + 1).map((other): Pair => [name, other]));

/** Return the pairs that somebody hardly tells apart, with their difference. */
function tooNear(colours: ReadonlyMap<string, string>, asked: ReadonlyArray<Pair>, least: number): string[] {
  const found = [];
  for (const [vision, matrix] of Object.entries(VISIONS))
    for (const [one, other] of asked) {
      const [a, b] = [one, other].map((name) => (name.startsWith("#") ? name : (colours.get(name) ?? "")));
      if (!a || !b) throw new Error(`no colour ${one} or ${other}`);
      const far = difference(seen(a, matrix), seen(b, matrix));
      if (far < least) found.push(`${one} and ${other}, ${vision}: ${far.toFixed(1)}`);
    }
  return found;
}

const SEATS = ["a", "b", "c", "d"];
/** The ground of a badge that can be chosen, and of one that waits. */
const [BADGE, WAITING_BADGE] = ["#f6ecd6", "#2b2622"];

describe.each(["dark", "light"] as const)("in the %s theme", (theme) => {
  const colours = coloursOf(theme);

  it.each(["seat-?", "seat-?-ring", "seat-?-deep"])("the four seats differ: %s", (form) => {
    expect(tooNear(colours, pairs(SEATS.map((seat) => form.replace("?", seat))), SEATS_APART)).toEqual([]);
  });
  it("rings of engaged and of chosen disks stand off felt, rims and each other", () => {
    const grounds = ["felt", "felt-2", ...SEATS.map((seat) => `seat-${seat}-ring`)];
    const asked = [
      ...grounds.flatMap((ground): Pair[] => [
        ["ring", ground],
        ["mark", ground],
      ]),
      ["ring", "mark"] as const,
    ];
    expect(tooNear(colours, asked, RINGS_APART)).toEqual([]);
  });
  it("number badges tell what can be chosen from what is chosen and what waits", () => {
    expect(tooNear(colours, pairs([BADGE, "mark", WAITING_BADGE]), RINGS_APART)).toEqual([]);
  });
  it("strategies of command cards differ", () => {
    expect(tooNear(colours, pairs(["bold", "steady", "devious", "slow"]), STRATEGIES_APART)).toEqual([]);
  });
});

describe("the measure", () => {
  it("agrees with published differences", () => {
    // Pairs 1, 7 and 17 of Sharma, Wu and Dalal (2005).
    expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
    expect(difference([50, 0, 0], [50, -1, 2])).toBeCloseTo(2.3669, 4);
    expect(difference([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
  });
  it("finds no red beside green that a protanope cannot tell", () => {
    expect(tooNear(new Map(), [["#a0522d", "#6b6b2b"]], SEATS_APART).some((line) => line.includes("protanopia"))).toBe(
      true,
    );
  });
});
