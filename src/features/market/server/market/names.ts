import type { DataMode, Method } from '#shared/provenance.ts';

import { SOURCES } from './sources.ts';

const NAMES = new Map<string, string>(SOURCES.map(({ id, name }) => [id, name]));

/** Display name of a source. In demo mode `method` adds 'demo' wherever it is shown. */
export const sourceName = (id: string): string => NAMES.get(id) ?? id;

export const methodIn = (mode: DataMode, method: Method): Method => (mode === 'demo' ? 'demo' : method);

/** Age up to which a price, and the slower figures beside it, are shown without a warning. */
export const PRICE_FRESH_MS = 10 * 60_000;
export const LISTING_FRESH_MS = 20 * 60_000;
export const HISTORY_FRESH_MS = 3 * 3_600_000;

/** Sources of whole lists with caps and volumes, best first. */
export const LISTING_SOURCES = ['coingecko', 'coinpaprika'] as const;
