// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CryptoPrice, MarketTotals } from '#features/market/contract/market.ts';
import { Clock, ClockContext } from '#ui/now.ts';
import { coin, frame, meta, NOON, others, sources, top, totals } from './fixtures.ts';
import { PriceOrigins } from './price-origins.tsx';
import { PricesCard } from './prices-card.tsx';
import { PulseStrip } from './pulse-strip.tsx';
import { ticks } from './tick-store.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  vi.stubGlobal('fetch', async () => Response.json({ timestamp: new Date(NOON).toISOString(), series: {} }));
});

afterEach(() => {
  ticks.clear();
});

const all = [...top, ...others];

type Shown = { rows?: CryptoPrice[]; sums?: MarketTotals };

function Page({ rows = all, sums = totals }: Shown) {
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <>
      <PulseStrip rows={rows} totals={sums} metrics={null} />
      <PricesCard
        data={{ rows, totals: sums, sources, collection: 'noon' }}
        failed={null}
        onRetry={() => {}}
        selected={selected}
        onSelect={setSelected}
      />
      <PriceOrigins rows={rows} totals={sums} />
    </>
  );
}

function open(shown: Shown = {}, fixed = false) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ClockContext value={new Clock(NOON, fixed)}>
        <Page {...shown} />
      </ClockContext>
    </QueryClientProvider>,
    { wrapper: MemoryRouter },
  );
}

const row = (name: RegExp) => screen.getByRole('row', { name });
const strip = () => screen.getByRole('list', { name: 'Market pulse' });
/** An open detail, possibly present already, has its own popover before it. */
const popover = () => [...document.querySelectorAll<HTMLElement>('[popover]')].at(-1);
const asset = () => screen.getByRole('button', { name: 'BTC Bitcoin' });

async function told(button: HTMLElement): Promise<string> {
  await userEvent.click(button);
  return waitFor(() => {
    const text = popover()?.textContent ?? '';
    expect(text).toMatch(/Formula: /);
    return text;
  });
}

describe('numbers in a row', () => {
  test.each([
    ['97,412.50', 'Bitcoin, price', '$97,412.50', 'The latest observation from any source.'],
    ['+1.84%', 'Bitcoin, 24h change', '+1.84%', 'Current price vs. 24 hours ago.'],
    ['\u22122.25%', 'Bitcoin, 7d change', '\u22122.25%', 'Price vs. seven days ago, from the price list.'],
    ['90.00 110.00', 'Bitcoin, 24h range', '$90.00 – $110.00', 'The lowest and highest price'],
    ['$1.00B', 'Bitcoin, 24h volume', '$1.00B', '24h trading volume of the coin.'],
    ['$1.93T', 'Bitcoin, market cap', '$1.93T', 'Value of the coin’s circulating supply.'],
  ])('%s shows its source and its meaning', async (button, name, value, meaning) => {
    open();
    const text = await told(within(row(/BTC/)).getByRole('button', { name: button }));
    for (const words of [name, value, meaning, 'SourceCoingecko', 'Method', '21 Nov 2026, 11:59:48 UTC, 12s ago'])
      expect(text).toContain(words);
    expect(asset().getAttribute('aria-expanded')).toBe('false');
  });

  test('a tick updates the open provenance popover', async () => {
    open();
    const price = within(row(/BTC/)).getByRole('button', { name: '97,412.50' });
    await told(price);
    expect(screen.getByRole('link', { name: 'Open as page' }).getAttribute('href')).toBe('/app/figures/price:bitcoin');
    act(() => ticks.push(frame(['bitcoin', 98_000, 2.4, 1.95e12, 0, NOON - 1000])));
    for (const words of ['$98,000.00', 'SourceBinance', '1s ago']) expect(popover()?.textContent).toContain(words);
    const text = await told(within(row(/BTC/)).getByRole('button', { name: '$1.95T' }));
    for (const words of ['$1.95T', 'Computed by us', 'Fromprice × circulating supply', 'SourceCoingecko'])
      expect(text).toContain(words);
    expect(screen.getByRole('link', { name: 'Open as page' }).getAttribute('href')).toBe('/app/figures/cap:bitcoin');
  });

  test('only the cap of a computed listing is computed', async () => {
    const rows = top.map((each) => ({ ...each, listing: meta({ method: 'computed', observedMs: NOON - 60_000 }) }));
    open({ rows });
    const bitcoin = within(row(/BTC/));
    const cap = await told(bitcoin.getByRole('button', { name: '$1.93T' }));
    expect(cap).toContain('MethodComputed by us from the sourceFromprice × circulating supply');
    expect(await told(bitcoin.getByRole('button', { name: '$1.00B' }))).toContain(
      'MethodMeasured: as reported by the source',
    );
  });

  test('an unlisted coin uses its venue’s text for all numbers', async () => {
    const venue = meta({ source: 'OKX', method: 'computed' });
    open({ rows: [coin({ id: 'bitcoin', symbol: 'BTC', meta: venue, listing: venue, market_cap: null })] });
    const text = await told(within(row(/BTC/)).getByRole('button', { name: '$1.00B' }));
    expect(text).toContain('SourceOKXMethodComputed by us');
  });

  test('a dash shows why', async () => {
    const nothing = { change_24h: null, change_7d: null, low_24h: null, volume_24h: null, market_cap: null };
    open({ rows: [coin({ id: 'bitcoin', symbol: 'BTC', ...nothing })] });
    const dashes = within(row(/BTC/)).getAllByRole('button', { name: '–' });
    expect(dashes).toHaveLength(5);
    for (const dash of dashes) {
      const text = await told(dash);
      expect(text).toContain('No source provides it for this coin.');
      expect(text).not.toContain('Observed');
    }
  });

  test('clicked again, the popover is empty; the button shows while it is open', async () => {
    open();
    const price = within(row(/BTC/)).getByRole('button', { name: '97,412.50' });
    await told(price);
    expect([price.getAttribute('aria-expanded'), price.getAttribute('aria-details')]).toEqual(['true', popover()?.id]);
    await userEvent.click(price);
    expect([price.getAttribute('aria-expanded'), popover()?.textContent]).toEqual([null, '']);
  });

  test('250 rows share one popover, and have no more tab stops than their stars and names', async () => {
    const many = Array.from({ length: 250 }, (_, i) => coin({ id: `coin-${i}`, rank: i, market_cap: 1e12 - i }));
    open({ rows: many, sums: { ...totals, coins: 250 } });
    await userEvent.click(screen.getByRole('button', { name: 'Show all 250' }));
    expect(screen.getAllByRole('rowheader')).toHaveLength(250);
    expect(document.querySelectorAll('[popover]')).toHaveLength(1);
    expect(document.querySelectorAll('tr[data-coin] button:not([tabindex="-1"])')).toHaveLength(500);
    expect(await told(within(row(/coin-249/)).getByRole('button', { name: '100.00' }))).toContain('coin-249, price');
  });
});

describe('the row itself', () => {
  test('opens its chart by its empty area and its name', async () => {
    open();
    await userEvent.click(asset());
    expect(asset().getAttribute('aria-expanded')).toBe('true');
    expect(popover()?.textContent).toBe('');
  });

  test('the arrow keys move from the name to its numbers and to adjacent rows', async () => {
    open();
    asset().focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement?.textContent).toBe('97,412.50');
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('3,284.17');
    await userEvent.keyboard('{ArrowRight}{Enter}');
    await waitFor(() => expect(popover()?.textContent).toContain('Ethereum, 24h change'));
    await userEvent.keyboard('{ArrowUp}{ArrowLeft}{ArrowLeft}');
    expect(document.activeElement).toBe(asset());
    await userEvent.keyboard('{ArrowUp}{Control>}{ArrowRight}{/Control}');
    expect(document.activeElement).toBe(asset());
    await userEvent.keyboard('{Enter}');
    expect(asset().getAttribute('aria-expanded')).toBe('true');
  });

  test('at an earlier moment its numbers are explained too, with their ages at that time', async () => {
    open({}, true);
    expect(asset().hasAttribute('disabled')).toBe(true);
    act(() => ticks.push(frame(['bitcoin', 1, -99, null, 0, NOON + 1000])));
    const text = await told(within(row(/BTC/)).getByRole('button', { name: '97,412.50' }));
    expect(text).toContain('11:59:48 UTC, 12s ago');
  });

  test('there, rebuilt figures name their candles, and a null its own reason', async () => {
    const terms = '$97,412.50 vs. the close of $95,000.00 on 2026-11-14 12:00 UTC';
    const change_7d = { ...meta(), metric: 'coin.change_7d', source: 'Meridian', venues: ['OKX'], terms };
    const range_24h = { metric: 'coin.range', reason: 'Candles of 3 of the 24 whole hours are stored' };
    const volume_24h = { metric: 'coin.volume', reason: 'No price list of that moment is stored' };
    const nothing = { low_24h: null, high_24h: null, volume_24h: null };
    const rebuilt = { change_7d, range_24h, volume_24h };
    open({ rows: [coin({ id: 'bitcoin', symbol: 'BTC', change_7d: 2.54, ...nothing, rebuilt })] }, true);
    expect(await told(within(row(/BTC/)).getByRole('button', { name: '+2.54%' }))).toContain(terms);
    const [range, volume] = within(row(/BTC/)).getAllByRole('button', { name: '–' }) as [HTMLElement, HTMLElement];
    expect(await told(range)).toContain(range_24h.reason);
    expect(await told(volume)).toContain(volume_24h.reason);
  });
});

describe('the pulse strip', () => {
  test.each([
    ['Bitcoin, price', '$97,412.50', 'SourceCoingecko'],
    ['Ethereum, 24h change', '+2.61%', 'SourceCoingecko'],
    ['Total market cap', '$3.42T', 'FromSum over 8 coins'],
    ['Total market cap, 24h change', '+1.31%', 'FromSum over 8 coins'],
    ['Total volume, 24h', '$148.60B', 'FromSum over 8 coins'],
    ['Turnover, 24h', '4.3%', 'Fromvolume $148.60B ÷ market cap $3.42T'],
  ])('%s shows its source', async (name, value, from) => {
    open();
    const text = await told(
      within(strip()).getByRole('button', { name: new RegExp(`^Where it comes from: ${name}\\.`) }),
    );
    for (const words of [name, value, from]) expect(text).toContain(words);
  });

  test('missing totals say so', async () => {
    open({ sums: { ...totals, market_cap: null, volume_24h: null, change_24h: null, meta: null } });
    for (const name of ['Total market cap', 'Total market cap, 24h change', 'Total volume, 24h', 'Turnover, 24h']) {
      const button = within(strip()).getByRole('button', { name: `Why it is missing: ${name}. –` });
      expect(await told(button)).toContain('Nothing has been collected yet.');
    }
  });

  test('the totals below the prices are explained too', async () => {
    open();
    const card = screen.getByRole('region', { name: 'Crypto Prices' });
    const text = await told(
      within(card).getByRole('button', { name: 'Where it comes from: Total market cap. $3.42T' }),
    );
    expect(text).toContain('Combined value of all coins.');
  });
});
