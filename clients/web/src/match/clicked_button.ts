// The button of a bar or of a list of disks that was clicked last and still has the focus.

/**
 * Knows whether Enter on a button means the button. After a click with the pointer it means the primary answer, as the sign on that button
 * says: "Add flip" would add another one otherwise. A button that is reached by the keyboard is pressed.
 */
export class ClickedButton {
  private button: Element | null = null;

  handleClick(event: MouseEvent): void {
    // A click of the keyboard counts no clicks.
    this.button =
      event.detail > 0 && event.target instanceof Element
        ? event.target.closest(".dock button, .stack button, .twin button")
        : null;
  }
  /** Return whether this key is Enter on the button that was clicked. */
  isAnswer(event: KeyboardEvent): boolean {
    if (event.key === "Tab") this.button = null;
    return event.key === "Enter" && this.button !== null && event.target === this.button;
  }
}
