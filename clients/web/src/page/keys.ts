// Keys without Ctrl or Alt can be turned off: a voice that is typed, or a hand that trembles, would press them.

import { settings } from "./settings.svelte";

const TEXT_FIELDS = "input:not([type=range], [type=checkbox]), select, textarea";

/** Return whether a key stands for a letter, digit or sign of its own: space and named keys do not. */
const isCharacterKey = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, "altKey" | "ctrlKey" | "key" | "metaKey">): boolean =>
  key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;

/** Keep such keys from the page where the player has turned them off. Call it before anything else listens. */
export function guardKeys(): void {
  addEventListener(
    "keydown",
    (event) => {
      const isTyping = event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null;
      if (!settings.keys && !isTyping && isCharacterKey(event)) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
