// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { showCard } from '#app/web/testing/show-card.tsx';

import { type UpcomingCounts, type UpcomingEvent } from '#features/events/contract.ts';
import { upcoming } from './fixtures.ts';
import { UpcomingCard } from './upcoming-card.tsx';

const CARD = { id: 'upcoming-events', title: 'Upcoming Events', className: '' };
type Query = Parameters<typeof UpcomingCard>[0]['query'];

function show(
  data: UpcomingEvent[] | null | undefined,
  change: Partial<Query> & { past?: boolean; counts?: UpcomingCounts } = {},
) {
  const { past = false, counts, ...rest } = change;
  const query: Query = { data, isError: false, error: null, refetch: vi.fn(), ...rest };
  showCard(<UpcomingCard {...CARD} query={query} counts={counts} past={past} />);
  return query;
}
const titles = () => screen.queryAllByRole('listitem').map((item) => item.querySelector('p')?.textContent);
const [first] = upcoming;
if (!first) throw new Error('no event');
const many = Array.from({ length: 14 }, (_, i) => ({
  ...first,
  id: 100 + i,
  title: `Event ${i}`,
  impact: i < 12 ? ('high' as const) : ('low' as const),
  date: `2026-12-${10 + i}T10:00:00.000Z`,
}));

describe('Upcoming Events, states', () => {
  test('loading', () => {
    show(undefined);
    expect(screen.getByText('Loading Upcoming Events')).toBeDefined();
  });

  test('error, with Retry', async () => {
    const { refetch } = show(undefined, { isError: true, error: new Error('The server is unreachable') });
    expect(screen.getByRole('alert').textContent).toContain('Failed to load events');
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(refetch).toHaveBeenCalled();
  });

  test.each([
    ['none is known', [] as UpcomingEvent[], false, 'Data collection is in progress...'],
    ['nothing is known at an earlier moment', null, true, 'No calendar is stored for that time.'],
  ])('empty: %s', (_, data, past, note) => {
    show(data, { past });
    expect(screen.getByText('No upcoming events available')).toBeDefined();
    expect(screen.getByText(note)).toBeDefined();
  });

  test('loaded: day, title, time, category, source, label and impact; soonest first', () => {
    show(upcoming.toReversed());
    expect(titles()[0]).toBe('Federal Reserve Chair speaks on the outlook');
    const cpi = screen.getByText('US CPI, October').closest('li')?.textContent;
    for (const words of [
      'Nov',
      '24',
      '08:30 Eastern Time',
      'Inflation',
      'Bureau of Labor Statistics',
      '3 days',
      'High',
    ])
      expect(cpi).toContain(words);
    const bare = screen.getByText('Untitled Event').closest('li')?.textContent;
    for (const words of ['All day', 'Unknown source']) expect(bare).toContain(words);
    expect(screen.getByText('Bitcoin halving').closest('li')?.textContent).toContain('Estimated date');
    expect(screen.getByText('Federal Reserve Chair speaks on the outlook').closest('li')?.textContent).toContain(
      '5h 12m',
    );
  });
});

describe('Upcoming Events, content', () => {
  test('the impact filter: all, high, medium; kept in the link', async () => {
    show(upcoming);
    expect(screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
      'All',
      'High',
      'Medium',
    ]);
    await userEvent.click(screen.getByRole('radio', { name: 'High' }));
    expect(titles()).toEqual([
      'US CPI, October',
      'PCE price index and personal income',
      'FOMC rate decision',
      'Bitcoin halving',
    ]);
    expect(screen.getByRole('link', { name: 'View all events' }).getAttribute('href')).toBe('/app/events?impact=high');
  });

  test('reports an impact without events', async () => {
    show(upcoming.filter(({ impact }) => impact === 'low'));
    await userEvent.click(screen.getByRole('radio', { name: 'Medium' }));
    expect(screen.getByText('No upcoming events available')).toBeDefined();
  });

  test("ten at most, the rest as '+N more'", async () => {
    show(many);
    expect(titles()).toHaveLength(10);
    expect(screen.getByText('+4 more')).toBeDefined();
    await userEvent.click(screen.getByRole('radio', { name: 'High' }));
    expect(screen.getByText('+2 more')).toBeDefined();
  });

  test("'+N more' counts events beyond the payload, for the chosen impact", async () => {
    show(many, { counts: { high: 52, medium: 40, low: 30 } });
    expect(screen.getByText('+112 more')).toBeDefined();
    await userEvent.click(screen.getByRole('radio', { name: 'High' }));
    expect(screen.getByText('+42 more')).toBeDefined();
  });

  test('ten are shown, with no remainder', () => {
    show(many.slice(0, 10));
    expect(titles()).toHaveLength(10);
    expect(screen.queryByText(/more$/)).toBeNull();
  });

  test('hides events that passed since the payload was created', () => {
    show([{ ...first, date: '2026-11-21T11:59:00.000Z' }, ...upcoming.slice(1, 3)]);
    expect(titles()).toEqual(['US CPI, October', 'PCE price index and personal income']);
  });
});
