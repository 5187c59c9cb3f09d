// A list of the server that is read a page at a time, under one of several tabs.

import type { Fields } from "../client/client";
import { refusalText } from "../page/refusals";
import { session } from "../page/session.svelte";
import type { ServerMessage } from "../protocol/types";

interface Page<Row> {
  readonly rows: ReadonlyArray<Row>;
  readonly next?: string | undefined;
}

export class Paged<Tab extends string, Row> {
  rows = $state.raw<ReadonlyArray<Row>>([]);
  next = $state<string | undefined>(undefined);
  refusal = $state("");
  isLoaded = $state(false);
  private tab: Tab | null = null;

  constructor(
    private readonly fieldsOf: (tab: Tab) => Fields,
    /** The rows of an answer; null for an answer that is no page of the list. */
    private readonly pageOf: (answer: ServerMessage) => Page<Row> | null,
    private readonly idOf: (row: Row) => string,
  ) {}

  /** Read the first page of a tab, in place of what is shown. */
  async load(tab: Tab): Promise<void> {
    this.tab = tab;
    const page = await this.read(tab, this.fieldsOf(tab));
    if (page) [this.rows, this.next] = [page.rows, page.next];
  }

  /** Read the page after the last one, and add it. */
  async more(tab: Tab): Promise<void> {
    const { next } = this;
    const page = next ? await this.read(tab, { ...this.fieldsOf(tab), page: next } as Fields) : null;
    if (!page) return;
    // The list changes between two pages: a row may be on both.
    const known = new Set(this.rows.map(this.idOf));
    this.rows = [...this.rows, ...page.rows.filter((row) => !known.has(this.idOf(row)))];
    this.next = page.next;
  }

  /** Return what the server answers; null where it refuses, or where another tab was chosen meanwhile. */
  private async read(tab: Tab, fields: Fields): Promise<Page<Row> | null> {
    const answer = await session.client.request(fields);
    if (tab !== this.tab) return null;
    this.isLoaded = true;
    this.refusal = answer.type === "refused" ? refusalText(answer) : "";
    return this.pageOf(answer);
  }
}
