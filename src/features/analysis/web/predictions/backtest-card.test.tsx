import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { eachWithItsApp, openApp, payload } from '#app/web/testing/open-app.tsx';
import { failing } from '#app/web/testing/show-card.tsx';
import { nothingYet, summary } from './fixtures.ts';

eachWithItsApp();

const show = (backtestResults = summary) =>
  openApp({ calls: { '/api/dashboard': () => Response.json(payload({ backtestResults })) } });
const card = () => screen.findByRole('region', { name: 'Backtest Performance' });

describe('Backtest Performance', () => {
  test('loading: a skeleton in the frame', async () => {
    openApp({ calls: { '/api/dashboard': () => new Promise<Response>(() => {}) } });
    expect(within(await card()).getByText('Loading Backtest Performance')).toBeDefined();
  });

  test('error: the message, and Retry loads the record', async () => {
    let broken = true;
    const answer = () => (broken ? failing() : Response.json(payload({ backtestResults: summary })));
    openApp({ calls: { '/api/dashboard': answer } });
    await screen.findByText('Failed to load backtest results');
    broken = false;
    await userEvent.click(within(await card()).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Recent results')).toBeDefined();
  });

  test("empty: 'No backtest data available', and what is pending", async () => {
    show(nothingYet);
    expect(await screen.findByText('No backtest data available')).toBeDefined();
    expect(screen.getByText('20 calls recorded and pending.')).toBeDefined();
  });

  test('loaded: accuracy, correlation and calls, colored at 80/60 and 70/50; never a bare accuracy: n, independent windows, interval, Brier, skill and a plain verdict; the strip and the latest five results; a number opens its explanation; links to the full record', async () => {
    show();
    await screen.findByText('Recent results');
    const figure = (name: RegExp) =>
      within(screen.getByRole('region', { name: 'Backtest Performance' })).getByRole('button', { name });
    expect(figure(/Overall accuracy\. 61\.2%/).closest('dd')?.className).toBe('text-warn');
    expect(figure(/Average correlation\. \+52\.3/).closest('dd')?.className).toBe('text-warn');
    expect(figure(/: Graded calls\. 2,400/)).toBeDefined();
    const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(`^${name} .*480$`) }));
    expect(row('BTC').getByText('85.0%').className).toContain('text-up');
    expect(row('ETH').getByText('72.0%').className).toContain('text-warn');
    expect(row('SOL').getByText('59.0%').className).toContain('text-down');
    expect(row('BTC').getByText('+75.0').className).toContain('text-up');
    expect(row('ETH').getByText('+55.0').className).toContain('text-warn');
    expect(row('SOL').getByText('+35.0').className).toContain('text-down');
    const text = (await card()).textContent;
    for (const words of [
      'No evidence',
      'Venice, 24 hours',
      '+3.9%',
      '0.6291',
      '0.6548',
      '41.3% 33 to 50%',
      '600',
      '119',
    ])
      expect(text).toContain(words);
    const table = await screen.findByRole('table', { name: 'Recent results' });
    screen.getByRole('img', { name: /^Latest 40 graded calls, oldest first: 14 hit, 26 missed$/ });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows).toHaveLength(5);
    expect(rows[0]?.textContent).toBe('SUIBuilt-in analyst24hUpDown✕ Miss 0%–');
    expect(rows[2]?.textContent).toBe('BTCVenice24hUpUp✓ Hit 100%−12.5');
    await userEvent.click(screen.getByRole('button', { name: /: Skill, Venice, 24 hours/ }));
    await screen.findByText('1 − Brier ÷ the lowest Brier of base rates, persistence and uniform');
    expect((await screen.findByRole('link', { name: 'Full track record' })).getAttribute('href')).toBe(
      '/app/track-record',
    );
  });
});
