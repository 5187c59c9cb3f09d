// Questions of the full set-up that are answered on the table: a deployment card, a piece of terrain, the disks to deploy.

import { ZONE_ICONS } from "../../../board/view";
import { isInside, type Point } from "../../../board/geometry";
import type { Moving } from "../../../board/moving";
import type { Mark } from "../../../board/view";
import { diskName } from "../names";
import type { BoardState, Decision } from "../../../client/records/match.js";
import { names, t } from "../../../messages";
import { whyNotCard } from "../orders";
import type { diskwars } from "../../../protocol/types";
import { groundText } from "../cards/card_text";
import { note, type Note } from "../forecast/forecast";
import { boardAfter } from "../forecast/path";
import { TURN_STEPS, arePolygonsWithin, isPolygonInside, rotatePolygon, type Polygon } from "../../../board/plane";
import { INCH_UM, inches, isDiskInArea, pinsIfPlaced, radiusOf } from "../forecast/position";
import { rectangle, type Shape } from "../../../board/shapes";
import { suggestPlaces } from "./suggested_places";
import { SNAP_PX, Tool, type Choice, type ToolContext, type TrayItem } from "./tool";

const STEP_UM = 0.25 * INCH_UM;
const FINE_STEP_UM = 0.05 * INCH_UM;
/** How far a deployment card reaches over the edge onto the rail. */
const CARD_DEPTH_UM = 1.1 * INCH_UM;

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Return the field vector of an arrow key as it points on the screen. */
function arrowOf(context: ToolContext, { key, shiftKey }: KeyboardEvent): Point | null {
  const arrow = ARROWS[key];
  if (!arrow) return null;
  const step = shiftKey ? FINE_STEP_UM : STEP_UM;
  const [x, y] = context.fieldVector(arrow[0], arrow[1]);
  return [x * step, y * step];
}

// ---------------------------------------------------------------- deployment cards

type Edge = "east" | "north" | "south" | "west";

export class DeploymentCardTool extends Tool {
  private place = $state(0);
  private moved = $state<number | null>(null);

  private get plans(): ReadonlyArray<{
    readonly option: diskwars.Option;
    readonly example: diskwars.LayDeploymentCard;
  }> {
    return (this.context.options.parametric ?? []).flatMap((option) =>
      option.example.type === "lay_deployment_card" ? [{ option, example: option.example }] : [],
    );
  }
  private get plan() {
    return this.plans[this.place] ?? null;
  }
  private get edge(): Edge {
    return this.state?.layout.edges[this.context.seat ?? 0] ?? "south";
  }
  private get isAlongX(): boolean {
    return this.edge === "south" || this.edge === "north";
  }
  private get spans(): ReadonlyArray<readonly [number, number]> {
    return (this.plan?.option.areas ?? []).map(({ x0, y0, x1, y1 }) => (this.isAlongX ? [x0, x1] : [y0, y1]));
  }
  private get width(): number {
    return this.plan?.option.length ?? 0;
  }
  private get offset(): number {
    return this.moved ?? this.plan?.example.offset ?? 0;
  }
  private face(place: number): diskwars.DeploymentFace | null {
    const example = this.plans[place]?.example;
    return (
      this.state?.layout.deployments.find(({ id }) => id === example?.card)?.faces[example?.face === 1 ? 1 : 0] ?? null
    );
  }
  private nameOf(place: number): string {
    const example = this.plans[place]?.example;
    return this.state?.layout.deployments.find(({ id }) => id === example?.card)?.name ?? "";
  }
  override get title(): string {
    return t("q.deployment_card");
  }
  override get help(): string {
    return t("q.deployment_card.help");
  }
  override get choices(): ReadonlyArray<Choice> {
    const cards = this.plans.map((plan, place) => {
      const face = this.face(place);
      const abilities = (face?.abilities ?? []).map((ability) => t(`zone.${ability}`));
      const [of, value] = [this.nameOf(place), face?.value ?? 0];
      const label = t("setup.card", { name: of, value });
      const lines = (face?.abilities ?? []).map((ability) => ({
        icon: ZONE_ICONS[ability] ?? "flag",
        text: t(`zone.${ability}.help`),
      }));
      const plain = [{ icon: "", text: t("setup.card.plain") }];
      return {
        side: { of, count: value, label: t("setup.card.side", { value }), lines: lines.length ? lines : plain },
        id: `${plan.example.card}-${plan.example.face}`,
        key: String(place + 1),
        isOn: place === this.place,
        label,
        detail: abilities.join(", ") || t("setup.card.plain"),
        act: () => {
          this.place = place;
        },
      };
    });
    return [
      ...cards,
      { id: "flip", label: t("setup.flip"), key: " ", icon: "rot", isTool: true, act: () => this.flip() },
    ];
  }
  override get primary(): Choice | null {
    const { plan } = this;
    if (!plan) return null;
    const { card, face } = plan.example;
    return {
      id: "answer",
      label: t("setup.card.do", { name: this.nameOf(this.place) }),
      icon: "check",
      act: () => void this.send({ type: "lay_deployment_card", card, face, offset: this.offset }),
    };
  }
  override get notes(): ReadonlyArray<Note> {
    const face = this.face(this.place);
    const own = (this.state?.layout.laid_cards ?? []).filter(({ seat }) => seat === this.context.seat);
    const joined = own.filter((laid) => {
      const width = this.state?.layout.deployments.find(({ id }) => id === laid.card)?.width ?? 0;
      return laid.offset + width === this.offset || this.offset + this.width === laid.offset;
    });
    const merged = joined.length ? [note(t("setup.card.joins"), "R3.4.1", "good")] : [];
    const refused = (this.state?.layout.offered_cards ?? []).flatMap(
      (card) => whyNotCard(this.context.options, this.state, card) ?? [],
    );
    return [
      note(t("setup.card.zone", { value: face?.value ?? 0, width: inches(this.width) }), "R3.4"),
      ...(face?.abilities ?? []).map((ability) => note(t(`zone.${ability}.help`), "R3.4.5")),
      ...merged,
      ...refused.map(({ text, rule }) => note(text, rule, "bad")),
    ];
  }
  override get shapes(): ReadonlyArray<Shape> {
    const field = this.state?.field;
    if (!field || !this.plan) return [];
    const free: Shape[] = (this.plan.option.areas ?? []).map((area) => ({
      kind: "area",
      corners: rectangle(area),
      tone: "legal",
    }));
    const [start, end] = [this.offset, this.offset + this.width];
    const depth = field.medium;
    const zone: Polygon =
      this.edge === "south"
        ? rectangle({ x0: start, x1: end, y0: -CARD_DEPTH_UM, y1: depth })
        : this.edge === "north"
          ? rectangle({ x0: start, x1: end, y0: field.height - depth, y1: field.height + CARD_DEPTH_UM })
          : this.edge === "west"
            ? rectangle({ y0: start, y1: end, x0: -CARD_DEPTH_UM, x1: depth })
            : rectangle({ y0: start, y1: end, x0: field.width - depth, x1: field.width + CARD_DEPTH_UM });
    return [...free, { kind: "area", corners: zone, tone: "plan", label: this.nameOf(this.place) }];
  }
  override get isPlacing(): boolean {
    return true;
  }
  override grabs(x: number, y: number): boolean {
    const along = this.isAlongX ? x : y;
    return along >= this.offset && along <= this.offset + this.width && this.isNearEdge(x, y);
  }
  private isNearEdge(x: number, y: number): boolean {
    const field = this.state?.field;
    if (!field) return false;
    const off = { south: y, north: field.height - y, west: x, east: field.width - x }[this.edge];
    return off <= field.medium;
  }
  override aimAt(x: number, y: number, isFree = false): void {
    this.moved = this.fitted(Math.round((this.isAlongX ? x : y) - this.width / 2), isFree);
  }
  override drop(x: number, y: number): void {
    this.aimAt(x, y);
  }
  /** Keep the card within a free span, and let it snap to the ends of spans: there it joins the card beside it. */
  private fitted(offset: number, isFree: boolean): number {
    const slack = isFree ? 0 : SNAP_PX * this.context.pixelUm;
    const fits = this.spans
      .filter(([start, end]) => end - start >= this.width)
      .map(([start, end]) => {
        const kept = Math.min(end - this.width, Math.max(start, offset));
        if (kept - start <= slack) return start;
        return end - this.width - kept <= slack ? end - this.width : kept;
      });
    return fits.sort((one, other) => Math.abs(one - offset) - Math.abs(other - offset))[0] ?? this.offset;
  }
  private flip(): void {
    const example = this.plan?.example;
    const other = this.plans.findIndex(
      (plan) => plan.example.card === example?.card && plan.example.face !== example?.face,
    );
    if (other >= 0) this.place = other;
  }
  override key(event: KeyboardEvent): boolean {
    const arrow = arrowOf(this.context, event);
    if (arrow)
      return ((this.moved = this.fitted(Math.round(this.offset + (this.isAlongX ? arrow[0] : arrow[1])), true)), true);
    if (event.key === " ") return (this.flip(), true);
    return false;
  }
}

// ---------------------------------------------------------------- terrain

export class TerrainTool extends Tool {
  private place = $state(0);
  private at = $state.raw<Point | null>(null);
  private turned = $state<number | null>(null);

  private get plans(): ReadonlyArray<{ readonly option: diskwars.Option; readonly example: diskwars.PlaceTerrain }> {
    return (this.context.options.parametric ?? []).flatMap((option) =>
      option.example.type === "place_terrain" ? [{ option, example: option.example }] : [],
    );
  }
  private get plan() {
    return this.plans[this.place] ?? null;
  }
  private faceOf(place: number): diskwars.Terrain | null {
    const example = this.plans[place]?.example;
    return (
      this.state?.layout.terrain.find(({ id }) => id === example?.card)?.faces[example?.face === 1 ? 1 : 0] ?? null
    );
  }
  private get where(): Point {
    return this.at ?? [this.plan?.example.x ?? 0, this.plan?.example.y ?? 0];
  }
  private get steps(): number {
    return this.turned ?? this.plan?.example.rotation_steps ?? 0;
  }
  private get corners(): Polygon {
    return rotatePolygon(this.faceOf(this.place)?.corners ?? [], this.steps, ...this.where);
  }
  private get faults(): ReadonlyArray<Note> {
    const area = this.plan?.option.areas?.[0];
    if (!area) return [];
    const inside = isPolygonInside(this.corners, area);
    const near = (this.state?.terrain ?? []).filter(({ corners }) =>
      arePolygonsWithin(this.corners, corners, area.gap ?? 0),
    );
    return [
      ...(inside ? [] : [note(t("setup.terrain.edge"), "R3.5.1", "bad")]),
      ...near.map(({ terrain }) => note(t("setup.terrain.near", { name: terrain.name }), "R3.5.1", "bad")),
    ];
  }
  override get title(): string {
    return t("q.terrain");
  }
  override get help(): string {
    return t("q.terrain.help");
  }
  override get choices(): ReadonlyArray<Choice> {
    const faces = this.plans.map((plan, place) => ({
      id: `${plan.example.card}-${plan.example.face}`,
      key: String(place + 1),
      isOn: place === this.place,
      label: this.faceOf(place)?.name ?? "",
      act: () => this.choose(place),
    }));
    return [
      ...faces,
      { id: "left", label: "−5°", key: ",", isTool: true, act: () => this.turn(1) },
      { id: "right", label: "+5°", key: ".", isTool: true, act: () => this.turn(-1) },
    ];
  }
  override get notes(): ReadonlyArray<Note> {
    const keywords = (this.faceOf(this.place)?.keywords ?? []).map(groundText);
    return [...this.faults, ...keywords.map(({ name, help, rule }) => note(`${name}. ${help}`, rule))];
  }
  override get primary(): Choice | null {
    const { plan } = this;
    if (!plan) return null;
    const { card, face } = plan.example;
    const [x, y] = this.where;
    return {
      id: "answer",
      label: t("setup.terrain.do", { name: this.faceOf(this.place)?.name ?? "" }),
      icon: "check",
      isOff: this.faults.length > 0,
      act: () => void this.send({ type: "place_terrain", card, face, x, y, rotation_steps: this.steps }),
    };
  }
  override get shapes(): ReadonlyArray<Shape> {
    const area = this.plan?.option.areas?.[0];
    if (!area || !this.state) return [];
    return [
      { kind: "area", corners: rectangle(area), tone: "legal" },
      ...this.state.terrain.map(({ corners }): Shape => ({ kind: "halo", corners, reach: area.gap ?? 0 })),
      {
        kind: "area",
        corners: this.corners,
        tone: this.faults.length ? "illegal" : "plan",
        label: this.faceOf(this.place)?.name ?? "",
      },
    ];
  }
  override get isPlacing(): boolean {
    return true;
  }
  override grabs(x: number, y: number): boolean {
    return (
      Math.hypot(x - this.where[0], y - this.where[1]) <=
      Math.max(...this.corners.map(([u, v]) => Math.hypot(u - this.where[0], v - this.where[1])))
    );
  }
  override aimAt(x: number, y: number): void {
    this.at = [Math.round(x), Math.round(y)];
  }
  override drop(x: number, y: number): void {
    this.aimAt(x, y);
  }
  override turn(steps: number): void {
    this.turned = (this.steps + steps + TURN_STEPS) % TURN_STEPS;
  }
  private choose(place: number): void {
    // A piece of another shape begins where it surely fits.
    Object.assign(this, { place, at: null, turned: null });
  }
  override key(event: KeyboardEvent): boolean {
    const arrow = arrowOf(this.context, event);
    if (arrow) return ((this.at = [Math.round(this.where[0] + arrow[0]), Math.round(this.where[1] + arrow[1])]), true);
    if (event.key === ",") return (this.turn(1), true);
    if (event.key === ".") return (this.turn(-1), true);
    if (event.key !== " ") return false;
    const example = this.plan?.example;
    const other = this.plans.findIndex(
      (plan) => plan.example.card === example?.card && plan.example.face !== example?.face,
    );
    if (other >= 0) this.choose(other);
    return true;
  }
}

// ---------------------------------------------------------------- deployment

/** In a quick set-up the suggested places are laid beforehand, to be moved or committed. */
export class DeployTool extends Tool {
  private placed = $state.raw<ReadonlyArray<diskwars.Placement>>([]);
  private held = $state<number | null>(null);
  private at = $state.raw<Point | null>(null);

  constructor(
    context: ToolContext,
    private readonly decision: Decision,
  ) {
    super(context);
    if (this.state?.settings.setup === "quick") this.suggest();
  }

  private get option(): diskwars.Option | null {
    return this.context.options.parametric?.[0] ?? null;
  }
  private get question(): diskwars.DeploymentQuestion | null {
    return this.decision.question.type === "deployment" ? this.decision.question : null;
  }
  private get count(): number {
    return this.question?.disk_count ?? 0;
  }
  private get areas(): ReadonlyArray<diskwars.Area> {
    return this.option?.areas ?? [];
  }
  private areaAt(disk: number, x: number, y: number): diskwars.Area | null {
    const board = this.state;
    return board ? (this.areas.find((area) => isDiskInArea(board, disk, x, y, area)) ?? null) : null;
  }
  private placedIn(area: diskwars.Area): number {
    return this.placed.filter(
      ({ disk, x, y }) => disk !== this.held && isInside({ x, y, r: radiusOf(this.state as BoardState, disk) }, area),
    ).length;
  }
  private takesAtMost(area: diskwars.Area): number {
    return this.question?.zone_limits.find(({ zone }) => zone === area.zone)?.count ?? 0;
  }
  private fault(disk: number, x: number, y: number): Note | null {
    const area = this.areaAt(disk, x, y);
    if (!area) return note(t("setup.deploy.outside"), "R3.6", "bad");
    if (this.placedIn(area) >= this.takesAtMost(area))
      return note(t("setup.deploy.full", { count: this.takesAtMost(area) }), "R3.6", "bad");
    return null;
  }
  override get subject(): number | null {
    return this.held;
  }
  override get title(): string {
    const left = this.count - this.placed.length;
    return left > 0 ? t("setup.deploy.more", { count: left }) : t("q.deployment");
  }
  override get help(): string {
    if (this.held !== null && this.state) return t("bar.place.help", { name: diskName(this.state, this.held) });
    return t("setup.deploy.help", { count: Math.max(0, (this.option?.disks?.length ?? 0) - this.count) });
  }
  private get missing(): ReadonlyArray<number> {
    return (this.option?.required ?? []).filter((disk) => !this.placed.some((one) => one.disk === disk));
  }
  override get notes(): ReadonlyArray<Note> {
    const board = this.state;
    if (!board) return [];
    const fault = this.held !== null && this.at ? this.fault(this.held, ...this.at) : null;
    const heroes =
      this.missing.length && (this.option?.required?.length ?? 0) <= this.count
        ? note(
            t("setup.deploy.heroes", { names: names(this.missing.map((disk) => diskName(board, disk))) }),
            "R3.6.4",
            "bad",
          )
        : note(t("setup.deploy.heroes.done"), "R3.6.4", "good");
    return [...(fault ? [fault] : []), heroes, ...this.pinNotes(board)];
  }
  /** Which disks of their own the planned ones pin: each lies on those that were placed before (R6.3). */
  private pinNotes(board: BoardState): Note[] {
    const held = this.held !== null && this.at ? [{ disk: this.held, x: this.at[0], y: this.at[1] }] : [];
    let now = board;
    return [...this.placed.filter(({ disk }) => disk !== this.held), ...held].flatMap(({ disk, x, y }) => {
      const pinned = pinsIfPlaced(now, disk, x, y);
      now = boardAfter(now, disk, { x, y });
      return pinned.length
        ? [
            note(
              t("setup.deploy.pins", {
                name: diskName(board, disk),
                names: names(pinned.map((one) => diskName(board, one))),
              }),
              "R6.3",
              "bad",
            ),
          ]
        : [];
    });
  }
  override get shapes(): ReadonlyArray<Shape> {
    const board = this.state;
    if (!board) return [];
    const zones: Shape[] = this.areas.map((area) => ({
      kind: "area",
      corners: rectangle(area),
      tone: "legal",
      label: t("setup.deploy.zone", { count: this.placedIn(area), limit: this.takesAtMost(area) }),
    }));
    const laid: Shape[] = this.placed
      .filter(({ disk }) => disk !== this.held)
      .map(({ disk, x, y }, place) => ({
        kind: "ghost",
        x,
        y,
        r: radiusOf(board, disk),
        tone: "own",
        label: String(place + 1),
        disk,
      }));
    return [...zones, ...laid];
  }
  override get moving(): Moving | null {
    const { state, held, at } = this;
    if (!state || held === null || !at) return null;
    return {
      x: at[0],
      y: at[1],
      r: radiusOf(state, held),
      from: null,
      isLegal: this.fault(held, ...at) === null,
      label: "",
      disk: held,
    };
  }
  override get marks(): ReadonlyMap<number, Mark> {
    return new Map();
  }
  override get tray(): ReadonlyArray<TrayItem> {
    return (this.option?.disks ?? []).map((disk) => ({
      disk,
      isOn: disk === this.held,
      isOff: this.placed.some((one) => one.disk === disk),
    }));
  }
  override takeFromTray(disk: number): void {
    this.placed = this.placed.filter((one) => one.disk !== disk);
    this.held = this.held === disk ? null : disk;
    this.at = null;
  }
  override get choices(): ReadonlyArray<Choice> {
    return [
      {
        id: "undo",
        label: t("setup.undo"),
        key: "Backspace",
        icon: "undo",
        isTool: true,
        isOff: this.placed.length === 0,
        act: () => this.undo(),
      },
      { id: "suggest", label: t("bar.deploy.suggest"), icon: "rot", act: () => this.suggest() },
    ];
  }
  override get primary(): Choice | null {
    const isDone =
      this.placed.length === this.count &&
      this.held === null &&
      (this.missing.length === 0 || (this.option?.required?.length ?? 0) > this.count);
    return {
      id: "answer",
      label: t("setup.deploy.do", { count: this.count }),
      icon: "check",
      isOff: !isDone,
      act: () => void this.send({ type: "deploy", disks: this.placed }),
    };
  }
  override get isPlacing(): boolean {
    return this.held !== null;
  }
  override get isAiming(): boolean {
    return this.held !== null;
  }
  private laidAt(x: number, y: number): number | null {
    const board = this.state;
    const found = board
      ? this.placed.filter((one) => Math.hypot(one.x - x, one.y - y) <= radiusOf(board, one.disk))
      : [];
    return found.at(-1)?.disk ?? null;
  }
  override grabs(x: number, y: number): boolean {
    if (this.held !== null)
      return (
        this.at !== null &&
        this.state !== null &&
        Math.hypot(this.at[0] - x, this.at[1] - y) <= radiusOf(this.state, this.held)
      );
    const disk = this.laidAt(x, y);
    if (disk === null) return false;
    this.held = disk;
    this.at = [x, y];
    return true;
  }
  override aimAt(x: number, y: number, isFree = false): void {
    if (this.held !== null) this.at = this.snapped(this.held, x, y, isFree);
  }
  /** Snap to the sides of a zone, and to touch a disk that is placed already. */
  private snapped(disk: number, x: number, y: number, isFree: boolean): Point {
    const board = this.state;
    if (isFree || !board) return [Math.round(x), Math.round(y)];
    const r = radiusOf(board, disk);
    const slack = SNAP_PX * this.context.pixelUm + 0.2 * r;
    for (const one of this.placed) {
      const reach = r + radiusOf(board, one.disk);
      const far = Math.hypot(x - one.x, y - one.y);
      if (one.disk !== disk && far > 0 && Math.abs(far - reach) < slack)
        [x, y] = [one.x + ((x - one.x) * reach) / far, one.y + ((y - one.y) * reach) / far];
    }
    for (const { x0, y0, x1, y1 } of this.areas) {
      const near: Point = [Math.min(x1 - r, Math.max(x0 + r, x)), Math.min(y1 - r, Math.max(y0 + r, y))];
      if (Math.hypot(near[0] - x, near[1] - y) <= slack) return [Math.round(near[0]), Math.round(near[1])];
    }
    return [Math.round(x), Math.round(y)];
  }
  override drop(x: number, y: number): void {
    const disk = this.held;
    if (disk === null) return;
    this.aimAt(x, y);
    const at = this.at;
    if (!at || this.fault(disk, ...at)) return;
    this.placed = [...this.placed.filter((one) => one.disk !== disk), { disk, x: at[0], y: at[1] }];
    Object.assign(this, { held: null, at: null });
  }
  private undo(): void {
    Object.assign(this, { placed: this.placed.slice(0, -1), held: null, at: null });
  }
  private suggest(): void {
    const { option, question, state } = this;
    const example = option?.example;
    if (!option || !question || !state || example?.type !== "deploy") return;
    const room = {
      areas: this.areas,
      limits: new Map(question.zone_limits.map(({ zone, count }) => [zone, count])),
      count: this.count,
      disks: option.disks ?? [],
      required: option.required ?? [],
      example: example.disks,
    };
    Object.assign(this, { placed: suggestPlaces(state, room, this.placed), held: null, at: null });
  }
  override key(event: KeyboardEvent): boolean {
    const board = this.state;
    if (event.key === "Escape") return (Object.assign(this, { held: null, at: null }), true);
    if (event.key === "Backspace") return (this.undo(), true);
    if (this.held === null || !board) return false;
    const arrow = arrowOf(this.context, event);
    if (arrow) {
      const area = this.areas.find((one) => this.placedIn(one) < this.takesAtMost(one)) ?? this.areas[0];
      const from: Point = this.at ?? [((area?.x0 ?? 0) + (area?.x1 ?? 0)) / 2, ((area?.y0 ?? 0) + (area?.y1 ?? 0)) / 2];
      this.at = [Math.round(from[0] + arrow[0]), Math.round(from[1] + arrow[1])];
      return true;
    }
    if (event.key === "Enter" && this.at) return (this.drop(...this.at), true);
    return false;
  }
}
