// The service worker: the shell of the page without a server. Matches are kept by the page itself.

const CACHE = "diskwars-shell-1";
const SHELL = "/";
/** The files of the build, which writes them here: another build is another worker, and keeps what it has not yet. */
const FILES = [];
const OWN = new Set([SHELL, ...FILES]);
/** Kept beside them: icons, and files of former builds, which open tabs may still ask for. */
const MAX_OTHERS = 200;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

/** Keep the document and every file of the build. */
async function keepShell() {
  await keep(new Request(SHELL, { cache: "reload" }));
  const cache = await caches.open(CACHE);
  const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await Promise.all(FILES.filter((path) => !known.has(path)).map((path) => keep(new Request(path))));
}

self.addEventListener("activate", (event) => {
  const old = caches
    .keys()
    .then((names) =>
      Promise.all(
        names.filter((name) => name.startsWith("diskwars-shell-") && name !== CACHE).map((name) => caches.delete(name)),
      ),
    );
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
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

/** The one document of the page: that of the server, or the kept one where there is none. */
async function documentOf(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get("Content-Type")?.startsWith("text/html"))
      await put(new Request(SHELL), answer.clone());
    return answer;
  } catch {
    return (await caches.match(SHELL)) ?? Response.error();
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
  await cache.put(request, answer);
  if (isOwn(request)) return;
  // The oldest come first.
  const others = (await cache.keys()).filter((one) => !isOwn(one));
  for (const old of others.slice(0, Math.max(0, others.length - MAX_OTHERS))) await cache.delete(old);
}

const isOwn = ({ url }) => OWN.has(new URL(url).pathname);
