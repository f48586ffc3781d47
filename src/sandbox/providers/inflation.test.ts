import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addMonths, findRelease, releasesBetween } from '#shared/release-calendar.ts';
import { SHIPPED, seriesRows } from '#shared/us-series.ts';
import { fileSandbox } from '#tests/support/for-file.ts';

const sandbox = fileSandbox(Date.parse('2026-11-20T12:00:00Z'));

async function csv(id: string): Promise<Map<string, number | null>> {
  const response = await fetch(`${sandbox.urls['FRED_BASE_URL']}/graph/fredgraph.csv?id=${id}&cosd=2014-01-01`);
  return seriesRows(await response.text());
}
const at = (moment: string) => sandbox.clock.set(Date.parse(moment));

describe('official price indexes', () => {
  test.each(['CPIAUCSL', 'CPILFESL', 'PCEPILFE', 'PPIFIS'])('%s is the real one up to its end', async (id) => {
    at('2026-11-20T12:00:00Z');
    const given = await csv(id);
    const shipped = seriesRows(readFileSync(new URL(`../../shared/us-series/${id}.csv`, import.meta.url), 'utf8'));
    expect([...shipped.keys()].at(-1)).toBe(SHIPPED.through);
    for (const [period, value] of shipped) expect(given.get(period)).toBe(value);
    expect([...given.keys()].at(-1)! > SHIPPED.through).toBe(true);
  });

  test.each([
    ['CPIAUCSL', 'cpi'],
    ['CPIAUCNS', 'cpi'],
    ['PCEPI', 'pce'],
    ['PPICOR', 'ppi'],
  ] as const)('%s: a month is unavailable before its release', async (id, type) => {
    const releases = releasesBetween(new Date('2026-06-01'), new Date('2027-03-01'), [type]);
    for (const { period, at: moment } of releases) {
      sandbox.clock.set(moment.getTime() - 1000);
      expect((await csv(id)).has(period)).toBe(false);
      sandbox.clock.set(moment.getTime());
      expect(typeof (await csv(id)).get(period)).toBe('number');
    }
  });

  test('simulated months move like real inflation', async () => {
    at('2026-11-20T12:00:00Z');
    for (const id of ['CPIAUCSL', 'CPILFENS', 'PCEPI', 'PPIFIS', 'PPIFES']) {
      const levels = await csv(id);
      const year = Math.log((levels.get('2026-09') ?? 0) / (levels.get('2025-09') ?? 0)) * 100;
      expect(year).toBeGreaterThan(0);
      expect(year).toBeLessThan(7);
    }
  });

  test('the API vintages: a first release, and its later revisions', async () => {
    at('2026-11-20T12:00:00Z');
    const url = `${sandbox.urls['FRED_API_BASE_URL']}/fred/series/observations?series_id=PPIFIS&api_key=k&realtime_start=1776-07-04&realtime_end=9999-12-31`;
    const { observations } = (await (await fetch(url)).json()) as {
      observations: { realtime_start: string; date: string; value: string }[];
    };
    const august = observations.filter(({ date }) => date === '2026-08-01');
    expect(august.map(({ realtime_start }) => realtime_start)).toEqual(['2026-09-10', '2026-10-15']);
    expect(august[0]?.value).not.toBe(august[1]?.value);
    expect((await csv('PPIFIS')).get('2026-08')).toBe(Number(august[1]?.value));
    expect((await fetch(url.replace('api_key=k', ''))).status).toBe(400);
  });

  test('the BLS breaks lines within texts, has a dash for missing values and a row for the year', async () => {
    at('2026-11-20T12:00:00Z');
    const response = await fetch(`${sandbox.urls['BLS_BASE_URL']}/publicAPI/v1/timeseries/data/`, {
      method: 'POST',
      body: JSON.stringify({ seriesid: ['CUUR0000SA0'], startyear: '2024', endyear: '2026' }),
    });
    const text = await response.text();
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(text).toContain('"period":"M13"');
    expect(text).toContain('"value":"-"');
  });

  test('consensus and nowcast are close to the release but differ', async () => {
    const release = findRelease('cpi', '2026-10');
    sandbox.clock.set((release?.at.getTime() ?? 0) - 3_600_000);
    const calendar = (await (
      await fetch(`${sandbox.urls['CONSENSUS_CALENDAR_BASE_URL']}/ff_calendar_thisweek.json`)
    ).json()) as { title: string; date: string; forecast: string }[];
    const core = calendar.find(({ title }) => title === 'Core CPI m/m');
    expect(core).toMatchObject({ date: '2026-11-10T08:30:00-05:00', forecast: expect.stringMatching(/^-?\d\.\d%$/) });
    const charts = (await (
      await fetch(
        `${sandbox.urls['CLEVELAND_FED_BASE_URL']}/-/media/files/webcharts/inflationnowcasting/nowcast_month.json`,
      )
    ).json()) as { chart: { subcaption: string }; dataset: { seriesname: string; data: { value: string }[] }[] }[];
    const chart = charts.find(({ chart }) => chart.subcaption === '2026-10');
    const nowcast = Number(chart?.dataset[0]?.data.findLast(({ value }) => value !== '')?.value);
    sandbox.clock.set(release?.at.getTime() ?? 0);
    const levels = await csv('CPIAUCSL');
    const print = ((levels.get('2026-10') ?? 0) / (levels.get(addMonths('2026-10', -1)) ?? 1) - 1) * 100;
    expect(Math.abs(nowcast - print)).toBeLessThan(0.3);
  });
});
