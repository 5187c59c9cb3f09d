// Why something was refused in a match of Diskwars, with the names of its disks.

import type { BoardState } from "../../client/records/match.js";
import { refusalText, type Refusal } from "../../page/refusals";
import { diskName } from "./names";

/** Return a sentence for a refusal that may be about disks of this board. */
export const boardRefusalText = (refusal: Refusal, board: BoardState | null): string =>
  refusalText(refusal, board && ((disk) => diskName(board, disk)));
