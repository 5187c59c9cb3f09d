// Signs of pins keep off the numbers of disks, and are where they always were if nothing is there.

import { describe, expect, it } from "vitest";

import { figuresOn, type Level } from "../../src/board/figures";
import { SIGN_MM, placePinSigns } from "../../src/board/pin_signs";
import type { DiskView, PinView } from "../../src/board/view";

const RADIUS = 28;
type Laid = Pick<DiskView, "damage" | "id" | "r" | "wounds" | "x" | "y">;

function pinned(bearing: number, damage = 0): { pin: PinView; disks: Laid[] } {
  const angle = (bearing * Math.PI) / 180;
  const to = [1.2 * RADIUS * Math.cos(angle), 1.2 * RADIUS * Math.sin(angle)] as const;
  const lower: Laid = { id: 0, x: to[0], y: to[1], r: RADIUS, damage: 0, wounds: 0 };
  const upper: Laid = { id: 1, x: 0, y: 0, r: RADIUS, damage, wounds: 0 };
  return {
    pin: { top: 1, bottom: 0, angle: bearing, from: [0, 0], to, isEnemy: true, isMarked: false },
    disks: [lower, upper],
  };
}

/** How far into a number of the upper disk its sign reaches, in parts of that number. */
function covered(bearing: number, level: Level, px: number, damage = 0): number {
  const { pin, disks } = pinned(bearing, damage);
  const spotsOn = (disk: Laid) => figuresOn(disk as DiskView, level, disk.r / px);
  const [sign] = placePinSigns([pin], disks, px, spotsOn);
  if (!sign) throw new Error("no sign");
  return Math.max(
    0,
    ...spotsOn(disks[1] as Laid).map(({ x, y, r }) => {
      const [fx, fy, fr] = [(x * RADIUS) / 100, (y * RADIUS) / 100, (r * RADIUS) / 100];
      return (SIGN_MM * sign.scale + fr - Math.hypot(fx - sign.x, fy - sign.y)) / (2 * fr);
    }),
  );
}
const BEARINGS = Array.from({ length: 36 }, (_, step) => 10 * step);

describe("sign of a pin", () => {
  it("leaves every number readable, whatever lies below", () => {
    const zooms: ReadonlyArray<readonly [Level, number]> = [
      [1, 1],
      [2, 0.6],
      [3, 0.4],
    ];
    for (const [level, px] of zooms) {
      const hidden = BEARINGS.filter(
        (bearing) => covered(bearing, level, px) > 0.25 || covered(bearing, level, px, 3) > 0.25,
      );
      expect([level, hidden]).toEqual([level, []]);
    }
  });
  it("is at the rim towards the lower disk where no number is", () => {
    const { pin, disks } = pinned(-90);
    const [sign] = placePinSigns([pin], disks, 0.6, (disk) => figuresOn(disk as DiskView, 2, disk.r / 0.6));
    expect([sign?.x, sign?.y].map((one) => Math.round(one ?? 0))).toEqual([0, Math.round(-0.86 * RADIUS)]);
  });
  it("is smaller than its disk, however small that is drawn", () => {
    const { pin, disks } = pinned(0);
    const [sign] = placePinSigns([pin], disks, 2.6, () => []);
    expect(SIGN_MM * (sign?.scale ?? 9)).toBeLessThan(0.7 * RADIUS);
  });
  it("keeps off another sign", () => {
    const { pin, disks } = pinned(-90);
    const [one, other] = placePinSigns([pin, pin], disks, 0.6, () => []);
    expect(Math.hypot((one?.x ?? 0) - (other?.x ?? 0), (one?.y ?? 0) - (other?.y ?? 0))).toBeGreaterThan(SIGN_MM * 0.6);
  });
});
