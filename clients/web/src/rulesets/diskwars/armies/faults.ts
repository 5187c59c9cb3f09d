// What is wrong with an army, and what mends it, in the reader's language.

import { isEnglish, t } from "../../../messages";
import { translatedText } from "../../../messages/texts";
import type { LoadoutFault } from "../../../protocol/types";
import { faultText } from "../../../page/refusals";
import type { Army } from "../../../lists/army";

export interface FaultWords {
  readonly problem: string;
  readonly remedy: string;
}

/** What the builder knows of a disk or card: its name, and the pack it is of where this is left out. */
export interface Named {
  readonly name: string;
  readonly leftOut: string | null;
}

const PLACE = /^\$\.(?:regiments\[(\d+)\](?:\.(?:units\[(\d+)\]|hero))?|hand\[(\d+)\])$/;

/** English has none: there the server words both. */
const TEXTS = "army_faults";

/** Return a fault in words. `find` looks a disk or card up by its id. */
export function faultWords(
  fault: LoadoutFault,
  army: Pick<Army, "hand" | "regiments">,
  find: (id: string) => Named | undefined,
): FaultWords {
  const [, at, step, card] = PLACE.exec(fault.place ?? "") ?? [];
  const regiment = at === undefined ? undefined : army.regiments[Number(at)];
  const id =
    card !== undefined ? army.hand[Number(card)] : step === undefined ? regiment?.hero : regiment?.units[Number(step)];
  const about = id === undefined ? undefined : find(id);
  if (about?.leftOut && (fault.code === "unknown_disk_type" || fault.code === "unknown_card")) {
    return {
      problem: t("army.left_out", { name: about.name, pack: about.leftOut }),
      remedy: t("army.left_out.remedy", { pack: about.leftOut }),
    };
  }
  if (isEnglish()) return { problem: fault.text, remedy: fault.remedy ?? "" };
  const {
    found = 0,
    cost = 0,
    points = 0,
    small = 0,
    others = 0,
    wanted,
    least = wanted ?? 0,
    most = wanted ?? 0,
  } = fault.numbers ?? {};
  const values = {
    ...fault.numbers,
    name: about?.name ?? id ?? "",
    hero: regiment ? (find(regiment.hero)?.name ?? regiment.hero) : "",
    range: least === most ? least : `${least}–${most}`,
    over: cost > points ? cost - points : found - most,
    missing: others > small ? others - small : least - found,
  };
  const change = translatedText(TEXTS, found < least ? "change.add" : "change.leave_out", values) ?? "";
  const keys = card === undefined ? [fault.code] : [`${fault.code}.hand`, fault.code];
  for (const key of keys) {
    const problem = translatedText(TEXTS, key, values);
    if (problem !== undefined)
      return { problem, remedy: translatedText(TEXTS, `${key}.remedy`, { ...values, change }) ?? "" };
  }
  return { problem: faultText(fault.code, fault.text), remedy: "" };
}
