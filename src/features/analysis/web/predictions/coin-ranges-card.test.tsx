import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showCard } from '#app/web/testing/show-card.tsx';
import { getCoinRangesRecord } from '#features/market/contract/coin-ranges.ts';
import { CoinRangesCard } from './coin-ranges-card.tsx';

const held = (n: number, coverage_80: number, coverage_95: number) => ({ n, coverage_80, coverage_95 });
const RECORD = {
  timestamp: '2026-11-21T12:00:00.000Z',
  coins: 240,
  horizons: [
    { horizon: '24h', record: held(1200, 0.8123, 0.951), replay: held(71_000, 0.799, 0.9494) },
    { horizon: '7d', record: null, replay: held(69_000, 0.804, 0.943) },
  ],
};

const shown = (answer: () => Response) => showCard(<CoinRangesCard />, { '/api/track-record/ranges': answer });
const region = () => screen.getByRole('region', { name: 'Daily Price Ranges of All Coins' });

const rowsOf = (card: HTMLElement) =>
  within(card)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('live and replayed, separately, for each horizon', async () => {
  expect(getCoinRangesRecord.reply.parse(RECORD)).toEqual(RECORD);
  shown(() => Response.json(RECORD));
  await screen.findByRole('table');
  const card = region();
  expect(card.textContent).toContain('ranges for 240 coins besides BTC, ETH, SOL, SUI and XRP');
  expect(card.textContent).toContain('As of 21 Nov 2026, 12:00:00 UTC');
  expect(rowsOf(card)).toEqual([
    ['Horizon', 'Record', '80% held', '95% held', 'Ranges'],
    ['24 hours', 'Live', '81.2%', '95.1%', '1,200'],
    ['24 hours', 'Replay', '79.9%', '94.9%', '71,000'],
    ['7 days', 'Live', 'None graded yet'],
    ['7 days', 'Replay', '80.4%', '94.3%', '69,000'],
  ]);
});

test('without a replay, as in the demo, only live data', async () => {
  const horizons = RECORD.horizons.map((each) => ({ ...each, replay: null }));
  shown(() => Response.json({ ...RECORD, horizons }));
  await screen.findByRole('table');
  const card = region();
  expect(rowsOf(card).map(([, kind]) => kind)).toEqual(['Record', 'Live', 'Live']);
  expect(card.textContent).not.toContain('replay');
});

test.each([
  ['No daily ranges yet', () => Response.json({ ...RECORD, coins: 0, horizons: [] })],
  ['Failed to load the record of the ranges', () => new Response('', { status: 503 })],
])('%s', async (words, answer) => {
  shown(answer);
  await screen.findByText(words);
  expect(within(region()).getByText(words)).toBeDefined();
});
