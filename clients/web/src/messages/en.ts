// Texts of the page in English: one file for each concept. `{name}` is replaced; a text is never markup.

import { armies } from "./en/armies";
import { command } from "./en/command";
import { setup } from "./en/setup";
import { forecast } from "./en/forecast";
import { disks } from "./en/disks";
import { lobby } from "./en/lobby";
import { log } from "./en/log";
import { motion } from "./en/motion";
import { newMatch } from "./en/new_match";
import { pages } from "./en/pages";
import { panels } from "./en/panels";
import { people } from "./en/people";
import { play } from "./en/play";
import { replay } from "./en/replay";
import { shell } from "./en/shell";
import { table } from "./en/table";

export const en = {
  ...armies,
  ...command,
  ...disks,
  ...forecast,
  ...setup,
  ...lobby,
  ...log,
  ...motion,
  ...newMatch,
  ...pages,
  ...panels,
  ...people,
  ...play,
  ...replay,
  ...shell,
  ...table,
} as const;

export type MessageKey = keyof typeof en;
