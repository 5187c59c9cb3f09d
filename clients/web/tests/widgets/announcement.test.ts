// What live regions read: never what is not true any more, also the same once more, and nothing that a question says itself.

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Announcement } from "../../src/widgets/announcement";

const PAUSE_MS = 500;
let shown: string[];
let plan: Announcement;
const rest = () => vi.advanceTimersByTime(PAUSE_MS);
const read = () => shown.filter(Boolean);

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  plan = new Announcement(PAUSE_MS, (text) => shown.push(text));
});
afterEach(() => vi.useRealTimers());

function ask(text: string): void {
  plan.change(text);
  plan.begin();
  rest();
}

test("a plan is read once it rests, and what a question begins with is not", () => {
  ask("Activate a disk");
  for (const text of ["one flip", "two flips"]) plan.change(text);
  rest();
  expect(read()).toEqual(["two flips"]);
});

test("a plan that has changed is gone before the next one is read", () => {
  ask("Activate a disk");
  plan.change("one flip");
  rest();
  plan.change("two flips");
  expect(shown.at(-1)).toBe("");
});

test("the next question takes the plan of the last one away", () => {
  ask("Activate a disk");
  plan.change("one flip");
  rest();
  ask("Choose a target");
  expect([shown.at(-1), read()]).toEqual(["", ["one flip"]]);
});

test("a plan is read again when it is planned a second time, and at the next question", () => {
  ask("Activate a disk");
  for (const text of ["one flip", "Activate a disk", "one flip"]) {
    plan.change(text);
    rest();
  }
  ask("Activate a disk");
  plan.change("one flip");
  rest();
  expect(read()).toEqual(["one flip", "Activate a disk", "one flip", "one flip"]);
});

test("nothing is read once it has stopped", () => {
  plan.change("one flip");
  plan.stop();
  rest();
  expect(read()).toEqual([]);
});
