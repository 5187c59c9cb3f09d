// The service worker keeps the files of its build, each once, and a bounded number of others.

import fs from "node:fs";
import vm from "node:vm";

import { expect, test } from "vitest";

import { findFonts, nameFiles } from "../../name_files.js";

const WORKER = fs.readFileSync(new URL("../../public/worker.js", import.meta.url), "utf8");
const ORIGIN = "https://disks.example.org";

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: string;
  clone(): Answer;
  text(): Promise<string>;
}
type Asked = string | { readonly url: string };
const addressOf = (asked: Asked) => new URL(typeof asked === "string" ? asked : asked.url, ORIGIN).href;

class FakeCache {
  readonly kept = new Map<string, Answer>();
  keys = async () => [...this.kept.keys()].map((url) => ({ url }));
  match = async (asked: Asked) => this.kept.get(addressOf(asked));
  delete = async (asked: Asked) => this.kept.delete(addressOf(asked));
  async put(asked: Asked, answer: Answer) {
    this.kept.set(addressOf(asked), answer);
  }
}

class FakeCaches {
  readonly kept = new Map<string, FakeCache>();
  keys = async () => [...this.kept.keys()];
  delete = async (name: string) => this.kept.delete(name);
  async open(name: string) {
    const cache = this.kept.get(name) ?? new FakeCache();
    this.kept.set(name, cache);
    return cache;
  }
  async match(asked: Asked) {
    for (const cache of this.kept.values()) if (await cache.match(asked)) return cache.match(asked);
    return undefined;
  }
  paths = (build: string) => [...(this.kept.get(build)?.kept.keys() ?? [])].map((url) => new URL(url).pathname).sort();
}

/** Return what a server says: its document names these files. */
const answerOf = (path: string, files: ReadonlyArray<string>, status = 200): Answer => {
  const body = path === "/" ? files.map((file) => `<script src="${file}">`).join("") : path;
  const answer: Answer = { ok: status < 300, status, body, clone: () => answer, text: async () => body };
  return answer;
};

/** Run the worker of a build with these files, and return what it did. `answers` says otherwise for some paths. */
function startWorker(
  files: ReadonlyArray<string>,
  caches = new FakeCaches(),
  answers: Readonly<Record<string, Answer | null>> = {},
) {
  const handlers = new Map<string, (event: object) => void>();
  const fetched: string[] = [];
  class FakeRequest {
    readonly method = "GET";
    readonly url: string;
    constructor(
      path: string,
      readonly mode = "cors",
    ) {
      this.url = new URL(path, ORIGIN).href;
    }
  }
  const written = nameFiles(
    WORKER,
    files.map((path) => path.slice(1)),
  );
  vm.runInNewContext(written, {
    URL,
    Request: FakeRequest,
    caches,
    fetch: async ({ url }: FakeRequest) => {
      const path = new URL(url).pathname;
      fetched.push(path);
      const answer = path in answers ? answers[path] : answerOf(path, files);
      if (!answer) throw new TypeError("no server");
      return answer;
    },
    self: {
      location: { origin: ORIGIN },
      addEventListener: (type: string, handler: (event: object) => void) => handlers.set(type, handler),
      skipWaiting: async () => undefined,
      clients: { claim: async () => undefined },
    },
  });
  const run = async (type: string) => {
    let done: Promise<void> = Promise.resolve();
    handlers.get(type)?.({ waitUntil: (waited: Promise<void>) => (done = waited) });
    await done;
  };
  const ask = async (path: string, mode?: string): Promise<Answer | undefined> => {
    let answer: Promise<Answer | undefined> = Promise.resolve(undefined);
    const respondWith = (given: Promise<Answer>) => (answer = given);
    handlers.get("fetch")?.({ request: new FakeRequest(path, mode), respondWith });
    return answer;
  };
  const cache = `diskwars-shell-${/const BUILD = "(\w+)"/.exec(written)?.[1]}`;
  const release = async () => {
    await run("install");
    await run("activate");
  };
  return { caches, cache, fetched, install: () => run("install"), release, ask, paths: () => caches.paths(cache) };
}

const filesOf = (build: string, count: number) =>
  Array.from({ length: count }, (_, place) => `/assets/part${place}-${build}.js`);

test("every file of a build is kept, however many there are", async () => {
  const files = filesOf("first", 700);
  const worker = startWorker(files);
  await worker.install();
  expect(worker.paths()).toEqual(["/", ...files].sort());
});

test("the worker of the next build fetches only what is new", async () => {
  const first = startWorker(filesOf("first", 20));
  await first.install();
  const added = ["/assets/part0-second.js", "/assets/part1-second.js"];
  const second = startWorker([...filesOf("first", 20).slice(2), ...added], first.caches);
  await second.install();
  expect(second.fetched.sort()).toEqual(["/", ...added].sort());
});

test("of other files the last two hundred are kept, and none of the build goes for them", async () => {
  const files = filesOf("first", 30);
  const worker = startWorker(files);
  await worker.install();
  const others = filesOf("former", 250);
  for (const path of others) await worker.ask(path);
  expect(worker.paths()).toEqual(["/", ...files, ...others.slice(50)].sort());
});

test("an old worker takes nothing from the build that is being installed", async () => {
  const caches = new FakeCaches();
  const first = startWorker(filesOf("first", 20), caches);
  await first.release();
  const files = filesOf("second", 250);
  const second = startWorker(files, caches);
  const installed = second.install();
  for (const path of [...filesOf("other", 250), ...files]) await first.ask(path);
  await installed;
  expect(second.paths()).toEqual(["/", ...files].sort());
  expect(first.paths()).toEqual(expect.arrayContaining(filesOf("first", 20)));
});

test.each([
  ["a file that is gone", { "/assets/part3-first.js": answerOf("/assets/part3-first.js", [], 404) }],
  ["a file that does not come", { "/assets/part3-first.js": null }],
  ["a document that is refused", { "/": answerOf("/", [], 503) }],
  ["the document of another build", { "/": answerOf("/", filesOf("second", 3)) }],
])("with %s a build is not installed, and leaves nothing", async (_, answers) => {
  const caches = new FakeCaches();
  const worker = startWorker(filesOf("first", 20), caches, answers);
  await expect(worker.install()).rejects.toThrow();
  expect(await caches.keys()).toEqual([]);
});

test("what the server answers with an error is shown and not kept", async () => {
  const [gone, icon] = ["/assets/gone-zero.js", "/icon.svg"];
  const worker = startWorker(filesOf("first", 2), new FakeCaches(), {
    [gone]: answerOf(gone, [], 404),
    [icon]: answerOf(icon, [], 429),
  });
  await worker.install();
  expect([(await worker.ask(gone))?.status, (await worker.ask(icon))?.status]).toEqual([404, 429]);
  expect(worker.paths()).toEqual(["/", ...filesOf("first", 2)].sort());
});

test("without a server the document is that of the build, not that of a later one which has been seen", async () => {
  const [files, later] = [filesOf("first", 2), filesOf("second", 2)];
  const answers: Record<string, Answer | null> = {};
  const worker = startWorker(files, new FakeCaches(), answers);
  await worker.install();
  answers["/"] = answerOf("/", later);
  expect((await worker.ask("/", "navigate"))?.body).toContain(later[0]);
  answers["/"] = null;
  expect((await worker.ask("/", "navigate"))?.body).toContain(files[0]);
});

test("three builds are kept, so that tabs which show an earlier one find the rest of its files", async () => {
  const caches = new FakeCaches();
  const workers = ["first", "second", "third", "fourth"].map((build) => startWorker(filesOf(build, 3), caches));
  for (const worker of workers) await worker.release();
  expect(await caches.keys()).toEqual(workers.slice(1).map(({ cache }) => cache));
  const [former] = filesOf("second", 1);
  await workers[3]?.ask(former as string);
  expect(workers[3]?.fetched).not.toContain(former);
});

test("a build that could not write what it should does not end quietly", () => {
  expect(() => nameFiles(WORKER.replace("const FILES", "const ALL_FILES"), ["a.js"])).toThrow("0 times");
  expect(() => nameFiles(`${WORKER}${WORKER}`, ["a.js"])).toThrow("2 times");
  expect(() => nameFiles(WORKER, ["index.html"])).toThrow("no files");
  expect(nameFiles(WORKER, ["a.js"])).not.toBe(nameFiles(WORKER, ["b.js"]));
  expect(() => findFonts(["assets/one-500.woff2"], ["one-500", "two-600"])).toThrow("two-600");
});

test("documents of their own are left to the browser", async () => {
  const worker = startWorker(filesOf("first", 2));
  await worker.install();
  const before = worker.fetched.length;
  await worker.ask("/embed/c9dk2n5ytxgw/12", "navigate");
  await worker.ask("/api/v1/matches", "navigate");
  await worker.ask("/docs/", "navigate");
  await worker.ask("/docs", "navigate");
  expect(worker.fetched.length).toBe(before);
  await worker.ask("/m/c9dk2n5ytxgw", "navigate");
  expect(worker.fetched.length).toBe(before + 1);
});
