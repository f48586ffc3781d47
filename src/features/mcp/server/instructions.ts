import { BRAND } from '#shared/brand.ts';
import type { DataMode } from '#shared/provenance.ts';

const BASE = `${BRAND.name} gives crypto market intelligence: prices, metrics, macro events, inflation, AI analyses and the record of every prediction.
It is information, not advice: do not present it as a recommendation to buy or sell.
Every figure carries its source and the moment it was observed, in "meta": name both when you repeat a figure. After "staleAfter" a figure is stale: say so. A null has its reason beside it: do not guess it.
"method" says how a figure came to be: measured, computed, default or demo.
Prices, volumes and market caps are in USD, changes in percent, times in UTC (ISO 8601).
A prediction is worth what its record shows: read get_track_record before you rely on one.
Each call of a tool counts as one call of the key's daily quota; listing tools and reading resources count nothing.`;

export const INSTRUCTIONS: Readonly<Record<DataMode, string>> = {
  live: BASE,
  demo: `DEMO DATA: this installation runs on a simulated market. Its figures are made up; say so whenever you repeat one.\n${BASE}`,
};
