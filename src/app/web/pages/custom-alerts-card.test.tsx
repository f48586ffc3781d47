import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import { ruleOf } from '#features/alerts/web/thresholds/fixtures.ts';
import { WATCHED } from '#shared/watched.ts';

import { card, fillIn, saveAll, showThresholds } from '../testing/thresholds.ts';

const names = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);

describe('a card', () => {
  test('the 14 metrics by name and any coin; conditions match the metric', async () => {
    showThresholds([ruleOf({ name: 'One' })]);
    const one = await card('One');
    const options = (name: string) =>
      within(one.getByRole('combobox', { name })).getAllByRole<HTMLOptionElement>('option');
    const offered = options('Metric').filter(({ value }) => value !== 'coin');
    expect(offered.map(({ value, text }) => `${value}: ${text}`).toSorted((a, b) => a.localeCompare(b))).toEqual(
      Object.entries(WATCHED)
        .map(([metric, { name }]) => `${metric}: ${name}`)
        .toSorted((a, b) => a.localeCompare(b)),
    );
    expect(
      options('Condition')
        .map(({ value }) => value)
        .join(', '),
    ).toBe('above, below, equals, changes_by, changes_by_sigma, leaves_range');
    await userEvent.selectOptions(one.getByRole('combobox', { name: 'Metric' }), 'ai_prediction_short');
    expect(options('Value').map(({ value }) => value)).toEqual(['BULLISH', 'NEUTRAL', 'BEARISH']);
    expect(
      options('Condition')
        .map(({ value }) => value)
        .join(', '),
    ).toBe(
      'above, below, equals, changes_to_bullish, changes_to_bearish, changes_to_neutral, becomes_bullish, becomes_bearish, becomes_neutral',
    );
    await userEvent.selectOptions(one.getByRole('combobox', { name: 'Value' }), 'BEARISH');
    expect(one.getByRole<HTMLSelectElement>('combobox', { name: 'Condition' }).value).toBe('changes_to_bearish');
  });

  test('any tracked coin is found by typing and selectable by keyboard', async () => {
    const { saved } = showThresholds([ruleOf({ name: 'One' })]);
    const one = await card('One');
    await userEvent.selectOptions(one.getByRole('combobox', { name: 'Metric' }), 'coin');
    expect(one.getByText('Please choose a coin')).toBeDefined();
    await userEvent.type(one.getByRole('combobox', { name: 'Coin' }), 'doge');
    expect(one.getAllByRole('option', { name: /Dogecoin/ })).toHaveLength(1);
    await userEvent.keyboard('{Enter}');
    expect(one.getByRole<HTMLInputElement>('combobox', { name: 'Coin' }).value).toBe('Dogecoin (DOGE)');
    expect(one.getByRole('option', { name: 'Leaves its 24h range' })).toBeDefined();
    await userEvent.click(saveAll());
    await waitFor(() => expect(saved()[0]?.[0]).toMatchObject({ metric: 'price:dogecoin', unit: 'USD' }));
  });

  test('a default name follows the rule', async () => {
    showThresholds([ruleOf()]);
    const first = await card('Bitcoin price above $105,000');
    await fillIn(first.getByLabelText('Value'), '1.2k');
    expect(names()).toEqual(['Bitcoin price above $1,200']);
    await userEvent.selectOptions(first.getByRole('combobox', { name: 'Condition' }), 'changes_by');
    expect(names()).toEqual(['Bitcoin price changes by 5% in 24h']);
    await userEvent.selectOptions(first.getByRole('combobox', { name: 'Condition' }), 'leaves_range');
    expect(names()).toEqual(['Bitcoin price leaves its 24h range']);
    await fillIn(first.getByLabelText('Value'), '1');
    expect(names()).toEqual(['Bitcoin price leaves its 24h range by 1%']);
  });

  test.each([
    ['Value', 'soon', 'Please enter a number'],
    ['Value', '0', 'Please enter a price above 0 and up to 1,000,000,000,000 USD'],
    ['Name', ' ', 'Please name the alert'],
    ['Cooldown', '0', 'The cooldown must be 1 to 10,080 minutes'],
    ['Hold time', '1.5', 'The hold time must be 0 to 10,080 minutes'],
    ['Margin', '-1', 'Please enter a margin of 0 or more'],
  ])('%s %o is rejected before sending: %s', async (label, text, words) => {
    const { saved } = showThresholds([ruleOf({ name: 'One' })]);
    const field = (await card('One')).getByLabelText(label);
    await fillIn(field, text);
    expect(within(screen.getByRole('article')).getByText(words)).toBeDefined();
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await userEvent.click(saveAll());
    expect(saved()).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  test('advanced options: once, cooldown, hold, margin, second condition and schedule are sent, and summarized when collapsed', async () => {
    const { saved } = showThresholds([ruleOf({ name: 'One' })]);
    const one = await card('One');
    await userEvent.selectOptions(one.getByLabelText('Fires'), 'once');
    await fillIn(one.getByLabelText('Cooldown'), '240');
    expect(one.getByText('4 hours')).toBeDefined();
    await fillIn(one.getByLabelText('Hold time'), '30');
    await fillIn(one.getByLabelText('Margin'), '500');
    await userEvent.click(one.getByRole('checkbox', { name: 'Only while a second condition is met' }));
    await userEvent.click(one.getByRole('checkbox', { name: 'Only at certain times' }));
    await userEvent.click(one.getByRole('checkbox', { name: 'Saturday' }));
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    one.getByText(/^once · cooldown 4 hours · margin 500 · held for 30 minutes · and Fear and greed/);
    await userEvent.click(saveAll());
    await waitFor(() => expect(saved()).toHaveLength(1));
    expect(saved()[0]?.[0]?.options).toEqual({
      mode: 'once',
      cooldownMinutes: 240,
      margin: 500,
      holdMinutes: 30,
      expiresAt: null,
      and: { metric: 'fear_greed', condition: 'above', value: 75 },
      schedule: { days: [1, 2, 3, 4, 5, 6], from: '09:00', to: '17:00', timeZone },
    });
  });

  test('a margin belongs to the scale it was chosen on', async () => {
    const { saved } = showThresholds([ruleOf({ name: 'One', options: { ...ruleOf().options, margin: 500 } })]);
    const one = await card('One');
    const margin = () => one.getByLabelText<HTMLInputElement>('Margin').value;
    const choose = (name: string, value: string) => userEvent.selectOptions(one.getByRole('combobox', { name }), value);
    await choose('Condition', 'below');
    expect(margin()).toBe('500');
    await choose('Condition', 'changes_by');
    expect(margin()).toBe('');
    await fillIn(one.getByLabelText('Margin'), '-1');
    await choose('Metric', 'fear_greed');
    expect(margin()).toBe('');
    await fillIn(one.getByLabelText('Margin'), '3');
    await choose('Metric', 'ai_prediction_short');
    expect(one.queryByLabelText('Margin')).toBeNull();
    await userEvent.click(saveAll());
    await waitFor(() => expect(saved()[0]?.[0]).toMatchObject({ metric: 'ai_prediction_short' }));
    expect(saved()[0]?.[0]?.options?.margin).toBeNull();
  });

  test('a default icon is not sent back as a choice', async () => {
    const { saved } = showThresholds([
      ruleOf({ name: 'One' }),
      ruleOf({ id: 2, name: 'Two', icon: 'rocket', iconChosen: true }),
    ]);
    await userEvent.click((await card('One')).getByRole('switch'));
    await userEvent.click(saveAll());
    await waitFor(() => expect(saved()[0]?.map(({ icon }) => icon)).toEqual([null, 'rocket']));
  });

  test('rejects a schedule without a day', async () => {
    const weekend = { days: [6], from: '09:00', to: '17:00', timeZone: 'UTC' };
    showThresholds([ruleOf({ name: 'One', options: { ...ruleOf().options, schedule: weekend } })]);
    const one = await card('One');
    await userEvent.click(one.getByRole('checkbox', { name: 'Saturday' }));
    expect(one.getByText('Please choose a day')).toBeDefined();
  });
});
