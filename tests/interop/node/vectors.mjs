// The vector files of tests/vectors, checked with the modules of this folder.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { encode, NotCanonical, parseAllowed, parseCanonical } from "../../../clients/web/src/client/records/canonical.js";
import * as dice from "../../../clients/web/src/client/records/dice.js";
import { foldRecord, plainMatch } from "../../../clients/web/src/client/records/match.js";
import { countSealed, genesis, nextHash, readFile, unsealedBody } from "../../../clients/web/src/client/records/records.js";

/** Check these files; return how many comparisons each needed. */
export function checkAll(files) {
  return Object.fromEntries(files.map((file) => {
    const count = { checked: 0 };
    const same = (found, wanted, name) => {
      assert.deepEqual(found, wanted, name);
      count.checked += 1;
    };
    CHECKS[basename(file)](JSON.parse(readFileSync(file, "utf8")), same);
    return [basename(file), count.checked];
  }));
}

function faultOf(text, parse) {
  try {
    parse(text);
    return null;
  } catch (fault) {
    if (fault instanceof NotCanonical) return fault.kind;
    throw fault;
  }
}

const CHECKS = {
  "canonical.json"(vectors, same) {
    for (const { name, text } of vectors.canonical) same(encode(parseCanonical(text)), text, name);
    for (const { name, text, canonical } of vectors.respelled) {
      same(encode(parseAllowed(text)), canonical, name);
      same(faultOf(text, parseCanonical), "spelling", name);
    }
    for (const { name, text, why } of vectors.banned) same(faultOf(text, parseAllowed), why, name);
  },

  "fairness.json"(vectors, same) {
    const server = dice.serverChain(dice.hex(vectors.server_chain.far_end));
    for (const { k, link } of vectors.server_chain.links) same(server[k], link, `link ${k}`);
    for (const { far_end: end, length, head, first_links: links } of vectors.seat_chains) {
      same(dice.seatChain(dice.hex(end), length).slice(0, 1 + links.length), [head, ...links], "seat chain");
    }
    const keys = dice.stepKeys(server[0], vectors.steps.map(({ link, slots }) => ({ link, nonces: slots.map((slot) => slot || dice.ZERO_NONCE) })));
    for (const { step, key } of vectors.steps) same(dice.toHex(keys[step]), key, `step ${step}`);
    for (const { key, index, tag, n, value, attempts } of vectors.draws) {
      const drawn = dice.drawNumber(dice.hex(key), BigInt(index), tag, BigInt(n));
      same([String(drawn.value), drawn.attempts], [value, attempts], tag);
    }
    for (const { key, index, tag, sides, faces } of vectors.dice) {
      same(dice.facesOf({ kind: "number_dice", index, tag, size: sides, results: faces }, dice.hex(key)), faces, tag);
    }
    for (const { key, index, tag, count, order, index_after: after } of vectors.shuffles) {
      const draw = { kind: "shuffle", index, tag, size: count, results: order };
      same([dice.facesOf(draw, dice.hex(key)), index + dice.indicesTaken(draw)], [order, after], tag);
    }
    const { deal_secret: secret, deal_commitment: commitment, deal_key: dealKey, ready, draws } = vectors.hidden;
    same(dice.toHex(dice.sha256(dice.hex(secret))), commitment, "deal commitment");
    same(dice.toHex(dice.dealKey(secret, ready)), dealKey, "deal key");
    for (const { tag, n, value } of draws) same(dice.drawPlace(dice.hex(dealKey), 0, tag, n), value, tag);
    for (const { match, step, seat, card, salt, commitment: made } of vectors.commitments) {
      same(dice.cardCommitment(match, step, seat, card, salt), made, card);
    }
  },

  "records.json"(vectors, same) {
    let head = genesis(vectors.header);
    same(head, vectors.genesis, "genesis");
    for (const [place, row] of vectors.records.entries()) {
      const record = { seq: place + 1, salt: row.salt, body: JSON.parse(row.body), openings: JSON.parse(row.openings) };
      same(encode(unsealedBody(record)), row.full, row.full);
      head = nextHash(head, record);
      same(head, row.hash, row.full);
    }
    for (const file of vectors.files) {
      const { records, bodies, isEnded } = readFile(Buffer.from(file.text));
      const sealed = bodies.reduce((sum, body) => sum + countSealed(body), 0);
      same([sealed, isEnded ? null : records.length], [file.sealed, file.unfinished_at], file.name);
    }
  },

  "board_fold.json"(vectors, same) {
    for (const { records, states } of vectors.matches) {
      for (const { after, viewer, match: wanted } of states) {
        let match = null;
        for (const record of records.slice(0, after)) match = foldRecord(match, withDigests(record[viewer] ?? record.body));
        const found = plainMatch(match);
        if (found.board) found.board = Object.fromEntries(Object.keys(wanted.board).map((name) => [name, found.board[name]]));
        same(encode(found), encode(wanted), `${viewer} after ${after}`);
      }
    }
  },
};

/** The vectors of the fold leave out digests: give sealed values one. */
const withDigests = (value) => JSON.parse(encode(value).replaceAll('{"#":""}', `{"#":"${"0".repeat(64)}"}`));
