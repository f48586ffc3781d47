import type { FaultRule } from './faults.ts';

/** A text body is sent unchanged, anything else as JSON. */
export type Reply = { status?: number; body: unknown; headers?: Record<string, string> };

export type Call = {
  method: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** The request body; empty without one. */
  rawBody: Buffer;
  /** The parsed body, when it was JSON. */
  json: unknown;
  /** Active faults for this response. */
  faults: readonly FaultRule[];
  /** The provider's time, frozen while its content is stale. */
  now: number;
};

/** `path` is below the provider's base, with `:name` for one segment. */
export type Route = { path: string; handle: (call: Call) => Reply | Promise<Reply> };

/** Tick counter (ten per second), or 'moved' after the clock was moved manually. */
export type Tick = number | 'moved';

/** One client of a websocket feed; every tick makes it send what changed. */
export type FeedSession = {
  receive: (text: string, now: number) => void;
  push: (now: number, tick: Tick) => void;
};

/** A feed serves its path, and paths below it where the provider names streams in the address. */
export type Feed = { path: string; deep?: boolean; open: (send: (text: string) => void, url: URL) => FeedSession };

/** One external provider: depends only on the market and the requested time. */
export type Provider = {
  id: string;
  /** The root path of this provider, e.g. '/okx'. */
  base: string;
  /** Environment names and the path at the end of each base URL. */
  env: Record<string, { scheme: 'http' | 'ws'; path: string }>;
  routes: readonly Route[];
  feed?: Feed;
  /** Sends an ETag, and 304 for a matching If-None-Match. */
  conditional?: boolean;
  notFound: Reply;
  /** The body of a 429; a function receives the seconds to wait. */
  rateLimited: unknown;
  serverError: unknown;
  /** An error body sent under HTTP 200; `serverError` when undefined. */
  softError?: unknown;
  /** Sets nulls where the real provider sends them. */
  withNulls?: (path: string, body: unknown) => unknown;
};

/** Ends a call with this response. */
export class ReplyError extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.status ?? 200}`);
    this.reply = reply;
  }
}
