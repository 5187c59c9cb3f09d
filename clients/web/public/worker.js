// The service worker: the shell of the page without a server. Matches are kept by the page itself.

const SHELL = "/";
/** The files of the build, which writes them here, and its name: another build is another worker with a cache of its own. */
const FILES = [];
const BUILD = "";
const PREFIX = "diskwars-shell-";
const CACHE = `${PREFIX}${BUILD}`;
const OWN = new Set([SHELL, ...FILES]);
/** Kept beside them: icons, and files of builds without a cache, which open tabs may still ask for. */
const MAX_OTHERS = 200;
/** Earlier builds whose files are kept for the tabs that show them. */
const MAX_FORMER_BUILDS = 2;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

/** Keep the document and every file of the build: all of them, or the worker is not installed. */
async function keepShell() {
  try {
    const shell = await fetchWhole(new Request(SHELL, { cache: "reload" }));
    requireOwn(await shell.clone().text());
    const cache = await caches.open(CACHE);
    await cache.put(new Request(SHELL), shell);
    await Promise.all(FILES.map((path) => keepFile(cache, new Request(path))));
  } catch (fault) {
    // A build that cannot be kept leaves nothing: there would be one more cache with each release.
    await caches.delete(CACHE);
    throw fault;
  }
}

/** Keep a file of the build, which another build may have kept before. */
async function keepFile(cache, request) {
  await cache.put(request, (await caches.match(request)) ?? (await fetchWhole(request)));
}

async function fetchWhole(request) {
  const answer = await fetch(request);
  if (!answer.ok) throw new Error(`${request.url} is answered with ${answer.status}`);
  return answer;
}

/** Throw where a document is that of another build: while nodes are replaced, each request may meet another one. */
function requireOwn(text) {
  const foreign = (text.match(/\/assets\/[\w.-]+/g) ?? []).find((path) => !OWN.has(path));
  if (foreign) throw new Error(`the document names ${foreign}, which is of another build`);
}

self.addEventListener("activate", (event) => {
  event.waitUntil(removeFormerBuilds().then(() => self.clients.claim()));
});

/** Remove all earlier builds but the last ones. A later one may be being installed by its own worker. */
async function removeFormerBuilds() {
  const builds = (await caches.keys()).filter((name) => name.startsWith(PREFIX)); // the oldest comes first
  const former = builds.slice(0, Math.max(0, builds.indexOf(CACHE)));
  await Promise.all(former.slice(0, -MAX_FORMER_BUILDS).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  // Embeds, the page of the HTTP interface and the documentation are documents of their own: without a server the shell is none of them.
  if (/^\/(?:embed|api|docs)(?:\/|$)/.test(url.pathname)) return;
  if (request.mode === "navigate") event.respondWith(documentOf(request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(assetOf(request));
  else if (url.pathname.startsWith("/matches/"))
    return; // pictures of boards: the browser's own cache keeps them
  else if (/\.(?:svg|png|webmanifest)$/.test(url.pathname)) event.respondWith(freshOr(request));
});

// A notice of the server, sent while the page may be closed. Without a notification a browser would end the subscription.
self.addEventListener("push", (event) => {
  const { id, title, body, link } = event.data?.json() ?? {};
  if (typeof title !== "string" || typeof link !== "string") return;
  // Of two notices under one id a browser shows one; the link leads to this server, whatever it is called there.
  const pathname = new URL(link, self.location.origin).pathname.replace(/^\/+/, "/");
  event.waitUntil(self.registration.showNotification(title, { body, tag: id, icon: "/icon.svg", data: pathname }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openMatch(event.notification.data));
});

/** Show a match in a tab of the page that is open, one in view before others, or in a new one. */
async function openMatch(path) {
  const tabs = await self.clients.matchAll({ type: "window" });
  const tab = tabs.find(({ visibilityState }) => visibilityState === "visible") ?? tabs[0];
  if (!tab) return self.clients.openWindow(path);
  tab.postMessage(path);
  return tab.focus();
}

/** The one document of the page: that of the server, or that of the build where there is none. */
async function documentOf(request) {
  try {
    return await fetch(request);
  } catch {
    return (await (await caches.open(CACHE)).match(SHELL)) ?? Response.error();
  }
}

/** Files whose names say their content never change. */
async function assetOf(request) {
  return (await caches.match(request)) ?? keep(request);
}

async function freshOr(request) {
  try {
    return await keep(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

async function keep(request) {
  const answer = await fetch(request);
  if (answer.ok) await put(request, answer.clone());
  return answer;
}

async function put(request, answer) {
  const cache = await caches.open(CACHE);
  // Nothing takes the place of a file of the build, nor goes for another: it is complete, or not installed.
  if (isOwn(request)) return;
  await cache.put(request, answer);
  // The oldest come first.
  const others = (await cache.keys()).filter((one) => !isOwn(one));
  for (const old of others.slice(0, Math.max(0, others.length - MAX_OTHERS))) await cache.delete(old);
}

const isOwn = ({ url }) => OWN.has(new URL(url).pathname);
