// The chat of a match: what was written in the channels of this viewer, and whom they do not want to read.

import { untrack } from "svelte";

import type { Fields } from "../client/client";
import type { ChatMessage, ChatPosted, ServerMessage } from "../protocol/types";
import { refusalText } from "../page/refusals";
import { session } from "../page/session.svelte";
import { hasUnread, keepReadNumbers, lastNumbers, readNumbers, type ReadNumbers } from "./chat_read";

/** Of each channel; the server keeps as many. */
const MAX_MESSAGES = 500;
const PAGE_MESSAGES = 50;
/** The match may not be watched again yet when a new connection joins the chat. */
const JOIN_RETRIES = 6;
const JOIN_RETRY_MS = 500;
export const MAX_TEXT = 300;

export class MatchChat {
  channels = $state.raw<ReadonlyArray<string>>([]);
  muted = $state.raw<ReadonlySet<string>>(new Set());
  refusal = $state("");
  private kept = $state.raw<ReadonlyMap<string, ReadonlyMap<number, ChatMessage>>>(new Map());
  private read = $state.raw<ReadNumbers>({});
  /** Whether somebody else has written since the chat was last looked at on this device. */
  readonly hasNews = $derived.by(() => hasUnread(this.kept, this.read, session.player, this.muted));
  private joined = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly match: string) {}

  /** Return the messages of a channel, oldest first, but for those of muted players. */
  messages(channel: string): ReadonlyArray<ChatMessage> {
    return [...(this.kept.get(channel)?.values() ?? [])]
      .filter(({ player }) => !this.muted.has(player))
      .sort((a, b) => a.number - b.number);
  }

  /** Join once for each connection, and once more when `state` changes: a seat and the end of a match open channels. */
  async join(state: string, retries = JOIN_RETRIES): Promise<void> {
    const wanted = `${session.client.connectionId} ${state}`;
    if (this.joined === wanted) return;
    this.joined = wanted;
    const answer = await session.client.request({ type: "join_chat", match: this.match } as Fields);
    if (answer.type === "chat_joined") {
      this.channels = answer.channels;
      this.keep(answer.messages);
      const read = readNumbers(session.keeper, this.match);
      // What was written before one came here first is no news.
      if (read === null) this.markRead();
      else this.read = read;
      this.takeMuted(await session.client.request({ type: "list_muted_players" } as Fields));
    } else if (this.joined === wanted) {
      this.joined = "";
      if (retries > 0) this.timer = setTimeout(() => void this.join(state, retries - 1), JOIN_RETRY_MS);
    }
  }

  /** Stop waiting. */
  close(): void {
    clearTimeout(this.timer);
  }

  /** Take what was pushed; messages of other matches are not for this chat. */
  take({ match, message }: ChatPosted): void {
    if (match === this.match) this.keep([message]);
  }

  /** Remember that all that is here has been read. An effect that calls this runs again with each message. */
  markRead(): void {
    const numbers = lastNumbers(this.kept);
    untrack(() => {
      this.read = numbers;
      keepReadNumbers(session.keeper, this.match, numbers);
    });
  }

  /** Write to a channel; return whether the server has taken it. */
  async send(channel: string, text: string): Promise<boolean> {
    const answer = await session.client.request({ type: "send_chat", match: this.match, channel, text } as Fields);
    this.refusal = answer.type === "refused" ? refusalText(answer) : "";
    return answer.type === "chat_sent";
  }

  /** Load messages before the oldest one; return whether there were any. */
  async loadEarlier(channel: string): Promise<boolean> {
    const oldest = Math.min(...[...(this.kept.get(channel)?.keys() ?? [])]);
    if (!Number.isFinite(oldest) || oldest <= 1) return false;
    const answer = await session.client.request({
      type: "get_chat",
      match: this.match,
      channel,
      before: oldest,
      limit: PAGE_MESSAGES,
    } as Fields);
    if (answer.type !== "chat_page") return false;
    this.keep(answer.messages);
    return answer.messages.length > 0;
  }

  async mute(player: string, muted: boolean): Promise<void> {
    this.takeMuted(await session.client.request({ type: "mute_player", player, muted } as Fields));
  }

  private takeMuted(answer: ServerMessage): void {
    if (answer.type === "muted_players") this.muted = new Set(answer.players);
    else if (answer.type === "refused") this.refusal = refusalText(answer);
  }

  private keep(messages: ReadonlyArray<ChatMessage>): void {
    const next = new Map([...this.kept].map(([channel, known]) => [channel, new Map(known)]));
    for (const message of messages) {
      const channel = next.get(message.channel) ?? new Map<number, ChatMessage>();
      next.set(message.channel, channel.set(message.number, message));
      if (channel.size > MAX_MESSAGES) channel.delete(Math.min(...channel.keys()));
    }
    this.kept = next;
  }
}
