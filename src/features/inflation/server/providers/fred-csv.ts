import { z } from 'zod';

import { SourceError } from '#server/platform/http/source-error.ts';
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

function tableOf(csv: string, series: readonly UsSeries[]): IndexValue[] {
  const [head = [], ...lines] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const names = head.map((name) => name.toUpperCase());
  const places = series.map(({ id }) => names.indexOf(id));
  if (places.includes(-1))
    throw new SourceError('body', `FRED sent no table of ${series.map(({ id }) => id).join(', ')}`);
  return series.flatMap(({ id }, i) => columnOf(lines, id, places[i] ?? -1));
}

/** GET /graph/fredgraph.csv: the newest value of each month, a table a release; the client is that of the macro series. */
export const fredCsv: IndexSource = {
  source: 'fred',
  gives: () => true,
  async read(client, series, from, { signal }) {
    const values: IndexValue[] = [];
    for (const release of new Set(series.map((each) => each.release))) {
      const columns = series.filter((each) => each.release === release);
      const query = { id: columns.map(({ id }) => id).join(','), cosd: `${from}-01` };
      const { data } = await client.get('/graph/fredgraph.csv', z.string(), { query, format: 'text', signal });
      values.push(...tableOf(data, columns));
    }
    return values;
  },
};
