// The service worker keeps the files of its build, each once, and a bounded number of others.

import fs from "node:fs";
import vm from "node:vm";

import { expect, test } from "vitest";

const WORKER = fs.readFileSync(new URL("../../public/worker.js", import.meta.url), "utf8");
const ORIGIN = "https://disks.example.org";

class FakeCache {
  readonly kept = new Map<string, string>();
  keys = async () => [...this.kept.keys()].map((url) => ({ url }));
  match = async ({ url }: { url: string }) => this.kept.get(url);
  delete = async ({ url }: { url: string }) => this.kept.delete(url);
  async put({ url }: { url: string }, { body }: { body: string }) {
    this.kept.set(url, body);
  }
}

/** Run the worker of a build with these files, and return what it did. */
function startWorker(files: ReadonlyArray<string>, cache = new FakeCache()) {
  const handlers = new Map<string, (event: object) => void>();
  const fetched: string[] = [];
  class FakeRequest {
    readonly method = "GET";
    readonly mode = "cors";
    readonly url: string;
    constructor(path: string) {
      this.url = new URL(path, ORIGIN).href;
    }
  }
  const answerOf = (body: string) => ({ ok: true, body, headers: new Map(), clone: () => ({ body }) });
  const written = WORKER.replace("const FILES = [];", `const FILES = ${JSON.stringify(files)};`);
  expect(written).not.toBe(WORKER);
  vm.runInNewContext(written, {
    URL,
    Request: FakeRequest,
    caches: { open: async () => cache, match: (request: FakeRequest) => cache.match(request) },
    fetch: async ({ url }: FakeRequest) => (fetched.push(new URL(url).pathname), answerOf(url)),
    self: {
      location: { origin: ORIGIN },
      addEventListener: (type: string, handler: (event: object) => void) => handlers.set(type, handler),
      skipWaiting: async () => undefined,
    },
  });
  const install = async () => {
    let done: Promise<void> = Promise.resolve();
    handlers.get("install")?.({ waitUntil: (waited: Promise<void>) => (done = waited) });
    await done;
  };
  const ask = async (path: string) => {
    let answer: Promise<unknown> = Promise.resolve();
    const respondWith = (given: Promise<unknown>) => (answer = given);
    handlers.get("fetch")?.({ request: new FakeRequest(path), respondWith });
    await answer;
  };
  return { cache, fetched, install, ask, paths: () => [...cache.kept.keys()].map((url) => new URL(url).pathname) };
}

const filesOf = (build: string, count: number) =>
  Array.from({ length: count }, (_, place) => `/assets/part${place}-${build}.js`);

test("every file of a build is kept, however many there are", async () => {
  const files = filesOf("first", 700);
  const worker = startWorker(files);
  await worker.install();
  expect(worker.paths().sort()).toEqual(["/", ...files].sort());
});

test("the worker of the next build fetches only what is new", async () => {
  const first = startWorker(filesOf("first", 20));
  await first.install();
  const added = ["/assets/part0-second.js", "/assets/part1-second.js"];
  const second = startWorker([...filesOf("first", 20).slice(2), ...added], first.cache);
  await second.install();
  expect(second.fetched.sort()).toEqual(["/", ...added].sort());
});

test("of other files the last two hundred are kept, and none of the build goes for them", async () => {
  const files = filesOf("first", 30);
  const worker = startWorker(files);
  await worker.install();
  const others = filesOf("former", 250);
  for (const path of others) await worker.ask(path);
  expect(worker.paths().sort()).toEqual(["/", ...files, ...others.slice(50)].sort());
});
