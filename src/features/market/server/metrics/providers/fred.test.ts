import { describe, expect, test } from 'vitest';

import { loadConfig } from '#kernel/config.ts';
import { createSourceClient } from '#kernel/http/http-client.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import { shared } from '#tests/support/for-file.ts';
import { startStubProvider } from '#tests/support/rows.ts';
import { askAt } from '../fixtures/bodies.ts';
import { fred, macroSeries } from './fred.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const ask = { ...askAt(), now: NOW };

describe('odd tables', () => {
  const answers = shared(startStubProvider);
  const read = (csv: string) => {
    answers.respondWith('/graph/fredgraph.csv', csv);
    const client = createSourceClient(
      { name: 'FRED', ...fred.options(loadConfig({})), baseUrl: answers.url, retries: 0 },
      () => NOW,
    );
    return macroSeries.read(client, ask);
  };

  test('a page instead of a table, or another series’ table, is an error', async () => {
    await expect(read('<!DOCTYPE html><html></html>')).rejects.toThrow('no table of DGS10');
    await expect(read('observation_date,VIXCLS\n2026-11-18,15\n')).rejects.toThrow('no table of DGS10');
  });

  test('a series missing from FRED does not affect the others', async () => {
    answers.respondWith('/graph/fredgraph.csv', (query: URLSearchParams) =>
      query.get('id') === 'DGS10' ? 'Page not found' : `observation_date,${query.get('id')}\n2026-11-18,15\n`,
    );
    const client = createSourceClient(
      { name: 'FRED', ...fred.options(loadConfig({})), baseUrl: answers.url },
      () => NOW,
    );
    const metrics = (await macroSeries.read(client, ask)).map(({ metric }) => metric);
    expect(metrics).toEqual(expect.arrayContaining(['macro.us2y', 'macro.fed_funds', 'macro.oil_wti']));
    expect(metrics).not.toContain('macro.us10y');
  });

  test('copyrighted series are read only if the operator states that they may be shown', async () => {
    answers.respondWith(
      '/graph/fredgraph.csv',
      (query: URLSearchParams) => `observation_date,${query.get('id')}\n2026-11-18,15\n`,
    );
    const readWith = async (env: Record<string, string>) => {
      const config = loadConfig(env);
      const options = { name: 'FRED', ...fred.options(config), baseUrl: answers.url, burst: 20 };
      const rows = await macroSeries.read(
        createSourceClient(options, () => NOW),
        { ...ask, config },
      );
      return rows.map(({ metric }) => metric);
    };
    const free = ['macro.us10y', 'macro.us2y', 'macro.us30y', 'macro.fed_funds', 'macro.dollar_broad', 'macro.oil_wti'];
    expect(await readWith({})).toEqual(free);
    const all = await readWith({ FRED_COPYRIGHTED: '1' });
    expect(all).toEqual([...free, 'macro.sp500', 'macro.vix']);
    expect(all.filter((metric) => !GLOSSARY[metric])).toEqual([]);
  });
});
