// What a live region reads aloud: a text is read when it arrives in an empty region, also the same text once more.

export class Announcement {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was there when the question began, which is read with the question; null once something else was read. */
  private begun: string | null = null;
  private latest = "";

  /** `show` sets the text of the region; `pauseMs` is how long a text has to stay as it is before it is read. */
  constructor(
    private readonly pauseMs: number,
    private readonly show: (text: string) => void,
  ) {}

  /** Take the text that is to be read now. Whatever was read before goes at once: it is not true any more. */
  change(text: string): void {
    this.stop();
    this.latest = text;
    this.show("");
    this.timer = setTimeout(() => {
      if (text === this.begun) return;
      this.begun = null;
      this.show(text);
    }, this.pauseMs);
  }

  /** Begin with a new question: how it is planned at first is read with it. */
  begin(): void {
    this.begun = this.latest;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
