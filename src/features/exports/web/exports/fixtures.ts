import type { ExportItem, Manifest, ScheduledExport, WhiteLabel } from '#features/exports/contract/exports.ts';

export const EXPORT_ID = '0e6f2a52-3a43-4c55-9a0e-6c8f1c6d2b11';
/** Of the three bytes 'abc'. */
export const ABC_SHA256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

export const itemOf = (change: Partial<ExportItem> = {}): ExportItem => ({
  id: EXPORT_ID,
  type: 'Crypto prices',
  data_types: ['crypto_prices'],
  dateRange: '7d',
  from: '2026-11-14T12:00:00.000Z',
  to: '2026-11-21T12:00:00.000Z',
  format: 'json',
  compression: false,
  created_at: '2026-11-21T11:00:00.000Z',
  file_size: 1_204_000,
  file_name: 'meridian-crypto_prices-7d.json',
  rows: 42_000,
  sha256: ABC_SHA256,
  state: 'done',
  progress: 1,
  error: null,
  expires_at: '2026-11-28T11:00:00.000Z',
  schedule_id: null,
  ...change,
});

/** An export in progress. */
export const makingOf = (change: Partial<ExportItem> = {}): ExportItem =>
  itemOf({
    state: 'running',
    progress: 0.42,
    file_size: null,
    file_name: null,
    rows: null,
    sha256: null,
    expires_at: null,
    ...change,
  });

export const scheduledOf = (change: Partial<ScheduledExport> = {}): ScheduledExport => ({
  id: 3,
  name: 'Daily export of crypto prices',
  schedule: 'daily',
  format: 'csv',
  dataTypes: ['crypto_prices'],
  dateRange: '7d',
  emailNotification: true,
  timeZone: 'Europe/Paris',
  hour: 8,
  state: 'active',
  nextRunAt: '2026-11-22T07:00:00.000Z',
  lastRun: null,
  ...change,
});

export const statisticsOf = (change: object = {}) => ({
  total: 1234,
  thisMonth: 12,
  totalMb: 87.25,
  today: 3,
  perDay: 20 as number | null,
  resetsAt: '2026-11-22T00:00:00.000Z',
  ...change,
});

export const manifestOf = (change: Partial<Manifest> = {}): Manifest => ({
  file: 'meridian-crypto_prices-7d.json',
  format: 'json',
  sha256: ABC_SHA256,
  bytes: 1_204_000,
  rows: 42_000,
  createdAt: '2026-11-21T11:00:00.000Z',
  dataMode: 'demo',
  query: {
    dataTypes: ['crypto_prices'],
    dateRange: '7d',
    from: '2026-11-14T12:00:00.000Z',
    to: '2026-11-21T12:00:00.000Z',
  },
  tables: [
    {
      name: 'crypto_prices',
      rows: 42_000,
      grain: 'one coin per hour',
      columns: [{ name: 'price', type: 'number', unit: 'USD' }],
      sources: [{ source: 'CoinGecko', newestAt: '2026-11-21T10:55:00.000Z' }],
    },
  ],
  notes: ['Hours without a trade are left out.'],
  ...change,
});

export const whiteLabelOf = (change: Partial<WhiteLabel> = {}): WhiteLabel => ({
  name: null,
  logo: null,
  colour: null,
  ...change,
});
