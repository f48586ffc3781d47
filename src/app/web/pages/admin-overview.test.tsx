import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { alertOf } from '#features/alerts/web/alerts/fixtures.ts';
import { type ListedAnalysis } from '#features/operations/contract/collections.ts';
import {
  analyses,
  busy,
  calm,
  healthy,
  LONG_REASONING,
  unwell,
} from '#features/operations/web/collections/fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { LATE, press, texts } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

/** A card once its data is loaded; its skeleton has the same name. */
const card = (name: string) =>
  waitFor(() => {
    const region = screen.getByRole('region', { name });
    expect(within(region).queryByText(/^Loading/)).toBeNull();
    return region;
  }, LATE);
/** Each tile as its text and its link. */
const tiles = async (name: string) =>
  within(within(await card(name)).getByRole('list', { name }))
    .getAllByRole('link')
    .map((link) => [texts([...link.children]).join(' | '), link.getAttribute('href')]);

describe('overview', () => {
  const alerts = [
    alertOf(5, { severity: 'high', message: 'BTC fell 8.4%' }),
    alertOf(4, { severity: 'low', message: '<b>SSR</b> fell' }),
    alertOf(3, { severity: 'high', message: 'ETH fell 9%' }),
    alertOf(2, { severity: 'medium', message: 'The fourth' }),
  ];
  const open = (calls: Record<string, Answer> = {}) =>
    openSignedIn({
      at: '/app/admin',
      plan: 'admin',
      calls: {
        '/api/admin/overview': answer(calm),
        '/api/health': answer(healthy),
        '/api/alerts': answer({ alerts }),
        ...calls,
      },
    });

  test('counters: collections, analyses, all records and active users; weekly sign-ups and plans', async () => {
    open({ '/api/admin/overview': answer(busy) });
    const figures = await card('Data and Users');
    const counters = within(within(figures).getByRole('list', { name: 'Counters' })).getAllByRole('listitem');
    expect(texts(counters).join(', ')).toBe(
      'Total collections3, AI analyses12, Total recordsabout 12.34M, Active users4',
    );
    expect(within(figures).getByText('Sign-ups, last 7 days:').textContent).toBe('Sign-ups, last 7 days: 3');
    const days = within(within(figures).getByRole('list', { name: 'Sign-ups by day' })).getAllByRole('listitem');
    expect(texts(days)).toEqual(['014', '015', '016', '017', '018', '019', '320']);
    for (const plan of ['Free', 'Pro', 'Premium+', 'Admin']) expect(within(figures).getByText(plan)).toBeDefined();
  });

  test('all healthy: each tile shows it and links to its section; market alerts: counts by severity, the latest three, a link to all', async () => {
    const { sent } = open();
    expect(await tiles('Health')).toEqual([
      ['Database | Writable | PostgreSQL 18.1, bundled', '/app/admin?tab=collections'],
      ['Sources | All healthy | 1 queried, 1 missing a key', '/app/admin?tab=sources'],
      ['Exports | Writable | Folder writable', '/app/admin?tab=jobs'],
      ['Uptime | 99.95% | over 12 d, target 99.9%', '/app/admin?tab=status'],
      ['Version | 1.0.0 | Live data, started 20 Nov 2026, 08:00:00 UTC', '/app/admin?tab=status'],
    ]);
    expect(within(await card('Health')).getByText('Healthy')).toBeDefined();
    expect(await tiles('Needs Attention')).toEqual([
      ['Unread messages | 0 | To support', '/app/admin?tab=messages'],
      ['Errors | 0 | None in the last 24h', '/app/errors'],
      ['Failed jobs | 0 | Last 24h', '/app/admin?tab=jobs'],
      ['Failed deliveries | 0 | Last 30 days', '/app/admin?tab=deliveries'],
      ['Failed emails | 0 | Not accepted for delivery', '/app/admin?tab=mail'],
      ['Unclaimed payments | 0 | Nothing unclaimed', '/app/admin?tab=payments'],
    ]);
    within(await card('Needs Attention')).getByText('Nothing unclaimed', { selector: 'span.inline-flex' });
    const market = await card('Market Alerts');
    expect(texts(within(market).getAllByRole('definition'))).toEqual(['2', '1', '1']);
    const newest = within(within(market).getByRole('list', { name: 'Latest alerts' })).getAllByRole('listitem');
    expect(texts(newest)).toEqual(['HighBTC fell 8.4%3m ago', 'Low<b>SSR</b> fell3m ago', 'HighETH fell 9%3m ago']);
    expect(within(market).getByRole('link', { name: 'View all alerts' }).getAttribute('href')).toBe('/app/alerts');
    expect(sent('/api/alerts', 'GET')).toContain('/api/alerts?limit=50');
  });

  test('names failures and counts pending items', async () => {
    open({ '/api/admin/overview': answer(busy), '/api/health': answer(unwell) });
    expect(within(await card('Health')).getByText('Degraded')).toBeDefined();
    expect((await tiles('Health')).map(([words]) => words).slice(0, 4)).toEqual([
      'Database | Not writable | The disk is full.',
      'Sources | 4 failing | A, B, C and 1 more',
      'Exports | Not writable | No exports can be made.',
      'Uptime | 98.10% | over 12 h, target 99.9%',
    ]);
    expect((await tiles('Needs Attention')).map(([words]) => words)).toEqual([
      'Unread messages | 3 | To support',
      'Errors | 1,243 | Last 24h: 1,200 API failures, 40 authentication',
      'Failed jobs | 2 | Last 24h',
      'Failed deliveries | 7 | Last 30 days',
      'Failed emails | 1 | Not accepted for delivery',
      'Unclaimed payments | 2 | $13.00 in total',
    ]);
    expect(within(await card('Needs Attention')).getByText('6 to review')).toBeDefined();
  });

  test('no alerts yet', async () => {
    open({ '/api/alerts': answer({ alerts: [] }) });
    expect(await screen.findByText('No alerts have been raised yet.', {}, LATE)).toBeDefined();
  });

  test("'Failed to load admin data' with Retry where reading fails; the rest is shown", async () => {
    let down = true;
    open({ '/api/health': () => (down ? broken() : Response.json(healthy)) });
    const failed = await card('Health');
    expect((await within(failed).findByRole('alert')).textContent).toContain('Failed to load admin data');
    expect(await tiles('Needs Attention')).toHaveLength(6);
    down = false;
    await press('Retry');
    expect(await within(await card('Health')).findByText('Healthy')).toBeDefined();
  });

  test('each figure has its time; refreshes every minute and reports a failed refresh', async () => {
    vi.useFakeTimers({
      toFake: ['Date', 'setInterval', 'clearInterval'],
      now: Date.parse(calm.at),
      shouldAdvanceTime: true,
    });
    let down = false;
    const { sent } = open({ '/api/admin/overview': () => (down ? broken() : Response.json(calm)) });
    const attention = await card('Needs Attention');
    expect(within(attention).getByText('0s ago', { selector: 'time' })).toBeDefined();
    expect(within(await card('Market Alerts')).getByText(/^\ds ago$/, { selector: 'time' })).toBeDefined();
    const before = sent('/api/admin/overview', 'GET').length;
    down = true;
    await vi.advanceTimersByTimeAsync(60_000);
    await waitFor(() => expect(sent('/api/admin/overview', 'GET').length).toBeGreaterThan(before));
    expect(await within(await card('Needs Attention')).findByText(/, last refresh failed$/)).toBeDefined();
    expect(await tiles('Needs Attention')).toHaveLength(6);
  });
});

describe('AI analysis', () => {
  const LIST = '/api/admin/ai-analysis';
  const found: Answer = (url) => {
    const q = new URL(url, 'http://here').searchParams.get('q') ?? '';
    return Response.json(analyses.filter((each) => JSON.stringify(each).includes(q)));
  };
  const open = (calls: Record<string, Answer> = {}) =>
    openSignedIn({ at: '/app/admin?tab=ai', plan: 'admin', calls: { [LIST]: found, ...calls } });

  test('id, time and badge, the overall and three term outlooks, with reasons cut to 100 characters; models without AI are not labeled AI; the older form: by index, with direction, confidence and reason; Show Raw shows an analysis as JSON text', async () => {
    open();
    const first = await card('a-0004');
    expect(within(first).getByText('AI Generated')).toBeDefined();
    expect(within(first).getByText('20 Nov 2026, 11:58:00 UTC')).toBeDefined();
    expect(within(first).getByText('Overall').parentElement?.textContent).toBe('OverallBullish61%');
    const cut = `${LONG_REASONING.slice(0, 100)}…`;
    expect([...within(first).getAllByRole('term')].map((term) => term.parentElement?.textContent)).toEqual([
      `Short term (1-7 days)Bullish70%${cut}`,
      'Medium term (1-4 weeks)Neutral48%Nothing moves.',
      'Long term (1-6 months)Bearish55%It will fall.',
    ]);
    expect(within(first).getByText(cut).title).toBe(LONG_REASONING);
    expect(texts(within(first).getAllByRole('listitem'))).toEqual([
      'Groq Bullish 66% llama',
      'Built-in analyst (statistics, no AI) Neutral 50% rules',
      'Venice did not respond: It answered 500',
    ]);
    expect(within(await card('a-0003')).getByText('Built-in analyst, no AI')).toBeDefined();
    expect(within(await card('a-0003')).queryByText('AI Generated')).toBeNull();
    expect(within(await card('a-0001')).getByText('No response')).toBeDefined();
    const old = await card('Analysis 3');
    expect(within(old).getByText('No timestamp')).toBeDefined();
    expect(within(old).getByText('AI Generated')).toBeDefined();
    expect(within(old).getByRole('term').parentElement?.textContent).toBe('MarketBearish52%Of an older form.');
    await card('a-0004');
    await press('Show Raw');
    const raw = await screen.findByRole('region', { name: 'Raw records: a-0004' });
    expect(JSON.parse(raw.textContent)).toEqual([analyses[0]]);
    await press('Hide Raw');
    expect(screen.queryByRole('region', { name: 'Raw records: a-0004' })).toBeNull();
  });

  test('the server searches; no match is reported', async () => {
    const { sent } = open();
    await card('a-0004');
    const box = screen.getByRole('searchbox', { name: 'Search analyses' });
    await userEvent.type(box, 'Nothing moves');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'a-0003' })).toBeNull());
    expect(await card('a-0004')).toBeDefined();
    expect(sent(LIST, 'GET')).toContain(`${LIST}?q=Nothing+moves`);
    await userEvent.type(box, ' at all');
    expect(await screen.findByText('No analyses found')).toBeDefined();
  });

  test('loads fifty at a time, appended below, and reloads with Refresh', async () => {
    const many = Array.from({ length: 60 }, (_, i): ListedAnalysis => ({ ...analyses[1]!, id: `n-${i}` }));
    const { sent } = open({
      [LIST]: (url) => {
        const before = new URL(url, 'http://here').searchParams.get('before');
        const from = before === null ? 0 : many.findIndex(({ id }) => id === before) + 1;
        return Response.json(many.slice(from, from + 50));
      },
    });
    await card('n-49');
    await press('Load more');
    expect(await card('n-59')).toBeDefined();
    expect(new Set(sent(LIST, 'GET'))).toEqual(new Set([LIST, `${LIST}?before=n-49`]));
    const before = sent(LIST, 'GET').length;
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
    await userEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(sent(LIST, 'GET').length).toBeGreaterThan(before));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'n-59' })).toBeNull());
  });
});
