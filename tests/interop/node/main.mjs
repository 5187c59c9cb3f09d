// What tests/interop/ runs: one verb, its files, and JSON on standard output.

import { readFileSync } from "node:fs";

import { play } from "./play.mjs";
import * as vectors from "./vectors.mjs";
import { NewerFormat, WrongRecord } from "../../../clients/web/src/client/records/records.js";
import { verify } from "./verify.mjs";

const VERBS = {
  vectors: (...files) => vectors.checkAll(files),
  play: (packages, url, seed, seats, setup) => play(packages, url, Number(seed), Number(seats), setup),
  verify(catalogue, ...files) {
    const content = catalogue === "-" ? null : JSON.parse(readFileSync(catalogue, "utf8"));
    return files.map((file) => verdictOn(file, content));
  },
};

function verdictOn(file, catalogue) {
  try {
    return { file, ...verify(readFileSync(file), { catalogue }) };
  } catch (fault) {
    if (fault instanceof NewerFormat) return { file, newer: fault.message };
    if (!(fault instanceof WrongRecord)) throw fault;
    return { file, wrong: fault.seq, why: fault.message };
  }
}

const [verb, ...args] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await VERBS[verb](...args)));
