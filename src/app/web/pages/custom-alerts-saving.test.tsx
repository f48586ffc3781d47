import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Threshold, ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import { previewOf, ruleOf, rules } from '#features/alerts/web/thresholds/fixtures.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';
import { address, LATE, press } from '../testing/acts.ts';
import { card, fillIn, LIST, PREVIEW, saveAll, showThresholds, thresholdServer } from '../testing/thresholds.ts';

describe('saving', () => {
  const withSave = (save: Answer) => {
    const { calls } = thresholdServer();
    return showThresholds(rules, {
      [LIST]: (url, init) => (init?.method === 'POST' ? save(url, init) : (calls[LIST] as Answer)(url, init)),
    });
  };

  test("fails: 'Failed to save thresholds. Please try again.', with the server’s message at its card, or above the list if it concerns none", async () => {
    let save: Answer = refuse(400, 'Number 2: The margin must be smaller than the value', 'bad_request');
    withSave((...call) => save(...call));
    const panic = await card('Panic');
    await userEvent.click(panic.getByRole('switch'));
    await userEvent.click(saveAll());
    expect(await screen.findByText('Failed to save thresholds. Please try again.', {}, LATE)).toBeDefined();
    expect((await panic.findByRole('alert')).textContent).toBe('The margin must be smaller than the value');
    expect(saveAll().disabled).toBe(false);
    save = refuse(403, 'Pro includes up to 50 custom alerts; this list has 51', 'upgrade_required');
    await userEvent.click(saveAll());
    expect(await screen.findByText('Pro includes up to 50 custom alerts; this list has 51')).toBeDefined();
    expect(panic.queryByRole('alert')).toBeNull();
  });

  const changeElsewhere = ({ kept }: { kept: { list: Threshold[]; version: number } }) => {
    kept.list = [ruleOf({ id: 9, name: 'From elsewhere' }), ...kept.list.filter(({ id }) => id !== 3)];
    kept.version++;
  };

  test('another tab changed the list: Reload loads it and discards unsaved changes', async () => {
    const app = showThresholds();
    await userEvent.click((await card('Panic')).getByRole('switch'));
    changeElsewhere(app);
    await userEvent.click(saveAll());
    expect(await screen.findByText('These alerts were changed in another tab or on another device.')).toBeDefined();
    expect(app.kept.list[0]?.id).toBe(9);
    await press('Reload');
    expect(await card('From elsewhere')).toBeDefined();
    expect((await card('Panic')).getByRole('switch').textContent).toBe('Enabled');
    expect(saveAll().disabled).toBe(true);
  });

  test('another tab changed the list: Keep mine saves the changes on top', async () => {
    // Newer browsers return a promise.
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => Promise.resolve() as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const app = showThresholds();
    await userEvent.click((await card('Panic')).getByRole('switch'));
    await userEvent.click((await card('Overall AI Alert')).getByRole('switch'));
    changeElsewhere(app);
    await userEvent.click(saveAll());
    await press('Keep mine');
    await userEvent.click(saveAll());
    await waitFor(() => expect(app.kept.version).toBe(3));
    expect(app.kept.list.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['Overall AI Alert', true],
      ['From elsewhere', true],
      ['Bitcoin price above $105,000', true],
      ['Panic', false],
    ]);
  });
});

test('a save whose response was lost: Keep mine does not add the alert twice', async () => {
  const { calls, kept } = thresholdServer();
  let isLost = true;
  showThresholds(rules, {
    [LIST]: async (url, init) => {
      const answered = await (calls[LIST] as Answer)(url, init);
      if (init?.method !== 'POST' || !isLost) return answered;
      isLost = false;
      throw new TypeError('Failed to fetch');
    },
  });
  await card('Panic');
  await press('Add Threshold');
  await press('Add Threshold');
  await userEvent.click(saveAll());
  expect((await screen.findByRole('alert', {}, LATE)).textContent).toBe('The server is unreachable');
  await press('Add Threshold');
  await userEvent.click(saveAll());
  await press('Keep mine');
  await userEvent.click(saveAll());
  await waitFor(() => expect(kept.version).toBe(3));
  expect(kept.list.filter(({ name }) => name.startsWith('Bitcoin price above $102'))).toHaveLength(3);
  expect(kept.list).toHaveLength(rules.length + 3);
});

describe('leaving with unsaved changes', () => {
  const link = () => screen.getAllByRole('link', { name: 'Data Sources' })[0] as HTMLElement;

  test('asks: Stay remains, Leave leaves', async () => {
    showThresholds();
    await userEvent.click((await card('Panic')).getByRole('switch'));
    await userEvent.click(link());
    await press('Stay');
    expect(address()).toBe('/app/custom-alerts');
    await userEvent.click(link());
    await press('Leave');
    await waitFor(() => expect(address()).toBe('/app/sources'));
  });

  test('closing the page is blocked only with unsaved changes; leaving does not ask without changes', async () => {
    showThresholds();
    const toggle = (await card('Panic')).getByRole('switch');
    const closing = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(false);
    await userEvent.click(toggle);
    expect(closing()).toBe(true);
    await userEvent.click(toggle);
    expect(closing()).toBe(false);
    await card('Panic');
    await userEvent.click(link());
    await waitFor(() => expect(address()).toBe('/app/sources'));
  });
});

describe('previews', () => {
  test('fires, per week, longest silence, suppressed fires, the move after a fire with n, interval and verdict; about 1 and about 3 a week set the matching value', async () => {
    showThresholds([ruleOf({ name: 'One' })]);
    const one = await card('One');
    const slider = await one.findByRole('slider', { name: 'Level of Bitcoin price' });
    expect(slider.getAttribute('aria-valuetext')).toBe('$105,000');
    const text = screen.getByRole('article').textContent;
    for (const words of [
      'Would have fired 7 times in the last 90 days, about 0.5 per week.',
      'Backtested on hourly closes from CoinGecko, 90 days; evaluated live on every price, so it may fire more often.',
      'Longest gap23 days',
      'Suppressed4 crossings',
      'BTC, 24h after firing+0.84% −1.2% to +2.8%, n = 6',
      'BTC, 24h on all days+0.10% −0.3% to +0.5%, n = 90',
      'No evidence',
    ])
      expect(text).toContain(words);
    expect(one.getByRole('figure', { name: 'Bitcoin price, 90 days, 7 fires marked' })).toBeDefined();
    await userEvent.click(await one.findByRole('button', { name: 'About 1 per week: $104,200' }));
    expect(one.getByLabelText<HTMLInputElement>('Value').value).toBe('104,200');
    expect(one.getByRole<HTMLButtonElement>('button', { name: 'About 3 per week' }).disabled).toBe(true);
  });

  test('the arrow keys move the level, and every new value is backtested', async () => {
    const { tried } = showThresholds([ruleOf()]);
    const slider = await screen.findByRole('slider', {}, LATE);
    slider.focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(slider.getAttribute('aria-valuetext')).toBe('$104,600');
    expect(screen.getByLabelText<HTMLInputElement>('Value').value).toBe('104,600');
    await waitFor(() => expect(tried.at(-1)?.value).toBe(104_600));
    await userEvent.keyboard('{PageUp}');
    expect(slider.getAttribute('aria-valuetext')).toBe('$106,600');
    await userEvent.keyboard('{Home}');
    expect(slider.getAttribute('aria-valuenow')).toBe(slider.getAttribute('aria-valuemin'));
  });

  test('while dragging the level, updates the preview a few times a second, always ending on the last value', async () => {
    const { tried } = showThresholds([ruleOf()]);
    const slider = await screen.findByRole('slider', {}, LATE);
    slider.focus();
    tried.length = 0;
    const from = performance.now();
    for (let move = 0; move < 40; move++) {
      fireEvent.keyDown(slider, { key: 'ArrowDown' });
      await new Promise((go) => setTimeout(go, 20));
    }
    const most = (performance.now() - from) / 250 + 2;
    expect(tried.length).toBeGreaterThanOrEqual(2);
    expect(tried.length).toBeLessThanOrEqual(most);
    await waitFor(() => expect(tried.at(-1)?.value).toBe(97_000));
  });

  test('sends one preview request for continuous typing', async () => {
    const { tried } = showThresholds([ruleOf({ name: 'One' })]);
    const one = await card('One');
    await one.findByRole('slider');
    tried.length = 0;
    await fillIn(one.getByLabelText('Value'), '98,765');
    await waitFor(() => expect(tried.at(-1)?.value).toBe(98_765));
    expect(new Set(tried.map(({ value }) => value)).size).toBe(1);
    expect(tried[0]).not.toHaveProperty('id');
  });

  test('loading, then an error with the server’s message and Retry', async () => {
    let fails = true;
    showThresholds([ruleOf({ name: 'One' })], {
      [PREVIEW]: () => (fails ? broken() : Response.json(previewOf(105_000))),
    });
    const one = await card('One');
    expect(await one.findByText('Failed to backtest the alert')).toBeDefined();
    expect(one.getByText('Something went wrong on our side')).toBeDefined();
    fails = false;
    await userEvent.click(one.getByRole('button', { name: 'Retry' }));
    expect(await one.findByRole('slider')).toBeDefined();
  });

  test('no data to backtest: the reason; a few days: how many', async () => {
    const none = { absent: 'History for this coin is still being collected', points: [], days: 0 };
    showThresholds([ruleOf({ name: 'One' }), ruleOf({ id: 2, name: 'Two', metric: 'eth_price' })], {
      [PREVIEW]: (_url, init) => {
        const { metric } = JSON.parse(init?.body as string) as ThresholdInput;
        return Response.json(previewOf(105_000, metric === 'eth_price' ? none : { days: 4.2 }));
      },
    });
    expect(await (await card('Two')).findByText(none.absent)).toBeDefined();
    await (await card('One')).findByText('Too few days for a verdict. Only 4 days of it stored so far.');
  });

  test('a direction moves in three steps; one implied by the condition does not move', async () => {
    const ai = { metric: 'ai_prediction_short', unit: 'direction' } as const;
    showThresholds(
      [
        ruleOf({ ...ai, name: 'One', condition: 'above', value: 'NEUTRAL' }),
        ruleOf({ ...ai, id: 2, name: 'Two', condition: 'becomes_bullish', value: 'BULLISH' }),
      ],
      {
        [PREVIEW]: answer(
          previewOf(0, {
            unit: 'direction',
            points: [
              [1, -1],
              [2, 1],
            ],
            fires: [],
          }),
        ),
      },
    );
    const one = await card('One');
    const slider = await one.findByRole('slider');
    expect(slider.getAttribute('aria-valuetext')).toBe('neutral');
    slider.focus();
    await userEvent.keyboard('{ArrowUp}');
    expect(one.getByRole<HTMLSelectElement>('combobox', { name: 'Value' }).value).toBe('BULLISH');
    const two = await card('Two');
    expect(await two.findByRole('figure')).toBeDefined();
    expect(two.queryByRole('slider')).toBeNull();
  });
});
