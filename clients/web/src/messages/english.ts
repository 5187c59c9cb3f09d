// The common texts in English, which the first script has: a text that another language lacks is shown from here.

import armies from "./en/armies.json";
import command from "./en/command.json";
import disks from "./en/disks.json";
import forecast from "./en/forecast.json";
import lobby from "./en/lobby.json";
import log from "./en/log.json";
import motion from "./en/motion.json";
import newMatch from "./en/new_match.json";
import pages from "./en/pages.json";
import panels from "./en/panels.json";
import people from "./en/people.json";
import play from "./en/play.json";
import replay from "./en/replay.json";
import setup from "./en/setup.json";
import shell from "./en/shell.json";
import table from "./en/table.json";

export const english = {
  ...armies,
  ...command,
  ...disks,
  ...forecast,
  ...lobby,
  ...log,
  ...motion,
  ...newMatch,
  ...pages,
  ...panels,
  ...people,
  ...play,
  ...replay,
  ...setup,
  ...shell,
  ...table,
};

export type MessageKey = keyof typeof english;
