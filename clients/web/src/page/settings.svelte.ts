// What the player has chosen for this browser: theme, language, sound, motion, the board.

const KEY = "diskwars.settings";
export type Motion = "full" | "reduced" | "system";
type CameraMode = "follow" | "whole";

interface Saved {
  readonly sound: boolean;
  readonly volume: number;
  readonly notices: boolean;
  readonly motion: Motion;
  readonly callouts: boolean;
  readonly keys: boolean;
  readonly camera: CameraMode;
  readonly isHandHidden: boolean;
}
const DEFAULTS: Saved = {
  sound: false,
  volume: 0.6,
  notices: false,
  motion: "system",
  callouts: true,
  keys: true,
  camera: "follow",
  isHandHidden: false,
};

/** What is stored now, in whichever tab it was chosen; null where the browser forbids its storage. */
function read(): Saved | null {
  let text: string | null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    return null;
  }
  try {
    const found = JSON.parse(text ?? "{}") as Partial<Saved>;
    return {
      sound: found.sound === true,
      volume: typeof found.volume === "number" ? Math.min(1, Math.max(0, found.volume)) : DEFAULTS.volume,
      notices: found.notices === true,
      motion: found.motion === "full" || found.motion === "reduced" ? found.motion : "system",
      callouts: found.callouts !== false,
      keys: found.keys !== false,
      camera: found.camera === "whole" ? "whole" : "follow",
      isHandHidden: found.isHandHidden === true,
    };
  } catch {
    return DEFAULTS;
  }
}

class Settings {
  private saved = $state.raw<Saved>(read() ?? DEFAULTS);

  constructor() {
    this.apply();
    addEventListener("storage", ({ key }) => {
      if (key !== KEY && key !== null) return;
      this.saved = read() ?? this.saved;
      this.apply();
    });
  }

  /** Whether a sound says that the player is wanted. */
  get sound(): boolean {
    return this.saved.sound;
  }
  get volume(): number {
    return this.saved.volume;
  }
  get notices(): boolean {
    return this.saved.notices;
  }
  get motion(): Motion {
    return this.saved.motion;
  }
  /** Whether covered disks get a sign beside the stack. */
  get callouts(): boolean {
    return this.saved.callouts;
  }
  /** Whether the own cards lie face down, for a screen that others see. */
  get isHandHidden(): boolean {
    return this.saved.isHandHidden;
  }
  /** Whether the camera follows what is asked, or shows the whole table until the player moves it. */
  get camera(): CameraMode {
    return this.saved.camera;
  }
  /** Whether letters, digits and signs are keys of the page: `guardKeys`. */
  get keys(): boolean {
    return this.saved.keys;
  }

  change(part: Partial<Saved>): void {
    this.saved = { ...(read() ?? this.saved), ...part }; // another tab may have changed other parts
    this.apply();
    try {
      localStorage.setItem(KEY, JSON.stringify(this.saved));
    } catch {
      // A browser may forbid its storage; then the choice lasts as long as the page.
    }
  }

  private apply(): void {
    document.documentElement.dataset["motion"] = this.saved.motion;
  }
}

export const settings = new Settings();
