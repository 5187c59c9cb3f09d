// Says that it is the player's turn: by a sound, and by a notification of the system where that is allowed.

import { t } from "../messages";
import { settings } from "./settings.svelte";

let sounds: AudioContext | null = null;

/** Play two soft notes where the player switched sound on, but none before the first click or key of a visit: a browser would keep them back and play them late. */
export function ring(): void {
  if (
    !settings.sound ||
    settings.volume === 0 ||
    !("AudioContext" in window) ||
    navigator.userActivation?.hasBeenActive === false
  )
    return;
  sounds ??= new AudioContext();
  for (const [place, pitch] of [660, 880].entries()) {
    const start = sounds.currentTime + 0.16 * place;
    const [tone, gain] = [sounds.createOscillator(), sounds.createGain()];
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(0.12 * settings.volume, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.5);
    tone.connect(gain).connect(sounds.destination);
    tone.start(start);
    tone.stop(start + 0.5);
  }
}

const canNotify = (): boolean => "Notification" in window && Notification.permission === "granted";

export async function allowNotices(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Say that it is the player's turn in a match, once for each decision. */
export function sayTurn(match: string, open: (path: string) => void): void {
  ring();
  if (document.hidden && settings.notices && canNotify()) void notify(match, open);
}

/** Notify through the service worker where there is one: Chrome on Android refuses every other notification. */
async function notify(match: string, open: (path: string) => void): Promise<void> {
  const path = `/m/${match}`;
  const options = { body: t("notice.turn"), tag: match, icon: "/icon.svg", data: path };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) return await worker.showNotification(t("app.name"), options);
    const notice = new Notification(t("app.name"), options);
    notice.onclick = () => {
      window.focus();
      open(path);
      notice.close();
    };
  } catch {
    return; // No worker, and a browser that notifies through one only: the title and the icon say it.
  }
}

/** Open a match whose notification was clicked. Its worker shows it, and the click is the worker's. */
export function followClicks(open: (path: string) => void): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string" && data.startsWith("/")) open(data);
  });
}
