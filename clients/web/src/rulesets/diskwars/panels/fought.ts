// What became of the engagements of a melee: from the records, for what was fought is no longer on the board.

import { diskName } from "../names";
import type { BoardState, RecordBody } from "../../../client/records/match.js";
import { names, t } from "../../../messages";
import { fightOutlook, standingLinks, struckIn } from "../forecast/fight";

export interface FoughtEngagement {
  /** Damage that each disk took, in the order in which it was dealt. */
  readonly damage: ReadonlyMap<number, number>;
  readonly wounded: ReadonlySet<number>;
  readonly destroyed: ReadonlySet<number>;
  readonly hasBlows: boolean;
  /** Whether it ended without a fight, because nobody was left to strike. */
  readonly isDropped: boolean;
}

const BEGINNINGS: ReadonlyArray<string> = ["engagements_frozen", "position_set"];

const nothingYet = () => ({
  damage: new Map<number, number>(),
  wounded: new Set<number>(),
  destroyed: new Set<number>(),
  hasBlows: false,
  isDropped: false,
});

/** Return what was fought of the last melee up to a record, by the numbers of its engagements. */
export function foughtEngagements(bodies: ReadonlyArray<RecordBody>, seq: number): Map<number, FoughtEngagement> {
  const found = new Map<number, ReturnType<typeof nothingYet>>();
  let current: number | null = null;
  const begin = bodies.findLastIndex(
    ({ events = [] }, place) => place < seq && events.some(({ type }) => BEGINNINGS.includes(type)),
  );
  for (const event of begin < 0 ? [] : bodies.slice(begin, seq).flatMap(({ events = [] }) => events)) {
    if (event.type === "position_set") {
      // A figure or a branch may begin in the middle of an engagement.
      current = (event.position.board as BoardState).active_engagement ?? null;
      if (current !== null) found.set(current, nothingYet());
    } else if (event.type === "engagement_began") {
      current = event.engagement;
      found.set(current, nothingYet());
    } else if (event.type === "engagement_ended") {
      const fought = found.get(event.engagement) ?? nothingYet();
      found.set(event.engagement, { ...fought, isDropped: event.dropped });
      current = null;
    }
    const fought = current === null ? undefined : found.get(current);
    if (!fought) continue;
    if (event.type === "blows_struck") fought.hasBlows = true;
    else if (event.type === "damage_dealt")
      fought.damage.set(event.disk, (fought.damage.get(event.disk) ?? 0) + event.taken);
    else if (event.type === "disk_wounded") fought.wounded.add(event.disk);
    else if (event.type === "disks_removed") for (const disk of event.disks) fought.destroyed.add(disk);
  }
  return found;
}

/** Return which engagements one waits for: the numbers `after`, `after_2` and so on of why it may not be chosen yet. */
export function awaitedText(numbers: Readonly<Record<string, number>> = {}): string {
  const after = Object.entries(numbers).flatMap(([name, one]) => (/^after(_\d+)?$/.test(name) ? [one + 1] : []));
  return after.length ? t("melee.after", { count: after.length, numbers: names(after.map(String)) }) : "";
}

/** Return in one line what an engagement has brought, or would bring if it is still to be fought. */
export function engagementSummary(board: BoardState, number: number, fought: FoughtEngagement | undefined): string {
  const engagement = board.engagements[number];
  const links = engagement ? standingLinks(board, engagement.links) : [];
  if (fought?.hasBlows || fought?.damage.size) return foughtText(board, fought);
  // A position may begin after a part of its melee, which no record tells of.
  if (!fought && engagement?.resolved && engagement.strikers?.length) return t("melee.before");
  if (fought?.isDropped || engagement?.resolved || links.length === 0) return t("melee.unfought");
  const acted = engagement && struckIn(board, engagement);
  const { destroyed, wounded } = fightOutlook(board, links, new Map(), acted);
  return fatesText(board, destroyed, wounded) || t("fight.nothing");
}

function foughtText(board: BoardState, { damage, wounded, destroyed }: FoughtEngagement): string {
  const hurt = [...damage]
    .filter(([disk]) => !destroyed.has(disk))
    .map(([disk, count]) => t("melee.took", { name: diskName(board, disk), count }));
  return [...hurt, fatesText(board, destroyed, wounded)].filter(Boolean).join("; ") || t("melee.bloodless");
}

function fatesText(board: BoardState, destroyed: ReadonlySet<number>, wounded: ReadonlySet<number>): string {
  const list = (ids: ReadonlyArray<number>) => names(ids.map((id) => diskName(board, id)));
  const alive = [...wounded].filter((disk) => !destroyed.has(disk));
  return [
    ...(destroyed.size ? [t("fight.destroyed", { names: list([...destroyed]) })] : []),
    ...(alive.length ? [t("fight.wounded", { names: list(alive) })] : []),
  ].join("; ");
}
