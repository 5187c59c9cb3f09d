// The board for other sites: a match in scenes, without a login, without cookies, and without anything that it keeps.

import "./embed.css";

import { Player } from "./player";
import { language, t } from "./texts";
import { fetchMatch, Fault, type Shown } from "./fetching";

const MOST_TRIES = 5;
/** A match under way is read again after this long, while it is in view. */
const AGAIN_MS = 20_000;
const MOST_READS = 180;

const [, , match = "", seq = ""] = location.pathname.split("/");
const wanted = new URLSearchParams(location.search).get("theme");
const isLight = wanted === "light" || (wanted !== "dark" && matchMedia("(prefers-color-scheme: light)").matches);
document.documentElement.dataset.theme = isLight ? "light" : "dark";
document.documentElement.lang = language;

const root = document.getElementById("embed") ?? document.body;
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Say something in the place of the board. */
function say(text: string, again?: () => void): void {
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "status");
  notice.textContent = text;
  root.replaceChildren(notice);
  if (!again) return;
  const button = document.createElement("button");
  button.textContent = t("embed.again");
  button.onclick = again;
  notice.append(button);
}

async function open(): Promise<void> {
  say(t("embed.loading"));
  for (let tries = 1; ; tries++) {
    try {
      const shown = await fetchMatch(match);
      const player = new Player(root, match, shown, Number(seq) || 0);
      if (shown.scenes.winners == null) void follow(player);
      return;
    } catch (fault) {
      const { kind, waitMs } = fault instanceof Fault ? fault : new Fault("away");
      const isLast = kind !== "busy" || tries >= MOST_TRIES;
      say(t(`embed.fault.${kind}`), isLast && (kind === "busy" || kind === "away") ? () => void open() : undefined);
      if (isLast) return;
      await wait(waitMs);
    }
  }
}

/** Read a match under way again and again, until it has ended. */
async function follow(player: Player): Promise<void> {
  for (let reads = 0; reads < MOST_READS;) {
    await wait(AGAIN_MS);
    if (document.hidden) continue;
    reads += 1;
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
