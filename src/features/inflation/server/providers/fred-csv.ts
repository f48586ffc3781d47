import { z } from 'zod';

import { SourceError } from '#kernel/http/source-error.ts';
import { togetherOf } from '#kernel/http/together.ts';
import type { UsSeries } from '#shared/us-series.ts';

import type { IndexSource, IndexValue } from '../types.ts';
import { levelOf } from './level.ts';

/** Months of one column; those after its last value are not out yet. */
function columnOf(lines: readonly string[][], id: string, place: number): IndexValue[] {
  const values = lines.flatMap((cells): IndexValue[] => {
    const [day = ''] = cells;
    const value = levelOf(cells[place] ?? '');
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || value === undefined) return [];
    return [{ series: id, period: day.slice(0, 7), value }];
  });
  return values.slice(0, values.findLastIndex(({ value }) => value !== null) + 1);
}

function tableOf(csv: string, { id }: UsSeries): IndexValue[] {
  const [head = [], ...lines] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const place = head.findIndex((name) => name.toUpperCase() === id);
  if (place === -1) throw new SourceError('body', `FRED sent no table of ${id}`);
  return columnOf(lines, id, place);
}

/** GET /graph/fredgraph.csv: the newest value of each month, a table for each series; the client is that of the macro series. */
export const fredCsv: IndexSource = {
  source: 'fred',
  gives: () => true,
  read: (client, series, from, { signal }) =>
    togetherOf(
      series.map(async (each) => {
        const query = { id: each.id, cosd: `${from}-01` };
        const options = { query, format: 'text', isItem: true, signal } as const;
        const { data } = await client.get('/graph/fredgraph.csv', z.string(), options);
        return tableOf(data, each);
      }),
    ),
};
