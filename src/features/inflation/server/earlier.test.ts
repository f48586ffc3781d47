import { describe, expect, test } from 'vitest';
import { getInflationAt, type InflationEarlier } from '#features/inflation/contract.ts';
import { findRelease } from '#shared/release-calendar.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser } from '#tests/support/people.ts';

const KEYS = { FRED_API_KEY: 'k', BLS_API_KEY: 'k', BEA_API_KEY: 'k', CONSENSUS_CALENDAR: '1', GROQ_API_KEY: 'demo' };
const DAY_MS = 86_400_000;

describe('GET /api/inflation/at', () => {
  const s = fileProduct({ env: KEYS }, 'inflation.check', 'inflation.refresh', 'inflation.forecast');
  const ask = (asOf: Date | string) =>
    s.get(`/api/inflation/at?asOf=${typeof asOf === 'string' ? asOf : asOf.toISOString()}`);
  const showing = async (at: Date): Promise<InflationEarlier> => getInflationAt.reply.parse((await ask(at)).json());
  const bodyOf = async (path: string) => JSON.parse((await s.get(path)).body) as Record<string, unknown>;

  test('200: a figure is unknown before its release minute and known from then on', async () => {
    const release = findRelease('cpi', '2026-10')?.at ?? new Date(0);
    const before = await showing(new Date(release.getTime() - 1));
    expect(before.latest).toMatchObject({
      timestamp: new Date(release.getTime() - 1).toISOString(),
      cpi: { period: '2026-09' },
      expectations: { cpi: { headline: { actual: before.latest.cpi?.cpiMoM } } },
    });
    expect(before.latest.next[0]).toMatchObject({ type: 'cpi', period: '2026-10', date: release.toISOString() });
    expect(before.latest.history['cpi']?.at(-1)?.period).toBe('2026-09');
    expect([before.forecasts.cpi.period, before.forecasts.cpi.entries]).toEqual(['2026-10', []]);
    const after = await showing(release);
    expect(after.latest.cpi).toMatchObject({ period: '2026-10', date: '2026-11-10' });
    // Ten days later.
    expect([after.forecasts.cpi.period, after.forecasts.cpi.entries]).toEqual(['2026-11', []]);
    expect((await showing(s.clock.now())).forecasts.cpi.entries).toHaveLength(2);
    expect(after.releases.map(({ type, period }) => [type, period])).toEqual([['CPI', '2026-10']]);
    expect(after.reading.terms[0]).toMatchObject({ series: 'cpi', period: '2026-10' });
  });

  test('200: the card for a past moment matches what it showed then, whatever came later', async () => {
    const then = s.clock.now();
    const said = {
      latest: await bodyOf('/api/inflation/latest'),
      ...(await bodyOf('/api/inflation/forecasts')),
      ...(await bodyOf('/api/inflation/expectations')),
      reading: (await bodyOf('/api/inflation/sentiment'))['data'],
      releases: (await bodyOf('/api/inflation/releases'))['releases'],
    };
    expect(said.latest).toMatchObject({ commentary: { ai: { provider: 'Groq' } } });
    s.advance(26 * DAY_MS);
    for (const name of ['inflation.check', 'inflation.refresh', 'inflation.forecast']) await s.job(name);
    expect(await bodyOf('/api/inflation/latest')).toMatchObject({
      cpi: { period: '2026-11' },
      pce: { period: '2026-10' },
      ppi: { period: '2026-11' },
    });
    const { timestamp: _, ...earlier } = { timestamp: '', ...(await showing(then)) };
    const { timestamp: __, ...kept } = said as typeof said & { timestamp: string };
    expect({ ...earlier, latest: { ...earlier.latest, timestamp: '' } }).toEqual({
      ...kept,
      latest: { ...kept.latest, timestamp: '' },
    });
  });

  test('400: a future moment; 403: more than 30 days ago without a paid plan', async () => {
    const future = await ask(new Date(s.clock.now().getTime() + 1));
    expect([future.statusCode, future.json()]).toEqual([
      400,
      { error: 'This time is in the future', code: 'bad_request' },
    ]);
    const long = new Date(s.clock.now().getTime() - 30 * DAY_MS - 1);
    const refused = await ask(long);
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { error: 'Your plan includes the last 30 days. Pro includes full history.', code: 'upgrade_required' },
    ]);
    const pro = await registerUser(s, 'pro', 'pro');
    const shown = await pro.get(`/api/inflation/at?asOf=2016-03-01T00:00:00Z`);
    expect(getInflationAt.reply.parse(shown.json()).latest.cpi).toMatchObject({ period: '2016-01' });
  });
});
