// The height that the table keeps free above a bar.

/** Announce the height of the highest bar of each question, in px: the table does not move while an answer is planned. */
export function announceHighest(
  height: () => number,
  question: () => unknown,
  onHeight: (pixels: number) => void,
): void {
  let highest = 0;
  // The bar of a new question is measured once it is laid out: until then its height is that of the one before.
  $effect(() => {
    void question();
    let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(() => onHeight((highest = height())))));
    return () => cancelAnimationFrame(frame);
  });
  $effect(() => {
    if (height() > highest) onHeight((highest = height()));
  });
  // Before the fonts arrive, a wider one may have made it higher.
  $effect(() => {
    const measure = () => requestAnimationFrame(() => requestAnimationFrame(() => onHeight((highest = height()))));
    document.fonts.addEventListener("loadingdone", measure);
    return () => document.fonts.removeEventListener("loadingdone", measure);
  });
}
