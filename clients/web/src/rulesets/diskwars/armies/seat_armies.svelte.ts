// The armies that may take a seat: those of the size that its match wants, and the one that is chosen.

import type { MatchState } from "../../../client/records/match.js";
import { playableWithout, startersWithout } from "../../../lists/packs";
import { DEFAULT_ARMY, opposingArmies, usualRegiments } from "../../../lists/usual_armies";
import { savedArmies } from "../../../lists/saved_armies.svelte";
import { session } from "../../../page/session.svelte";

export class SeatArmies {
  chosen = $state("");

  constructor(private readonly match: () => MatchState | null) {}

  private readonly regiments = $derived.by(() => this.match()?.settings.regiments ?? usualRegiments(session.catalogue));
  /** Packs of the server that this match is played without. */
  private readonly leftOut = $derived.by(() => {
    const packs = this.match()?.packs ?? [];
    return (session.catalogue?.packs ?? []).map(({ id }) => id).filter((id) => !packs.some((pack) => pack.id === id));
  });
  /** The starter army of another seat, as far as it is known: nobody takes the same unless they want to. */
  private readonly other = $derived.by((): string => {
    const armies = (this.match()?.seats ?? []).map(({ loadout }) => loadout?.army);
    return armies.flatMap((army) => (typeof army === "string" && army ? [army] : []))[0] ?? DEFAULT_ARMY;
  });
  readonly own = $derived.by(() =>
    playableWithout(session.catalogue, savedArmies.all, this.leftOut).filter(
      (one) => one.regiments.length === this.regiments,
    ),
  );
  readonly starters = $derived.by(() =>
    startersWithout(session.catalogue, this.leftOut).filter((one) => one.regiments.length === this.regiments),
  );
  /** How many saved armies are of another size, or of packs that are not played. */
  readonly unfit = $derived.by(() => (session.catalogue ? savedArmies.all.length - this.own.length : 0));
  readonly army = $derived.by(
    () =>
      [...this.own, ...this.starters].find(({ id }) => id === this.chosen) ??
      opposingArmies(this.starters, this.regiments, this.other)[0] ??
      this.own[0] ??
      null,
  );
  /** What takes the seat with it; null where there is no army. */
  get loadout(): object | null {
    const { army } = this;
    if (!army) return null;
    const mine = this.own.find(({ id }) => id === army.id);
    return mine ? { regiments: mine.regiments, hand: mine.hand } : { army: army.id };
  }
}
