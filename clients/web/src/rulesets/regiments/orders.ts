// Typed orders of regiments, in the words of the terminal: `march to 4 5 north`, `charge B1`, `reform 6`, and several in secret.

import type { regiments } from "../../protocol/types";
import { findPiece, findPieces, splitOrder, type NamedPieces, type Ordered } from "../small/typed_orders";
import { smallText } from "../small/texts";

type Order = regiments.UnitOrder["order"];
type Step = regiments.March["path"][number];

export interface RegimentsWords {
  readonly pieces: NamedPieces;
  readonly limits: ReadonlyArray<regiments.OrderLimits>;
  readonly facingOf: (unit: number) => string;
}

const STEPS: Readonly<Record<string, Step>> = {
  forward: "forward",
  f: "forward",
  left: "left",
  l: "left",
  right: "right",
  r: "right",
};
const VERBS: ReadonlySet<string> = new Set(["hold", "fight", "retreat", "march", "charge", "reform"]);
export const ORDER_FORMS = [
  "march forward left",
  "march to 4 5 north",
  "charge NAME",
  "reform 6",
  "hold",
  "fight",
  "retreat",
];
export const SECRET_FORMS = ["A1 march forward; A2 charge B1; A3 hold"];

/** Return the order that a line gives to one unit. */
export function regimentsOrder(line: string, unit: number, words: RegimentsWords): Order | string | null {
  const [verb, rest] = splitOrder(line);
  switch (verb) {
    case "hold":
    case "fight":
    case "retreat":
      return rest ? null : { type: verb };
    case "charge": {
      const target = findPiece(words.pieces, rest);
      return typeof target === "string" ? target : { type: "charge", target };
    }
    case "reform":
      return /^[1-9]\d*$/.test(rest) ? { type: "reform", files: Number(rest) } : smallText("rg.order.files");
    case "march":
      return marchOrder(rest.toLowerCase(), unit, words);
    default:
      return null;
  }
}

function marchOrder(rest: string, unit: number, { limits, facingOf }: RegimentsWords): Order | string {
  const steps = rest
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => STEPS[word]);
  if (steps.length && steps.every((step) => step !== undefined)) return { type: "march", path: steps as Step[] };
  const [, x, y, facing] = /^(?:to\s+)?\(?(\d+)[\s,]+(\d+)\)?(?:\s+(north|east|south|west))?$/.exec(rest) ?? [];
  if (x === undefined) return smallText("rg.order.march");
  const all = limits.find((one) => one.unit === unit && (one.ends ?? []).length)?.ends ?? [];
  const ends = all.filter(
    (end) => end.x === Number(x) && end.y === Number(y) && (facing === undefined || end.facing === facing),
  );
  // Without a direction it faces as now if it can, on the shortest way.
  const [best] = [...ends].sort(
    (one, other) =>
      Number(one.facing !== facingOf(unit)) - Number(other.facing !== facingOf(unit)) ||
      one.path.length - other.path.length,
  );
  return best ? { type: "march", path: best.path } : smallText("rg.order.end");
}

/** Return the orders of all units: those of the line, the others as they are drafted; null for a line without an order. */
export function secretOrders(line: string, drafted: regiments.LockOrders, words: RegimentsWords): Ordered {
  const orders = new Map(
    (drafted.orders as ReadonlyArray<regiments.UnitOrder>).map(({ unit, order }) => [unit, order]),
  );
  const parts = line
    .trim()
    .replace(/^orders\b/i, "")
    .split(";");
  for (const part of parts) {
    const said = part.trim().split(/\s+/);
    const at = said.findIndex((word) => VERBS.has(word.toLowerCase()));
    if (at < 1) return parts.length > 1 || at === 0 ? smallText("rg.order.secret") : null;
    const unit = findOrdered(said.slice(0, at).join(" "), words.pieces, orders);
    if (typeof unit === "string") return unit;
    const order = regimentsOrder(said.slice(at).join(" "), unit, words);
    if (order === null || typeof order === "string") return order ?? smallText("rg.order.secret");
    orders.set(unit, order);
  }
  return { ...drafted, orders: [...orders].map(([unit, order]) => ({ unit, order })) };
}

/** Return the unit of this name that takes an order now, or why there is none. */
function findOrdered(name: string, pieces: NamedPieces, able: ReadonlyMap<number, Order>): number | string {
  const own = findPieces(pieces, name).filter((id) => able.has(id));
  const unit = own.length === 1 ? (own[0] as number) : findPiece(pieces, name);
  return typeof unit === "string" || able.has(unit)
    ? unit
    : smallText("rg.order.notyours", { name: pieces.names[unit] ?? "" });
}
