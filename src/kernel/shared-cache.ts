import type { Topic } from '#shared/contract.ts';

import type { Live } from './live/live.ts';

/** How a cache that many people share may use an answer, in seconds, and what the answer is made of. */
export type CacheRule = {
  /** Without asking again. */
  seconds: number;
  /** Longer, while the next one is fetched. */
  whileRevalidating: number;
  /** Longer, while we do not answer. */
  onError: number;
  tags: readonly string[];
};

export type TagHeader = 'surrogate-key' | 'cache-tag' | 'none';

/** Responses for signed-in users are never cached in between. */
export const PRIVATE = { 'cache-control': 'private, no-cache', 'cdn-cache-control': 'no-store' } as const;

const SEPARATOR = { 'surrogate-key': ' ', 'cache-tag': ',' } as const;

/**
 * Headers of an answer that is the same for everyone who brings no token. Browsers always ask again, as what they hear on the
 * stream is newer than any copy; so the old answer while the next one is fetched is offered to shared caches alone (RFC 9213).
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

/** Responses vary by token: an anonymous copy does not fit callers with one. */
export const BY_CALLER = { vary: 'accept-encoding, authorization' } as const;

export type TopicCache<T> = {
  get: () => T;
  reload: () => Promise<void>;
  /** Reads it, and from now on whenever the topic tells of news or some may have been missed. */
  start: () => Promise<void>;
  onChange: (handler: () => void) => void;
};

type Options<T> = { live: Pick<Live, 'on' | 'onGap'>; topic: Topic; first: T; read: (last: T) => Promise<T> };

/** What every process keeps in memory of something stored. */
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
