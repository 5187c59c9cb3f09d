// German texts of the disks.

import type { disks as english } from "../en/disks";

export const disks: Readonly<Record<keyof typeof english, string>> = {
  "disk.owner.you": "deine",
  "disk.owner": "von {name}",
  "disk.damage": "{count} von {toughness} Schaden",
  "disk.wounds": "{count} {count|Wunde|Wunden}",
  "disk.activated": "aktiviert",
  "disk.empowered": "gestärkt",
  "disk.weakened": "Zähigkeit −{count}",
  "disk.poisoned": "vergiftet",
  "disk.pins": "bindet {names}",
  "disk.pinned": "gebunden von {names}",
  "stat.movement": "Bew.",
  "stat.strength": "Stärke",
  "stat.counter": "Konter",
  "stat.toughness": "Zähigk.",
  "stat.stamina": "Ausd.",
  "twin.title": "Scheiben auf dem Tisch",
  "twin.disk": "Scheibe",
  "twin.owner": "Spieler",
  "twin.place": "Ort (Zoll)",
  "twin.at": "{x} / {y}",
  "twin.state": "Zustand",
  "disk.gone": "Vernichtet",
  "twin.damage": "Schaden",
  "twin.damage.of": "{count} von {toughness}",
  "twin.pins": "Binden",
  "twin.from": "Von {name}",
  "twin.far": "{distance} Zoll, {degrees}°",
};
