// Texts of the page in German. Names of cards, disks and rules stay as they are printed.

import { armies } from "./de/armies";
import { command } from "./de/command";
import { setup } from "./de/setup";
import { forecast } from "./de/forecast";
import { disks } from "./de/disks";
import { lobby } from "./de/lobby";
import { log } from "./de/log";
import { motion } from "./de/motion";
import { newMatch } from "./de/new_match";
import { pages } from "./de/pages";
import { panels } from "./de/panels";
import { people } from "./de/people";
import { play } from "./de/play";
import { replay } from "./de/replay";
import { shell } from "./de/shell";
import { table } from "./de/table";
import type { MessageKey } from "./en";

export const de: Readonly<Record<MessageKey, string>> = {
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
};
