// Reinforcing: a disk of the reserve is placed on the table.

import type { Point } from "../../../../board/geometry";
import type { Moving } from "../../../../board/moving";
import { rectangle, type Shape } from "../../../../board/shapes";
import { t } from "../../../../messages";
import type { diskwars } from "../../../../protocol/types";
import { landingNotes, note, type Note } from "../../forecast/forecast";
import { INCH_UM, circleOf, isDiskInAnyArea } from "../../forecast/position";
import type { DiskModes } from "../../orders";
import { SNAP_PX, type Choice } from "../tool";
import { DiskMode } from "./disk_mode";

const FINE_STEP_UM = 0.05 * INCH_UM;
const STEP_UM = 0.25 * INCH_UM;
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

interface PlacePlan {
  readonly place: Point | null;
}

export class PlaceMode extends DiskMode {
  readonly id = "reinforce";
  readonly shortcut = "R";
  private plan = $state.raw<PlacePlan>({ place: null });

  override isOffered({ reinforce }: DiskModes): boolean {
    return reinforce !== undefined;
  }
  override begin(): void {
    const example = this.host.found?.reinforce?.example;
    this.plan = { place: example?.type === "reinforce" ? [example.x, example.y] : null };
  }

  private get areas(): ReadonlyArray<diskwars.Area> {
    return this.host.found?.reinforce?.areas ?? [];
  }
  private get isLegal(): boolean {
    const { chosen } = this;
    const { place } = this.plan;
    return chosen !== null && place !== null && isDiskInAnyArea(chosen.board, chosen.disk, ...place, this.areas);
  }

  override get title(): string {
    return t("bar.place", { name: this.host.name });
  }
  override get help(): string {
    return t("bar.place.help", { name: this.host.name });
  }
  override get primary(): Choice {
    return {
      id: "commit",
      label: t("a.reinforce", { name: this.host.name }),
      icon: "check",
      isOff: !this.isLegal,
      act: () => void this.commit(),
    };
  }
  override get notes(): ReadonlyArray<Note> {
    const { chosen } = this;
    const { place } = this.plan;
    if (!chosen || !place) return [];
    return this.isLegal
      ? landingNotes(chosen.board, chosen.disk, ...place, false)
      : [note(t("note.notthere"), "R9.1", "bad")];
  }
  override get shapes(): ReadonlyArray<Shape> {
    const { chosen } = this;
    if (!chosen) return [];
    const { r } = circleOf(chosen.board, chosen.disk);
    const areas = this.areas.map((area): Shape => ({ kind: "area", corners: rectangle(area), tone: "legal" }));
    const near = this.areas.flatMap((area): Shape[] => {
      if (area.near === undefined || area.reach === undefined) return [];
      const { x, y, r: other } = circleOf(chosen.board, area.near);
      return [{ kind: "ring", x, y, r: other + area.reach + 2 * r, label: "", isDashed: true }];
    });
    return [...areas, ...near];
  }
  override get frame(): null {
    return null;
  }
  override get moving(): Moving | null {
    const { chosen } = this;
    const { place } = this.plan;
    if (!chosen || !place) return null;
    const { r } = circleOf(chosen.board, chosen.disk);
    return { x: place[0], y: place[1], r, from: null, isLegal: this.isLegal, label: "", disk: chosen.disk };
  }

  override grabs(x: number, y: number): boolean {
    const { chosen } = this;
    const { place } = this.plan;
    if (!chosen || !place) return false;
    return Math.hypot(x - place[0], y - place[1]) <= 1.6 * circleOf(chosen.board, chosen.disk).r;
  }
  override aimAt(x: number, y: number, isFree: boolean): void {
    this.plan = { place: this.snapPlace(x, y, isFree) };
  }
  override drop(x: number, y: number): void {
    this.aimAt(x, y, false);
  }
  override press({ key, shiftKey }: KeyboardEvent): boolean {
    const { place } = this.plan;
    if (!place || !key.startsWith("Arrow")) return false;
    const step = shiftKey ? FINE_STEP_UM : STEP_UM;
    const [dx, dy] = this.host.context.fieldVector(...(ARROWS[key] ?? [0, 0]));
    this.plan = { place: [place[0] + dx * step, place[1] + dy * step] };
    return true;
  }

  private snapPlace(x: number, y: number, isFree: boolean): Point {
    const { chosen } = this;
    const [px, py] = [Math.round(x), Math.round(y)];
    if (isFree || !chosen) return [px, py];
    const { r } = circleOf(chosen.board, chosen.disk);
    const slack = SNAP_PX * this.host.context.pixelUm;
    const clamp = (value: number, low: number, high: number) =>
      low <= high ? Math.min(high, Math.max(low, value)) : value;
    for (const area of this.areas) {
      const near: Point = [clamp(px, area.x0 + r, area.x1 - r), clamp(py, area.y0 + r, area.y1 - r)];
      if (Math.hypot(near[0] - px, near[1] - py) <= slack + r) return near;
    }
    return [px, py];
  }
  private async commit(): Promise<void> {
    const { chosen: disk } = this.host;
    const { place } = this.plan;
    if (disk !== null && place) await this.host.send({ type: "reinforce", disk, x: place[0], y: place[1] });
  }
}
