// The board as SVG: the ground is drawn once, pieces are moved from scene to scene.

import type { MatchScenes, Piece, Placed, Scene } from "./types";
import type { Box } from "./view";

const NS = "http://www.w3.org/2000/svg";
const LETTERS = ["a", "b", "c", "d"] as const;
/** Of the seats, so that they differ without colour, in a circle of radius 1. */
const EMBLEMS = [
  "M-.9 0A.9 .9 0 1 1 .9 0A.9 .9 0 1 1-.9 0Z",
  "M-.8-.8H.8V.8H-.8Z",
  "M0-1L.95.75H-.95Z",
  "M0-1L1 0L0 1L-1 0Z",
] as const;
/** A name is written where its letters are this large on the screen; else a few letters stand for it. */
const MIN_LABEL_PX = 9;
const MAX_LABEL_PX = 15;
/** Figures are written on pieces that are drawn larger. */
const FIGURES_PX = 17;
/** How wide a letter is, as a part of its height. */
const LETTER_WIDTH = 0.56;

export type Letter = (typeof LETTERS)[number];
export const letterOf = (seat: number): Letter => LETTERS[seat] ?? "a";

export function make(name: string, attributes: Readonly<Record<string, number | string>> = {}, text = ""): SVGElement {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text) element.textContent = text;
  return element;
}

export const emblem = (seat: number, attributes: Readonly<Record<string, number | string>> = {}): SVGElement =>
  make("path", { d: EMBLEMS[seat] ?? EMBLEMS[0], class: `emblem seat-${letterOf(seat)}`, ...attributes });

/** Break a name into lines, the longest as short as possible. */
export function linesOf(name: string, count: number): ReadonlyArray<string> {
  const words = name.split(" ");
  if (count < 2 || words.length < 2) return [name];
  let best: ReadonlyArray<string> = [name];
  for (let cut = 1; cut < words.length; cut++) {
    const lines = [words.slice(0, cut).join(" "), ...linesOf(words.slice(cut).join(" "), count - 1)];
    if (longest(lines) < longest(best)) best = lines;
  }
  return best;
}
const longest = (lines: ReadonlyArray<string>): number => Math.max(...lines.map(({ length }) => length));

/** Return what is written on a piece and how large, in parts of its radius; `px` is its radius on the screen. */
export function labelOf(piece: Piece, px: number): { readonly lines: ReadonlyArray<string>; readonly size: number } {
  for (const count of [1, 2, 3]) {
    const lines = linesOf(piece.name, count);
    const room = (count === 1 ? 1.7 : 1.5) / (longest(lines) * LETTER_WIDTH);
    const size = Math.min(room, 1.3 / lines.length, MAX_LABEL_PX / px);
    if (size * px >= MIN_LABEL_PX) return { lines, size };
  }
  const size = Math.min(1.5 / (piece.letters.length * LETTER_WIDTH), 1);
  return { lines: [piece.letters], size: Math.max(size, MIN_LABEL_PX / px) };
}

export class Board {
  readonly svg = make("svg", { class: "board", preserveAspectRatio: "xMidYMid slice" }) as SVGSVGElement;
  private readonly camera = make("g", { class: "camera" });
  private readonly zones = make("g");
  private readonly pieceLayer = make("g");
  private readonly linkLayer = make("g", { class: "links" });
  private readonly drawn = new Map<number, { readonly group: SVGElement; shown: string }>();
  readonly pieces: ReadonlyMap<number, Piece>;

  constructor(private readonly match: MatchScenes) {
    this.pieces = new Map(match.pieces.map((piece) => [piece.id, piece]));
    this.camera.append(this.table(), this.ground(), this.zones, this.pieceLayer, this.linkLayer);
    this.svg.append(this.camera);
  }

  private table(): SVGElement {
    const { width, height, grid } = this.match;
    const group = make("g");
    group.append(make("rect", { width, height, class: "felt" }));
    let lines = "";
    for (let x = grid; grid && x < width; x += grid) lines += `M${x} 0V${height}`;
    for (let y = grid; grid && y < height; y += grid) lines += `M0 ${y}H${width}`;
    if (lines) group.append(make("path", { d: lines, class: "grid" }));
    return group;
  }

  private ground(): SVGElement {
    const group = make("g");
    for (const { kind, corners, seat, name } of this.match.areas) {
      const drawn = make("polygon", {
        points: corners.join(" "),
        class: kind === "zone" ? `zone seat-${letterOf(seat ?? 0)}` : `area ${kind}`,
      });
      (kind === "zone" ? this.zones : group).append(drawn);
      if (!name) continue;
      const middle = (side: number) => {
        const along = corners.filter((_, place) => place % 2 === side);
        return (Math.min(...along) + Math.max(...along)) / 2;
      };
      group.append(
        make("text", { x: middle(0), y: middle(1), class: "areaname", "font-size": this.match.width / 42 }, name),
      );
    }
    return group;
  }

  /** Show a scene in a view of `width` by `height` pixels. */
  show(scene: Scene, view: Box, width: number, height: number): void {
    const scale = width / view.width;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.camera.style.transform = `translate(${-view.x * scale}px, ${-view.y * scale}px) scale(${scale})`;
    this.zones.style.opacity = scene.kind === "setup" ? "1" : "0";
    const acting = new Set(scene.actor?.pieces);
    const gone = new Set(this.drawn.keys());
    for (const placed of scene.placed) {
      gone.delete(placed[0]);
      this.place(placed, scale, acting.has(placed[0]));
    }
    for (const id of gone) {
      this.drawn.get(id)?.group.remove();
      this.drawn.delete(id);
    }
    this.linkLayer.replaceChildren(...linksOf(scene));
  }

  private place(placed: Placed, scale: number, isActing: boolean): void {
    const [id, x, y, turn, hurt, marks, figures] = placed;
    const piece = this.pieces.get(id);
    if (!piece) return;
    let drawn = this.drawn.get(id);
    if (!drawn) {
      drawn = { group: make("g", { class: `piece seat-${letterOf(piece.seat)}`, "data-piece": id }), shown: "" };
      this.drawn.set(id, drawn);
    }
    const { group } = drawn;
    if (this.pieceLayer.lastChild !== group) this.pieceLayer.append(group); // the later, the higher
    group.style.transform = `translate(${x}px, ${y}px) scale(${piece.radius})`;
    const shown = JSON.stringify([scale.toFixed(3), turn, hurt, marks, figures, isActing]);
    if (drawn.shown === shown) return;
    drawn.shown = shown;
    group.replaceChildren(...faceOf(piece, placed, piece.radius * scale, isActing));
  }
}

/** Return what a piece looks like, in a circle of radius 1; `px` is its radius on the screen. */
function faceOf(piece: Piece, [, , , turn, hurt, marks, figures]: Placed, px: number, isActing: boolean): SVGElement[] {
  const isFaded = marks.includes("down") || marks.includes("fleeing");
  const shape =
    piece.shape === "block"
      ? make("path", { d: "M-.92-.62L0-.92L.92-.62V.62H-.92Z", class: "face", transform: `rotate(${turn})` })
      : make("circle", { r: 0.92, class: "face" });
  const parts = [make("title", {}, piece.name), shape];
  if (isFaded) shape.classList.add("faded");
  if (isActing) parts.push(make("circle", { r: 1.08, class: "acting" }));
  const { lines, size } = labelOf(piece, px);
  lines.forEach((line, row) => {
    const y = (row - (lines.length - 1) / 2) * 1.05 * size + 0.34 * size;
    parts.push(make("text", { y, "font-size": size, class: "label" }, line));
  });
  const sign = Math.min(0.36, Math.max(0.26, 7 / px));
  const at = (x: number, y: number, scale: number) => `translate(${x} ${y}) scale(${scale})`;
  parts.push(emblem(piece.seat, { transform: at(0, -0.98, sign * 0.8) }));
  const badge = (x: number, y: number, kind: string, content: SVGElement) => {
    const group = make("g", { class: `badge ${kind}`, transform: at(x, y, sign) });
    group.append(make("circle", { r: 1 }), content);
    parts.push(group);
  };
  const figure = (value: number) => make("text", { y: 0.5, "font-size": 1.45 }, String(value));
  if (px >= FIGURES_PX)
    figures.slice(0, 2).forEach((value, k) => badge(k ? 0.72 : -0.72, 0.72, `figure f${k}`, figure(value)));
  if (marks.includes("pinned")) badge(-0.72, -0.72, "pinned", make("path", { d: "M-.45-.45L.45.45M.45-.45L-.45.45" }));
  if (marks.includes("activated")) badge(0.72, -0.72, "activated", make("path", { d: "M-.5 0L-.1.45L.55-.4" }));
  if (hurt) badge(0, 0.98, "hurt", figure(hurt));
  return parts;
}

function linksOf(scene: Scene): SVGElement[] {
  const places = new Map(scene.placed.map((placed) => [placed[0], placed]));
  return (scene.links ?? []).flatMap(([first, second]) => {
    const [one, other] = [places.get(first), places.get(second)];
    return one && other ? [make("path", { d: `M${one[1]} ${one[2]}L${other[1]} ${other[2]}` })] : [];
  });
}
