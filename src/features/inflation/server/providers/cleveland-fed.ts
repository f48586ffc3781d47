import { z } from 'zod';

import { contactHeaders } from '#kernel/http/contact.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { ExpectationSource, Expected, Measure } from '../types.ts';

export const clevelandFed: SourceDescriptor = {
  id: 'cleveland-fed',
  name: 'Cleveland Fed nowcast',
  gives: 'Cleveland Fed nowcasts of CPI and PCE',
  homepage: 'https://www.clevelandfed.org/indicators-and-data/inflation-nowcasting',
  licence: 'Free to use with attribution',
  attribution: 'Federal Reserve Bank of Cleveland, Inflation Nowcasting',
  key: 'none',
  options: (config) => ({
    baseUrl: config.CLEVELAND_FED_BASE_URL,
    headers: contactHeaders(config),
    perMinute: 10,
    burst: 2,
  }),
};

const LINES: Readonly<Record<string, readonly [Expected['type'], Measure]>> = {
  'CPI Inflation': ['cpi', 'headline'],
  'Core CPI Inflation': ['cpi', 'core'],
  'PCE Inflation': ['pce', 'headline'],
  'Core PCE Inflation': ['pce', 'core'],
};

const text = z.union([z.string(), z.number()]).nullish();
const chart = z.object({
  chart: z.object({ subcaption: z.string() }),
  categories: z.array(
    z.object({ category: z.array(z.object({ label: z.string().optional(), vline: z.unknown().optional() })) }),
  ),
  dataset: z.array(z.object({ seriesname: z.string(), data: z.array(z.object({ value: text }).nullable()) })),
});

/** The day of a label `MM/DD`: a chart continues into the months after its own, also across New Year. */
function parseDay(label: string, year: number, month: number): string | undefined {
  const [, of, day] = /^(\d{1,2})\/(\d{1,2})$/.exec(label) ?? [];
  if (!of || !day) return undefined;
  return `${Number(of) < month ? year + 1 : year}-${of.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** GET nowcast_month.json: charts by reference month; entries with `vline` are lines without a point. */
export const nowcast: ExpectationSource = {
  source: 'cleveland-fed',
  async read(client, { now, signal }) {
    const path = '/-/media/files/webcharts/inflationnowcasting/nowcast_month.json';
    const { data: charts } = await client.get(path, z.array(chart), { signal });
    return charts.flatMap(({ chart, categories, dataset }) => {
      const [, year, month] = /^(\d{4})-(\d{1,2})$/.exec(chart.subcaption.trim()) ?? [];
      if (!year || !month) return [];
      const days = (categories[0]?.category ?? []).flatMap(({ label, vline }) =>
        vline === undefined ? [parseDay(label ?? '', Number(year), Number(month))] : [],
      );
      return dataset.flatMap(({ seriesname, data }): Expected[] => {
        const [type, measure] = LINES[seriesname.trim()] ?? [];
        if (!type || !measure) return [];
        return data.flatMap((point, i): Expected[] => {
          const value = point?.value === '' || point?.value == null ? Number.NaN : Number(point.value);
          const day = days[i];
          if (!day || !Number.isFinite(value) || Math.abs(value) > 20) return [];
          // Published during the morning.
          const as_of = new Date(`${day}T15:00:00Z`);
          if (Number.isNaN(as_of.getTime()) || as_of > now) return [];
          return [
            {
              type,
              measure,
              period: `${year}-${month.padStart(2, '0')}`,
              kind: 'nowcast',
              value,
              as_of: as_of.toISOString(),
            },
          ];
        });
      });
    });
  },
};
