// @vitest-environment happy-dom
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { useReducer } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answers, closeCard, failing, showCard } from '#app/web/testing/show-card.tsx';
import type { LatestInflation } from '#features/inflation/contract.ts';
import { NOON } from '#ui/testing/figures.ts';
import { expectations, inflationAnswers, latest } from './fixtures.ts';
import { newsToday, ReleaseModal, releaseMood } from './release-modal.tsx';

const TODAY = '2026-11-21';
const withDates = (dates: Partial<Record<'cpi' | 'pce' | 'ppi', string>>): LatestInflation => ({
  ...latest,
  cpi: latest.cpi && { ...latest.cpi, date: dates.cpi ?? null },
  pce: latest.pce && { ...latest.pce, date: dates.pce ?? null },
  ppi: latest.ppi && { ...latest.ppi, date: dates.ppi ?? null },
});

/** A page that rerenders on click. */
function Redrawn() {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  return (
    <>
      <button type="button" onClick={redraw}>
        Redraw
      </button>
      <ReleaseModal />
    </>
  );
}

function show(of: LatestInflation, change: Answers = {}) {
  const shown = showCard(<Redrawn />, {
    ...inflationAnswers,
    '/api/inflation/latest': () => Response.json(of),
    ...change,
  });
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: NOON, shouldAdvanceTime: true });
  return shown;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => localStorage.clear());
describe('the release dialog', () => {
  test.each([
    ['ppi', 'PPI Data Released'],
    ['cpi', 'CPI Data Released'],
    ['pce', 'PCE Data Released'],
  ] as const)('%s of today opens the dialog once', async (type, title) => {
    show(withDates({ [type]: TODAY }));
    const dialog = await screen.findByRole('dialog', { name: title });
    expect(within(dialog).getByText('Core month')).toBeDefined();
    closeCard();
    const { fetch } = show(withDates({ [type]: TODAY }));
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(5));
    await pass(100);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('it is marked as seen once, however often the page is rendered', async () => {
    const setItem = vi.fn();
    vi.stubGlobal('localStorage', { getItem: () => null, setItem });
    show(withDates({ ppi: TODAY }));
    await screen.findByRole('dialog');
    for (let i = 0; i < 3; i++) await userEvent.click(screen.getByRole('button', { name: 'Redraw' }));
    expect(setItem.mock.calls).toEqual([['lastSeenRelease.ppi', TODAY]]);
  });

  test('it shows month, core, year, surprise and their meaning', async () => {
    show(withDates({ ppi: TODAY }));
    const text = (await screen.findByRole('dialog')).textContent;
    for (const words of [
      'Producer prices, Oct 2026',
      '+0.3%',
      '+0.4%',
      '2.4%',
      'Consensus +0.3%',
      'In line',
      'Bearish',
    ])
      expect(text).toContain(words);
  });

  test('a release from another day opens nothing', async () => {
    const { fetch } = show(withDates({ ppi: '2026-11-20' }));
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(5));
    await pass(100);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('it closes automatically after ten seconds and a 300 ms fade', async () => {
    show(withDates({ ppi: TODAY }));
    await screen.findByRole('dialog');
    await pass(9_500);
    expect(screen.queryByRole('dialog')).not.toBeNull();
    await pass(700);
    expect(screen.queryByRole('dialog')).not.toBeNull();
    await pass(400);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('it closes manually, after the fade', async () => {
    show(withDates({ ppi: TODAY }));
    await screen.findByRole('dialog');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await pass(400);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a failure shows nothing', async () => {
    const { fetch } = show(latest, { '/api/inflation/latest': failing });
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(5));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the rule', () => {
  const move = fc.option(fc.double({ min: -2, max: 2, noNaN: true }), { nil: null });

  test('bearish above 0.3 in headline or core, otherwise bullish below −0.2, otherwise neutral', () => {
    expect(releaseMood({ mom: 0.31, core: -0.5 })).toBe('bearish');
    expect(releaseMood({ mom: 0.3, core: 0.3 })).toBe('neutral');
    expect(releaseMood({ mom: -0.21, core: 0.1 })).toBe('bullish');
    expect(releaseMood({ mom: -0.2, core: null })).toBe('neutral');
    fc.assert(
      fc.property(move, move, (mom, core) => {
        const mood = releaseMood({ mom, core });
        const bearish = (mom ?? 0) > 0.3 || (core ?? 0) > 0.3;
        const bullish = (mom ?? 0) < -0.2 || (core ?? 0) < -0.2;
        expect(mood).toBe(bearish ? 'bearish' : bullish ? 'bullish' : 'neutral');
      }),
    );
  });

  test('several on one day appear one after another, PPI first', () => {
    const both = withDates({ cpi: TODAY, ppi: TODAY });
    expect(newsToday(both, expectations, TODAY, () => null)?.type).toBe('ppi');
    expect(newsToday(both, expectations, TODAY, (type) => (type === 'ppi' ? TODAY : null))?.type).toBe('cpi');
    expect(newsToday(both, expectations, TODAY, () => TODAY)).toBeNull();
  });
});
