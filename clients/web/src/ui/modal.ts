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

/** Take the focus into a sheet and make its siblings inert; both end with it. Notices of the whole page are no siblings, and stay in use. */
export function modal(sheet: HTMLElement): { destroy(): void } {
  const opener = document.activeElement;
  const covered = [...(sheet.parentElement?.children ?? [])].filter((one): one is HTMLElement => one instanceof HTMLElement && one !== sheet && !one.inert);
  for (const one of covered) one.inert = true;
  sheet.focus();
  return {
    destroy() {
      for (const one of covered) one.inert = false;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
  };
}
