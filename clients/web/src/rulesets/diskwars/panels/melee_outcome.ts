// What the engagements of the last melee came to, read from its records.

import { diskName } from "../names";
import type { BoardState, RecordBody } from "../../../client/records/match.js";
import { t } from "../../../messages";
import type { diskwars } from "../../../protocol/types";

interface DiskOutcome {
  readonly disk: number;
  /** The damage that lay on it after the last blow, and how much it takes for a wound. */
  readonly tokens: number;
  readonly toughness: number;
  readonly fate: "destroyed" | "hurt" | "wounded";
}
export interface EngagementOutcome {
  readonly number: number;
  readonly attackers: ReadonlyArray<number>;
  readonly defenders: ReadonlyArray<number>;
  readonly disks: ReadonlyArray<DiskOutcome>;
}

/** Return the outcomes of the melee that was fought up to a record, engagements that wait left out; empty once the next cards are revealed. */
export function meleeOutcomes(bodies: ReadonlyArray<RecordBody>, seq: number): ReadonlyArray<EngagementOutcome> {
  const events = eventsOfMelee(bodies, seq);
  const frozen = events.find((event) => event.type === "engagements_frozen");
  if (frozen?.type !== "engagements_frozen") return [];
  const found = new Map<number, Map<number, DiskOutcome>>();
  let disks: Map<number, DiskOutcome> | null = null;
  for (const event of events) {
    if (event.type === "engagement_began") found.set(event.engagement, (disks = new Map()));
    else if (event.type === "engagement_ended") disks = null;
    else if (disks) note(disks, event);
  }
  return [...found].flatMap(([number, hurt]) => {
    const engagement = frozen.engagements[number];
    return engagement
      ? [{ number, attackers: engagement.attackers, defenders: engagement.defenders, disks: [...hurt.values()] }]
      : [];
  });
}

function note(disks: Map<number, DiskOutcome>, event: diskwars.Event): void {
  if (event.type === "damage_dealt")
    disks.set(event.disk, {
      disk: event.disk,
      tokens: event.tokens,
      toughness: event.toughness,
      fate: disks.get(event.disk)?.fate ?? "hurt",
    });
  const struck = event.type === "disk_wounded" ? [event.disk] : event.type === "disks_removed" ? event.disks : [];
  for (const disk of struck) {
    const known = disks.get(disk);
    if (known && known.fate !== "destroyed")
      disks.set(disk, { ...known, fate: event.type === "disks_removed" ? "destroyed" : "wounded" });
  }
}

/** Return the events since the engagements were frozen, up to a record; none where cards were revealed since then. */
function eventsOfMelee(bodies: ReadonlyArray<RecordBody>, seq: number): diskwars.Event[] {
  const found: diskwars.Event[][] = [];
  for (let at = Math.min(seq, bodies.length) - 1; at >= 0; at -= 1) {
    const events = (bodies[at]?.events ?? []) as ReadonlyArray<diskwars.Event>;
    const begin = events.findLastIndex(({ type }) => type === "engagements_frozen");
    const reveal = events.findLastIndex(({ type }) => type === "cards_revealed");
    if (reveal > begin) return [];
    found.unshift(events.slice(Math.max(0, begin)));
    if (begin >= 0) return found.flat();
  }
  return [];
}

/** Say in one line what became of the disks of an engagement: `Pistoliers 6 of 4, destroyed`. */
export function outcomeText(board: BoardState, { disks }: EngagementOutcome): string {
  const texts = disks.map(({ disk, tokens, toughness, fate }) =>
    t(`melee.fate.${fate}`, { name: diskName(board, disk), tokens, toughness }),
  );
  return texts.join("; ") || t("melee.fate.nothing");
}
