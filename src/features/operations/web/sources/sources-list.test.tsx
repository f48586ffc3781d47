import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type Answers, failing, never, showCard } from '#app/web/testing/show-card.tsx';
import { sourceDetail, sourceList } from './admin-fixtures.ts';
import { SourcesList } from './sources-list.tsx';

const show = (answer: Answers[string]) => showCard(<SourcesList />, { '/api/sources': answer });
const item = async (name: string) =>
  (await screen.findByRole('heading', { level: 3, name: new RegExp(`^${name}`) })).closest('li') as HTMLElement;

describe('data sources', () => {
  test('loading', async () => {
    show(never);
    expect(await screen.findByText('Loading Sources')).toBeDefined();
  });

  test('error, with Retry', async () => {
    let broken = true;
    show(() => (broken ? failing() : Response.json(sourceList)));
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the data sources');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await item('CoinGecko')).toBeDefined();
  });

  test('empty', async () => {
    show(() => Response.json({ ...sourceList, sources: [] }));
    expect(await screen.findByText('No data sources yet')).toBeDefined();
  });

  test('the summary counts enabled sources; failures are first', async () => {
    show(() => Response.json(sourceList));
    await item('OKX');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('2 of 5 healthy, 1 on standby, 1 missing a key');
    const names = screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent?.split('(')[0]);
    expect(names.join(', ')).toBe('mempool.space, Binance, alternative.me, CoinGecko, OKX, CoinPaprika, Glassnode');
  });

  test.each([
    [
      'CoinGecko',
      ['OK', 'Prices, market caps', '42s ago', '99.7%', '184 ms', '99.9%', 'Data by CoinGecko', 'Key optional'],
    ],
    ['Binance', ['Rate-limited', 'Asked to wait until 12:04 UTC.', '91.2%']],
    ['alternative.me', ['Stale content', 'The same value for two days.']],
    ['mempool.space', ['Down', 'No answer for 10 seconds.', '2h ago', '40.6%', '2140 ms']],
    ['CoinPaprika', ['On standby', 'Not yet', 'No calls']],
    ['Glassnode', ['Key missing', 'Set GLASSNODE_API_KEY', 'Key required', 'Paid plan']],
  ])('describes %s', async (name, words) => {
    show(() => Response.json(sourceList));
    const text = (await item(name)).textContent;
    for (const word of words) expect(text).toContain(word);
    expect(
      within(await item(name))
        .getByRole('link')
        .getAttribute('href'),
    ).toMatch(/^https:/);
  });

  test('demo data is labeled', async () => {
    show(() => Response.json({ ...sourceList, dataMode: 'demo', sources: [sourceDetail('okx', 'OKX', 'Ticks')] }));
    expect(await screen.findByText(/the built-in sandbox replaces every source/)).toBeDefined();
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('1 of 1 healthy');
  });
});
