import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CollectionStep } from '#features/analysis/contract/analysis.ts';
import { NOON } from '#ui/testing/figures.ts';
import type { Known } from './collection-panel.tsx';
import { CollectionPanel } from './collection-panel.tsx';
import { collection } from './collection-store.ts';

beforeEach(() => {
  collection.clear();
  vi.useFakeTimers({ now: NOON });
});
const BEFORE: Known = { market: '2026-11-21T11:00:00.000Z', analysis: '2026-11-21T11:01:00.000Z', backtest: null };
const started = () => Response.json({ status: 'started' });

function show(answer: () => Response | Promise<Response> = started) {
  const fetch = vi.fn(async (_url: string, _init?: RequestInit) => answer());
  vi.stubGlobal('fetch', fetch);
  const onRefresh = vi.fn();
  const panel = (known: Known) => <CollectionPanel known={known} onRefresh={onRefresh} />;
  const { rerender } = render(panel(BEFORE));
  fireEvent.click(screen.getByRole('button', { name: 'Data Collection', expanded: false }));
  return { fetch, onRefresh, know: (known: Known) => rerender(panel(known)) };
}

const press = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
  await pass(0);
};
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const tell = (step: CollectionStep, state: 'running' | 'complete' | 'failed', note: string | null = null) =>
  act(() => collection.push({ at: Date.now(), step, state, note }));
const states = () =>
  ['Market data', 'AI analysis', 'Backtest results'].map(
    (name) => screen.getByRole('heading', { level: 3, name }).nextElementSibling?.textContent,
  );
const buttons = () =>
  screen.getAllByRole<HTMLButtonElement>('button').filter((button) => !button.hasAttribute('aria-expanded'));
const locked = () => buttons().map(({ disabled }) => disabled);

describe('the Data Collection panel', () => {
  test('is collapsed at first, expands and collapses; when idle each item shows its last update', () => {
    show();
    expect(states()).toEqual(['Idle', 'Idle', 'Idle']);
    expect(screen.getByText('Last time: 1h ago')).toBeDefined();
    expect(screen.getByText('Never')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Data Collection', expanded: true }));
    expect(screen.queryByText('Never yet')).toBeNull();
  });

  test('Collect Data: items complete when the job reports it, and not before 2, 4 and 6 s; the refresh at 7 s', async () => {
    const { fetch, onRefresh } = show();
    await press('Collect Data');
    expect(fetch.mock.calls.map(([url, init]) => [url, init?.method])).toEqual([['/api/collect-data', 'POST']]);
    expect(states()).toEqual(['Incomplete', 'Incomplete', 'Incomplete']);
    expect(screen.getByRole('status').textContent).toBe('Collecting');
    expect(locked()).toEqual([true, true]);
    for (const step of ['market', 'analysis', 'backtest'] as const) tell(step, 'complete');
    expect(states()).toEqual(['Running', 'Running', 'Running']);
    await pass(2000);
    expect(states()).toEqual(['Complete', 'Running', 'Running']);
    await pass(2000);
    expect(states()).toEqual(['Complete', 'Complete', 'Running']);
    await pass(2000);
    expect(states()).toEqual(['Complete', 'Complete', 'Complete']);
    expect(onRefresh).not.toHaveBeenCalled();
    await pass(1000);
    expect(onRefresh).toHaveBeenCalledOnce();
    expect(locked()).toEqual([false, false]);
    expect(screen.getByRole('status').textContent).toBe('Idle');
  });

  test('a longer job stays running however late it is', async () => {
    const { onRefresh } = show();
    await press('Collect Data');
    tell('market', 'running');
    await pass(60_000);
    expect(states()).toEqual(['Running', 'Incomplete', 'Incomplete']);
    expect(locked()).toEqual([true, true]);
    tell('market', 'complete');
    tell('analysis', 'running');
    expect(states()).toEqual(['Complete', 'Running', 'Incomplete']);
    tell('analysis', 'complete');
    tell('backtest', 'complete');
    await pass(0);
    expect(states()).toEqual(['Complete', 'Complete', 'Complete']);
    expect(onRefresh).toHaveBeenCalledOnce();
  });

  test('reports from before the click do not count', async () => {
    show();
    tell('analysis', 'complete');
    await press('AI Analysis');
    await pass(10_000);
    expect(states()[1]).toBe('Incomplete');
  });

  test('a failed step shows Failed and why; the ones after it never arrived', async () => {
    show();
    await press('Collect Data');
    await pass(3000);
    tell('market', 'complete');
    tell('analysis', 'failed', 'The prices of the five assets are not known yet');
    await pass(0);
    expect(states()).toEqual(['Complete', 'Failed', 'Failed']);
    expect(screen.getByText('The prices of the five assets are not known yet')).toBeDefined();
    expect(screen.getByText('A previous step failed')).toBeDefined();
    expect(locked()).toEqual([false, false]);
  });

  test.each([
    ['Collect Data', 'Failed to trigger data collection', ['Failed', 'Failed', 'Failed']],
    ['AI Analysis', 'Failed to run AI analysis', ['Idle', 'Failed', 'Idle']],
  ])('a rejected %s: the message, and its items show Failed', async (name, sentence, shown) => {
    show(() => Response.json({ error: 'Admin access required', code: 'forbidden' }, { status: 403 }));
    await press(name);
    expect(screen.getByRole('alert').textContent).toBe(`${sentence}: Admin access required`);
    expect(states()).toEqual(shown);
    expect(locked()).toEqual([false, false]);
  });

  test('AI Analysis: complete from 3 s on, refresh and buttons at 4 s; the other items stay idle', async () => {
    const { fetch, onRefresh } = show();
    await press('AI Analysis');
    expect(fetch.mock.calls.map(([url]) => url)).toEqual(['/api/ai-analysis']);
    expect(screen.getByRole('status').textContent).toBe('Analyzing');
    expect(locked()).toEqual([true, true]);
    tell('analysis', 'complete');
    await pass(2999);
    expect(states()).toEqual(['Idle', 'Running', 'Idle']);
    await pass(1);
    expect(states()).toEqual(['Idle', 'Complete', 'Idle']);
    expect(locked()).toEqual([true, true]);
    await pass(1000);
    expect(locked()).toEqual([false, false]);
    expect(onRefresh).toHaveBeenCalledOnce();
  });

  test('a missed event: the new result on the page also completes the step', async () => {
    const { know } = show();
    await press('AI Analysis');
    await pass(5000);
    know({ ...BEFORE, analysis: '2026-11-21T12:00:04.000Z' });
    expect(states()[1]).toBe('Complete');
    await pass(0);
    expect(locked()).toEqual([false, false]);
  });

  test('gives up after twelve minutes without reports', async () => {
    show();
    await press('AI Analysis');
    await pass(12 * 60_000);
    expect(states()[1]).toBe('Failed');
    expect(screen.getByRole('alert').textContent).toBe('No update for 12 minutes');
    expect(locked()).toEqual([false, false]);
  });

  test('a scheduled collection is shown while it runs, and removes no button', () => {
    show();
    tell('market', 'running');
    expect(states()).toEqual(['Running', 'Idle', 'Idle']);
    expect(locked()).toEqual([false, false]);
  });
});
