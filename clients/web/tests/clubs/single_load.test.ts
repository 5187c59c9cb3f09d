// Lists that are asked for again and again: nothing piles up while there is no server.

import { expect, it } from "vitest";

import { singleLoad } from "../../src/clubs/single_load";

it("asks for nothing without a server, and not again before the answer", async () => {
  const answers: (() => void)[] = [];
  let isOnline = false;
  const load = singleLoad(
    () => new Promise<void>((resolve) => answers.push(resolve)),
    () => isOnline,
  );
  await load();
  expect(answers.length).toBe(0);
  isOnline = true;
  const first = load();
  await load();
  expect(answers.length).toBe(1);
  answers[0]?.();
  await first;
  void load();
  expect(answers.length).toBe(2);
});

it("asks again after a fault", async () => {
  let asked = 0;
  const load = singleLoad(
    () => Promise.reject(new Error(String((asked += 1)))),
    () => true,
  );
  await expect(load()).rejects.toThrow("1");
  await expect(load()).rejects.toThrow("2");
});
