import type { BoardState } from "./match.js";

export function fullBoard(plain: unknown): BoardState;
