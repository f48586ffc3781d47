import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FigureMeta } from '#shared/figures.ts';
import { missing, NOON, origin } from '#ui/testing/figures.ts';

import { Figure } from './figure.tsx';
import { Clock, ClockContext } from './now.ts';
import { SourceNames } from './source-names.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});
const show = (meta: FigureMeta | undefined, stale?: 'chip' | 'dot', page?: string) =>
  render(
    <SourceNames value={(id) => ({ okx: 'OKX', bybit: 'Bybit', coingecko: 'CoinGecko' })[id] ?? id}>
      <Figure meta={meta} name="Altcoin season" terms={[['Breadth', '80%']]} page={page} {...(stale ? { stale } : {})}>
        38
      </Figure>
    </SourceNames>,
    { wrapper: MemoryRouter },
  );

async function opened(name: RegExp): Promise<HTMLElement> {
  const button = screen.getByRole('button', { name });
  const popover = document.getElementById(button.getAttribute('popovertarget') ?? '');
  expect(popover?.getAttribute('popover')).toBe('auto');
  await userEvent.click(button);
  if (!popover) throw new Error('no popover');
  await within(popover).findByText('Altcoin season', { selector: 'p' });
  return popover;
}

describe('figure', () => {
  test('is a button with its name, and shows nothing more until requested', () => {
    show(origin('altcoin_season'));
    const button = screen.getByRole('button', { name: 'Where it comes from: Altcoin season. 38' });
    expect(button.textContent).toContain('38');
    expect(screen.queryByText('Observed')).toBeNull();
  });

  test('shows its full provenance and what it means', async () => {
    show(
      origin('altcoin_season', {
        method: 'computed',
        venues: ['okx', 'bybit'],
        terms: '19 of 50 coins beat BTC',
        historyDays: 12,
        collectedHours: 7,
      }),
    );
    const text = (await opened(/Altcoin season/)).textContent;
    for (const words of [
      'SourceOKX, Bybit',
      'MethodComputed by us',
      'From19 of 50 coins beat BTC',
      'Breadth80%',
      'has 12 days of past',
      '7 hours so far',
      'Observed21 Nov 2026, 11:57:00 UTC, 3m ago',
      'Fetched21 Nov 2026, 11:57:00 UTC',
      'Stale after21 Nov 2026, 12:27:00 UTC',
      'How many of the 50 largest coins',
      'Formula: coins that beat BTC over 90 days',
      'Reading: ≥ 75 Altcoin season',
    ])
      expect(text).toContain(words);
  });

  test.each([
    ['measured', 'Measured: as reported by the source'],
    ['default', 'Default, not measured'],
    ['demo', 'Demo: the simulated market'],
  ] as const)('method %s in words', async (method, words) => {
    show(origin('altcoin_season', { method }));
    expect((await opened(/Altcoin season/)).textContent).toContain(words);
  });

  test('null renders as a dash that opens the reason', async () => {
    show(missing('altcoin_season', 'Fewer than 20 coins have a past.'));
    const button = screen.getByRole('button', { name: 'Why it is missing: Altcoin season. –' });
    expect(button).toBeDefined();
    const text = (await opened(/Why it is missing/)).textContent;
    expect(text).toContain('Fewer than 20 coins have a past.');
    expect(text).toContain('Formula: ');
    expect(text).not.toContain('Observed');
  });

  test('past its contract is marked as stale, beside it and in its details', async () => {
    const old = origin('altcoin_season', { observedMs: NOON - 14 * 60_000, staleAfter: '2026-11-21T11:56:00.000Z' });
    show(old, 'chip');
    expect(screen.getByText('Stale, 14m ago')).toBeDefined();
    expect((await opened(/Altcoin season/)).textContent).toContain('Stale, 14m ago');
  });

  test('a metric not in the glossary still shows its source; without a meta it is a plain dash', async () => {
    show(origin('unheard.of'));
    expect((await opened(/Altcoin season/)).textContent).toContain('CoinGecko');
    cleanup();
    show(undefined);
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText('–')).toBeDefined();
  });

  test.each([
    ['altcoin_season', undefined, '/app/figures/altcoin_season'],
    ['coin.price', 'price:bitcoin', '/app/figures/price:bitcoin'],
    ['coin.price', undefined, undefined],
  ])('%s with page %s links to %s', async (metric, page, href) => {
    show(origin(metric), undefined, page);
    const link = within(await opened(/Altcoin season/)).queryByRole('link', { name: 'Open as page' });
    expect(link?.getAttribute('href')).toBe(href);
  });

  test('at an earlier moment it does not link to the page with the current figure', async () => {
    render(
      <ClockContext value={new Clock(NOON, true)}>
        <Figure meta={origin('altcoin_season')} name="Altcoin season">
          38
        </Figure>
      </ClockContext>,
      { wrapper: MemoryRouter },
    );
    expect(within(await opened(/Altcoin season/)).queryByRole('link')).toBeNull();
  });
});
