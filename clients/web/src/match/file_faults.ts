// Why a match file cannot be opened, or a match is frozen, in the reader's language.

import { Contradiction } from "../client/contradiction";
import { NewerFormat, WrongRecord } from "../client/records/records.js";
import { isEnglish, t } from "../messages";

/** Return what a server contradicted itself in. */
export const contradictionText = ({ code, seq }: Contradiction): string => t(`frozen.${code}`, { seq });

/** Return what is wrong with a file. What its reader says is English and more exact; in other languages the place is named. */
export function fileFaultText(fault: unknown): string {
  if (fault instanceof Contradiction) return contradictionText(fault);
  if (!isEnglish() && fault instanceof NewerFormat) return t("file.newer");
  if (!isEnglish() && fault instanceof WrongRecord)
    return fault.seq ? t("file.record", { seq: fault.seq }) : t("file.header");
  return fault instanceof Error ? fault.message : "";
}
