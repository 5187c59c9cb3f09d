// Names of terrain: inside of their pieces, off the disks, else beside them, or above the disks where no room is left.

import { describe, expect, it } from "vitest";

import { placeName, type NamedPiece, type TerrainName } from "../../src/board/terrain_names";

const PX = 1.3;
const PIECE: NamedPiece = {
  name: "Ruined Windmill",
  corners: [
    [0, 0],
    [110, 0],
    [130, 60],
    [60, 110],
    [-10, 60],
  ],
  icons: ["mill", "cover"],
};

function sidesAt(y: number): [number, number] {
  const { corners } = PIECE;
  const crossings = corners.flatMap(([ax, ay], place) => {
    const [bx, by] = corners[(place + 1) % corners.length]!;
    return ay > y === by > y ? [] : [ax + ((y - ay) / (by - ay)) * (bx - ax)];
  });
  return [Math.min(...crossings), Math.max(...crossings)];
}
const halfWidth = ({ lines, size }: TerrainName) => (Math.max(...lines.map((line) => line.length)) * 0.53 * size) / 2;
const height = ({ lines, size, iconSize }: TerrainName) => lines.length * 1.08 * size + 1.2 * iconSize;

describe("the name of a piece", () => {
  it("lies between its sides, from its first line to its icons", () => {
    const name = placeName(PIECE, [], PX);
    expect(name.lines.join(" ")).toBe("Ruined Windmill");
    expect(name.iconSize).toBeGreaterThan(0);
    for (const y of [name.y - height(name) / 2, name.y, name.y + height(name) / 2]) {
      const [left, right] = sidesAt(y);
      expect(name.x - halfWidth(name)).toBeGreaterThanOrEqual(left);
      expect(name.x + halfWidth(name)).toBeLessThanOrEqual(right);
    }
  });
  it("gives way to a disk that lies on the piece", () => {
    const disk = { x: 20, y: 30, r: 22 };
    const name = placeName(PIECE, [disk], PX);
    expect(name.isAbove).toBe(false);
    const near = Math.hypot(
      Math.max(0, Math.abs(name.x - disk.x) - halfWidth(name)),
      Math.max(0, Math.abs(name.y - disk.y) - height(name) / 2),
    );
    expect(near).toBeGreaterThan(disk.r - 0.5);
  });
  it("is written beside the piece where a disk leaves no room in it, and hides no disk there", () => {
    const disks = [
      { x: 60, y: 45, r: 76 },
      { x: 60, y: 170, r: 40 },
    ];
    const name = placeName(PIECE, disks, PX);
    expect(name).toMatchObject({ isAbove: false, lines: ["Ruined Windmill"] });
    expect(name.y + height(name) / 2).toBeLessThanOrEqual(0);
    for (const { x, y, r } of disks)
      expect(Math.abs(name.y - y) - height(name) / 2 >= r || Math.abs(name.x - x) - halfWidth(name) >= r).toBe(true);
  });
  it("is written above disks that leave no room in it nor beside it", () => {
    const name = placeName(
      PIECE,
      [45, -60, 150].map((y) => ({ x: 60, y, r: 76 })),
      PX,
    );
    expect(name).toMatchObject({ isAbove: true });
    expect(name.lines.join(" ")).toBe("Ruined Windmill");
  });
  it("leaves a piece that is too small to its icons", () => {
    const small = { ...PIECE, corners: PIECE.corners.map(([x, y]) => [x / 5, y / 5] as const) };
    expect(placeName(small, [], PX).lines).toEqual([]);
  });
});
