// The questions of a melee: which engagement comes next, and whom each disk strikes.

import { type Mark } from "../../../board/view";
import { diskName } from "../names";
import type { BoardState, Decision } from "../../../client/records/match.js";
import { names, t } from "../../../messages";
import type { diskwars } from "../../../protocol/types";
import { boardRefusalText } from "../refusals";
import { fightOutlook, standingLinks, struckIn, type FightOutlook } from "../forecast/fight";
import { blowFates, blowText, fallText, note, triggerNotes, type Note } from "../forecast/forecast";
import { circleOf, isFielded } from "../forecast/position";
import { awaitedText } from "../panels/fought";
import type { Shape } from "../../../board/shapes";
import { Tool, type Choice, type Framed, type ToolContext } from "./tool";

/** Return what a fight would bring, one note for each blow. */
function fightNotes(board: BoardState, outlook: FightOutlook): Note[] {
  const steps = outlook.steps.flatMap(({ speed, blows, board: struck, fates, falls }) => {
    const stepText = (text: string) => t("fight.step", { speed: t(`speed.${speed}`), text });
    return [
      ...blows.map(({ disk, target, strength }) => ({
        ...note(stepText(blowText(struck, disk, target, strength, fates.get(target))), "R15.3.3"),
        fates: blowFates(outlook, target, fates.get(target)),
      })),
      ...falls.map((fall) => ({
        ...note(stepText(fallText(board, fall)), "R-45"),
        fates: [{ disk: fall.disk, fate: fall.fate, tokens: 0 }],
      })),
    ];
  });
  return [...steps, ...triggerNotes(board, outlook)];
}

const linkShapes = (
  board: BoardState,
  links: ReadonlyArray<{ readonly attacker: number; readonly defender: number }>,
): Shape[] =>
  links.map(({ attacker, defender }) => {
    const [from, to] = [circleOf(board, attacker), circleOf(board, defender)];
    return { kind: "line", from: [from.x, from.y], to: [to.x, to.y], tone: "plan" };
  });

export class EngagementTool extends Tool {
  private wanted = $state<number | null>(null);

  constructor(
    context: ToolContext,
    private readonly decision: Decision,
  ) {
    super(context);
  }

  get legal(): ReadonlyArray<number> {
    return this.decision.question.type === "engagement" ? this.decision.question.engagements : [];
  }
  get chosen(): number | null {
    return this.wanted ?? this.legal[0] ?? null;
  }
  choose(number: number): void {
    if (this.legal.includes(number)) this.wanted = number;
  }
  /** Why an engagement has to wait. */
  whyNot(number: number): { text: string; rule: string } | null {
    const found = (this.context.options.unavailable ?? []).find(
      (one) => one.action === "choose_engagement" && one.numbers?.["engagement"] === number,
    );
    if (!found) return null;
    return {
      text: awaitedText(found.numbers) || boardRefusalText(found, this.state),
      rule: found.rule,
    };
  }
  private get engagement(): diskwars.Engagement | null {
    return (this.chosen !== null && this.state?.engagements[this.chosen]) || null;
  }
  override get title(): string {
    return t("q.engagement");
  }
  override get help(): string {
    return t("melee.help", { count: this.legal.length });
  }
  override get marks(): ReadonlyMap<number, Mark> {
    const marks = new Map<number, Mark>();
    for (const disk of this.engagement?.attackers ?? []) marks.set(disk, "acting");
    for (const disk of this.engagement?.defenders ?? []) marks.set(disk, "target");
    return marks;
  }
  override get shapes(): ReadonlyArray<Shape> {
    return this.state && this.engagement
      ? linkShapes(this.state, standingLinks(this.state, this.engagement.links))
      : [];
  }
  override get notes(): ReadonlyArray<Note> {
    const board = this.state;
    return board && this.engagement
      ? fightNotes(
          board,
          fightOutlook(board, standingLinks(board, this.engagement.links), new Map(), struckIn(board, this.engagement)),
        )
      : [];
  }
  /** Every engagement that is left, by its number: those that wait are off. The camera shows all of them. */
  override get modes(): ReadonlyArray<Choice> {
    const { engagements = [] } = this.state ?? {};
    return engagements.flatMap(({ resolved }, number) =>
      resolved
        ? []
        : [
            {
              id: `engagement-${number}`,
              label: String(number + 1),
              isOn: number === this.chosen,
              isOff: !this.legal.includes(number),
              act: () => this.choose(number),
            },
          ],
    );
  }
  override get frame(): Framed | null {
    const board = this.state;
    if (!board) return null;
    const circles = board.engagements.flatMap(({ resolved, attackers, defenders }) =>
      resolved
        ? []
        : [...attackers, ...defenders].flatMap((disk) => (isFielded(board.disks[disk]) ? [circleOf(board, disk)] : [])),
    );
    return circles.length ? { circles, isSubject: false } : null;
  }
  override get primary(): Choice | null {
    const { chosen } = this;
    if (chosen === null) return null;
    return {
      id: "answer",
      label: t("melee.do", { number: chosen + 1 }),
      icon: "sword",
      act: () => void this.send({ type: "choose_engagement", engagement: chosen }),
    };
  }
  override pick(disk: number): void {
    const holds = (number: number) => {
      const engagement = this.state?.engagements[number];
      return engagement !== undefined && [...engagement.attackers, ...engagement.defenders].includes(disk);
    };
    const found = this.legal.filter(holds);
    const at = this.chosen === null ? -1 : found.indexOf(this.chosen);
    const next = found[(at + 1) % Math.max(1, found.length)];
    if (next !== undefined) this.wanted = next;
  }
  override key({ key }: KeyboardEvent): boolean {
    const number = Number(key) - 1;
    if (!this.legal.includes(number)) return false;
    this.wanted = number;
    return true;
  }
}

export class TargetsTool extends Tool {
  private chosen = $state.raw<ReadonlyMap<number, number>>(new Map());
  private striker = $state<number | null>(null);

  constructor(
    context: ToolContext,
    private readonly decision: Decision,
  ) {
    super(context);
  }

  private get question(): diskwars.MeleeTargetsQuestion | null {
    return this.decision.question.type === "melee_targets" ? this.decision.question : null;
  }
  get strikers(): ReadonlyArray<diskwars.StrikerChoice> {
    return this.question?.choices ?? [];
  }
  get current(): number | null {
    return this.striker ?? this.strikers[0]?.disk ?? null;
  }
  targetOf(disk: number): number | null {
    return this.chosen.get(disk) ?? this.strikers.find((one) => one.disk === disk)?.targets[0] ?? null;
  }
  private get pairs(): ReadonlyArray<diskwars.MeleeTarget> {
    return this.strikers.flatMap(({ disk }) => {
      const target = this.targetOf(disk);
      return target === null ? [] : [{ disk, target }];
    });
  }
  override get title(): string {
    return t("q.melee_targets");
  }
  override get help(): string {
    const { question, state } = this;
    return question && state
      ? t("targets.help", {
          speed: t(`speed.${question.speed}`),
          names: names(question.choices.map(({ disk }) => diskName(state, disk))),
        })
      : "";
  }
  override get subject(): number | null {
    return this.current;
  }
  override get marks(): ReadonlyMap<number, Mark> {
    const marks = new Map<number, Mark>();
    const able = this.strikers.find(({ disk }) => disk === this.current)?.targets ?? [];
    for (const { disk } of this.strikers) marks.set(disk, disk === this.current ? "acting" : "ready");
    for (const disk of able)
      marks.set(disk, this.current !== null && this.targetOf(this.current) === disk ? "target" : "choice");
    return marks;
  }
  override get shapes(): ReadonlyArray<Shape> {
    return this.state
      ? linkShapes(
          this.state,
          this.pairs.map(({ disk, target }) => ({ attacker: disk, defender: target })),
        )
      : [];
  }
  override get notes(): ReadonlyArray<Note> {
    const board = this.state;
    const engagement = this.question ? board?.engagements[this.question.engagement] : undefined;
    if (!board || !engagement) return [];
    return fightNotes(
      board,
      fightOutlook(
        board,
        standingLinks(board, engagement.links),
        new Map(this.pairs.map(({ disk, target }) => [disk, target])),
        struckIn(board, engagement),
      ),
    );
  }
  override get choices(): ReadonlyArray<Choice> {
    const board = this.state;
    if (!board) return [];
    return this.strikers.map(({ disk }) => ({
      id: `strike-${disk}`,
      isOn: disk === this.current,
      label: t("a.choose_targets.pair", {
        name: diskName(board, disk),
        target: diskName(board, this.targetOf(disk) ?? 0),
      }),
      act: () => this.cycle(disk),
    }));
  }
  override get primary(): Choice | null {
    return {
      id: "answer",
      label: t("targets.do"),
      icon: "sword",
      act: () => void this.send({ type: "choose_targets", targets: this.pairs }),
    };
  }
  /** A click on a striking disk chooses it, and again its next target; a click on a target lets the chosen disk strike it. */
  override pick(disk: number): void {
    const current = this.strikers.find((one) => one.disk === this.current);
    if (current?.targets.includes(disk)) this.chosen = new Map([...this.chosen, [current.disk, disk]]);
    else if (this.strikers.some((one) => one.disk === disk)) this.cycle(disk);
  }
  private cycle(disk: number): void {
    const choice = this.strikers.find((one) => one.disk === disk);
    if (choice && this.current === disk) {
      const at = choice.targets.indexOf(this.targetOf(disk) ?? -1);
      const next = choice.targets[(at + 1) % choice.targets.length];
      if (next !== undefined) this.chosen = new Map([...this.chosen, [disk, next]]);
    }
    this.striker = disk;
  }
}
