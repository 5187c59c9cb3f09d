// Questions that are answered by a disk and what it does: activations, continuations, scouts, rampages and reinforcements.

import { disksOverlap, type Point } from "../../../board/geometry";
import type { Moving } from "../../../board/moving";
import { targetMark, type Mark } from "../../../board/view";
import { diskName } from "../names";
import type { BoardState, Decision } from "../../../client/records/match.js";
import { decimal, names, t } from "../../../messages";
import {
  activationHelp,
  disksWithModes,
  modesOf,
  otherChoices,
  promptOf,
  describe,
  whyNot,
  type DiskModes,
  type Mode,
} from "../orders";
import type { diskwars } from "../../../protocol/types";
import { boardRefusalText } from "../refusals";
import { unusedActivations } from "../command_line";
import { amountText } from "../forecast/amount";
import { abilityName, effectText } from "../cards/card_text";
import { percentages, scatterTargets, shotOdds } from "../forecast/fight";
import { abilityNotes, landingNotes, landingWords, note, pathNotes, stopsPath, type Note } from "../forecast/forecast";
import {
  after,
  boardsAlong,
  degreesOf,
  flipAt,
  landingOf,
  nearestVector,
  snapBearings,
  snapped,
  type Flip,
} from "../forecast/path";
import { effectOf, firstTarget, harmsOwn } from "../forecast/preselect";
import {
  INCH_UM,
  circleOf,
  inches,
  isDiskInAnyArea,
  isFielded,
  profileOf,
  REACHES,
  bandOf,
  gapOf,
} from "../forecast/position";
import { moveRing, rangeRing, shotRing } from "../forecast/reach";
import { pieceNames, sightShapes } from "../board/ruler.svelte";
import { rectangle, type Shape } from "../../../board/shapes";
import { sightBetween } from "../forecast/sight";
import { hasKeyword, shotOf } from "../forecast/stats";
import { Tool, type Choice, type Desk, type Framed, type TrayItem } from "./tool";

const KEYS: Readonly<Record<Mode, string>> = {
  move: "M",
  shoot: "S",
  focus: "F",
  pass: "P",
  reinforce: "R",
  ability: "B",
};
const SNAP_PX = 10;
/** A flip at a snap is rounded to micrometres. */
const SNAPPED_DEGREES = 0.02;
/** What a landing would bring is worked out at most this often while the pointer moves, because it takes most of a frame. */
const NOTES_MS = 100;
const FINE_STEP_UM = 0.05 * INCH_UM;
const STEP_UM = 0.25 * INCH_UM;

export class DiskTool extends Tool {
  private chosen = $state<number | null>(null);
  private mode = $state<Mode | null>(null);
  private path = $state.raw<ReadonlyArray<Flip>>([]);
  private pointed = $state.raw<Flip | null>(null);
  /** The aim that the notes are about. */
  private noted = $state.raw<Flip | null>(null);
  private notesTimer: ReturnType<typeof setTimeout> | undefined;
  private bearing = $state(0);
  private place = $state.raw<Point | null>(null);
  private target = $state<number | null>(null);
  private number = $state(0);
  private hint = $state.raw<Note | null>(null);
  /** The disk that was clicked and is no target. */
  private refused = $state<number | null>(null);
  private isReserveOpen = $state(false);
  /** Whether the card was asked to end although activations are unused. */
  private isEnding = $state(false);

  constructor(
    desk: Desk,
    private readonly decision: Decision,
  ) {
    super(desk);
  }

  /** Begin with the only disk that can answer. */
  begin(): void {
    const able = disksWithModes(this.desk.options);
    const { question } = this.decision;
    // A scout need not move: to end scouting has to stay in view.
    const isOnly = able.length === 1 && question.type !== "scout";
    if (this.chosen === null && (this.isDiskFixed || isOnly)) this.select(able[0] ?? null);
    if (question.type === "reinforcement") this.isReserveOpen = true;
  }

  /** Whether the question is about one disk, which stays chosen. */
  private get isDiskFixed(): boolean {
    return this.decision.question.type === "continuation" || this.decision.question.type === "rampage";
  }

  // ---------------------------------------------------------------- what is asked

  override get subject(): number | null {
    return this.chosen;
  }
  private get name(): string {
    return this.chosen !== null && this.state ? diskName(this.state, this.chosen) : "";
  }
  private get aim(): Flip | null {
    return this.pointed;
  }
  private set aim(flip: Flip | null) {
    this.pointed = flip;
    if (flip === null || this.noted === null) {
      this.noted = flip;
      return;
    }
    this.notesTimer ??= setTimeout(() => {
      this.notesTimer = undefined;
      this.noted = this.pointed;
    }, NOTES_MS);
  }
  // Derived values, so that what the pointer moves makes nothing else follow.
  private readonly found = $derived.by((): DiskModes | null =>
    this.chosen === null ? null : modesOf(this.desk.options, this.chosen),
  );
  private readonly move = $derived.by((): diskwars.Option | null => {
    const { found } = this;
    if (this.mode !== "move" || !found) return null;
    const [fixed] = found.moves;
    const board = this.state;
    if (found.move) return found.move;
    if (!fixed || !board) return null;
    return { example: fixed, disk: fixed.disk, flips: 1, length: 2 * circleOf(board, fixed.disk).r, areas: [] };
  });
  private readonly isAimLegal = $derived.by(() => this.aim?.isLegal ?? false);
  private readonly snaps = $derived.by((): ReadonlyArray<number> => {
    const { state, origin, move, chosen } = this;
    return state && origin && move?.length && chosen !== null ? snapBearings(state, chosen, origin, move.length) : [];
  });
  private get aimed(): ReadonlyArray<diskwars.Focus | diskwars.Shoot | diskwars.UseAbility> {
    const { found, mode } = this;
    const all =
      mode === "shoot"
        ? found?.shoot
        : mode === "focus"
          ? found?.focus
          : mode === "ability"
            ? found?.ability
            : undefined;
    return (all ?? []).filter((action) => numberOf(action) === this.number);
  }
  private get numbers(): ReadonlyArray<number> {
    const { found, mode } = this;
    const all = mode === "shoot" ? found?.shoot : mode === "focus" ? found?.focus : [];
    return [...new Set((all ?? []).map(numberOf))].sort((one, other) => one - other);
  }
  private get answer(): diskwars.Focus | diskwars.Shoot | diskwars.UseAbility | null {
    return this.aimed.find(({ target }) => target === (this.target ?? undefined)) ?? null;
  }

  /** The targets, own disks that would be harmed last. */
  private get targets(): ReadonlyArray<number> {
    const found = this.aimed.flatMap(({ target }) => (target === undefined ? [] : [target]));
    return [...found.filter((disk) => !this.isOwnHarm(disk)), ...found.filter((disk) => this.isOwnHarm(disk))];
  }
  /** Whether a target is an own disk that would be harmed. */
  private isOwnHarm(disk: number | null): boolean {
    const board = this.state;
    return (
      board !== null && this.aimed.some((action) => action.target === disk && harmsOwn(board, this.decision, action))
    );
  }

  override get title(): string {
    const { name } = this;
    if (this.move) return t("bar.move", { name });
    if (this.mode === "reinforce") return t("bar.place", { name });
    if (this.aimed.some(({ target }) => target !== undefined)) return t("bar.target", { name });
    if (this.mode === "pass") return t("bar.pass", { name });
    if (this.mode) return t(`mode.${this.mode}`);
    return promptOf(this.decision, this.state).title;
  }
  override get help(): string {
    if (this.move)
      return this.isFull
        ? t(this.flipsLeft < 1 ? "bar.move.full" : "bar.move.stopped")
        : t("bar.move.help", { left: this.flipsLeft });
    if (this.mode === "reinforce") return t("bar.place.help", { name: this.name });
    if (this.targets.length)
      return t(this.targets.every((disk) => this.isOwnHarm(disk)) ? "bar.target.own" : "bar.target.help");
    if (this.mode === "pass") return t(this.passHelp, { name: this.name });
    if (this.isReserveOpen && this.chosen === null) return t("bar.reserve.help");
    if ((this.mode === "focus" || this.mode === "ability") && this.state && this.chosen !== null)
      return t("log.ability", { name: this.name, what: this.abilityWords(this.state, this.chosen) });
    const help = activationHelp(this.decision, this.desk.options, this.state, this.chosen);
    return help || promptOf(this.decision, this.state).help;
  }
  private abilityWords(board: BoardState, disk: number): string {
    const [action] = this.aimed;
    const effect = this.mode === "ability" && action ? effectOf(board, this.decision, action) : null;
    return (effect ? effectText(effect) : abilityName(profileOf(board, disk), this.number)) || t("log.ability.some");
  }

  private get passHelp(): "bar.pass.help" | "bar.pass.rest" | "bar.pass.scout" {
    if (this.decision.question.type === "activation") return "bar.pass.help";
    return this.state?.phase === "setup" ? "bar.pass.scout" : "bar.pass.rest";
  }

  override get modes(): ReadonlyArray<Choice> {
    const { found } = this;
    if (!found) return [];
    const able: Mode[] = [
      ...(found.move || found.moves.length ? ["move" as const] : []),
      ...(found.shoot.length ? ["shoot" as const] : []),
      ...(found.focus.length ? ["focus" as const] : []),
      ...(found.reinforce ? ["reinforce" as const] : []),
      ...(found.ability.length ? ["ability" as const] : []),
      ...(found.pass ? ["pass" as const] : []),
    ];
    return able.map((mode) => ({
      id: mode,
      label: t(`mode.${mode}`),
      key: KEYS[mode],
      isOn: this.mode === mode,
      act: () => this.take(mode),
    }));
  }

  override get choices(): ReadonlyArray<Choice> {
    const board = this.state;
    if (!board) return [];
    if (this.move) return this.moveChoices;
    if (this.mode)
      return [
        ...this.numberChoices,
        { id: "cancel", label: t("bar.cancel"), key: "Escape", icon: "x", act: () => this.cancel() },
      ];
    const reserve =
      this.reserve.length > 0 && this.isReserveOpen && this.decision.question.type !== "reinforcement"
        ? [
            {
              id: "reserve",
              label: t("bar.reserve.close"),
              key: "Escape",
              icon: "x",
              act: () => {
                this.isReserveOpen = false;
              },
            },
          ]
        : this.reserve.length > 0 && !this.isReserveOpen
          ? [
              {
                id: "reserve",
                label: t("bar.reserve", { count: this.reserve.length }),
                key: "R",
                icon: "plus",
                act: () => {
                  this.isReserveOpen = true;
                },
              },
            ]
          : [];
    const ability =
      this.chosen === null && this.users.length
        ? this.users.slice(0, 4).map((disk) => ({
            id: `use-${disk}`,
            label: t("bar.ability.user", { name: diskName(board, disk) }),
            icon: "bolt",
            act: () => {
              this.select(disk);
              this.take("ability");
            },
          }))
        : [];
    const others = otherChoices(this.decision, this.desk.options).flatMap((action, place): Choice[] =>
      action.type === "end_card"
        ? this.endCard(action)
        : [
            {
              id: action.type,
              label: describe(action, board, this.desk.seatNames, this.decision),
              key: String(place + 1),
              act: () => void this.send(action),
            },
          ],
    );
    return [...reserve, ...ability, ...others];
  }
  /** End the card: asked once more while a disk could still use an activation. */
  private endCard(action: diskwars.EndCard): Choice[] {
    const unused = unusedActivations(action, { decision: this.decision, options: this.desk.options });
    if (unused === 0) return [{ id: "end_card", label: t("a.end_card"), key: "E", act: () => void this.send(action) }];
    if (!this.isEnding)
      return [
        {
          id: "end_card",
          label: t("a.end_card"),
          key: "E",
          act: () => {
            this.isEnding = true;
          },
        },
      ];
    return [
      {
        id: "end_card_sure",
        label: t(unused === 1 ? "bar.end.sure.one" : "bar.end.sure", { count: unused }),
        key: "E",
        icon: "warn",
        act: () => void this.send(action),
      },
      {
        id: "end_card_not",
        label: t("bar.end.not"),
        key: "Escape",
        act: () => {
          this.isEnding = false;
        },
      },
    ];
  }
  /** Whether the disk may shoot or focus after its move (R8.2): once, and not after it did so before. */
  private get actsAfterMove(): boolean {
    const { question } = this.decision;
    const isLeft =
      question.type === "activation" ||
      (question.type === "continuation" && question.allowed.some((one) => one !== "move"));
    return (
      isLeft && this.chosen !== null && this.state !== null && hasKeyword(profileOf(this.state, this.chosen), "mobile")
    );
  }
  private get moveChoices(): ReadonlyArray<Choice> {
    const turn = (degrees: number) => ({
      id: `turn${degrees}`,
      label: `${degrees > 0 ? "+" : "−"}${Math.abs(degrees)}°`,
      isCompact: true,
      act: () => this.turnBy(degrees),
    });
    return [
      // First, and there before the first flip: on a phone the row scrolls, and no button moves away under the finger that adds flips.
      ...(this.actsAfterMove
        ? [
            {
              id: "keep",
              label: t("bar.keep"),
              key: "Shift+Enter",
              isOff: this.path.length === 0,
              act: () => void this.commit(true),
            },
          ]
        : []),
      turn(-5),
      turn(5),
      {
        id: "add",
        label: t("bar.add"),
        key: "A",
        icon: "plus",
        isCompact: true,
        isOff: !this.isAimLegal || this.isFull,
        act: () => this.add(),
      },
      {
        id: "undo",
        label: t("bar.undo"),
        icon: "undo",
        isCompact: true,
        isOff: this.path.length === 0,
        act: () => this.undo(),
      },
      { id: "cancel", label: t("bar.cancel"), key: "Escape", icon: "x", isCompact: true, act: () => this.cancel() },
    ];
  }
  private get numberChoices(): ReadonlyArray<Choice> {
    const board = this.state;
    const disk = this.chosen;
    if (this.numbers.length < 2 || !board || disk === null) return [];
    return this.numbers.map((number, place) => ({
      id: `attack-${number}`,
      key: String(place + 1),
      isOn: number === this.number,
      label: this.attackText(board, disk, number),
      act: () => {
        this.number = number;
        this.target = null;
      },
    }));
  }
  private attackText(board: BoardState, disk: number, number: number): string {
    const shot = this.mode === "shoot" ? shotOf(board, disk, number) : null;
    return shot
      ? t("shot.attack", { dice: shot.dice, strength: amountText(shot.strength), reach: t(`reach.${shot.reach}`) })
      : t("bar.focus.number", { number: number + 1 });
  }

  override get primary(): Choice | null {
    if (this.move) {
      const count = this.path.length;
      return {
        id: "commit",
        label: count === 0 ? t("bar.commit.none") : count === 1 ? t("bar.commit.one") : t("bar.commit", { count }),
        icon: "check",
        isOff: count === 0 || this.path.at(-1)?.isLegal === false,
        act: () => void this.commit(),
      };
    }
    if (this.mode === "reinforce")
      return {
        id: "commit",
        label: t("a.reinforce", { name: this.name }),
        icon: "check",
        isOff: !this.isPlaceLegal,
        act: () => void this.reinforce(),
      };
    if (this.mode === "shoot" || this.mode === "focus" || this.mode === "ability") {
      const { answer } = this;
      const odds =
        answer?.type === "shoot" && this.state
          ? shotOdds(this.state, answer.disk, answer.target, answer.shot ?? 0)
          : null;
      const label = odds
        ? t("shot.roll", { dice: odds.dice })
        : answer || !this.targets.length
          ? t("bar.use")
          : t("bar.target.none");
      return {
        id: "commit",
        label,
        icon: odds ? "dice" : "bolt",
        isOff: !answer,
        act: () => {
          if (answer) void this.send(answer);
        },
      };
    }
    if (this.mode === "pass")
      return { id: "commit", label: t("mode.pass"), icon: "check", isOff: !this.found?.pass, act: () => this.pass() };
    return null;
  }
  private pass(): void {
    if (this.found?.pass) void this.send(this.found.pass);
  }

  // ---------------------------------------------------------------- what is drawn

  override get notes(): ReadonlyArray<Note> {
    const board = this.state;
    if (!board || this.chosen === null) return this.hint ? [this.hint] : [];
    if (this.hint) return [this.hint];
    const planned = this.path.at(-1);
    if (this.move)
      return planned
        ? [
            ...this.illegalNotes(planned),
            ...pathNotes(board, this.chosen, this.path),
            ...(this.actsAfterMove ? [note(t("note.mobile"), "R8.2")] : []),
          ]
        : [];
    if (this.mode === "reinforce" && this.place) {
      return this.isPlaceLegal
        ? landingNotes(board, this.chosen, ...this.place, false)
        : [note(t("note.notthere"), "R9.1", "bad")];
    }
    if (this.mode === "shoot" && this.target !== null) return this.shotNotes(board, this.chosen, this.target);
    return this.abilityNotes(board, this.chosen);
  }
  /** What a focus or battle ability does: its words, and where no die decides, whom it harms and how much. */
  private abilityNotes(board: BoardState, disk: number): Note[] {
    const { answer, target } = this;
    if (!answer || answer.type === "shoot") return [];
    const effect = effectOf(board, this.decision, answer);
    const what = this.abilityWords(board, disk);
    const by =
      target === null
        ? t("log.ability", { name: this.name, what })
        : t("log.ability.target", { name: this.name, target: diskName(board, target), what });
    return [
      ...(this.isOwnHarm(target) ? [note(t("shot.own"), "", "bad")] : []),
      note(by),
      ...((effect && target !== null && abilityNotes(board, disk, target, effect)) || []),
    ];
  }
  override get aimNotes(): ReadonlyArray<Note> {
    const { state, chosen, noted } = this;
    if (!state || chosen === null || !this.move || !noted || this.isFull || this.hint) return [];
    // The flips planned before have taken the disk off the ground that it lies on.
    const ahead = boardsAlong(state, chosen, this.path).at(-1) ?? state;
    return [...this.illegalNotes(noted), ...landingNotes(ahead, chosen, noted.x, noted.y, true)];
  }
  private illegalNotes({ x, y, isLegal }: Flip): Note[] {
    const board = this.state;
    if (isLegal) return [];
    const isOff =
      board &&
      this.chosen !== null &&
      !isDiskInAnyArea(board, this.chosen, x, y, [{ x0: 0, y0: 0, x1: board.field.width, y1: board.field.height }]);
    return isOff
      ? []
      : [
          note(
            t("note.notthere"),
            this.decision.question.type === "scout"
              ? "R8.9"
              : this.decision.question.type === "rampage"
                ? "R12.6"
                : "R8.4",
            "bad",
          ),
        ];
  }
  private shotNotes(board: BoardState, disk: number, target: number): Note[] {
    const odds = shotOdds(board, disk, target, this.number);
    if (!odds) return [];
    const percent = (chance: number) => `${Math.round(100 * chance)} %`;
    const [unharmed = 0, damaged = 0, struck = 0] = percentages([odds.unharmed, odds.damaged, odds.struck]);
    const isOwn = this.isOwnHarm(target);
    return [
      ...(isOwn ? [note(t("shot.own"), "R12.1", "bad")] : []),
      {
        ...note(
          t("shot.range", {
            band: t(`reach.${odds.band}`),
            distance: inches(gapOf(circleOf(board, disk), circleOf(board, target))),
          }),
          "R5.5",
        ),
        brief: t(odds.isDeadly ? "shot.brief.destroyed" : "shot.brief.wounded", { struck, damaged }),
      },
      ...(odds.isCovered ? [note(t("shot.cover"), "R10.4")] : []),
      ...(odds.rule ? [note(t("shot.reduced"), odds.rule)] : []),
      note(t("shot.unharmed", { chance: `${unharmed} %` })),
      note(t("shot.damaged", { chance: `${damaged} %` }), "", isOwn ? "bad" : "plain"),
      note(
        t(odds.isDeadly ? "shot.destroyed" : "shot.wounded", { chance: `${struck} %` }),
        "R13.5",
        isOwn ? "bad" : "good",
      ),
      note(t("shot.expected", { amount: decimal(odds.expected), chance: percent(odds.critical) }), "R12.4.2"),
      this.scatterNote(board, disk, target, percent(odds.scatter)),
    ];
  }

  private scatterNote(board: BoardState, disk: number, target: number, chance: string): Note {
    const struck = scatterTargets(board, disk, target);
    if (!struck.length) return note(t("shot.scatter.nobody", { chance }), "R12.3");
    const isOwn = struck.every((one) => board.disks[one]?.seat === this.desk.seat);
    const key = isOwn ? "shot.scatter.own" : "shot.scatter";
    return note(
      t(key, {
        chance,
        names: names(
          struck.map((one) => diskName(board, one)),
          "or",
        ),
      }),
      "R12.3",
      isOwn ? "bad" : "plain",
    );
  }

  override get complaint(): Note | null {
    return this.hint;
  }
  override get marks(): ReadonlyMap<number, Mark> {
    const marks = new Map<number, Mark>();
    const targets = new Set(this.targets);
    if (targets.size) {
      for (const disk of this.state?.disks ?? []) {
        if (isFielded(disk))
          marks.set(
            disk.id,
            targets.has(disk.id) ? targetMark(disk.id === this.target, this.isOwnHarm(disk.id)) : "dim",
          );
      }
    } else if (!this.mode) {
      for (const id of disksWithModes(this.desk.options)) marks.set(id, "ready");
    }
    if (this.chosen !== null) marks.set(this.chosen, this.mode ? "acting" : "selected");
    return marks;
  }

  override get drawsReach(): boolean {
    return this.mode !== null;
  }
  override get shapes(): ReadonlyArray<Shape> {
    const board = this.state;
    if (!board || this.chosen === null) return [];
    if (this.move) return this.moveShapes(board, this.chosen, this.move);
    if (this.mode === "reinforce") return this.placeShapes(board, this.chosen);
    if (this.mode === "shoot") return this.shotShapes(board, this.chosen);
    return this.aimShapes(board, this.chosen, "");
  }
  private moveShapes(board: BoardState, disk: number, option: diskwars.Option): Shape[] {
    const start = circleOf(board, disk);
    const [x, y] = after(start, this.path);
    const shapes: Shape[] = [
      ...moveRing({ ...start, x, y }, this.isFull ? 0 : this.flipsLeft, option.length ?? 0),
      ...shotRing(boardsAlong(board, disk, this.path).at(-1) ?? board, disk),
    ];
    if (!this.isFull) shapes.push({ kind: "dial", x, y, r: start.r, bearings: this.snaps });
    let from: Point = [start.x, start.y];
    for (const [place, flip] of this.path.entries()) {
      shapes.push({ kind: "line", from, to: [flip.x, flip.y], tone: "plan" });
      shapes.push({
        kind: "ghost",
        x: flip.x,
        y: flip.y,
        r: start.r,
        tone: flip.isLegal ? "plan" : "illegal",
        label: String(place + 1),
        disk,
        isLast: this.isFull && place === this.path.length - 1,
      });
      from = [flip.x, flip.y];
    }
    return shapes;
  }
  private placeShapes(board: BoardState, disk: number): Shape[] {
    const { r } = circleOf(board, disk);
    const areas: Shape[] = (this.found?.reinforce?.areas ?? []).map((area) => ({
      kind: "area",
      corners: rectangle(area),
      tone: "legal",
    }));
    const near = (this.found?.reinforce?.areas ?? []).flatMap((area): Shape[] => {
      if (area.near === undefined || area.reach === undefined) return [];
      const { x, y, r: other } = circleOf(board, area.near);
      return [{ kind: "ring", x, y, r: other + area.reach + 2 * r, label: "", isDashed: true }];
    });
    return [...areas, ...near];
  }
  override get moving(): Moving | null {
    const { state, chosen, aim, place, origin } = this;
    if (!state || chosen === null) return null;
    const { r } = circleOf(state, chosen);
    if (this.mode === "reinforce")
      return place && { x: place[0], y: place[1], r, from: null, isLegal: this.isPlaceLegal, label: "", disk: chosen };
    if (!this.move || !aim || this.isFull) return null;
    return {
      x: aim.x,
      y: aim.y,
      r,
      from: origin,
      isLegal: aim.isLegal,
      label: String(this.path.length + 1),
      disk: chosen,
      bubble: this.bubble,
    };
  }
  /** The direction of the flip that is aimed, and what it would do: as rarely as the notes, for it is written anew. */
  private readonly bubble = $derived.by((): ReadonlyArray<string> => {
    const { state, chosen, noted, origin } = this;
    if (!state || chosen === null || !noted || !origin) return [];
    const degrees = Math.round(degreesOf(noted.vector[0], noted.vector[1])) % 360;
    const isSnapped = this.snaps.some(
      (bearing) => Math.abs(bearing - degreesOf(noted.vector[0], noted.vector[1])) < SNAPPED_DEGREES,
    );
    const first = noted.isLegal && this.path.length === 0 ? [t("bar.aim.first")] : [];
    return [
      t(isSnapped ? "bar.direction.snapped" : "bar.direction", { degrees }),
      ...(noted.isLegal ? landingWords(state, chosen, noted.x, noted.y) : [t("note.notthere")]),
      ...first,
    ];
  });
  /** While a move is planned: all that the disk can reach. While a target is chosen: the targets. Else every disk, for the choice is among them. */
  override get frame(): Framed | null {
    const board = this.state;
    const { move, found, chosen, mode } = this;
    if (!board || mode === "reinforce" || this.tray.length) return null;
    if (mode && mode !== "move" && mode !== "pass") return super.frame;
    // To pass moves nothing, so it leaves the view as the move had it.
    const reach = move ?? (mode === "pass" ? found?.move : undefined);
    if (!reach || chosen === null)
      return { circles: board.disks.filter(isFielded).map(({ id }) => circleOf(board, id)), isSubject: false };
    const at = circleOf(board, chosen);
    return { circles: [{ ...at, r: at.r + (reach.flips ?? 1) * (reach.length ?? 2 * at.r) }], isSubject: true };
  }
  private shotShapes(board: BoardState, disk: number): Shape[] {
    const shot = shotOf(board, disk, this.number);
    const at = circleOf(board, disk);
    const rings = REACHES.slice(0, shot ? REACHES.indexOf(shot.reach) + 1 : 0).flatMap((reach) =>
      rangeRing(board, at, reach),
    );
    if (this.target === null) return [...rings, ...this.aimShapes(board, disk, "")];
    const label = t("shot.ray", {
      distance: inches(gapOf(at, circleOf(board, this.target))),
      band: t(`reach.${bandOf(board, disk, this.target)}`),
    });
    return [...rings, ...this.aimShapes(board, disk, label)];
  }
  /** The line of sight to the target, and what blocks that to a disk which was refused. */
  private aimShapes(board: BoardState, disk: number, label: string): Shape[] {
    const shapes: Shape[] = [];
    if (this.target !== null && this.target !== disk) {
      const { line } = sightBetween(board, disk, this.target);
      const isOwn = this.isOwnHarm(this.target);
      const said = isOwn ? [t("aim.own"), label].filter(Boolean).join(", ") : label;
      shapes.push({ kind: "line", from: line[0], to: line[1], tone: isOwn ? "own" : "enemy", label: said });
    }
    if (this.refused !== null) shapes.push(...sightShapes(sightBetween(board, disk, this.refused)));
    return shapes;
  }

  // ---------------------------------------------------------------- choosing

  private get reserve(): ReadonlyArray<number> {
    return (this.desk.options.parametric ?? []).flatMap(({ example }) =>
      example.type === "reinforce" ? [example.disk] : [],
    );
  }
  private get users(): ReadonlyArray<number> {
    return [
      ...new Set(
        (this.desk.options.actions ?? []).flatMap((action) => (action.type === "use_ability" ? [action.disk] : [])),
      ),
    ];
  }
  override get tray(): ReadonlyArray<TrayItem> {
    if (!this.isReserveOpen && this.mode !== "reinforce") return [];
    return this.reserve.map((disk) => ({ disk, isOn: disk === this.chosen, isOff: false }));
  }
  override takeFromTray(disk: number): void {
    this.select(disk);
    this.take("reinforce");
  }

  override pick(disk: number): void {
    this.hint = null;
    this.refused = null;
    if (this.aimed.some(({ target }) => target !== undefined)) {
      if (this.aimed.some(({ target }) => target === disk)) this.target = disk;
      else if (disk !== this.chosen) this.refuseTarget(disk);
      return;
    }
    const isOther =
      this.state?.disks[disk]?.seat !== this.desk.seat || !disksWithModes(this.desk.options).includes(disk);
    if (this.move && disk !== this.chosen && isOther) return this.goTo(disk);
    if (this.path.length > 0 && disk === this.chosen) return;
    // Another disk is looked at, and the one that has to answer stays chosen.
    if (this.isDiskFixed && disk !== this.chosen && isOther) return;
    this.select(disk);
  }
  /** Plan straight flips until the disk lies on another, or is out of flips. */
  private goTo(other: number): void {
    const { state, found, move, chosen } = this;
    if (!state || !move?.length || chosen === null) return;
    const [target, { r }] = [circleOf(state, other), circleOf(state, chosen)];
    while (!this.isFull) {
      const [x, y] = this.origin ?? [0, 0];
      if (this.path.length > 0 && disksOverlap({ x, y, r }, target)) return;
      if (x === target.x && y === target.y) return;
      this.aimAt(target.x, target.y, true);
      const before = this.path.length;
      this.add();
      if (this.path.length === before || (found?.moves.length ?? 0) > 0) return;
    }
  }
  private refuseTarget(disk: number): void {
    const action = this.mode === "shoot" ? "shoot" : this.mode === "focus" ? "focus" : "use_ability";
    const found = (this.desk.options.unavailable ?? []).find(
      (one) => one.disk === this.chosen && one.target === disk && one.action === action,
    );
    const board = this.state;
    if (!board || this.chosen === null) return;
    this.refused = isFielded(board.disks[disk]) ? disk : null;
    const { isSeen, hiding } = sightBetween(board, this.chosen, disk);
    if (!isSeen && this.refused !== null) {
      this.hint = note(
        t("note.target.hidden", { name: diskName(board, disk), pieces: pieceNames(board, hiding) }),
        "R11.2",
        "bad",
      );
      return;
    }
    const far = t("note.target.far", {
      name: diskName(board, disk),
      distance: inches(gapOf(circleOf(board, this.chosen), circleOf(board, disk))),
    });
    this.hint = found ? note(boardRefusalText(found, board), found.rule, "bad") : note(far, "R12.1", "bad");
  }
  private select(disk: number | null): void {
    this.clear();
    this.chosen = disk;
    const { found } = this;
    if (!found || disk === null) return;
    if (found.move || found.moves.length) this.take("move");
    else if (found.reinforce) this.take("reinforce");
    else if (found.shoot.length) this.take("shoot");
    else if (this.state?.disks[disk]?.seat === this.desk.seat) {
      const why = whyNot(this.desk.options, this.state, disk);
      if (why) this.hint = note(why.text, why.rule, "bad");
    }
  }

  private take(mode: Mode): void {
    const { found } = this;
    if (!found) return;
    Object.assign(this, { mode, path: [], aim: null, target: null, place: null, hint: null, refused: null, number: 0 });
    this.number = this.numbers[0] ?? 0;
    if (mode === "move") return this.beginMove();
    if (mode === "reinforce") {
      const example = found.reinforce?.example;
      if (example?.type === "reinforce") this.place = [example.x, example.y];
    } else {
      this.target = this.state ? firstTarget(this.state, this.decision, this.aimed) : null;
    }
  }

  private cancel(): void {
    this.reset();
    this.desk.forget();
  }
  override putDown(): boolean {
    if (this.path.length > 0) return false;
    this.reset();
    return true;
  }
  /** Forget what is planned. The disk that the question is about can be chosen by no button, so it stays chosen. */
  private reset(): void {
    this.clear();
    if (this.isDiskFixed) this.begin();
  }
  clear(): void {
    Object.assign(this, {
      chosen: null,
      mode: null,
      path: [],
      aim: null,
      target: null,
      place: null,
      hint: null,
      refused: null,
      isEnding: false,
      isReserveOpen: this.decision.question.type === "reinforcement",
    });
  }

  // ---------------------------------------------------------------- moves

  private readonly flipsLeft = $derived.by((): number => (this.move?.flips ?? 0) - this.path.length);
  private readonly isFull = $derived.by((): boolean => {
    const isStopped = this.state !== null && this.chosen !== null && stopsPath(this.state, this.chosen, this.path);
    return this.flipsLeft < 1 || isStopped;
  });
  private readonly origin = $derived.by((): Point | null =>
    this.state && this.chosen !== null ? after(circleOf(this.state, this.chosen), this.path) : null,
  );
  private beginMove(): void {
    const example = this.move?.example;
    const first = example?.type === "move_disk" ? example.path[0] : undefined;
    if (!first) return;
    this.bearing = Math.round(degreesOf(first[0], first[1])) % 360;
    this.aim = this.landing(first);
  }
  private landing(vector: Point): Flip | null {
    const { state, origin, move } = this;
    return state && origin && move && this.chosen !== null
      ? landingOf(state, move, this.chosen, origin, vector, this.flipsLeft <= 1)
      : null;
  }
  override get isAiming(): boolean {
    return this.move !== null && !this.isFull;
  }
  override get isPlacing(): boolean {
    return this.mode === "reinforce";
  }
  override grabs(x: number, y: number, disk: number | null): boolean {
    const board = this.state;
    if (!board || this.chosen === null) return false;
    // Before the first flip is planned, a press on another disk that can act chooses that one.
    if (
      disk !== null &&
      disk !== this.chosen &&
      this.path.length === 0 &&
      this.mode === "move" &&
      disksWithModes(this.desk.options).includes(disk)
    )
      return false;
    const { r } = circleOf(board, this.chosen);
    if (this.mode === "reinforce" && this.place) return Math.hypot(x - this.place[0], y - this.place[1]) <= 1.6 * r;
    const { origin } = this;
    return this.isAiming && origin !== null && Math.hypot(x - origin[0], y - origin[1]) <= 3.2 * r;
  }
  override aimAt(x: number, y: number, isFree = false): void {
    if (this.mode === "reinforce") {
      this.place = this.snapPlace(x, y, isFree);
      return;
    }
    const { origin, move, state, chosen, found } = this;
    if (!origin || !move?.length || !this.isAiming || !state || chosen === null) return;
    const [dx, dy] = [x - origin[0], y - origin[1]];
    if (dx === 0 && dy === 0) return;
    if (!found?.move && found?.moves.length) {
      const fixed = nearestVector(
        found.moves.flatMap(({ path }) => path.slice(0, 1)),
        dx,
        dy,
      );
      if (fixed) this.aim = this.landing(fixed);
      return;
    }
    const tolerance = (SNAP_PX * this.desk.pixelUm * 180) / Math.PI / move.length;
    const free = degreesOf(dx, dy);
    const aimed = isFree ? free : snapped(free, this.snaps, Math.min(tolerance, 8));
    this.bearing = aimed;
    const landing = this.landing(flipAt(aimed, move.length));
    // A snap that would leave the legal area, by a rounding, is none.
    this.aim = landing?.isLegal ? landing : this.landing(flipAt(free, move.length));
  }
  private snapPlace(x: number, y: number, isFree: boolean): Point {
    const [px, py] = [Math.round(x), Math.round(y)];
    if (isFree || !this.state || this.chosen === null) return [px, py];
    const { r } = circleOf(this.state, this.chosen);
    const slack = SNAP_PX * this.desk.pixelUm;
    const clamp = (value: number, low: number, high: number) =>
      low <= high ? Math.min(high, Math.max(low, value)) : value;
    for (const area of this.found?.reinforce?.areas ?? []) {
      const near: Point = [clamp(px, area.x0 + r, area.x1 - r), clamp(py, area.y0 + r, area.y1 - r)];
      if (Math.hypot(near[0] - px, near[1] - py) <= slack + r) return near;
    }
    return [px, py];
  }
  override drop(x: number, y: number): void {
    const { origin } = this;
    const isReinforcing = this.mode === "reinforce";
    const { r } = this.state && this.chosen !== null ? circleOf(this.state, this.chosen) : { r: 0 };
    // A tap has no pointer that hovered before; one in the middle of the disk says no direction.
    if (isReinforcing || (origin && Math.hypot(x - origin[0], y - origin[1]) > r / 3)) this.aimAt(x, y);
    if (!isReinforcing) this.add();
  }
  override turn(steps: number): void {
    this.turnBy(5 * steps);
  }
  private turnBy(degrees: number): void {
    const { move, found } = this;
    if (!move?.length || !this.isAiming) return;
    if (!found?.move && found?.moves.length) {
      const vectors = found.moves.flatMap(({ path }) => path.slice(0, 1));
      const at = vectors.findIndex(([x, y]) => x === this.aim?.vector[0] && y === this.aim.vector[1]);
      const next = vectors[(at + Math.sign(degrees) + vectors.length) % vectors.length];
      if (next) this.aim = this.landing(next);
      return;
    }
    // The next flip goes on in the same direction until it is turned; then in whole degrees.
    if (degrees !== 0) this.bearing = (Math.round(this.bearing) + degrees + 360) % 360;
    this.aim = this.landing(flipAt(this.bearing, move.length));
  }
  private add(): void {
    if (!this.aim?.isLegal || this.isFull) return;
    this.path = [...this.path, this.aim];
    this.aim = null;
    if (!this.isFull) this.turnBy(0);
  }
  private undo(): void {
    this.path = this.path.slice(0, -1);
    this.aim = null;
    this.turnBy(0);
  }
  private async commit(keepsGoing = false): Promise<void> {
    const { chosen } = this;
    if (chosen === null || this.path.length === 0) return;
    const path = this.path.map(({ vector }) => vector);
    const isFree = this.decision.question.type === "rampage";
    await this.send({
      type: "move_disk",
      disk: chosen,
      path,
      ...(isFree ? {} : { over_own_disks: true }),
      ...(keepsGoing ? { end_activation: false } : {}),
    });
  }
  private get isPlaceLegal(): boolean {
    const areas = this.found?.reinforce?.areas ?? [];
    return (
      this.state !== null &&
      this.chosen !== null &&
      this.place !== null &&
      isDiskInAnyArea(this.state, this.chosen, this.place[0], this.place[1], areas)
    );
  }
  private async reinforce(): Promise<void> {
    if (this.chosen !== null && this.place)
      await this.send({ type: "reinforce", disk: this.chosen, x: this.place[0], y: this.place[1] });
  }

  // ---------------------------------------------------------------- keys

  override key(event: KeyboardEvent): boolean {
    const { key, shiftKey } = event;
    if (key === "Escape") return (this.cancel(), true);
    if (this.move) {
      if (key === "ArrowLeft" || key === "ArrowRight")
        return (this.turnBy((key === "ArrowLeft" ? -1 : 1) * (shiftKey ? 1 : 5)), true);
      if (key === "Backspace") return (this.undo(), true);
      if (key === "Enter" && shiftKey && this.path.length) return (void this.commit(true), true);
      if (key === "Enter" && this.aim?.isLegal && !this.isFull && this.path.length === 0) return (this.add(), true);
    }
    if (this.mode === "reinforce" && this.place && key.startsWith("Arrow")) {
      const step = shiftKey ? FINE_STEP_UM : STEP_UM;
      const [right, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [
        0, 0,
      ];
      const [dx, dy] = this.desk.fieldVector(right ?? 0, up ?? 0);
      this.place = [this.place[0] + dx * step, this.place[1] + dy * step];
      return true;
    }
    if (key === "Tab" && this.cycled.length > (this.target === null ? 0 : 1))
      return (this.cycleTarget(shiftKey ? -1 : 1), true);
    if (key.toUpperCase() === "N") return (this.cycleDisk(shiftKey ? -1 : 1), true);
    return false;
  }
  /** The targets that a key goes through: an own disk that would be harmed is clicked, unless there is nobody else. */
  private get cycled(): ReadonlyArray<number> {
    const wanted = this.targets.filter((disk) => !this.isOwnHarm(disk));
    return wanted.length ? wanted : this.targets;
  }
  private cycleTarget(step: number): void {
    const { cycled } = this;
    const at = this.target === null ? -1 : cycled.indexOf(this.target);
    this.target = cycled[at < 0 && step < 0 ? cycled.length - 1 : (at + step + cycled.length) % cycled.length] ?? null;
  }
  private cycleDisk(step: number): void {
    // While the reserve is open, it is chosen from.
    const able = this.tray.length
      ? this.reserve
      : disksWithModes(this.desk.options).filter((disk) => isFielded(this.state?.disks[disk]));
    const at = this.chosen === null ? -1 : able.indexOf(this.chosen);
    if (able.length) this.select(able[(at + step + able.length) % able.length] ?? null);
  }
}

function numberOf(action: diskwars.Focus | diskwars.Shoot | diskwars.UseAbility): number {
  return action.type === "shoot" ? (action.shot ?? 0) : action.type === "focus" ? (action.ability ?? 0) : 0;
}
