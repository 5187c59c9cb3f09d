// The height that the table keeps free above a bar.

/** Announce the height of the highest bar of each question, in px: the table does not move while an answer is planned. */
export function announceHighest(height: () => number, question: () => unknown, onHeight: (pixels: number) => void): void {
  let highest = 0;
  $effect(() => {
    void question();
    highest = 0;
  });
  $effect(() => {
    void question();
    if (height() > highest) onHeight((highest = height()));
  });
  // Before the fonts arrive, a wider one may have made it higher.
  $effect(() => {
    const measure = () => requestAnimationFrame(() => requestAnimationFrame(() => onHeight((highest = height()))));
    document.fonts.addEventListener("loadingdone", measure);
    return () => document.fonts.removeEventListener("loadingdone", measure);
  });
}
