// Parts of the page that are not loaded at once: what is waited for, what is asked again, and when the page is reloaded.

import { describe, expect, it } from "vitest";

import { loadWithin, type Surroundings } from "../../src/page/part_loading";

const MODULE = new TypeError("Failed to fetch dynamically imported module: http://x/assets/Rules-abcdefgh.js");
const STYLES = new Error("Unable to preload CSS for /assets/Rules-abcdefgh.css");

/** A server that answers about a part in turn, and a browser that loads it after some failures. */
function surroundings(answers: ReadonlyArray<Response | null>, mayReload = true) {
  const seen = { asked: [] as string[], waits: [] as number[], reloads: 0 };
  const around: Surroundings = {
    ask: (address) => {
      seen.asked.push(address);
      const answer = answers[seen.asked.length - 1];
      return answer ? Promise.resolve(answer) : Promise.reject(new TypeError("Failed to fetch"));
    },
    wait: (ms) => (seen.waits.push(ms), Promise.resolve()),
    reload: () => ((seen.reloads += 1), mayReload),
    onWait: () => undefined,
  };
  return { seen, around };
}
const failing = (times: number, fault: Error) => {
  let left = times;
  return () => ((left -= 1) >= 0 ? Promise.reject(fault) : Promise.resolve("part"));
};
const busy = (after: string) => new Response("", { status: 429, headers: { "Retry-After": after } });

describe("a part of the page", () => {
  it("is loaded again after the time that a busy server names, without a reload", async () => {
    const { seen, around } = surroundings([busy("7"), busy("2")]);
    expect(await loadWithin(failing(2, MODULE), around)).toBe("part");
    expect(seen).toEqual({
      asked: ["http://x/assets/Rules-abcdefgh.js", "http://x/assets/Rules-abcdefgh.js"],
      waits: [7000, 2000],
      reloads: 0,
    });
  });

  it("is not waited for for ever", async () => {
    const { seen, around } = surroundings([busy("999999"), busy("0"), busy("soon"), busy("1"), busy("1")]);
    await expect(loadWithin(failing(9, MODULE), around)).rejects.toBe(MODULE);
    expect(seen.waits).toEqual([120_000, 1000, 1000, 1000]);
    expect(seen.reloads).toBe(0);
  });

  it("comes with the new page where a new version has others", () => {
    const { seen, around } = surroundings([new Response("", { status: 404 })]);
    void loadWithin(failing(9, MODULE), around);
    return expect.poll(() => seen.reloads).toBe(1);
  });

  it("fails where that has just been tried, and where no server is", async () => {
    const gone = surroundings([new Response("", { status: 404 })], false);
    await expect(loadWithin(failing(9, MODULE), gone.around)).rejects.toBe(MODULE);
    const unreachable = surroundings([null]);
    await expect(loadWithin(failing(9, MODULE), unreachable.around)).rejects.toBe(MODULE);
    expect(unreachable.seen).toEqual({ asked: ["http://x/assets/Rules-abcdefgh.js"], waits: [], reloads: 0 });
  });

  it("is reloaded with its styles, which no browser asks for again, once the server has time", () => {
    const { seen, around } = surroundings([busy("3")]);
    void loadWithin(failing(9, STYLES), around);
    return expect.poll(() => [seen.waits, seen.reloads]).toEqual([[3000], 1]);
  });

  it("is reloaded where a browser remembers it as missing", () => {
    const { seen, around } = surroundings([busy("1"), new Response("")]);
    void loadWithin(failing(9, MODULE), around);
    return expect.poll(() => seen.reloads).toBe(1);
  });
});
