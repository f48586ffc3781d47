import type { Topic } from '#shared/contract.ts';

import type { Live } from './live/live.ts';

/** How a shared cache may use a response, in seconds, and the tags of its content. */
export type CacheRule = {
  /** Without revalidation. */
  seconds: number;
  /** Additional time while the next one is fetched. */
  whileRevalidating: number;
  /** Additional time while the origin is unavailable. */
  onError: number;
  tags: readonly string[];
};

export type TagHeader = 'surrogate-key' | 'cache-tag' | 'none';

/** Responses for signed-in users are never stored by shared caches. */
export const PRIVATE = { 'cache-control': 'private, no-cache', 'cdn-cache-control': 'no-store' } as const;

const SEPARATOR = { 'surrogate-key': ' ', 'cache-tag': ',' } as const;

/**
 * Headers of a response that is the same for every caller without a token. Browsers always revalidate, because stream
 * updates are newer than any copy; stale-while-revalidate is therefore offered to shared caches only (RFC 9213).
 */
export function publicHeaders(
  { seconds, whileRevalidating, onError, tags }: CacheRule,
  tagHeader: TagHeader,
): Record<string, string> {
  const late = `stale-if-error=${onError}`;
  return {
    'cache-control': `public, max-age=0, s-maxage=${seconds}, ${late}`,
    'cdn-cache-control': `public, max-age=${seconds}, stale-while-revalidate=${whileRevalidating}, ${late}`,
    ...(tagHeader === 'none' ? {} : { [tagHeader]: tags.join(SEPARATOR[tagHeader]) }),
  };
}

/** Responses vary by token: an anonymous copy is not valid for callers with one. */
export const BY_CALLER = { vary: 'accept-encoding, authorization' } as const;

export type TopicCache<T> = {
  get: () => T;
  reload: () => Promise<void>;
  /** Loads the value, and reloads it when the topic reports a change or messages may have been missed. */
  start: () => Promise<void>;
  onChange: (handler: () => void) => void;
};

type Options<T> = { live: Pick<Live, 'on' | 'onGap'>; topic: Topic; first: T; read: (last: T) => Promise<T> };

/** An in-memory copy of a stored value in every process. */
export function createTopicCache<T>({ live, topic, first, read }: Options<T>): TopicCache<T> {
  const handlers = new Set<() => void>();
  let value = first;
  async function reload(): Promise<void> {
    value = await read(value);
    for (const handler of handlers) handler();
  }
  return {
    get: () => value,
    reload,
    async start() {
      live.on(topic, reload);
      live.onGap(reload);
      await reload();
    },
    onChange: (handler) => void handlers.add(handler),
  };
}
