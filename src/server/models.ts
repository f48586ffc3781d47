import type { Dashboard } from '#features/dashboard/contract.ts';
import type { PriceList, Sparklines } from '#features/market/contract.ts';

import type { ReadModel } from './platform/read-model.ts';

/** The public payloads this process keeps ready to be written. */
export type Models = {
  dashboard: ReadModel<Dashboard>;
  prices: ReadModel<PriceList>;
  sparklines: ReadModel<Sparklines>;
};
