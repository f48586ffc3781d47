import { z } from 'zod';

import { SourceError } from '#server/platform/http/source-error.ts';
import { seriesRows } from '#shared/us-series.ts';

import type { IndexSource, IndexValue } from '../types.ts';

/** GET /graph/fredgraph.csv: the newest value of each month; the client is that of the macro series. */
export const fredCsv: IndexSource = {
  source: 'fred',
  gives: () => true,
  async read(client, series, from, { signal }) {
    const values: IndexValue[] = [];
    for (const { id } of series) {
      const query = { id, cosd: `${from}-01` };
      const { data } = await client.get('/graph/fredgraph.csv', z.string(), { query, format: 'text', signal });
      const [head = ''] = data.trim().split(/\r?\n/);
      if (!head.toLowerCase().endsWith(`,${id.toLowerCase()}`))
        throw new SourceError('body', `FRED sent no table of ${id}`);
      for (const [period, value] of seriesRows(data)) values.push({ series: id, period, value });
    }
    return values;
  },
};
