import type { FaultRule } from './faults.ts';

/** A body that is a text goes out as it is, anything else as JSON. */
export type Reply = { status?: number; body: unknown; headers?: Record<string, string> };

export type Call = {
  method: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** What was posted; empty when nothing was. */
  raw: Buffer;
  /** The same, when it was JSON. */
  posted: unknown;
  /** What is switched on for this very answer. */
  faults: readonly FaultRule[];
  /** The provider's time, which stands still while its content is stale. */
  now: number;
};

/** `path` is below the provider's base, with `:name` for one segment. */
export type Route = { path: string; answer: (call: Call) => Reply | Promise<Reply> };

/** Ten a second, counted, or the clock moved by hand. */
export type Beat = number | 'moved';

/** One client of a websocket feed; every beat asks it to send what changed. */
export type FeedSession = {
  receive: (text: string, now: number) => void;
  push: (now: number, beat: Beat) => void;
};

/** A feed answers at its path, and below it where the provider names streams in the address. */
export type Feed = { path: string; deep?: boolean; open: (send: (text: string) => void, url: URL) => FeedSession };

/** One outside provider: knows the market and the time it is asked for, nothing else. */
export type Provider = {
  id: string;
  /** Everything of this provider lies below, e.g. '/okx'. */
  base: string;
  /** Environment names and the path each base URL ends with. */
  env: Record<string, { scheme: 'http' | 'ws'; path: string }>;
  routes: readonly Route[];
  feed?: Feed;
  /** Answers with an ETag, and 304 to a matching If-None-Match. */
  conditional?: boolean;
  notFound: Reply;
  /** The body of a 429; a function gets the seconds to wait. */
  rateLimited: unknown;
  serverError: unknown;
  /** An error body that comes under HTTP 200; `serverError` where there is none. */
  softError?: unknown;
  /** Puts nulls where this provider really sends them. */
  withNulls?: (path: string, body: unknown) => unknown;
};

/** Ends a call with this answer. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`refused with ${reply.status ?? 200}`);
    this.reply = reply;
  }
}
