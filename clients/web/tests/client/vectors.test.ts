// The vector files that Python is tested with, checked by the code of the page.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import {
  disksOverlap,
  disksWithin,
  flipAtBearing,
  flipToward,
  isFlip,
  isInside,
  type Circle,
} from "../../src/board/geometry";
import { encode, NotCanonical, parseAllowed, parseCanonical } from "../../src/client/records/canonical.js";
import * as node from "../../src/client/records/digest_node.js";
import * as browser from "../../src/client/records/digest_browser.js";
import * as dice from "../../src/client/records/dice.js";
import { foldRecord, plainMatch, type MatchState } from "../../src/client/records/match.js";
import { genesis, nextHash, readFile, unsealedBody } from "../../src/client/records/records.js";

// The vectors are plain JSON that only these tests read.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
const load = (name: string): any =>
  JSON.parse(readFileSync(new URL(`../../../../tests/vectors/${name}.json`, import.meta.url), "utf8"));
const circle = ([x, y, r]: [number, number, number]): Circle => ({ x, y, r });

describe("digests", () => {
  it("are the same in a browser and in Node", () => {
    const parts = [new Uint8Array([1, 2, 3]), "a text: ä"];
    expect(browser.sha256(...parts)).toEqual(node.sha256(...parts));
    expect(browser.hmac(new Uint8Array(32), ...parts)).toEqual(node.hmac(new Uint8Array(32), ...parts));
    expect(browser.randomBytes(16)).toHaveLength(16);
  });
});

describe("canonical form", () => {
  const vectors = load("canonical");
  it("keeps every canonical text", () => {
    for (const { text } of vectors.canonical) expect(encode(parseCanonical(text))).toBe(text);
  });
  it("respells what may be spelled otherwise, and refuses the rest by kind", () => {
    for (const { text, canonical } of vectors.respelled) expect(encode(parseAllowed(text))).toBe(canonical);
    for (const { text, why } of vectors.banned) {
      try {
        parseAllowed(text);
        expect.unreachable(text);
      } catch (fault) {
        expect((fault as NotCanonical).kind).toBe(why);
      }
    }
  });
});

describe("fair dice", () => {
  const vectors = load("fairness");
  it("has the chains, keys, draws and commitments of the vectors", () => {
    const server = dice.serverChain(dice.hex(vectors.server_chain.far_end));
    for (const { k, link } of vectors.server_chain.links) expect(server[k]).toBe(link);
    for (const { far_end: end, length, head } of vectors.seat_chains)
      expect(dice.seatChain(dice.hex(end), length)[0]).toBe(head);
    for (const { key, index, tag, n, value } of vectors.draws) {
      expect(String(dice.drawNumber(dice.hex(key), BigInt(index), tag, BigInt(n)).value)).toBe(value);
    }
    for (const { match, step, seat, card, salt, commitment } of vectors.commitments) {
      expect(dice.cardCommitment(match, step, seat, card, salt)).toBe(commitment);
    }
  });
});

describe("records", () => {
  const vectors = load("records");
  it("follow one another by their hashes", () => {
    let head = genesis(vectors.header);
    expect(head).toBe(vectors.genesis);
    for (const [place, row] of vectors.records.entries()) {
      const record = { seq: place + 1, salt: row.salt, body: JSON.parse(row.body), openings: JSON.parse(row.openings) };
      expect(encode(unsealedBody(record))).toBe(row.full);
      head = nextHash(head, record);
      expect(head).toBe(row.hash);
    }
  });
  it("are read from match files", () => {
    for (const { text, unfinished_at: unfinished } of vectors.files) {
      const { isEnded, records } = readFile(new TextEncoder().encode(text));
      expect(isEnded ? null : records.length).toBe(unfinished);
    }
  });
});

describe("the fold", () => {
  const digests = (value: unknown) => JSON.parse(encode(value).replaceAll('{"#":""}', `{"#":"${"0".repeat(64)}"}`));
  it("gives every viewer the state of the vectors", () => {
    let compared = 0;
    for (const { records, states } of load("board_fold").matches) {
      for (const { after, viewer, match: wanted } of states) {
        let match: MatchState | null = null;
        for (const record of records.slice(0, after)) match = foldRecord(match, digests(record[viewer] ?? record.body));
        const found = plainMatch(match as unknown as MatchState) as unknown as Record<string, unknown>;
        if (found["board"]) {
          const board = found["board"] as Record<string, unknown>;
          found["board"] = Object.fromEntries(Object.keys(wanted.board).map((name) => [name, board[name]]));
        }
        expect(encode(found)).toBe(encode(wanted));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });
});

describe("geometry", () => {
  const vectors = load("plane");
  it("flips as the vectors say", () => {
    for (const { vector, diameter, legal } of vectors.flips) expect(isFlip(vector[0], vector[1], diameter)).toBe(legal);
    for (const { vector, diameter, flip } of vectors.flip_toward)
      expect(flipToward(vector[0], vector[1], diameter)).toEqual(flip);
  });
  it("makes a legal flip of every bearing and size", () => {
    for (let degrees = 0; degrees < 360; degrees += 1) {
      for (const diameter of [44450, 57150, 76200])
        expect(isFlip(...flipAtBearing(degrees, diameter), diameter)).toBe(true);
    }
  });
  it("tells overlaps, ranges and rectangles", () => {
    for (const { a, b, overlaps } of vectors.disks) expect(disksOverlap(circle(a), circle(b))).toBe(overlaps);
    for (const { a, b, reach, within } of vectors.within) expect(disksWithin(circle(a), circle(b), reach)).toBe(within);
    for (const {
      disk,
      rectangle: [x0, y0, x1, y1],
      inside,
    } of vectors.inside_rectangle) {
      expect(isInside(circle(disk), { x0, y0, x1, y1 })).toBe(inside);
    }
  });
});
