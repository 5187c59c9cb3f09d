// Whether things may move: what the browser asks for, unless the settings say otherwise.

import { settings } from "./settings.svelte";

export function isMotionReduced(): boolean {
  if (settings.motion !== "system") return settings.motion === "reduced";
  return typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
}
