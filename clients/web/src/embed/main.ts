// The board for other sites: a match in scenes, without a login, without cookies, and without anything that it keeps.

import "./embed.css";

import { Player } from "./player";
import { language, t } from "./texts";
import { fetchMatch, Fault, type FaultKind, type Shown } from "./fetching";
import { AGAIN_MS, MAX_READS, planRetry } from "./retries";

const [, , match = "", seq = ""] = location.pathname.split("/");
const wanted = new URLSearchParams(location.search).get("theme");
const isLight = wanted === "light" || (wanted !== "dark" && matchMedia("(prefers-color-scheme: light)").matches);
document.documentElement.dataset.theme = isLight ? "light" : "dark";
document.documentElement.lang = language;

const root = document.getElementById("embed") ?? document.body;
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Return when the embed is in view, after a time at least. */
async function waitInView(ms: number): Promise<void> {
  await wait(ms);
  if (document.hidden) await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}

/** Show a text in the place of the board. */
function showNotice(text: string, retry?: () => void): void {
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "status");
  notice.textContent = text;
  root.replaceChildren(notice);
  if (!retry) return;
  const button = document.createElement("button");
  button.textContent = t("embed.again");
  button.onclick = retry;
  notice.append(button);
}

async function open(): Promise<void> {
  showNotice(t("embed.loading"));
  const attempts = new Map<FaultKind, number>();
  let last: FaultKind | null = null;
  for (;;) {
    try {
      const shown = await fetchMatch(match);
      const player = new Player(root, match, shown, Number(seq) || 0);
      if (shown.scenes.winners == null) void follow(player);
      return;
    } catch (reason) {
      const fault = reason instanceof Fault ? reason : new Fault("away");
      const count = (attempts.get(fault.kind) ?? 0) + 1;
      attempts.set(fault.kind, count);
      const retry = planRetry(fault, count);
      // The same text again would be read out again.
      if (fault.kind !== last || retry.isOffered) {
        showNotice(t(retry.text), retry.isOffered ? () => void open() : undefined);
      }
      if (retry.waitMs === null) return;
      last = fault.kind;
      await waitInView(retry.waitMs);
    }
  }
}

/** Read a match under way again and again, until it has ended. */
async function follow(player: Player): Promise<void> {
  for (let reads = 0; reads < MAX_READS; reads++) {
    await waitInView(AGAIN_MS);
    let shown: Shown;
    try {
      shown = await fetchMatch(match);
    } catch {
      continue; // what is shown stays
    }
    player.update(shown);
    if (shown.scenes.winners != null) return;
  }
}

void open();
