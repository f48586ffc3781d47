import type { CollectionStep, collectionTopic } from '#features/analysis/contract/analysis.ts';
import type { TopicData } from '#shared/contract.ts';

export type CollectionNews = TopicData<typeof collectionTopic>;
/** `nth` numbers the events, so that a run can ignore earlier ones. */
export type Heard = CollectionNews & { nth: number };
export type LastHeard = Readonly<Partial<Record<CollectionStep, Heard>>>;

const NOTHING: LastHeard = {};

/** The latest event of each step of a collection. */
function createCollectionStore() {
  const listeners = new Set<() => void>();
  let last = NOTHING;
  let count = 0;
  return {
    push(news: CollectionNews): void {
      last = { ...last, [news.step]: { ...news, nth: ++count } };
      for (const listener of listeners) listener();
    },
    clear(): void {
      last = NOTHING;
      for (const listener of listeners) listener();
    },
    count: () => count,
    get: () => last,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const collection = createCollectionStore();
