// Without a server: the service worker keeps the shell of the page, and this keeps the matches that were shown last.

import { MatchStream } from "../client/stream";
import { readFile } from "../client/records/records.js";

const MATCHES = "diskwars-matches-1";
const MAX_MATCHES = 20;
const MAX_MATCH_BYTES = 4_000_000;
const addressOf = (match: string) => `/kept/${match}.jsonl`;

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** Start the service worker, where the browser has one and the page is served safely. */
export function startWorker(): void {
  if (!("serviceWorker" in navigator) || !isSecureContext || !import.meta.env.PROD) return;
  const { trustedTypes } = window as { trustedTypes?: Policies };
  const path = "/worker.js";
  // The content policy names this one policy, which lets exactly one address through.
  const policy = trustedTypes?.createPolicy("diskwars-worker", { createScriptURL: (url) => (url === path ? url : "") });
  void navigator.serviceWorker.register(policy?.createScriptURL(path) ?? path).catch(() => undefined);
}

/** Keep the records of a match for a replay without a server: the last few that were shown. */
export async function keepMatch(stream: MatchStream): Promise<void> {
  if (!("caches" in window) || stream.fault !== null || stream.seq === 0) return;
  const text = stream.file();
  if (stream.fault !== null || text.length > MAX_MATCH_BYTES) return;
  const kept = await caches.open(MATCHES);
  await kept.delete(addressOf(stream.match));
  await kept.put(addressOf(stream.match), new Response(text));
  const names = await kept.keys();
  for (const old of names.slice(0, Math.max(0, names.length - MAX_MATCHES))) await kept.delete(old);
}

/** Return a match that was kept, or nothing. */
export async function keptMatch(match: string): Promise<MatchStream | null> {
  if (!("caches" in window)) return null;
  const found = await (await caches.open(MATCHES)).match(addressOf(match));
  if (!found) return null;
  const read = readFile(new Uint8Array(await found.arrayBuffer()));
  return read.header ? MatchStream.ofFile({ ...read, header: read.header }) : null;
}
