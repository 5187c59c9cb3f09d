// The embed around the board: a head with the score, the bar, keys, and what has happened in words.

import { Board, emblem, letterOf, make } from "./board";
import type { Shown } from "./fetching";
import { names, t } from "./texts";
import type { Scene } from "./types";
import { viewOf, type Box } from "./view";

const STEP_MS = 1_100;
const LOSS_MS = 1_900;
const ICONS = {
  previous: "M6 5v14M19 6v12l-9-6z",
  play: "M7 5v14l12-7z",
  pause: "M8 5v14M16 5v14",
  next: "M18 5v14M5 6v12l9-6z",
} as const;

function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = "",
  ...content: ReadonlyArray<Element | string>
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

function icon(name: keyof typeof ICONS): SVGElement {
  const drawn = make("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" });
  drawn.append(make("path", { d: ICONS[name] }));
  return drawn;
}

function button(name: keyof typeof ICONS, onclick: () => void): HTMLButtonElement {
  const made = html("button", "step", icon(name));
  made.type = "button";
  made.title = t(`embed.${name}`);
  made.setAttribute("aria-label", made.title);
  made.onclick = onclick;
  return made;
}

/** Return the scene that a record belongs to: the last one that does not end after it. */
export function placeOf(scenes: ReadonlyArray<Scene>, seq: number): number {
  if (!seq) return scenes.length - 1;
  return Math.max(
    0,
    scenes.findLastIndex((scene) => scene.seq <= seq),
  );
}

const nameOf = (seat: number, players: ReadonlyArray<string>): string =>
  players[seat] || t("embed.seat", { letter: letterOf(seat).toUpperCase() });

/** Return a scene in words. */
export function wordsOf(scene: Scene, { scenes, players }: Shown): string {
  const actor = scene.actor;
  const player = (seat: number) => nameOf(seat, players);
  const lost = new Set(scene.lost);
  const named = [...new Set(scenes.pieces.filter(({ id }) => lost.has(id)).map(({ name }) => name))];
  const acts = !actor
    ? t("embed.activation")
    : actor.name
      ? t("embed.event.acts", { name: actor.name })
      : t("embed.event.turn", { player: player(actor.seat) });
  const winners = scenes.winners ?? [];
  const summary = {
    setup: () => t("embed.event.setup"),
    round: () => t("embed.event.round", { round: scene.round }),
    activation: () => acts,
    melee: () => t("embed.event.melee"),
    end: () => (winners.length ? t("embed.event.won", { names: names(winners.map(player)) }) : t("embed.event.drawn")),
  }[scene.kind]();
  return named.length ? `${summary}. ${t("embed.lost", { names: names(named) })}` : summary;
}

/** Whether a match has more to show than before. Records never change, so their number tells. */
export const hasChanged = (before: Shown, after: Shown): boolean =>
  before.scenes.records !== after.scenes.records || before.players.join("\n") !== after.players.join("\n");

export class Player {
  private board: Board;
  private place: number;
  private view: Box | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly title = html("h1", "spoken");
  private readonly sides = html("ul", "sides");
  private readonly phase = html("p", "when");
  // Made once, as the other controls are: a link that is replaced loses the keyboard focus.
  private readonly site = html("a", "site", brand(), html("span", "", "Diskwars"));
  private readonly stage = html("div", "stage");
  private readonly caption = html("p", "caption");
  private readonly slider = html("input", "slider");
  private readonly rounds = html("div", "rounds");
  private readonly count = html("p", "count");
  private readonly play = button("play", () => this.toggle());
  private readonly link = html("a", "open", t("embed.open"));

  constructor(
    root: HTMLElement,
    private readonly match: string,
    private shown: Shown,
    seq: number,
  ) {
    this.place = placeOf(shown.scenes.scenes, seq);
    this.board = new Board(shown.scenes);
    this.slider.type = "range";
    this.slider.setAttribute("aria-label", t("embed.moment"));
    this.slider.oninput = () => this.go(Number(this.slider.value));
    for (const link of [this.link, this.site]) {
      link.target = "_blank";
      link.rel = "noopener";
    }
    this.link.setAttribute("aria-label", t("embed.open.long"));
    this.caption.setAttribute("aria-live", "polite");
    const track = html("div", "track", this.slider, this.rounds);
    const [previous, next] = [button("previous", () => this.step(-1)), button("next", () => this.step(1))];
    const bar = html("footer", "bar", previous, this.play, next, track, this.count, this.link);
    this.stage.append(this.board.svg, this.caption);
    const head = html("header", "head", this.title, this.sides, this.phase, this.site);
    root.replaceChildren(head, this.stage, bar);
    document.onkeydown = (event) => this.key(event);
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.draw();
  }

  private get scenes(): ReadonlyArray<Scene> {
    return this.shown.scenes.scenes;
  }

  /** Show more of a match under way, and its newest scene in place of the one that was the newest. */
  update(shown: Shown): void {
    if (!hasChanged(this.shown, shown)) return;
    const isLast = this.place >= this.scenes.length - 1;
    this.shown = shown;
    const board = new Board(shown.scenes);
    this.board.svg.replaceWith(board.svg);
    this.board = board;
    this.place = isLast ? this.scenes.length - 1 : Math.min(this.place, this.scenes.length - 1);
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const isOnControl = event.target instanceof HTMLElement && event.target.closest("button, a") !== null;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(0),
      End: () => this.go(this.scenes.length - 1),
      ...(isOnControl ? {} : { " ": () => this.toggle() }),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private step(by: number): void {
    this.go(this.place + by);
  }

  /** Show a scene, and play no more. */
  private go(place: number): void {
    this.stop();
    this.place = Math.min(Math.max(place, 0), this.scenes.length - 1);
    this.draw();
  }

  private toggle(): void {
    if (this.timer !== undefined) return this.stop();
    if (this.place >= this.scenes.length - 1) this.place = -1;
    this.advance();
  }

  private advance(): void {
    this.place += 1;
    const isLast = this.place >= this.scenes.length - 1;
    const wait = this.scenes[this.place]?.lost?.length ? LOSS_MS : STEP_MS;
    this.timer = isLast ? undefined : setTimeout(() => this.advance(), wait);
    this.draw();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.draw();
  }

  private resize(): void {
    this.view = null;
    this.draw();
  }

  private draw(): void {
    const scene = this.scenes[this.place];
    if (!scene) return;
    const { clientWidth: width, clientHeight: height } = this.stage;
    const { records } = this.shown.scenes;
    const text = wordsOf(scene, this.shown);
    if (width && height) {
      this.view = viewOf(this.shown.scenes, this.board.pieces, this.place, width / height, this.view);
      this.board.show(scene, this.view, width, height);
    }
    this.board.svg.setAttribute("role", "img");
    this.board.svg.setAttribute("aria-label", t("embed.board", { seq: scene.seq, text }));
    const isPlaying = this.timer !== undefined;
    this.caption.setAttribute("aria-live", isPlaying ? "off" : "polite"); // what plays would be read without end
    if (this.caption.textContent !== text) this.caption.textContent = text; // the same text would be read again
    const name = isPlaying ? "pause" : "play";
    this.play.title = t(`embed.${name}`);
    this.play.setAttribute("aria-label", this.play.title);
    this.play.replaceChildren(icon(name));
    this.slider.max = String(this.scenes.length - 1);
    this.slider.value = String(this.place);
    this.slider.setAttribute("aria-valuetext", t("embed.record", { seq: scene.seq, records, text }));
    this.slider.style.setProperty("--done", `${(100 * this.place) / Math.max(1, this.scenes.length - 1)}%`);
    this.count.replaceChildren(html("b", "", String(scene.seq)), ` ${t("embed.of", { records })}`);
    this.link.href = `/m/${this.match}/${scene.seq}`;
    this.drawHead(scene);
    this.drawRounds();
  }

  private nameOf(seat: number): string {
    return nameOf(seat, this.shown.players);
  }

  private drawHead(scene: Scene): void {
    const { rounds, winners } = this.shown.scenes;
    const seats = scene.scores.map((score, seat) => {
      const player = this.nameOf(seat);
      const mark = make("svg", {
        viewBox: "-1.9 -1.9 3.8 3.8",
        class: `mark seat-${letterOf(seat)}`,
        "aria-hidden": "true",
      });
      mark.append(make("circle", { r: 1.7 }), emblem(seat));
      const name = html("span", "name", player);
      const points = html("b", "score", String(score));
      points.setAttribute("aria-hidden", "true");
      const side = html("li", `side${winners?.includes(seat) && scene.kind === "end" ? " won" : ""}`);
      const spoken = html("span", "spoken", t(scene.kind === "end" ? "embed.points" : "embed.left", { player, score }));
      name.setAttribute("aria-hidden", "true");
      side.append(mark, name, points, spoken);
      return side;
    });
    const phase = scene.kind === "round" ? "" : t(`embed.${scene.kind}`);
    const round = scene.round ? t("embed.round", { round: scene.round, rounds }) : "";
    const title = `Diskwars: ${scene.scores.map((_, seat) => this.nameOf(seat)).join(" – ")}`;
    document.title = title;
    this.title.textContent = title;
    this.sides.className = seats.length > 2 ? "sides many" : "sides";
    this.sides.replaceChildren(...seats);
    this.phase.textContent = [round, phase].filter(Boolean).join(" · ");
    this.site.href = this.link.href;
  }

  private drawRounds(): void {
    const last = Math.max(1, this.scenes.length - 1);
    const seen = new Set<number>();
    const marks = this.scenes.flatMap(({ round }, place) => {
      if (!round || seen.has(round)) return [];
      seen.add(round);
      return [{ round, left: (100 * place) / last }];
    });
    let free = -1;
    const shown = marks.flatMap(({ round, left }) => {
      if (left < free) return [];
      free = left + 4;
      const mark = html("span", "", String(round));
      mark.style.left = `${left}%`;
      return [mark];
    });
    this.rounds.setAttribute("aria-hidden", "true");
    this.rounds.replaceChildren(...shown);
  }
}

function brand(): SVGElement {
  const drawn = make("svg", { viewBox: "0 0 32 32", class: "brand", "aria-hidden": "true" });
  drawn.append(
    make("circle", { cx: 13, cy: 18, r: 9, class: "ring" }),
    make("circle", { cx: 19, cy: 13, r: 9, class: "disk" }),
    make("circle", { cx: 19, cy: 13, r: 2.6, class: "dot" }),
  );
  return drawn;
}
