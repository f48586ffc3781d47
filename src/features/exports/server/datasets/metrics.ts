import { countObservations, fearGreedPages, marketPages, narrativePages } from '../store/metrics.ts';
import type { Row } from '../store/scope.ts';
import { BIRTH, column, type Dataset } from './dataset.ts';
import { unitOf } from './units.ts';

const OBSERVED = column('observed_at', 'Observed', 'time', 'UTC');
const percent = (name: string, title: string) => column(name, title, 'number', '%');
const number = (name: string, title: string, unit?: string) => column(name, title, 'number', unit);

const withUnit = (row: Row): Row => ({ ...row, unit: unitOf(String(row['metric'])) });

export const MARKET: Dataset = {
  name: 'market_data',
  title: 'Market data',
  grain: 'one metric of one source at one moment',
  observed: 'observed_at',
  columns: [
    OBSERVED,
    column('metric', 'Metric'),
    number('value', 'Value'),
    column('unit', 'Unit'),
    column('terms', 'Made of'),
    ...BIRTH,
  ],
  count: (db, scope, most) => countObservations(db, 'market', scope, most),
  async *pages(db, scope) {
    for await (const rows of marketPages(db, scope)) yield rows.map(withUnit);
  },
};

export const FEAR_GREED: Dataset = {
  name: 'fear_greed',
  title: 'Fear and greed',
  grain: 'one reading of the index',
  observed: 'observed_at',
  columns: [OBSERVED, number('value', 'Value', '0 to 100'), column('classification', 'Classification'), ...BIRTH],
  count: (db, scope, most) => countObservations(db, 'fear_greed', scope, most),
  pages: fearGreedPages,
};

export const NARRATIVES: Dataset = {
  name: 'narratives',
  title: 'Narratives',
  grain: 'one narrative and reading',
  observed: 'observed_at',
  columns: [
    OBSERVED,
    column('narrative', 'Narrative'),
    column('name', 'Name'),
    number('total_volume_24h', 'Volume 24 h', 'USD'),
    percent('avg_change_24h', 'Change 24 h, cap-weighted'),
    number('market_cap', 'Market cap', 'USD'),
    percent('market_cap_change_24h', 'Change of cap 24 h'),
    number('trending', 'Place among trending'),
    number('relative_sigma', 'Move against the market', 'standard deviations'),
    number('volume_share', 'Share of the market volume', '0 to 1'),
    number('volume_z', 'Abnormal volume', 'standard deviations'),
    number('breadth', 'Rising coins', '0 to 1'),
    number('volatility', 'Volatility a year', '1 = 100 %'),
    column('coins', 'Largest coins'),
    ...BIRTH,
  ],
  count: (db, scope, most) => countObservations(db, 'narratives', scope, most),
  pages: narrativePages,
};
