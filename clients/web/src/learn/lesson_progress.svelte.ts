// What was done of the first match: boards of all rulesets, and the guided match. It is kept on this device, and by the server for the player, who may go on on another one.

import { untrack } from "svelte";

import { session } from "../page/session.svelte";
import type { GuidedMatch } from "../protocol/types";
import { joinGuided, joinNames, isOfAnother, type ProgressOwner } from "./join_progress";

const BOARDS_KEY = "diskwars.lessons";
const GUIDED_KEY = "diskwars.guided";
const OWNER_KEY = "diskwars.lessons.of";

class LessonProgress {
  private boards = $state.raw<ReadonlyArray<string>>(keptBoards());
  guided = $state.raw<GuidedMatch | null>(keptGuided());
  /** Grows with boards that were done on another device: where one is among them is another place then. */
  arrivals = $state(0);

  /** Return those of these boards that were done. */
  doneOf<Id extends string>(lessons: ReadonlyArray<Id>): ReadonlySet<Id> {
    return new Set(lessons.filter((id) => this.boards.includes(id)));
  }

  finish(board: string): void {
    this.takeOver();
    this.keep([board], null);
    void this.send([board], null);
  }

  /** Begin to guide a match. */
  beginGuide(match: string): void {
    this.guide({ match, begun_ms: Math.round(session.client.serverNowMs()) });
  }

  /** Let this be the guided match, or know more of it. */
  guide(guided: GuidedMatch): void {
    this.takeOver();
    this.keep([], guided);
    void this.send([], this.guided);
  }

  /**
   * Send what this device keeps, and receive what was done on others. Call it in an effect: it waits for a connection.
   * Of a match that is not known to be the guided one nothing is sent: once for each player, it may be guided elsewhere.
   */
  follow(match: string | null = null): void {
    const { player } = this;
    if (!player) return;
    untrack(() => {
      this.takeOver();
      if (match === null || this.guided?.match === match) void this.send(keptBoards(), this.guided);
      else if (this.receivedFor !== player) void this.send([], null);
    });
  }
  /** The player whose progress on other devices is known here. */
  private receivedFor = "";

  /** Let what is kept here be of the player of this page. What another account has done goes from this device. */
  private takeOver(): void {
    if (!session.player) return;
    const owner: ProgressOwner = { player: session.player, isGuest: session.account === null };
    try {
      if (isOfAnother(read(OWNER_KEY), owner)) {
        [this.boards, this.guided] = [[], null];
        for (const key of [BOARDS_KEY, GUIDED_KEY]) localStorage.removeItem(key);
      }
      localStorage.setItem(OWNER_KEY, JSON.stringify(owner));
    } catch {
      // A browser may forbid its storage: then nothing of another player is kept here.
    }
  }
  /** A value of its own: the session follows every message, and the answer is one. Who logs in is another player. */
  private readonly player = $derived(session.status === "online" ? session.player : "");

  private async send(boards: ReadonlyArray<string>, guided: GuidedMatch | null): Promise<void> {
    const { player } = session;
    const answer = await session.client.request({
      type: "add_lesson_progress",
      lessons: [...boards],
      ...(guided ? { guided } : {}),
    });
    if (answer.type !== "lesson_progress") return; // what is kept here is enough
    this.receivedFor = player;
    const { lessons = [], guided: found = null } = answer;
    if (lessons.some((board) => !this.boards.includes(board))) this.arrivals += 1;
    this.keep(lessons, found);
  }

  /** Add to what is kept, in whichever tab it was done. */
  private keep(boards: ReadonlyArray<string>, guided: GuidedMatch | null): void {
    this.boards = joinNames(joinNames(this.boards, keptBoards()), boards);
    this.guided = joinGuided(joinGuided(this.guided, keptGuided()), guided);
    try {
      localStorage.setItem(BOARDS_KEY, JSON.stringify(this.boards));
      if (this.guided) localStorage.setItem(GUIDED_KEY, JSON.stringify(this.guided));
    } catch {
      // A browser may forbid its storage; then it lasts as long as the page is open, and the server keeps it.
    }
  }
}

function keptBoards(): ReadonlyArray<string> {
  const kept = read(BOARDS_KEY);
  return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
}

function keptGuided(): GuidedMatch | null {
  const kept = read(GUIDED_KEY) as Partial<GuidedMatch> | null;
  if (typeof kept?.match !== "string" || typeof kept.begun_ms !== "number") return null;
  const hints = Array.isArray(kept.hints) ? kept.hints.filter((one) => typeof one === "string") : [];
  return { match: kept.match, begun_ms: kept.begun_ms, hints, is_over: kept.is_over === true };
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export const progress = new LessonProgress();
