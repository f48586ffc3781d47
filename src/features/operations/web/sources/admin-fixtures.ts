import type { AdminSource } from '#features/operations/contract/sources.ts';
import { sourceList } from './fixtures.ts';

const CHANGES: Record<string, Partial<AdminSource>> = {
  coingecko: {
    keySetting: 'COINGECKO_API_KEY',
    budget: { used: 9120, limit: 10_000 },
    jobs: ['market.listing', 'metrics.listing'],
  },
  okx: { streams: true, jobs: [], nextRunAt: null, notNow: 'OKX is heard over a connection that stays open' },
  glassnode: {
    keySetting: 'GLASSNODE_API_KEY',
    keyPresent: false,
    nextRunAt: null,
    notNow: 'Glassnode is off: Set GLASSNODE_API_KEY to switch it on.',
  },
};

export const adminSourceOf = (id: string, change: Partial<AdminSource> = {}): AdminSource => {
  const source = sourceList.sources.find((each) => each.id === id);
  if (!source) throw new Error(`No source is called ${id}`);
  return {
    ...source,
    streams: false,
    keySetting: null,
    keyPresent: source.key === 'optional',
    budget: null,
    jobs: [`${id}.collect`],
    nextRunAt: new Date(Date.parse(sourceList.timestamp) + 240_000).toISOString(),
    notNow: null,
    run: null,
    ...CHANGES[id],
    ...change,
  };
};

/** One of each state; `change` is by id. */
export const adminSources = (change: Record<string, Partial<AdminSource>> = {}) => ({
  timestamp: sourceList.timestamp,
  sources: sourceList.sources.map(({ id }) => adminSourceOf(id, change[id])),
});
