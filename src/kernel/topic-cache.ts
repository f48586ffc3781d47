import type { Topic } from '#shared/contract.ts';

import type { Live } from './live/live.ts';

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
