// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type Answers, failing, showCard } from '#app/web/testing/show-card.tsx';
import { narratives } from './fixtures.ts';
import { NarrativeStrip } from './narrative-strip.tsx';
import { NarrativesCard } from './narratives-card.tsx';

const CARD = { id: 'narr', title: 'Trending Narratives', className: '' };
const PATH = '/api/trending-narratives';
const show = (answer: Answers[string]) => showCard(<NarrativesCard {...CARD} />, { [PATH]: answer });
const loaded = () => Response.json(narratives);

describe('Trending Narratives', () => {
  test('loading, then an error with Retry', async () => {
    let broken = true;
    show(() => (broken ? failing() : loaded()));
    expect(screen.getByText('Loading Trending Narratives')).toBeDefined();
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load trending narratives');
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: /^DePIN/ })).toBeDefined();
  });

  test('empty', async () => {
    show(() => Response.json({ ...narratives, narratives: [] }));
    expect(await screen.findByText('No narrative data available')).toBeDefined();
  });

  test('loaded: sentiment, relevance as a percentage, volume and average change of each', async () => {
    show(loaded);
    const row = (await screen.findByRole('button', { name: /^Meme Coins/ })).closest('li');
    for (const words of ['Negative', '47%', '$8.10B', '\u22126.18%']) expect(row?.textContent).toContain(words);
    expect(screen.getAllByRole('button', { expanded: false })).toHaveLength(5);
  });

  test('a neutral narrative that moved is in line with the market', async () => {
    const [first] = narratives.narratives;
    const moved = (id: string, avg_change_24h: number) => ({ ...first, id, sentiment: 'neutral', avg_change_24h });
    show(() =>
      Response.json({ ...narratives, narratives: [moved('up', 10.2), { ...moved('quiet', 0.4), narrative: 'Quiet' }] }),
    );
    const row = async (name: RegExp) => (await screen.findByRole('button', { name })).textContent;
    expect(await row(/^Real World Assets/)).toContain('In line with market');
    expect(await row(/^Quiet/)).toContain('Neutral');
  });

  test('the first is expanded with insights and five coins; another one replaces it', async () => {
    show(loaded);
    const coins = await screen.findByRole('list', { name: 'Top coins of Real World Assets' });
    expect(within(coins).getAllByRole('listitem')).toHaveLength(5);
    const text = screen.getByRole('button', { name: /^Real World Assets/ }).closest('li')?.textContent;
    for (const words of ['4 of 5 coins rose', '+2.1σ vs. its 12-day average', 'Medium', '74 / 100'])
      expect(text).toContain(words);
    await userEvent.click(screen.getByRole('button', { name: /^DePIN/ }));
    expect(screen.getByRole('list', { name: 'Top coins of DePIN' })).toBeDefined();
    expect(screen.queryByRole('list', { name: 'Top coins of Real World Assets' })).toBeNull();
  });

  test('relevance and opportunity show their terms', async () => {
    show(loaded);
    await screen.findByRole('list', { name: 'Top coins of Real World Assets' });
    const button = screen.getByRole('button', { name: /^Where it comes from: Real World Assets, opportunity/ });
    await userEvent.click(button);
    const popover = document.getElementById(button.getAttribute('popovertarget') ?? '');
    await within(popover as HTMLElement).findByText('Method');
    for (const words of [
      'Vs. the market1.8σ',
      'Breadth80%',
      'Abnormal volume2.1σ',
      'has 12 days of past',
      '0.4 × relevance',
    ])
      expect(popover?.textContent).toContain(words);
    const link = within(popover as HTMLElement).getByRole('link', { name: 'Open as page' });
    expect(link.getAttribute('href')).toMatch(/^\/app\/figures\/narrative\.[a-z-]+\.opportunity$/);
  });

  test('an unknown value is a dash with its reason', async () => {
    const [first] = narratives.narratives;
    if (!first) throw new Error('no narrative');
    const young = {
      ...first,
      sentiment: null,
      market_insights: { ...first.market_insights, risk_level: null, opportunity_score: null },
    };
    show(() => Response.json({ ...narratives, narratives: [young] }));
    expect(await screen.findByText('Not enough history')).toBeDefined();
    expect(screen.getByRole('button', { name: /^Why it is missing: Real World Assets, risk/ })).toBeDefined();
  });
});

describe('the strip of top narratives', () => {
  test('the five most relevant', async () => {
    showCard(<NarrativeStrip />, { [PATH]: loaded });
    const list = await screen.findByRole('list', { name: 'Top narratives' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(5);
    expect(list.textContent).not.toContain('Meme Coins');
  });

  test('reports when there are none', async () => {
    showCard(<NarrativeStrip past={null} />);
    expect(await screen.findByText('No narrative data available')).toBeDefined();
  });
});
