import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { sentimentOf } from '#features/analytics/web/fixtures.ts';
import { answer, broken } from '#ui/testing/answers.ts';
import { LATE, press, texts } from '../testing/acts.ts';
import { openAnalytics } from '../testing/analytics.ts';

/** The card itself; its placeholder is another element. */
const card = async (name: string) => {
  const here = () => screen.getByRole('region', { name });
  await waitFor(() => expect(here().textContent).not.toContain(`Loading ${name}`), LATE);
  return within(here());
};

test('the stat cards, each with its source; risk of each asset; AI Prediction Performance: accuracy, average correlation, total; n, interval and verdict; Market Analysis: tracked assets, BTC dominance, total volume, trend, volatility level', async () => {
  openAnalytics();
  const list = await screen.findByRole('list', { name: 'Market Statistics' }, LATE);
  const items = texts(within(list).getAllByRole('listitem'));
  for (const [i, words] of [
    ['Bitcoin Dominance', '56.31%'],
    ['Total Volume', '$43.10B', '5 tracked assets'],
    ['Market Volatility', '6.42%', 'Medium'],
    ['Risk-Adjusted Return', '0.21'],
    ['Avg Change', '+1.35%', 'Bullish'],
  ].entries())
    for (const word of words) expect(items[i]).toContain(word);
  expect(within(list).getAllByRole('button', { name: /^Where it comes from/ })).toHaveLength(5);
  const table = await screen.findByRole('table', { name: /^Risk of each asset/ }, LATE);
  const [, btc, , , sui] = texts(within(table).getAllByRole('row'));
  for (const text of ['48.2%', '1.21', '1.72', '\u221221.4%', '1.00', '365']) expect(btc).toContain(text);
  expect(sui).toContain('Why it is missing: Beta to BTC, SUI');
  await userEvent.click(within(table).getByRole('button', { name: /Sharpe$/ }));
  expect(await screen.findByText(/annualized volatility$/, {}, LATE)).toBeDefined();
  const record = await card('AI Prediction Performance');
  expect((await record.findByText('61.2%', {}, LATE)).closest('dd')?.className).toContain('text-warn');
  for (const text of ['Average Correlation', '+52.3', 'Total Predictions', '2,400', 'No evidence', '41.3%'])
    expect(record.getAllByText(text, { exact: false }).length).toBeGreaterThan(0);
  expect(record.getByText(/33 to 50%/)).toBeDefined();
  const analysis = await card('Market Analysis');
  const facts = (await analysis.findAllByRole('term', {}, LATE)).map((term) => [
    term.textContent,
    term.nextElementSibling?.textContent,
  ]);
  const shown = Object.fromEntries(facts) as Record<string, string>;
  expect(shown['Tracked Assets']).toBe('5');
  expect(shown['BTC Dominance']).toContain('56.31%');
  expect(shown['Total Volume']).toContain('$43.10B');
  expect(shown['Market Trend']).toContain('Bullish');
  expect(shown['Volatility Level']).toContain('Medium');
  expect(shown['Total Market Cap']).toContain('$3.42T');
});

test('the correlation matrix: 5 × 5, every cell with its value and title; a default is gray and labeled', async () => {
  const { fetch } = openAnalytics();
  const matrix = await card('Correlation Matrix');
  const values = await matrix.findAllByRole('cell', {}, LATE);
  expect(values).toHaveLength(25);
  expect(values.every((cell) => /\d\.\d\d/.test(cell.textContent) && cell.title !== '')).toBe(true);
  expect(values[1]?.title).toContain('BTC and ETH: 0.65 over 90 daily returns, Meridian');
  const given = values.filter(({ title }) => title.endsWith('default, not measured'));
  expect(given.map(({ title }) => title.slice(0, 17))).toEqual(['SUI and XRP: 0.50', 'XRP and SUI: 0.50']);
  expect(matrix.getByText('1 pair is gray: default, not measured')).toBeDefined();
  await userEvent.click(matrix.getByRole('radio', { name: '365d' }));
  await userEvent.click(matrix.getByRole('radio', { name: '20 assets' }));
  await waitFor(() => expect(matrix.getAllByRole('columnheader')).toHaveLength(21));
  expect(fetch.mock.calls.map(([url]) => url)).toContain('/api/correlation?days=365&assets=20');
  expect(location.search).toBe('?correlation=365d&matrix=20-assets');
});

test('Market Sentiment: value, classification, source, last updated, colour', async () => {
  openAnalytics({ '/api/market-sentiment': answer(sentimentOf(90, 'Extreme Greed')) });
  const sentiment = await card('Market Sentiment');
  expect((await sentiment.findByText('Extreme Greed', {}, LATE)).parentElement?.className).toContain('text-up');
  expect(sentiment.getByRole('button', { name: /Fear & greed index/ }).textContent).toContain('90');
  expect(sentiment.getByText('12h ago')).toBeDefined();
  expect(sentiment.getByText('Alternative')).toBeDefined();
});

test('Derivatives: those of the chart’s asset, all with one click; On-Chain Metrics: network, metric, value, explanation, source, last updated; Data Collection only for administrators', async () => {
  openAnalytics();
  const derivatives = await card('Derivatives');
  const heads = await derivatives.findAllByRole('columnheader', {}, LATE);
  expect(texts(heads).join(' | ')).toBe('Asset | Type | Open Interest | Funding Rate, 8h | 24h Volume | Source');
  const [, btc, none] = derivatives.getAllByRole('row');
  for (const text of ['BTC', 'Perpetual', '$24.12B', '\u22120.0042%', '$19.30B', 'OKX'])
    expect(btc?.textContent).toContain(text);
  expect(none).toBeUndefined();
  await userEvent.click(derivatives.getByRole('button', { name: 'Show all 2' }));
  expect(derivatives.getAllByRole('row')[2]?.textContent).toContain('Why it is missing: 24h volume, ETH, Bybit');
  const onchain = await card('On-Chain Metrics');
  await onchain.findByText('Computing power securing Bitcoin.', {}, LATE);
  const [, hash, whales] = texts(onchain.getAllByRole('row'));
  for (const text of ['Bitcoin', 'Hash rate', '1.14 ZH/s', 'Mempool', '1h ago']) expect(hash).toContain(text);
  expect(whales).toContain('Why it is missing');
  await card('On-Chain Metrics');
  expect(screen.queryByRole('button', { name: 'Collect Data' })).toBeNull();
});

const FAILURES = [
  ['Market Statistics', '/api/analytics/summary', 'Failed to load market statistics'],
  ['Correlation Matrix', '/api/correlation', 'Failed to load the correlation matrix'],
  ['Risk', '/api/analytics/risk', 'Failed to load risk figures'],
  ['AI Prediction Performance', '/api/backtest', 'Failed to load the record of the predictions'],
  ['Market Sentiment', '/api/market-sentiment', 'Failed to load market sentiment'],
  ['Derivatives', '/api/derivatives', 'Failed to load derivatives'],
  ['On-Chain Metrics', '/api/onchain', 'Failed to load on-chain metrics'],
] as const;
test.each([0, 1])('every second card fails in place with Retry; the others work (%i)', async (half) => {
  const failing = FAILURES.filter((_, i) => i % 2 === half);
  openAnalytics(Object.fromEntries(failing.map(([, path]) => [path, broken])));
  for (const [name, , words] of failing) {
    const failed = await card(name);
    expect(await failed.findByText(words, {}, LATE)).toBeDefined();
    expect(failed.getByRole('button', { name: 'Retry' })).toBeDefined();
  }
  expect(await screen.findByRole('table', { name: /^Bitcoin, the last 10 bars/ }, LATE)).toBeDefined();
  for (const each of FAILURES) if (!failing.includes(each)) expect(screen.queryByText(each[2])).toBeNull();
});

describe('Data Collection', () => {
  test('shows busy, then what was started', async () => {
    let done: (response: Response) => void = () => {};
    const jobs = [{ name: 'metrics.collect', about: 'Metrics: started', state: 'started' }];
    openAnalytics({ '/api/collect-advanced-data': () => new Promise((resolve) => (done = resolve)) }, 'admin');
    await press('Collect Data');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Collecting\u2026' }).disabled).toBe(true);
    done(Response.json({ success: true, message: 'Collection has begun', jobs }));
    expect(await screen.findByText('Collection has begun')).toBeDefined();
    expect(screen.getByText('Metrics: started')).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Collect Data' }).disabled).toBe(false);
  });

  test('only logs a failure', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    openAnalytics({ '/api/collect-advanced-data': broken }, 'admin');
    await press('Collect Data');
    await waitFor(() => expect(warn).toHaveBeenCalled());
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Collect Data' }).disabled).toBe(false);
  });
});
