"""The vectors in JavaScript that shares no code with ours: a browser computes what we store."""

import shutil
import subprocess
from pathlib import Path

import pytest

VECTORS = Path(__file__).parents[1] / "vectors"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="needs node, which is not installed")

START = r"""
const { createHash, createHmac } = require("node:crypto");
const assert = require("node:assert/strict");
const V = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
const hex = (text) => Buffer.from(text, "hex");
const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();
const mac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
let checked = 0;
const same = (found, wanted, name) => { assert.deepEqual(found, wanted, name); checked += 1; };
"""

CANONICAL = r"""
const spelled = (text) => JSON.stringify(JSON.parse(text));
for (const { name, text } of V.canonical) same(spelled(text), text, name);
for (const { name, text, canonical } of V.respelled) {
  same(spelled(text), canonical, name);
  same(spelled(canonical), canonical, name);
}
for (const { name, text, why } of V.banned) {
  if (why === "not_json") { assert.throws(() => JSON.parse(text), SyntaxError, name); checked += 1; }
}
console.log(checked);
"""

FAIRNESS = r"""
const chain = (end, length, hash) => {
  const links = [end];
  for (let i = 0; i < length; i += 1) links.push(hash(links[i]));
  return links.reverse();
};
const server = chain(hex(V.server_chain.far_end), V.server_chain.length, (link) => sha(link));
for (const { k, link } of V.server_chain.links) same(server[k].toString("hex"), link, `link ${k}`);
for (const seat of V.seat_chains) {
  const links = chain(hex(seat.far_end), seat.length, (link) => sha(link).subarray(0, 16));
  same(links.slice(0, 4).map((link) => link.toString("hex")), [seat.head, ...seat.first_links], "seat chain");
}
const packed = (slots) => Buffer.concat([0, 1, 2, 3].map((seat) =>
  Buffer.concat([Buffer.from([seat]), slots[seat] ? hex(slots[seat]) : Buffer.alloc(16)])));
let key = Buffer.alloc(32);
for (const step of V.steps) {
  key = mac(server[step.step], key, packed(step.slots));
  same([server[step.step].toString("hex"), key.toString("hex")], [step.link, step.key], `step ${step.step}`);
}
const draw = (key, index, tag, n) => {
  const limit = 2n ** 64n - (2n ** 64n) % n;
  const place = Buffer.alloc(12);
  place.writeBigUInt64BE(index);
  for (let attempt = 0; ; attempt += 1) {
    place.writeUInt32BE(attempt, 8);
    const value = mac(key, place, Buffer.from(tag)).readBigUInt64BE();
    if (value < limit) return [value % n, attempt + 1];
  }
};
for (const d of V.draws) {
  const [value, attempts] = draw(hex(d.key), BigInt(d.index), d.tag, BigInt(d.n));
  same([String(value), attempts], [d.value, d.attempts], d.tag);
}
for (const d of V.dice) {
  same(d.faces.map((_, i) => 1 + Number(draw(hex(d.key), BigInt(d.index + i), d.tag, BigInt(d.sides))[0])), d.faces);
}
for (const s of V.shuffles) {
  const order = Array.from({ length: s.count }, (_, i) => i);
  let index = s.index;
  for (let place = s.count - 1; place > 0; place -= 1) {
    const other = Number(draw(hex(s.key), BigInt(index++), s.tag, BigInt(place + 1))[0]);
    [order[place], order[other]] = [order[other], order[place]];
  }
  same([order, index], [s.order, s.index_after], `shuffle ${s.count}`);
}
const deal = mac(hex(V.hidden.deal_secret), packed(V.hidden.ready));
same(sha(hex(V.hidden.deal_secret)).toString("hex"), V.hidden.deal_commitment, "deal commitment");
same(deal.toString("hex"), V.hidden.deal_key, "deal key");
for (const { tag, n, value } of V.hidden.draws) same(Number(draw(deal, 0n, tag, BigInt(n))[0]), value, tag);
for (const c of V.commitments) {
  const texts = ["diskwars command card 1", c.match, String(c.step), String(c.seat), c.card];
  const fields = texts.map((text) => Buffer.from(text));
  const sized = [...fields, hex(c.salt)].flatMap((field) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(field.length);
    return [size, field];
  });
  same(sha(...sized).toString("hex"), c.commitment, c.card);
}
console.log(checked);
"""

RECORDS = r"""
const put = (tree, path, value) => {
  const last = path.at(-1);
  const parent = path.slice(0, -1).reduce((node, step) => node[step], tree);
  const before = parent[last];
  parent[last] = value;
  return before;
};
let head = sha(V.header);
same(head.toString("hex"), V.genesis, "genesis");
for (const row of V.records) {
  const body = JSON.parse(row.body);
  for (const { path, salt, value } of JSON.parse(row.openings)) {
    const sealed = put(body, path, value);
    same(sealed, { "#": sha(hex(salt), JSON.stringify(value)).toString("hex") }, row.full);
  }
  same(JSON.stringify(body), row.full, row.full);
  const leaf = sha(hex(row.salt), row.body);
  head = sha(head, leaf);
  same([leaf.toString("hex"), head.toString("hex")], [row.leaf, row.hash], row.full);
}
same(head.toString("hex"), V.head, "head");
for (const file of V.files.filter((file) => file.text.endsWith("\n"))) {
  const lines = file.text.split("\n").slice(0, -1);
  let head = sha(lines[0]);
  for (const line of lines.slice(1)) {
    const record = JSON.parse(line);
    head = sha(head, sha(hex(record.salt), JSON.stringify(record.body)));
    same([head.toString("hex"), JSON.stringify(record)], [record.hash, line], file.name);
  }
}
console.log(checked);
"""


@pytest.mark.parametrize(
    ("vectors", "script", "checks"),
    [("canonical.json", CANONICAL, 75), ("fairness.json", FAIRNESS, 45), ("records.json", RECORDS, 25)],
)
def test_javascript_agrees_with_the_vectors(vectors: str, script: str, checks: int) -> None:
    assert NODE is not None
    command = [NODE, "-e", START + script, "--", str(VECTORS / vectors)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) >= checks  # a script that looked at nothing would agree as well
