import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { ruleOf, rules } from '#features/alerts/web/thresholds/fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { address, LATE, press, texts } from '../testing/acts.ts';
import { pressOpener } from '../testing/open-app.tsx';
import { card, LIST, saveAll, showThresholds, thresholdServer } from '../testing/thresholds.ts';

const names = () => texts(screen.getAllByRole('heading', { level: 3 }));
const summary = () =>
  within(screen.getByLabelText('Alert Summary'))
    .getAllByRole('term')
    .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`);

describe('Custom Alert Thresholds, states', () => {
  test('loading', async () => {
    showThresholds(rules, { [LIST]: () => new Promise(() => {}) });
    expect(await screen.findByText('Loading thresholds', {}, LATE)).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Custom Alert Thresholds' })).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add Threshold' }).disabled).toBe(true);
  });

  test("error: 'Failed to load thresholds' with the server’s message, and Retry", async () => {
    let down = true;
    const { calls } = thresholdServer();
    showThresholds(rules, { [LIST]: (...args) => (down ? broken() : (calls[LIST] as Answer)(...args)) });
    const alert = await screen.findByRole('alert', {}, LATE);
    expect(alert.textContent).toContain('Failed to load thresholds');
    expect(alert.textContent).toContain('Something went wrong on our side');
    down = false;
    await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await card('Panic')).toBeDefined();
  });

  test('empty: three examples, labeled as examples, one click each', async () => {
    const { saved } = showThresholds([]);
    const examples = await screen.findAllByRole('button', { name: /^Add example: / }, LATE);
    expect(examples).toHaveLength(3);
    expect(screen.getByText('Start from an example. These are not investment advice.')).toBeDefined();
    await userEvent.click(examples[0] as HTMLElement);
    expect(await card('Example: unusual Bitcoin move')).toBeDefined();
    await userEvent.click(saveAll());
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]?.[0]).toMatchObject({ metric: 'btc_price', condition: 'changes_by_sigma', value: 3, unit: 'σ' });
  });
});

describe('the list', () => {
  test('total, active and price alerts, every rule with name, state, note and current value', async () => {
    showThresholds();
    const panic = await card('Panic');
    expect(summary()).toEqual(['Total Alerts 3', 'Active Alerts 2', 'Price Alerts 1']);
    expect(panic.getByText('Fired')).toBeDefined();
    expect(panic.getByText('Already below: fires at the next crossing')).toBeDefined();
    expect(panic.getByRole('button', { name: /Where it comes from: Fear and greed index/ }).textContent).toContain(
      '22',
    );
    expect(panic.getByText('Fired 12 times, last 3h ago')).toBeDefined();
    expect(panic.getByText(/^Evaluated when its daily figure is published/)).toBeDefined();
    expect(panic.getByText('Fear and greed index below 25')).toBeDefined();
  });

  test('each state by its label', async () => {
    const states = [
      ['armed', 'Armed'],
      ['pending', 'Pending'],
      ['fired', 'Fired'],
      ['paused', 'Paused'],
      ['no_data', 'No data'],
      ['done', 'Done'],
      ['expired', 'Expired'],
      ['off', 'Off'],
    ] as const;
    const lastFiredAt = '2026-11-20T11:00:00.000Z';
    showThresholds([
      ...states.map(([state], i) => ruleOf({ id: i + 1, name: `One ${state}`, state, lastFiredAt, current: null })),
      ruleOf({ id: 20, name: 'One that held when it was saved', state: 'fired' }),
    ]);
    for (const [state, words] of states) expect((await card(`One ${state}`)).getByText(words)).toBeDefined();
    expect((await card('One that held when it was saved')).getByText('Holds')).toBeDefined();
  });

  test('Add Threshold adds one on top, Save All sends the whole list once and confirms it', async () => {
    const { saved } = showThresholds();
    await card('Panic');
    expect(saveAll().disabled).toBe(true);
    await press('Add Threshold');
    expect(names()[0]).toBe('Bitcoin price above $102,000');
    expect(summary()).toEqual(['Total Alerts 4', 'Active Alerts 3', 'Price Alerts 2']);
    expect((await card('Bitcoin price above $102,000')).getByText('Not saved yet')).toBeDefined();
    await userEvent.click(saveAll());
    expect(await screen.findByText('Custom alert thresholds saved successfully!', {}, LATE)).toBeDefined();
    expect(saved()).toHaveLength(1);
    expect(saved()[0]?.map(({ id, name }) => [id, name])).toEqual([
      [undefined, 'Bitcoin price above $102,000'],
      [1, 'Bitcoin price above $105,000'],
      [2, 'Panic'],
      [3, 'Overall AI Alert'],
    ]);
    await waitFor(() => expect(saveAll().disabled).toBe(true));
    expect(screen.queryByText('Not saved yet')).toBeNull();
    await press('Delete Bitcoin price above $102,000');
    await userEvent.click(saveAll());
    await waitFor(() => expect(saved()[1]?.map(({ id }) => id)).toEqual([1, 2, 3]));
  });

  test.each([
    ['cardano', 'price:cardano', 'Cardano price above $0.78'],
    ['ADA', 'price:cardano', 'Cardano price above $0.78'],
    ['bitcoin', 'btc_price', 'Bitcoin price above $102,000'],
  ])('a link for %s adds a price alert, ready to save', async (coin, metric, name) => {
    const { saved } = showThresholds(rules, {}, `/app/custom-alerts?coin=${coin}`);
    expect((await card(name)).getByText('Not saved yet')).toBeDefined();
    expect(address()).toBe('/app/custom-alerts');
    await userEvent.click(saveAll());
    await waitFor(() => expect(saved()[0]).toHaveLength(rules.length + 1));
    expect(saved()[0]?.[0]).toMatchObject({ metric, condition: 'above' });
  });

  test('a link for an unknown coin adds nothing', async () => {
    showThresholds(rules, {}, '/app/custom-alerts?coin=no-such-coin');
    await card('Panic');
    expect(names()).toHaveLength(rules.length);
    expect(saveAll().disabled).toBe(true);
  });

  test('while saving, the button shows it and ignores a second click', async () => {
    const { calls } = thresholdServer();
    showThresholds(rules, {
      [LIST]: (url, init) => (init?.method === 'POST' ? new Promise(() => {}) : (calls[LIST] as Answer)(url, init)),
    });
    await userEvent.click((await card('Panic')).getByRole('switch'));
    await userEvent.click(saveAll());
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Saving...' }).disabled).toBe(true);
  });

  test('the AI Alerts menu adds an alert for each term', async () => {
    const { saved } = showThresholds([]);
    await screen.findAllByRole('button', { name: /^Add example/ }, LATE);
    const terms = ['Short Term', 'Medium Term', 'Long Term', 'Overall'];
    for (const name of terms.map((term) => `${term} AI Alert`)) {
      const menu = within(pressOpener(screen.getByRole('button', { name: 'AI Alerts' })));
      await userEvent.click(menu.getByRole('menuitem', { name }));
      await card(name);
    }
    await userEvent.click(saveAll());
    const added = terms.toReversed().map((term) => ({
      name: `${term} AI Alert`,
      metric: `ai_prediction_${term.split(' ')[0]?.toLowerCase()}`,
      condition: 'changes_to_bullish',
      value: 'BULLISH',
    }));
    await waitFor(() => expect(saved()[0]).toMatchObject(added));
  });

  test('at the plan limit: nothing can be added, and the plans are linked', async () => {
    showThresholds(Array.from({ length: 50 }, (_, i) => ruleOf({ id: i + 1, name: `Alert ${i + 1}` })));
    expect(await screen.findByText('Pro includes up to 50 custom alerts.', {}, LATE)).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add Threshold' }).disabled).toBe(true);
    expect(screen.getByRole('link', { name: 'compare plans' }).getAttribute('href')).toBe('/app/subscription');
  });

  test('a longer list starts collapsed and requests no preview until one is opened', async () => {
    const { tried } = showThresholds(
      Array.from({ length: 9 }, (_, i) => ruleOf({ id: i + 1, name: `Alert ${i + 1}`, value: 100_000 + i })),
    );
    const third = await card('Alert 3');
    expect(third.queryByLabelText('Value')).toBeNull();
    expect(tried).toEqual([]);
    await userEvent.click(third.getByRole('button', { name: 'Expand Alert 3' }));
    expect(third.getByLabelText('Value')).toBeDefined();
    await third.findByRole('slider');
    expect(new Set(tried.map(({ value }) => value))).toEqual(new Set([100_002]));
  });

  test('Rearm arms a rule that fired once, and is not offered for rules paused by the plan', async () => {
    const paused = { state: 'paused', note: 'Paused: Pro includes up to 50 custom alerts' } as const;
    const list = [ruleOf({ name: 'One', state: 'done', canRearm: true }), ruleOf({ id: 2, name: 'Two', ...paused })];
    const { sent } = showThresholds(list, {
      '/api/alerts/thresholds/rules/1/rearm': answer(ruleOf({ name: 'One' })),
    });
    const two = await card('Two');
    expect(two.getByText(paused.note)).toBeDefined();
    expect(two.queryByRole('button', { name: 'Rearm' })).toBeNull();
    await userEvent.click((await card('One')).getByRole('button', { name: 'Rearm' }));
    await waitFor(() => expect(sent('/api/alerts/thresholds/rules/1/rearm', 'POST')).toHaveLength(1));
    expect(await screen.findByText('One rearmed', {}, LATE)).toBeDefined();
  });
});
