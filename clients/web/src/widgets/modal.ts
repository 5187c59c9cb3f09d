// A sheet that stands for the page until it is closed: what is beside it is inert, and the focus comes back.

/** Take the focus into a panel that opens beside the page, and give it back when the panel closes with it. */
export function focused(panel: HTMLElement): { destroy(): void } {
  const opener = document.activeElement;
  panel.focus({ preventScroll: true });
  return {
    destroy() {
      const isInside = document.activeElement === document.body || panel.contains(document.activeElement);
      if (isInside && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
  };
}

export interface ModalOptions {
  /** What the sheet covers, as a selector of what it is in: all beside it in there. Its siblings otherwise. */
  readonly within?: string;
  /** Where the focus goes when the sheet closes and nothing had it before, as on a page that began with the sheet. */
  readonly fallback?: string;
}

/**
 * Take the focus into a sheet and make what it covers inert; both end with it. Notices of the whole page are not in what
 * it covers and stay in use; what is read out goes on being read.
 */
export function modal(sheet: HTMLElement, { within = "", fallback = "" }: ModalOptions = {}): { destroy(): void } {
  const opener = document.activeElement;
  const covered = beside(sheet, within ? sheet.closest(within) : sheet.parentElement).filter(
    (one) => !one.inert && !one.matches("[aria-live]"),
  );
  for (const one of covered) one.inert = true;
  sheet.focus();
  return {
    destroy() {
      for (const one of covered) one.inert = false;
      const hadFocus = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      const back = hadFocus ? opener : fallback ? document.querySelector(fallback) : null;
      if (back instanceof HTMLElement) back.focus();
    },
  };
}

/** Return the siblings of an element and of each that it is in, up to the children of `root`. */
function beside(element: HTMLElement, root: Element | null): HTMLElement[] {
  const parent = element.parentElement;
  if (!parent || !root) return [];
  const here = [...parent.children].filter((one): one is HTMLElement => one instanceof HTMLElement && one !== element);
  return parent === root ? here : [...here, ...beside(parent, root)];
}
