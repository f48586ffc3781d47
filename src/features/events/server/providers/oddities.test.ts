import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { INFLATION_SOURCES } from '#features/inflation/server/sources.ts';
import { loadConfig } from '#kernel/config.ts';
import { createSourceClient } from '#kernel/http/http-client.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { shared } from '#tests/support/for-file.ts';
import { startStubProvider } from '#tests/support/rows.ts';
import type { EventSource } from '../types.ts';
import { cftc, cftcPress, sec, secPress } from './agencies.ts';
import { coinEvents, coinmarketcal } from './coinmarketcal.ts';
import { FOMC_DECISIONS } from './computed-events.ts';
import { weekCalendar } from './faireconomy.ts';
import { federalReserve, fedPress, fomcMeetings } from './federal-reserve.ts';
import { finnhub, finnhubEarnings } from './finnhub.ts';
import { beaReleases, beaSchedule, blsReleases, blsSchedule, fredReleaseDates } from './release-schedules.ts';

const sharedSource = (id: string) => INFLATION_SOURCES.find((source) => source.id === id) as SourceDescriptor;
const [fredReleases, faireconomy] = [sharedSource('fred-api'), sharedSource('consensus-calendar')];
const NOW = new Date('2026-11-20T12:00:00Z');
const HTML = '<!DOCTYPE html><html><head><title>Request Denied</title></head><body>Request Denied</body></html>';
const config = loadConfig({
  FRED_API_KEY: 'k',
  FINNHUB_API_KEY: 'k',
  COINMARKETCAL_API_KEY: 'k',
  CONSENSUS_CALENDAR: '1',
});
const signal = new AbortController().signal;

const answers = shared(startStubProvider);

const ask = { now: NOW, config, signal, daysOf: async () => [] };
const read = (source: SourceDescriptor, adapter: EventSource, path: string, body: unknown, status = 200) => {
  answers.respondWith(path, body, status);
  const options = { name: source.name, ...source.options(config), baseUrl: answers.url, retries: 0, burst: 100 };
  return adapter.read(
    createSourceClient(options, () => NOW),
    ask,
  );
};
const FOMC = '/monetarypolicy/fomccalendars.htm';
const ICS = '/schedule/news_release/bls.ics';
const BEA = '/API/signup/release_dates.json';
const feedOf = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;

test.each([
  [federalReserve, fomcMeetings, FOMC],
  [federalReserve, fedPress, '/feeds/press_all.xml'],
  [blsSchedule, blsReleases, ICS],
  [beaSchedule, beaReleases, BEA],
  [fredReleases, fredReleaseDates, '/fred/releases/dates'],
  [sec, secPress, '/news/pressreleases.rss'],
  [cftc, cftcPress, '/RSS/RSSGP/rssgp.xml'],
  [finnhub, finnhubEarnings, '/calendar/earnings'],
  [coinmarketcal, coinEvents, '/v2/events'],
  [faireconomy, weekCalendar, '/ff_calendar_thisweek.json'],
] as const)('a denial page instead of an answer is an error: %#', async (source, adapter, path) => {
  for (const body of [HTML, '', '{"unexpected":true}'])
    await expect(read(source, adapter, path, body)).rejects.toMatchObject({ name: 'SourceError' });
  await expect(read(source, adapter, path, HTML, 403)).rejects.toThrow('returned 403');
});

test('the User-Agent for agencies names the operator’s contact', () => {
  const named = loadConfig({ SOURCE_CONTACT: 'ops@markets.example' });
  const bls = sharedSource('bls');
  for (const { options } of [federalReserve, blsSchedule, beaSchedule, sec, cftc, bls, sharedSource('cleveland-fed')])
    expect(options(named).headers).toEqual({ 'user-agent': 'Meridian/1.0 (ops@markets.example)' });
  expect(() => loadConfig({ SOURCE_CONTACT: 'a\r\nb: c' })).toThrow('SOURCE_CONTACT');
});

describe('FOMC calendar', () => {
  test('the recorded page text gives the shipped dates of 2026', async () => {
    const file = new URL('../fixtures/fomc-2026.json', import.meta.url);
    const { excerpt } = JSON.parse(readFileSync(file, 'utf8')) as { excerpt: string };
    const found = await read(federalReserve, fomcMeetings, FOMC, `<html><body>${excerpt}</body></html>`);
    const shipped = FOMC_DECISIONS.filter(({ day }) => day.startsWith('2026'));
    expect(found.map(({ at }) => at.toISOString().slice(0, 10))).toEqual(shipped.map(({ day }) => day));
    expect(found.map(({ description }) => description?.includes('Projections'))).toEqual(
      shipped.map(({ projections }) => projections),
    );
  });

  test('a meeting across month end, a changed day, a canceled one', async () => {
    const page = `<h4>2027 FOMC Meetings</h4><b>January</b> 26-27 <b>Apr/May</b> 30-1* <b>June</b> 9-10 <b>July</b> 28 (cancelled)
      <b>August</b> 31-1 <b>September</b> 15 (notation vote)`;
    const found = await read(federalReserve, fomcMeetings, FOMC, page);
    expect(found.map(({ at }) => at.toISOString())).toEqual([
      '2027-01-27T19:00:00.000Z',
      '2027-05-01T18:00:00.000Z',
      '2027-06-10T18:00:00.000Z',
      '2027-09-01T18:00:00.000Z',
    ]);
  });
});

describe('calendars and schedules', () => {
  const event = (lines: string) => `BEGIN:VEVENT\r\n${lines}\r\nEND:VEVENT`;
  const calendar = (...events: string[]) => `BEGIN:VCALENDAR\r\n${events.join('\r\n')}\r\nEND:VCALENDAR`;

  test('folded lines, zones, days, UTC; entries without a readable start or known kind are omitted', async () => {
    const found = await read(
      blsSchedule,
      blsReleases,
      ICS,
      calendar(
        event(
          'DTSTART;TZID=US-Eastern:20270310T083000\r\nSUMMARY:Consumer Pri\r\n ce Index for February 2027\r\nUID:a',
        ),
        event('DTSTART;TZID="America/New_York":20270315T083000\r\nSUMMARY:Producer Price Index\r\nUID:b'),
        event('DTSTART:20271105T123000Z\r\nSUMMARY:Employment Situation'),
        event('DTSTART;TZID=Asia/Tokyo:20271105T123000\r\nSUMMARY:Employment Situation\r\nUID:d'),
        event('DTSTART:never\r\nSUMMARY:Consumer Price Index\r\nUID:e'),
        event('DTSTART:20271105T123000Z\r\nUID:f'),
        event('DTSTART:20271105T123000Z\r\nSUMMARY:Union Members\\, annual\r\nUID:g'),
        'BEGIN:VEVENT\r\nSUMMARY:Consumer Price Index',
      ),
    );
    expect(found.map(({ kind, at }) => [kind, at.toISOString()])).toEqual([
      ['cpi', '2027-03-10T13:30:00.000Z'],
      ['ppi', '2027-03-15T12:30:00.000Z'],
      ['payrolls', '2027-11-05T12:30:00.000Z'],
    ]);
    expect(found[0]?.description).toContain('for February 2027');
  });

  test('BEA: moments without an offset, and state releases, are omitted', async () => {
    const found = await read(beaSchedule, beaReleases, BEA, {
      file_date: 'yesterday',
      'Gross Domestic Product': {
        release_dates: ['2026-12-23T08:30:00-05:00', '2026-12-24', 7, null, '2026-99-99T08:30:00Z'],
      },
      'Gross Domestic Product by State': { release_dates: ['2026-12-25T08:30:00-05:00'] },
      'Personal Income and Outlays': null,
    });
    expect(found.map(({ kind, at }) => [kind, at.toISOString()])).toEqual([['gdp', '2026-12-23T13:30:00.000Z']]);
  });

  test('FRED: a rejection keeps its own wording', async () => {
    const refusal = { error_code: 400, error_message: 'The value for variable api_key is not registered.' };
    await expect(read(fredReleases, fredReleaseDates, '/fred/releases/dates', refusal, 400)).rejects.toThrow(
      'api_key is not registered',
    );
  });
});

describe('feeds', () => {
  test('CDATA, entities, marks; items without title or date, and those not about crypto, are omitted', async () => {
    const found = await read(
      sec,
      secPress,
      '/news/pressreleases.rss',
      feedOf(
        '<title><![CDATA[SEC &amp; crypto: roundtable on Dec. 3]]></title><link>https://www.sec.gov/a</link><pubDate>Tue, 17 Nov 2026 15:00:00 EST</pubDate>',
        '<title>Bitcoin &lt;b&gt;rule&lt;/b&gt; adopted</title><link>javascript:alert(1)</link><guid>g</guid><description>&lt;script&gt;x()&lt;/script&gt;&#8217;s text</description><pubDate>Wed, 18 Nov 2026 15:00:00 +0000</pubDate>',
        '<title>Stablecoin guidance</title><description>Comments close on January 5.</description><pubDate>Wed, 18 Nov 2026 15:00:00 GMT</pubDate>',
        '<title>Bitcoin without a date</title>',
        '<title></title><pubDate>Wed, 18 Nov 2026 15:00:00 GMT</pubDate>',
        '<title>Real estate fraud</title><pubDate>Wed, 18 Nov 2026 15:00:00 GMT</pubDate>',
      ),
    );
    expect(found.map(({ title, at, allDay, url, impact }) => [title, at.toISOString(), allDay, url, impact])).toEqual([
      ['SEC & crypto: roundtable on Dec. 3', '2026-12-03T00:00:00.000Z', true, 'https://www.sec.gov/a', 'medium'],
      ['Bitcoin rule adopted', '2026-11-18T15:00:00.000Z', false, null, 'high'],
      ['Comments due: Stablecoin guidance', '2027-01-05T00:00:00.000Z', true, null, 'medium'],
    ]);
    expect(found[1]?.description).toBe('’s text');
  });

  test('the recorded week of the unofficial calendar: minor events of other countries are excluded', async () => {
    const rows = [
      ['Housing Starts y/y', 'JPY', '2025-03-31T01:00:00-04:00', 'Low', '-2.3%', '-4.6%'],
      ['CPI m/m', 'USD', '2026-12-10T08:30:00-05:00', 'High', '0.3%', ''],
      ['Core CPI m/m', 'USD', '2026-12-10T08:30:00-05:00', 'High', '0.2%', '0.2%'],
      ['Manufacturing PMI', 'CNY', '2026-11-29T21:30:00-05:00', 'High', '50.4', '50.2'],
    ].map(([title, country, date, impact, forecast, previous]) => ({
      title,
      country,
      date,
      impact,
      forecast,
      previous,
    }));
    const found = await read(faireconomy, weekCalendar, '/ff_calendar_thisweek.json', rows);
    expect(found.map(({ title, at, figures, impact }) => [title, at.toISOString(), figures, impact])).toEqual([
      [
        'Consumer Price Index (CPI)',
        '2026-12-10T13:30:00.000Z',
        { actual: null, forecast: '+0.3%', previous: null },
        'high',
      ],
      [
        'CNY Manufacturing PMI',
        '2026-11-30T02:30:00.000Z',
        { actual: null, forecast: '50.4', previous: '50.2' },
        'medium',
      ],
    ]);
  });
});
