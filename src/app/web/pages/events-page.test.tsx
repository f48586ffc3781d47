import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { eventAt, events, study } from '#features/events/web/fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { address, LATE, press, texts } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';

const CALLS: Record<string, Answer> = { '/api/events': answer(events), '/api/events/study': answer(study) };
const show = (at = '/app/events', calls: Record<string, Answer> = {}) => openApp({ at, calls: { ...CALLS, ...calls } });
const item = async (title: string) =>
  (await screen.findByRole('heading', { level: 3, name: title }, LATE)).closest('li') as HTMLElement;
const titles = () => texts(screen.getAllByRole('heading', { level: 3 }));
const stat = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) });
const pick = (label: string, option: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: label }), option);

test('no events', async () => {
  show('/app/events', { '/api/events': answer([]) });
  expect(await screen.findByText('No events match your filters', {}, LATE)).toBeDefined();
  expect(screen.getByText('No source has listed an event yet.')).toBeDefined();
});

describe('event', () => {
  test('title, impact, category, description, source, date, label and why it matters; an estimated date is marked with its range, a different time from another source is shown next to it; past events are last, marked Past, with their surprise and without a calendar file; fallbacks for a missing title, description and source; means with interval by surprise and asset, n, and "too few" below 8', async () => {
    show();
    const text = (await item('US CPI, October')).textContent;
    for (const words of [
      'High impact',
      'Inflation',
      'Consumer Price Index for October 2026',
      'Tue, 24 Nov 2026',
      'Eastern Time',
      '3 days',
      'Forecast+0.3%',
      'Previous+0.2%',
      'Actual–',
      'checked 3m ago',
      'moved BTC more than any other release',
    ])
      expect(text).toContain(words);
    const source = within(await item('US CPI, October')).getByRole('link', { name: /^Bureau of Labor Statistics/ });
    expect(source.getAttribute('href')).toBe('https://www.bls.gov/schedule/news_release/cpi.htm');
    expect((await item('Federal Reserve Chair speaks on the outlook')).textContent).toContain('5h 12m');
    const halving = (await item('Bitcoin halving')).textContent;
    expect(halving).toContain('Estimated date');
    expect(halving).toContain('between Tue, 28 Mar 2028 and Tue, 2 May 2028');
    expect((await item('PCE price index and personal income')).textContent).toMatch(/FRED.* says Thu, 26 Nov 2026/);
    const past = await item('US PPI, October');
    expect(titles().at(-1)).toBe('US PPI, October');
    expect(within(past).getByText('Past')).toBeDefined();
    expect(within(past).getByText('+0.1 pp').className).toContain('text-down');
    expect(within(past).queryByRole('link', { name: /^Add to calendar/ })).toBeNull();
    const ahead = within(await item('US CPI, October')).getByRole('link', { name: /^Add to calendar/ });
    expect(ahead.getAttribute('href')).toBe('/api/events/2.ics');
    const bare = (await item('Untitled Event')).textContent;
    for (const words of ['No description available', 'Unknown source', 'All day', 'Wed, 16 Dec 2026'])
      expect(bare).toContain(words);
    const table = await screen.findByRole('table', { name: /^US CPI: average return/ }, LATE);
    const rows = texts(within(table).getAllByRole('row').slice(1));
    expect(rows[0]).toBe('Above expectedBTC\u22121.42%\u22122.5% to \u22120.3%n = 14');
    expect(rows[4]).toBe('Below expectedBTCToo fewn = 5');
    expect(rows).toHaveLength(8);
    expect(screen.getByText(/^Bars are 99% intervals/)).toBeDefined();
  });

  test("'Notification Sent' at three days once sent, with its content", async () => {
    const others = [
      eventAt(21, '2026-11-24T10:00:00.000Z', { title: 'Not yet reminded' }),
      eventAt(22, '2026-11-25T10:00:00.000Z', { title: 'Four days', notified: true }),
    ];
    show('/app/events', { '/api/events': answer([...events, ...others]) });
    const badge = within(await item('US CPI, October')).getByText('Notification Sent');
    expect(badge.closest('[title]')?.getAttribute('title')).toContain('three-day reminder was sent');
    for (const title of ['Not yet reminded', 'Four days'])
      expect(within(await item(title)).queryByText('Notification Sent')).toBeNull();
  });
});

describe('counts and filters', () => {
  test('four counts of upcoming events; each clears the other filters and applies its own', async () => {
    show('/app/events?search=rate&category=fed&sort=impact');
    await item('FOMC rate decision');
    const counts = within(screen.getByRole('list', { name: 'Events at a glance' })).getAllByRole('button');
    expect(counts.map(({ textContent }) => textContent?.replace(/(\d+).*/, ' $1')).join(', ')).toBe(
      'Total Events 8, High Impact 4, This Week 4, Next Month 6',
    );
    for (const [name, at] of [
      ['High Impact', '/app/events?sort=impact&impact=high'],
      ['This Week', '/app/events?sort=impact&time=thisWeek'],
      ['Next Month', '/app/events?sort=impact&time=nextMonth'],
      ['Total Events', '/app/events?sort=impact'],
    ] as const) {
      await userEvent.click(stat(name));
      expect(address()).toBe(at);
      expect(stat(name).getAttribute('aria-pressed')).toBe('true');
    }
  });

  test('the filter options match the specification; the URL stores every filter so that a view can be shared', async () => {
    show();
    await item('US CPI, October');
    const options = (name: string) => texts(within(screen.getByRole('combobox', { name })).getAllByRole('option'));
    expect(options('Category').join(', ')).toBe(
      'All Categories, Federal Reserve, Cryptocurrency, Regulation, Earnings, Inflation, Employment, Other',
    );
    expect(options('Impact')).toEqual(['All Impact Levels', 'High', 'Medium', 'Low']);
    expect(options('Time')).toEqual(['All Time', 'This Week', 'Next Month']);
    expect(options('Sort')).toEqual(['Sort by Date', 'Sort by Impact', 'Sort by Category']);
    expect(screen.getByPlaceholderText('Search events...')).toBeDefined();
    await pick('Category', 'Federal Reserve');
    await pick('Impact', 'High');
    await pick('Time', 'Next Month');
    await pick('Sort', 'Sort by Category');
    await userEvent.type(screen.getByRole('searchbox'), 'rate');
    await waitFor(() =>
      expect(address()).toBe('/app/events?category=fed&impact=high&time=nextMonth&sort=category&search=rate'),
    );
    expect(titles()).toEqual(['FOMC rate decision']);
    const link = screen.getByRole('link', { name: 'Subscribe' });
    expect(link.getAttribute('href')).toBe(
      `webcal://${location.host}/api/events.ics?category=fed&impact=high&time=nextMonth&search=rate`,
    );
  });
});

describe('calendar view', () => {
  const day = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) });

  test('opens on the current week; a selected day lists its events in full; arrow keys navigate', async () => {
    show('/app/events?view=calendar&category=inflation');
    expect(await screen.findByRole('grid', { name: 'November 2026' }, LATE)).toBeDefined();
    expect(day('Tue, 24 Nov 2026, 1 event').getAttribute('tabindex')).toBe('0');
    expect(day('Sat, 21 Nov 2026').getAttribute('aria-current')).toBe('date');
    const weeks = () => texts(screen.getAllByRole('row').slice(1, 6));
    expect(weeks()[0]).toMatch(/^1617/);
    expect(weeks().slice(2)).toEqual([
      '30 Nov – 6 Dec · No events',
      '7 – 13 Dec · No events',
      '14 – 20 Dec · No events',
    ]);
    expect(screen.getByText(/ upcoming, .* past of /).textContent).toBe('2 upcoming, 1 past of 9');
    day('Tue, 24 Nov 2026').focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(day('Wed, 25 Nov 2026, 1 event'));
    expect(await item('PCE price index and personal income')).toBeDefined();
    await userEvent.keyboard('{Home}');
    expect(document.activeElement).toBe(day('Mon, 23 Nov 2026, no events'));
    expect(screen.getByText('No events on this day')).toBeDefined();
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    expect(document.activeElement).toBe(day('Mon, 9 Nov 2026'));
    expect(screen.getByText('Events of this day are no longer listed')).toBeDefined();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{PageDown}{ArrowDown}');
    expect(document.activeElement).toBe(day('Wed, 30 Dec 2026'));
    await press('Previous month');
    await press('Previous month');
    expect(screen.getByRole('grid', { name: 'October 2026' })).toBeDefined();
    expect(address()).toContain('&day=2026-10-30&week=2026-10-26');
    await press('Today');
    expect(address()).toBe('/app/events?view=calendar&category=inflation&day=2026-11-21');
    expect(screen.getByRole('grid', { name: 'November 2026' })).toBeDefined();
  });

  test('opens at the day and week in the URL; an invalid date falls back to the default', async () => {
    show('/app/events?view=calendar&day=2026-12-16&week=2026-12-14');
    expect(await screen.findByRole('grid', { name: 'December 2026' }, LATE)).toBeDefined();
    expect(screen.getByRole('heading', { name: 'Wed, 16 Dec 2026' })).toBeDefined();
    expect(screen.getAllByRole('row')[1]?.textContent).toMatch(/^14/);
    cleanup();
    show('/app/events?view=calendar&day=2026-13-99&week=soon');
    expect(await screen.findByRole('grid', { name: 'November 2026' }, LATE)).toBeDefined();
  });
});

test('other windows and releases; a failed study is reported', async () => {
  const asked: string[] = [];
  show('/app/events', {
    '/api/events/study': (url) => {
      asked.push(url);
      return url.includes('ppi') ? broken() : Response.json(study);
    },
  });
  await screen.findByRole('table', { name: /^US CPI/ }, LATE);
  await userEvent.click(screen.getByRole('radio', { name: '3d' }));
  expect(screen.getByText('Average return in the 3 days after release')).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'PPI' }));
  expect(address()).toBe('/app/events?window=3d&release=ppi');
  expect(await screen.findByText('Failed to load the event study')).toBeDefined();
  expect(asked).toEqual(['/api/events/study?kind=cpi', '/api/events/study?kind=ppi']);
});
