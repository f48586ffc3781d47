// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type Answers, failing, showCard } from '#app/web/testing/show-card.tsx';
import { emptied, metrics, metricsWithGaps } from './fixtures.ts';
import { MetricsCard } from './metrics-card.tsx';

const CARD = { id: 'adv', title: 'Advanced Metrics', className: '' };
const show = (answer: Answers[string]) =>
  showCard(
    <MetricsCard {...CARD}>
      <p>the strip</p>
    </MetricsCard>,
    { '/api/advanced-metrics': answer },
  );
const tile = async (name: string) =>
  (await screen.findByText(name, { selector: 'p' })).closest('li')?.textContent ?? '';

describe('Advanced Metrics', () => {
  test('loading, then an error with Retry', async () => {
    let broken = true;
    show(() => (broken ? failing() : Response.json(metrics)));
    expect(screen.getByText('Loading Advanced Metrics')).toBeDefined();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load advanced metrics');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await tile('Bitcoin dominance')).toContain('56.3%');
  });

  test('empty: no figure collected yet', async () => {
    show(() => Response.json(emptied(metrics)));
    expect(await screen.findByText('No advanced metrics available')).toBeDefined();
    expect(screen.getByText('Data collection is in progress...')).toBeDefined();
  });

  test.each([
    ['Bitcoin dominance', ['56.3%', '\u22120.31%']],
    ['Total market cap', ['$3.42T', '+1.31%']],
    ['Fear & greed', ['71', 'Greed']],
    ['Stablecoin supply ratio', ['5.82', 'Neutral', '$331.4B', '+0.21%']],
    ['Altcoin season', ['38', 'Neutral']],
    ['Exchange netflow, 24h', ['\u221214.2K BTC', 'outflow', '+8.3K']],
    ['Open interest', ['$118.4B', '62.1B', '31.7B']],
    ['Funding rate, 8h', ['0.0092%', '0.0088%', '0.0104%']],
    ['Liquidations, 24h', ['$332.3M', '7h covered', '128.4M', '203.9M']],
    ['Whale transfers (> $1M), 24h', ['1,284', '972', '312']],
    ['Hash rate', ['1.14 ZH/s', 'Network health: strong']],
    ['Active BTC addresses, 24h', ['912K', '341K', '571K']],
  ])('loaded: %s', async (name, words) => {
    show(() => Response.json(metrics));
    const text = await tile(name);
    for (const word of words) expect(text).toContain(word);
  });

  test('every number can show its source, the narratives strip is below', async () => {
    show(() => Response.json(metrics));
    await tile('Hash rate');
    expect(screen.getAllByRole('button', { name: /^Where it comes from: / }).length).toBeGreaterThan(25);
    expect(screen.getByText('the strip')).toBeDefined();
    expect(screen.getByRole('img', { name: 'SSR 5.82 of 10, Neutral' })).toBeDefined();
  });

  test('a metric without a source explains why, in its tile and behind its dash', async () => {
    show(() => Response.json(metricsWithGaps));
    const text = await tile('Exchange netflow, 24h');
    expect(text).toContain('Exchange flows need a Glassnode key');
    expect(screen.getByRole('button', { name: /^Why it is missing: Exchange netflow/ })).toBeDefined();
  });

  test('a stale number shows its age', async () => {
    const meta = metrics.bitcoinDominance.meta;
    const old = { ...meta['value'], observedAt: '2026-11-21T09:00:00.000Z', staleAfter: '2026-11-21T09:20:00.000Z' };
    const stale = { ...metrics, bitcoinDominance: { ...metrics.bitcoinDominance, meta: { ...meta, value: old } } };
    show(() => Response.json(stale));
    expect(await tile('Bitcoin dominance')).toContain('Stale, 3h ago');
  });
});
