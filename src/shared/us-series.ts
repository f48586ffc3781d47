/** A monthly US government price index, by its FRED id. */
export type UsSeries = {
  id: string;
  name: string;
  unit: string;
  release: 'cpi' | 'pce' | 'ppi';
  isCore: boolean;
  isAdjusted: boolean;
  /** A copy of its actual history ships with the product. */
  isShipped: boolean;
  /** Its id at the BLS, or its code in table T20804 of the BEA. */
  agencyId: string;
};

const CPI_UNIT = '1982-84 = 100';
const PCE_UNIT = '2017 = 100';

type Row = [id: string, agencyId: string, name: string, unit: string, marks: string];

/** Flags: `core`, `sa` seasonally adjusted, `ships`. */
const ROWS: readonly (readonly [UsSeries['release'], readonly Row[]])[] = [
  [
    'cpi',
    [
      ['CPIAUCSL', 'CUSR0000SA0', 'CPI, all items, adjusted', CPI_UNIT, 'sa ships'],
      ['CPILFESL', 'CUSR0000SA0L1E', 'CPI less food and energy, adjusted', CPI_UNIT, 'core sa ships'],
      ['CPIAUCNS', 'CUUR0000SA0', 'CPI, all items, unadjusted', CPI_UNIT, ''],
      ['CPILFENS', 'CUUR0000SA0L1E', 'CPI less food and energy, unadjusted', CPI_UNIT, 'core'],
    ],
  ],
  [
    'pce',
    [
      ['PCEPI', 'DPCERG', 'PCE price index, adjusted', PCE_UNIT, 'sa'],
      ['PCEPILFE', 'DPCCRG', 'PCE price index excluding food and energy, adjusted', PCE_UNIT, 'core sa ships'],
    ],
  ],
  [
    'ppi',
    [
      ['PPIFIS', 'WPSFD4', 'PPI final demand, adjusted', 'November 2009 = 100', 'sa ships'],
      ['PPIFES', 'WPSFD49104', 'PPI final demand less foods and energy, adjusted', 'April 2010 = 100', 'core sa'],
      ['PPIFID', 'WPUFD4', 'PPI final demand, unadjusted', 'November 2009 = 100', ''],
      ['PPICOR', 'WPUFD49104', 'PPI final demand less foods and energy, unadjusted', 'April 2010 = 100', 'core'],
    ],
  ],
];

export const US_SERIES: readonly UsSeries[] = ROWS.flatMap(([release, rows]) =>
  rows.map(([id, agencyId, name, unit, marks]) => ({
    id,
    agencyId,
    name,
    unit,
    release,
    isCore: marks.includes('core'),
    isAdjusted: marks.includes('sa'),
    isShipped: marks.includes('ships'),
  })),
);

/** The last month of the shipped copy, and the day it was taken. */
export const SHIPPED = { through: '2025-06', takenOn: '2026-01-02' };

/** Levels by month from FRED's table of one series: null where the value is missing, an empty field or a point. */
export function seriesRows(csv: string): Map<string, number | null> {
  const rows = new Map<string, number | null>();
  for (const line of csv.trim().split(/\r?\n/).slice(1)) {
    const [day = '', text = ''] = line.trim().split(',');
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) continue;
    const value = text === '' || text === '.' ? null : Number(text);
    if (value === null || (Number.isFinite(value) && value > 0)) rows.set(day.slice(0, 7), value);
  }
  return rows;
}
