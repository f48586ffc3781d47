import { readFileSync } from 'node:fs';

import { date } from '#shared/format.ts';
import { findRelease } from '#shared/release-calendar.ts';
import { SHIPPED, seriesRows, US_SERIES } from '#shared/us-series.ts';

import type { Vintage } from './types.ts';

/** Source id of the data shipped with the product. */
export const SHIPPED_SOURCE = 'shipped';
export const SHIPPED_NAME = `BLS and BEA through FRED, copy of ${date(Date.parse(SHIPPED.takenOn))}`;

const folder = new URL('../../../shared/us-series/', import.meta.url);

/** The official history up to the end of the copy, each month dated by its release. */
export function shippedVintages(): Vintage[] {
  const fetched_at = `${SHIPPED.takenOn}T00:00:00.000Z`;
  return US_SERIES.filter(({ isShipped }) => isShipped).flatMap(({ id, release }) => {
    const rows = seriesRows(readFileSync(new URL(`${id}.csv`, folder), 'utf8'));
    return [...rows].flatMap(([period, value]): Vintage[] => {
      const published_at = findRelease(release, period)?.at.toISOString();
      if (!published_at) return [];
      return [
        {
          series: id,
          period,
          value,
          published_at,
          first_print: false,
          source: SHIPPED_SOURCE,
          fetched_at,
          method: 'measured',
        },
      ];
    });
  });
}
