// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { closeCard, failing, never, showCard } from '#app/web/testing/show-card.tsx';
import { meta, NOON } from '#features/market/web/market/fixtures.ts';
import type { Changes } from '#features/site/contract/dashboard.ts';
import { Clock, ClockContext } from '#ui/now.ts';
import { ChangesLine, visit } from './changes-line.tsx';

const HOUR_MS = 3_600_000;
const answerOf = (changes: Changes['changes']): Changes => ({
  timestamp: new Date(NOON).toISOString(),
  since: new Date(NOON).toISOString(),
  changes,
});
const SOL = {
  kind: 'coin',
  text: 'Solana +8.2% (market +1.1%)',
  tone: 'up',
  href: '/app?coin=solana#crypto-prices',
  meta: { ...meta(), metric: 'change.coin' },
} as const;

const show = (answer: () => Response | Promise<Response>) =>
  showCard(
    <ClockContext value={new Clock(NOON, true)}>
      <ChangesLine className="card" />
    </ClockContext>,
    { '/api/changes': answer },
  );
const line = (name: string) => screen.findByRole('region', { name });

beforeEach(() => localStorage.clear());
describe('the line above the dashboard', () => {
  test('a new visitor sees the last 24 hours, each change with its origin and a link', async () => {
    const { fetch } = show(() => Response.json(answerOf([SOL])));
    const region = await line('Last 24h');
    const link = await within(region).findByRole('link', { name: `Show more: ${SOL.text}` });
    expect(link.getAttribute('href')).toBe(SOL.href);
    expect(within(region).getByRole('button').textContent).toBe(
      `Where it comes from: Move against the market. ${SOL.text}`,
    );
    expect(fetch.mock.calls.map(([url]) => url)).toEqual(['/api/changes']);
  });

  test('a returning visitor sees the time since the last visit, rounded to ten minutes', async () => {
    localStorage.setItem('lastVisit', JSON.stringify({ seen: NOON - 5 * HOUR_MS + 1, since: null }));
    const { fetch } = show(() => Response.json(answerOf([SOL])));
    expect((await line('Since your last visit')).textContent).toContain('4h ago');
    expect(fetch.mock.calls.map(([url]) => url)).toEqual(['/api/changes?since=2026-11-21T07%3A00%3A00.000Z']);
  });

  test('nothing yet, loading, and a retryable failure', async () => {
    show(() => Response.json(answerOf([])));
    expect(await screen.findByText('No changes to report yet.')).toBeDefined();
    closeCard();
    show(never);
    expect((await line('Last 24h')).querySelector('[aria-busy]')).not.toBeNull();
    closeCard();
    let answer = failing;
    show(() => answer());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Couldn’t load what changed.');
    answer = () => Response.json(answerOf([SOL]));
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText(SOL.text)).toBeDefined();
  });
});

describe('a visit', () => {
  test('starts after 30 minutes away, continues before that, and reaches back 29 days', () => {
    expect(visit(NOON)).toEqual({ seen: NOON, since: null });
    expect(visit(NOON + 0.5 * HOUR_MS).since).toBeNull();
    const back = NOON + 1.5 * HOUR_MS;
    expect(visit(back).since).toBe(NOON + 0.5 * HOUR_MS);
    expect(visit(back + 0.25 * HOUR_MS).since).toBe(NOON + 0.5 * HOUR_MS);
    expect(visit(back + 30 * 24 * HOUR_MS).since).toBeNull();
  });

  test.each(['', '{', '7', '{"seen":"x"}'])('an unreadable value (%j) counts as a first visit', (text) => {
    localStorage.setItem('lastVisit', text);
    expect(visit(NOON)).toEqual({ seen: NOON, since: null });
  });
});
