// Why a match file cannot be opened, in the reader's language.

import { NewerFormat, WrongRecord } from "../core/records.js";
import { language, t } from "../messages";

/** Return what is wrong with a file. What its reader says is English and more exact; in German the place is named. */
export function fileFaultText(fault: unknown): string {
  if (language() === "de" && fault instanceof NewerFormat) return t("file.newer");
  if (language() === "de" && fault instanceof WrongRecord) return fault.seq ? t("file.record", { seq: fault.seq }) : t("file.header");
  return fault instanceof Error ? fault.message : "";
}
