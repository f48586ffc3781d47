// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import { installPopovers } from '#app/web/testing/open-app.tsx';
import { type Answers, failing, showCard } from '#app/web/testing/show-card.tsx';
import { missing, origin } from '#ui/testing/figures.ts';
import { forecasts, inflationAnswers, latest, reading } from './fixtures.ts';
import { InflationCard } from './inflation-card.tsx';

beforeEach(installPopovers);
const CARD = { id: 'inflation', title: 'Inflation', className: '' };
const show = (change: Answers = {}, asOf: string | null = null) =>
  showCard(<InflationCard {...CARD} asOf={asOf} />, { ...inflationAnswers, ...change });
const region = (name: string) => screen.findByRole('region', { name });
const timestamp = latest.timestamp;
const textOf = ({ textContent }: Element) => textContent;

describe('Inflation', () => {
  test('loading, then an error: the message when nothing was answered, and Retry loads the figures', async () => {
    let broken = true;
    const answers = Object.entries(inflationAnswers).map(([path, answer]) => [
      path,
      () => (broken ? failing() : answer()),
    ]);
    show(Object.fromEntries(answers));
    expect(within(await region('Inflation')).getByText('Loading Inflation')).toBeDefined();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch inflation data');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await region('CPI')).toBeDefined();
  });

  test('the five calls are sent together, and the releases cover seven days', async () => {
    const { fetch } = show();
    await region('CPI');
    expect(fetch.mock.calls.map(([url]) => url).toSorted()).toEqual([
      '/api/inflation/expectations',
      '/api/inflation/forecasts',
      '/api/inflation/latest',
      '/api/inflation/releases?days=7',
      '/api/inflation/sentiment',
    ]);
  });

  test('loaded: rates, reference month and release day, SA, surprise, and the next release', async () => {
    show();
    const cpi = await region('CPI');
    expect(cpi.textContent).toContain('2.9%');
    expect(cpi.textContent).toContain('Year over year, SA, Oct 2026, released 10 Nov 2026');
    expect(within(cpi).getByTitle('From the seasonally adjusted index')).toBeDefined();
    expect(within(cpi).getByText('+0.1 pp').closest('td')?.className).toContain('text-down');
    const [, , core] = within(cpi).getAllByRole('row');
    expect(
      within(core as HTMLElement)
        .getByText('−0.1 pp')
        .closest('td')?.className,
    ).toContain('text-up');
    expect(cpi.textContent).toContain('Next 10 Dec 2026, 13:30 UTC, in 19 days');
    const ppi = await region('PPI');
    expect(ppi.textContent).toContain('(estimated)');
    expect(within(ppi).getByText('New')).toBeDefined();
    expect(within(ppi).getByText('In line').closest('td')?.className).toContain('text-ink-3');
    expect(ppi.textContent).toContain('PPI, year over year, consensus. 2.6%');
    expect(within(ppi).getByText('−0.2 pp').closest('b')?.className).toContain('text-up');
    expect((await region('Inflation')).textContent).toContain('PCE in 4 days');
    expect(screen.getByText(latest.note ?? '')).toBeDefined();
  });

  test('without a consensus the nowcast replaces it, labeled as such; a missing figure states why', async () => {
    show();
    const pce = await region('PCE');
    expect(within(pce).getByText('nowcast')).toBeDefined();
    await userEvent.click(within(pce).getByRole('button', { name: /^Why it is missing: PCE Core, year over year/ }));
    expect(await screen.findByText('The same month a year earlier does not exist.')).toBeDefined();
  });

  test('an unknowable yearly rate states why immediately', async () => {
    const cpi = latest.cpi && {
      ...latest.cpi,
      cpiYoY: null,
      meta: { ...latest.cpi.meta, cpiYoY: missing('inflation.yoy', 'October 2025 was never published') },
    };
    show({ '/api/inflation/latest': () => Response.json({ ...latest, cpi }) });
    expect((await region('CPI')).textContent).toContain('released 10 Nov 2026. October 2025 was never published.');
  });

  test('next to it are the newest yearly rate with its month, the month and the two-year rate', async () => {
    const reason = 'October 2025 was never published';
    const gap = {
      newestYoY: 3.1,
      newestPeriod: '2026-09',
      twoYearRate: 2.8,
      meta: { newestYoY: origin('inflation.yoy'), twoYearRate: origin('inflation.two_years') },
    };
    const cpi = latest.cpi && {
      ...latest.cpi,
      cpiYoY: null,
      gaps: { cpiYoY: gap },
      meta: { ...latest.cpi.meta, cpiYoY: missing('inflation.yoy', reason) },
    };
    show({ '/api/inflation/latest': () => Response.json({ ...latest, cpi }) });
    const { textContent } = await region('CPI');
    expect(textContent).toContain('3.1%');
    expect(textContent).toMatch(
      /Year over year(, SA)?, Sep 2026, released 10 Nov 2026\. October 2025 was never published/,
    );
    expect(textContent).toMatch(/Oct 2026 .*month over month\. \+0\.3% month over month/);
    expect(textContent).toContain('2.8% per year over two years');
  });

  test('the chart labels its ends and skips the missing month', async () => {
    show();
    const chart = await screen.findByRole('img', {
      name: /^CPI, year over year: .* in Oct 2026, .*; without Oct 2025$/,
    });
    expect(chart.querySelectorAll('polyline')).toHaveLength(2);
  });

  test.each(['pce', 'ppi'] as const)('%s is temporarily unavailable when absent', async (id) => {
    show({ '/api/inflation/latest': () => Response.json({ ...latest, [id]: null }) });
    expect(await screen.findByText(`${id.toUpperCase()} data temporarily unavailable`)).toBeDefined();
    expect((await region('CPI')).textContent).toContain('2.9%');
  });

  test('each response is used only if valid: the others remain', async () => {
    show({ '/api/inflation/forecasts': failing, '/api/inflation/sentiment': failing });
    expect(await screen.findByText('Forecast data unavailable')).toBeDefined();
    expect(screen.getByText('Market reading temporarily unavailable')).toBeDefined();
    expect((await region('CPI')).textContent).toContain('2.9%');
  });

  test('without the figures the reading and the forecasts remain, and the analysis is unavailable', async () => {
    show({ '/api/inflation/latest': failing });
    expect(await screen.findByText('CPI data temporarily unavailable')).toBeDefined();
    expect(screen.getByText('Inflation data analysis not available.')).toBeDefined();
    expect(screen.getByText('Slightly Bearish')).toBeDefined();
  });

  test('language model text is shown with the model’s name', async () => {
    const ai = { text: 'Goods prices cool.', provider: 'Venice', model: 'llama', at: timestamp };
    show({ '/api/inflation/latest': () => Response.json({ ...latest, commentary: { ...latest.commentary, ai } }) });
    expect((await screen.findByText(/Goods prices cool/)).textContent).toContain('Venice, llama');
  });
});

describe('an earlier moment', () => {
  const AS_OF = '2026-11-12T12:00:00.000Z';
  const showAt = (change: Answers = {}) => show(change, AS_OF);

  test('one call loads what was known then, and no current data is requested', async () => {
    const { fetch } = showAt();
    expect((await region('CPI')).textContent).toContain('2.9%');
    for (const name of ['PCE', 'PPI', 'Market reading', 'Forecasts']) expect(await region(name)).toBeDefined();
    expect(fetch.mock.calls.map(([url]) => url)).toEqual([`/api/inflation/at?asOf=${encodeURIComponent(AS_OF)}`]);
  });

  test('error: the same message, with Retry', async () => {
    showAt({ '/api/inflation/at': failing });
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch inflation data');
    expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
  });
});

describe('the market reading', () => {
  test.each([
    ['very_bullish', 'Very Bullish', 'bg-up/10'],
    ['bearish', 'Bearish', 'bg-down/10'],
    ['neutral', 'Neutral', 'bg-raised'],
  ])('%s is %s, on its own color', async (sentiment, words, tone) => {
    show({ '/api/inflation/sentiment': () => Response.json({ timestamp, data: { ...reading, sentiment } }) });
    expect((await screen.findByText(words)).closest('section')?.className).toContain(tone);
  });

  test('the score expands to every term, with any substitute for a consensus', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'How it’s calculated' }));
    const table = screen.getByRole('table', { name: /Each term is/ });
    expect(within(table).getAllByRole('row')).toHaveLength(4);
    expect(within(table).getByText('change of the yearly rate')).toBeDefined();
    expect(screen.getByText('Slightly Negative', { selector: 'dl > div:first-child > dd' })).toBeDefined();
  });

  test('the score shows its source, with the rule and the weights of every market', async () => {
    show();
    await userEvent.click(
      await screen.findByRole('button', { name: 'Where it comes from: Inflation score. Score −0.40' }),
    );
    expect(await screen.findByText(/stocks: CPI 0.25, .*; bonds: CPI 0.2/)).toBeDefined();
  });

  test('none before the first release', async () => {
    const data = { sentiment: null, score: null, marketImpact: null, terms: [], meta: {} };
    show({ '/api/inflation/sentiment': () => Response.json({ timestamp, data }) });
    expect(await screen.findByText('No reading yet: no release is available.')).toBeDefined();
  });
});

describe('forecasts', () => {
  const answer = (forecast_data: unknown) => () =>
    Response.json({ timestamp, forecasts: { ...forecasts, cpi: { ...forecasts.cpi, forecast_data } } });

  test.each([
    ['nothing', null, 'No forecast availableNov 2026, due 10 Dec 2026'],
    ['no number', { prediction: null, core: null, n: 0 }, 'N/A'],
    ['a number', { prediction: -0.1, core: null, n: 2 }, '−0.10%'],
  ])('forecast data: %s', async (_, data, words) => {
    show({ '/api/inflation/forecasts': answer(data) });
    expect((await region('Forecasts')).textContent).toContain(words);
  });

  test('forecasters and their accuracy next to consensus, nowcast and last value: n, interval and verdict', async () => {
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Forecasters and their records of CPI' }));
    const table = screen.getByRole('table', { name: /Mean absolute error against first releases of CPI/ });
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map(
        (row) =>
          within(row).getByRole('rowheader').textContent + within(row).getAllByRole('cell').map(textOf).join(' | '),
      );
    expect(rows).toEqual([
      'Built-in forecaster (statistics, no AI)+0.25% | 12 | 0.110.04 to 0.18 | −0.03 too few−0.08 to +0.02',
      'Consensus– | 5 | 0.08 | −0.05 too few',
      'Nowcast+0.24% | 70 | 0.050.04 to 0.06 | −0.09 ahead−0.12 to −0.06',
      'Last value+0.30% | 70 | 0.140.10 to 0.18 | –',
    ]);
    expect(screen.getByRole('list', { name: 'Past forecasts of CPI' }).textContent).toBe(
      'Oct 2026, actual 0.3%: Built-in forecaster (statistics, no AI) +0.21%',
    );
  });

  test('the last releases are shown in full, each with every forecaster', async () => {
    const [said] = forecasts.cpi.past;
    if (!said) throw new Error('no past forecast');
    const past = ['2026-10', '2026-09', '2026-08', '2026-07', '2026-06'].flatMap((period, i) =>
      ['Groq', 'Venice'].map((name, j) => ({ ...said, id: 10 * i + j, period, name, actual: i === 1 ? null : 0.3 })),
    );
    show({
      '/api/inflation/forecasts': () =>
        Response.json({ timestamp, forecasts: { ...forecasts, cpi: { ...forecasts.cpi, past } } }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Forecasters and their records of CPI' }));
    const list = screen.getByRole('list', { name: 'Past forecasts of CPI' });
    expect(within(list).getAllByRole('listitem').map(textOf)).toEqual([
      'Oct 2026, actual 0.3%: Groq +0.21%, Venice +0.21%',
      'Sep 2026, not graded: Groq +0.21%, Venice +0.21%',
      'Aug 2026, actual 0.3%: Groq +0.21%, Venice +0.21%',
      'Jul 2026, actual 0.3%: Groq +0.21%, Venice +0.21%',
    ]);
  });
});
