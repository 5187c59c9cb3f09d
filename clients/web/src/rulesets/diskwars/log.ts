// The log: one entry for each record that says something, its consequences indented, in words and with rule ids.

import { cardName, diskName } from "./names";
import { drawsOf } from "../../client/records/dice.js";
import type { BoardState, MatchState, RecordBody } from "../../client/records/match.js";
import { abilityName, effectText } from "./cards/card_text";
import { names, t, type MessageKey } from "../../messages";
import type { LogEntry, LogLine } from "../../match/log";
import type { Draw, Reason, diskwars } from "../../protocol/types";

/** An army may be a whole text of 4,000 letters. */
const MAX_ARMY_TITLE = 120;

type Words = {
  readonly board: BoardState | null;
  readonly seats: ReadonlyArray<string>;
  readonly isAbsent?: boolean;
  /** Whether a disk scouts, before round 1. */ readonly isScout?: boolean;
};
type Line = readonly [text: string, icon: string];

/** Return the entry of one record; null where it says nothing that a reader wants. */
export function logEntry(
  seq: number,
  body: RecordBody,
  state: MatchState | null,
  seats: ReadonlyArray<string>,
): LogEntry | null {
  const isAbsent = body.actor === "house" && state !== null && !state.match_options.clock;
  const isScout = (body.events ?? []).some(
    (event) => event.type === "activation_ended" && rulesOf(event).includes("R8.9"),
  );
  const words: Words = { board: state?.board ?? null, seats, isAbsent, isScout };
  const lines: LogLine[] = [];
  let heading: string | null = null;
  let begun: string | null = null;
  // A pass has no event of its own, and comes before what follows of it.
  const passed = passLine(body, words);
  if (passed) lines.push({ text: passed[0], icon: passed[1], rules: ["R8.1.4"] });
  for (const event of joinFlips(body.events ?? [])) {
    if (event.type === "round_began") begun = t("log.round", { round: event.round });
    else if (event.type === "phase_began" && event.phase !== "setup") {
      begun = [begun, t(`phase.${event.phase}`)].filter(Boolean).join(" · ");
    }
    const line = lineOf(event, words);
    if (!line) continue;
    if (lines.length === 0) heading = begun;
    lines.push({
      text: line[0],
      icon: line[1],
      rules: rulesOf(event),
      draws: shownDraws(event),
      ...(begun && lines.length ? { heading: begun } : {}),
    });
    begun = null;
  }
  // What begins with the end of a record has no line of its own.
  if (begun && lines.length === 0) heading = begun;
  else if (begun) lines.push({ text: "", icon: "", rules: [], heading: begun });
  return lines.length || heading ? { seq, seat: body.seat ?? null, heading, lines } : null;
}

/** Return the line of the log for a roll, with its rules. */
export const rollLine = (
  { seq, event }: { readonly seq: number; readonly event: diskwars.Event },
  match: MatchState,
  seats: ReadonlyArray<string>,
): LogLine | undefined => logEntry(seq, { at_ms: 0, events: [event] }, match, seats)?.lines[0];

/** Say what a roll of a record did to each disk: the damage that follows it, up to the next roll. */
export function damageLines(
  { seq, event }: { readonly seq: number; readonly event: diskwars.Event },
  bodies: ReadonlyArray<RecordBody>,
  match: MatchState,
  seats: ReadonlyArray<string>,
): string[] {
  const events = (bodies[seq - 1]?.events ?? []) as ReadonlyArray<diskwars.Event>;
  const after = events.slice(events.indexOf(event) + 1);
  const next = after.findIndex((one) => "dice" in one);
  return after
    .slice(0, next < 0 ? after.length : next)
    .filter(({ type }) => type === "damage_dealt")
    .flatMap((one) => logEntry(seq, { at_ms: 0, events: [one] }, match, seats)?.lines[0]?.text ?? []);
}

type Event = diskwars.Event & { readonly times?: number; readonly over?: ReadonlyArray<number> };

const landedOn = (event: diskwars.DiskFlipped) =>
  event.pins_gained.filter(({ top }) => top === event.disk).map(({ bottom }) => bottom);

/** Join the flips of a path that follow one another without a consequence; `over` are the disks that it touches on its way. */
function joinFlips(events: ReadonlyArray<diskwars.Event>): Event[] {
  const joined: Event[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === "disk_flipped" && last?.type === "disk_flipped" && last.disk === event.disk) {
      const under = landedOn(event);
      const over = [...new Set([...(last.over ?? []), ...landedOn(last)])].filter((disk) => !under.includes(disk));
      joined[joined.length - 1] = { ...event, times: (last.times ?? 1) + 1, over };
    } else joined.push(event);
  }
  return joined;
}

function shownDraws(event: diskwars.Event): Draw[] {
  return (drawsOf(event) as unknown as Draw[]).filter(({ kind }) => kind === "number_dice" || kind === "symbol_dice");
}

function rulesOf(event: diskwars.Event): string[] {
  const reasons = "reasons" in event ? ((event.reasons ?? []) as ReadonlyArray<Reason>) : [];
  return [...new Set(reasons.map(({ rule }) => rule))];
}

function lineOf(event: Event, words: Words): Line | null {
  return setupLine(event, words) ?? actionLine(event, words) ?? damageLine(event, words) ?? meleeLine(event, words);
}

const disk = ({ board }: Words, id: number) => (board ? diskName(board, id) : `#${id}`);
const list = (words: Words, ids: ReadonlyArray<number>) => names(ids.map((id) => disk(words, id)));
const card = ({ board }: Words, id: string) => (board ? cardName(board, id) : id);
/** The name printed on a card around the field; before the field is there, its id in words. */
const laid = (cards: ReadonlyArray<{ readonly id: string; readonly name: string }> | undefined, id: string) =>
  cards?.find((one) => one.id === id)?.name ?? inWords(id);
const inWords = (id: string) =>
  id
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
const who = ({ seats }: Words, seat: number) => seats[seat] ?? "";

function faces({ board }: Words, draw: Draw | undefined): string {
  return (draw?.results ?? [])
    .map((face) => (board?.battle_die[face - 1] ? t(`face.${board.battle_die[face - 1]}` as MessageKey) : face))
    .join(", ");
}

function setupLine(event: diskwars.Event, words: Words): Line | null {
  switch (event.type) {
    case "match_opened":
      return [t("log.opened"), "flag"];
    case "position_set":
      return [t(event.position.resampled ? "log.position.resampled" : "log.position"), "branch"];
    case "branch_began":
      return [t("log.branch"), "play"];
    case "seat_taken": {
      const army = typeof event.loadout.army === "string" ? event.loadout.army.slice(0, MAX_ARMY_TITLE) : "";
      // What a player brings is sealed until the match begins; then the board has its name.
      const known = words.board?.sides[event.seat]?.army?.name ?? inWords(army);
      const brings = army !== "" || !Array.isArray(event.loadout.regiments) || event.loadout.regiments.length > 0;
      return [
        brings && known
          ? t("log.seated", { name: who(words, event.seat), army: known })
          : t("log.seated.plain", { name: who(words, event.seat) }),
        "user",
      ];
    }
    case "seat_ready":
      return [t("log.ready", { name: who(words, event.seat) }), "check"];
    case "match_started":
      return [t("log.started"), "flag"];
    case "initiative_rolled":
      return [
        t("log.initiative", {
          rolls: event.rolls.map(({ seat, face, unspent }) => `${who(words, seat)} ${face + unspent}`).join(", "),
        }),
        "dice",
      ];
    case "order_set":
      return [t("log.order", { names: event.order.map((seat) => who(words, seat)).join(", ") }), "list"];
    case "deployment_card_laid":
      return [
        t("log.deployment_card", {
          name: who(words, event.seat),
          card: laid(words.board?.layout.deployments, event.card),
        }),
        "flag",
      ];
    case "terrain_placed": {
      const piece = words.board?.layout.terrain.find(({ id }) => id === event.card)?.faces[event.face];
      return [t("log.terrain", { name: piece?.name ?? inWords(event.card), who: who(words, event.seat) }), "plus"];
    }
    case "scenario_chosen":
      return [t("log.scenario", { name: laid(words.board?.layout.scenarios, event.scenario) }), "flag"];
    case "disks_deployed":
      return [
        t("log.deployed", {
          name: who(words, event.seat),
          names: list(
            words,
            event.disks.map((one) => one.disk),
          ),
        }),
        "down",
      ];
    case "objectives_revealed":
      return [
        t("log.objectives", {
          names: event.objectives.map(({ scenario }) => laid(words.board?.layout.scenarios, scenario)).join(", "),
        }),
        "target",
      ];
    case "scored":
      return [
        t("log.scored", { scores: event.points.map((points, seat) => `${who(words, seat)} ${points}`).join(", ") }),
        "trophy",
      ];
    case "seat_eliminated":
      return [t("log.eliminated", { name: who(words, event.seat) }), "skull"];
    case "seat_resigned":
      return [t(words.isAbsent ? "log.absent" : "log.resigned", { name: who(words, event.seat) }), "flag"];
    case "offer_made":
      // Who asks to take what back is written with all entries at hand.
      if (event.offer.type === "takeback") return null;
      return [t(`offer.${event.offer.type}`, { name: who(words, event.seat) }), "users"];
    case "offer_answered":
      return [
        t(event.agree ? "log.agreed" : "log.declined", { name: who(words, event.seat) }),
        event.agree ? "check" : "x",
      ];
    case "takeback_made":
      return null;
    case "play_paused":
      return [t("offer.paused"), "pause"];
    case "play_resumed":
      return [t("log.resumed", { name: who(words, event.seat) }), "play"];
    case "seat_vacated":
      return [t(event.kicked ? "log.kicked" : "log.left", { name: who(words, event.seat) }), "flag"];
    case "chain_replaced":
      return [t("log.device", { name: who(words, event.seat) }), "users"];
    case "seat_taken_over":
      return [t("log.taken_over", { name: who(words, event.seat) }), "users"];
    case "seat_taken_back":
      return [t("log.taken_back", { name: who(words, event.seat) }), "users"];
    case "match_ended":
      return [t("log.ended"), "trophy"];
    default:
      return null;
  }
}

/** Say that a disk passes: it spends its activation, or ends the one that it has begun. */
function passLine({ action, events = [] }: RecordBody, words: Words): Line | null {
  if (action?.type !== "pass_disk") return null;
  const isSpent = events.some(({ type }) => type === "activation_began");
  return [t(isSpent ? "log.passed" : "log.passed.rest", { name: disk(words, action.disk) }), "check"];
}

function actionLine(event: Event, words: Words): Line | null {
  switch (event.type) {
    case "card_locked":
      return [t("log.locked", { name: who(words, event.seat) }), "lock"];
    case "cards_revealed":
      return [
        t("log.revealed", {
          cards: event.cards.map(({ seat, card: id }) => `${who(words, seat)} ${card(words, id)}`).join(", "),
        }),
        "eye",
      ];
    case "card_began":
      return [t("log.card", { name: who(words, event.seat), card: card(words, event.card) }), "hand"];
    case "disk_flipped": {
      const [over, under] = [event.over ?? [], landedOn(event)];
      const flips = t(words.isScout ? "log.scouted" : "log.flipped", {
        name: disk(words, event.disk),
        count: event.times ?? 1,
      });
      return [
        [
          flips,
          over.length ? t("log.over", { names: list(words, over) }) : "",
          under.length ? t("log.onto", { names: list(words, under) }) : "",
        ]
          .filter(Boolean)
          .join(", "),
        "rot",
      ];
    }
    case "disk_reinforced":
      return [t("log.reinforced", { name: disk(words, event.disk) }), "plus"];
    case "shot_fired":
      return [
        t("log.shot", {
          name: disk(words, event.attack.shooter),
          target: disk(words, event.attack.target),
          dice: faces(words, event.dice),
        }),
        "target",
      ];
    case "shot_scattered":
      return [
        event.disk === undefined ? t("log.scattered.nobody") : t("log.scattered", { name: disk(words, event.disk) }),
        "dice",
      ];
    case "ability_used":
      return abilityLine(words, event.disk, event.target, abilityUsed(words, event));
    case "trigger_resolved": {
      const ability = profile(words, event.trigger.disk)?.abilities?.[event.trigger.ability];
      return abilityLine(words, event.trigger.disk, event.target, ability ? effectText(ability.effect) : "");
    }
    case "rampaged":
      return [t("log.rampaged", { name: disk(words, event.disk) }), "warn"];
    case "move_stopped":
      return [t("log.stopped", { name: disk(words, event.disk) }), "rough"];
    default:
      return null;
  }
}

const profile = ({ board }: Words, id: number) => board?.profiles[board.disks[id]?.profile ?? -1];

/** Which ability was used: the card of a battle ability, or the focus ability of that number. */
function abilityUsed(words: Words, { card: id, disk: user, ability }: diskwars.AbilityUsed): string {
  const printed = profile(words, user);
  return id ? card(words, id) : printed ? abilityName(printed, ability ?? 0) : "";
}

function abilityLine(words: Words, user: number, target: number | undefined, what: string): Line {
  const values = {
    name: disk(words, user),
    what: what || t("log.ability.some"),
    target: target === undefined ? "" : disk(words, target),
  };
  return [t(target === undefined ? "log.ability" : "log.ability.target", values), "bolt"];
}

function damageLine(event: diskwars.Event, words: Words): Line | null {
  switch (event.type) {
    case "impact_rolled":
      return [t("log.impact", { name: disk(words, event.disk), amount: event.amount }), "bolt"];
    case "guard_rolled":
      return [t("log.guard", { name: disk(words, event.enemy), amount: event.amount }), "fort"];
    case "danger_rolled":
      return [t("log.danger", { name: disk(words, event.disk), amount: event.amount }), "danger"];
    case "damage_dealt":
      return [
        t("log.damage", {
          name: disk(words, event.disk),
          taken: event.taken,
          tokens: event.tokens,
          toughness: event.toughness,
        }),
        "sword",
      ];
    case "disk_healed":
      return [t("log.healed", { name: disk(words, event.disk), tokens: event.tokens }), "plus"];
    case "disk_poisoned":
      return [t(event.poisoned ? "log.poisoned" : "log.unpoisoned", { name: disk(words, event.disk) }), "danger"];
    case "disk_wounded":
      return [t("log.wounded", { name: disk(words, event.disk) }), "warn"];
    case "disks_removed":
      return [t("log.removed", { names: list(words, event.disks) }), "skull"];
    case "disks_withdrawn":
      return [t("log.withdrawn", { names: list(words, event.disks) }), "x"];
    case "reserves_lost":
      return event.disks.length ? [t("log.reserves_lost", { names: list(words, event.disks) }), "skull"] : null;
    case "disk_empowered":
      return [t(event.empowered ? "log.empowered" : "log.unempowered", { name: disk(words, event.disk) }), "plus"];
    case "disk_weakened":
      return [t("log.weakened", { name: disk(words, event.disk), count: event.reduction }), "minus"];
    default:
      return null;
  }
}

function meleeLine(event: diskwars.Event, words: Words): Line | null {
  switch (event.type) {
    case "engagements_frozen":
      return event.engagements.length ? [t("log.frozen", { count: event.engagements.length }), "sword"] : null;
    case "engagement_began":
      return [t("log.engagement", { number: event.engagement + 1 }), "sword"];
    case "blows_struck": {
      const blows = event.blows.map(({ disk: id, target, strength }) =>
        t("log.blow", { name: disk(words, id), target: disk(words, target), strength }),
      );
      return [t("log.struck", { speed: t(`speed.${event.speed}`), blows: blows.join("; ") }), "sword"];
    }
    default:
      return null;
  }
}
