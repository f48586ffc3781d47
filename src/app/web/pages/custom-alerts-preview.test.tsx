// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import type { ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import { previewOf, ruleOf } from '#features/alerts/web/thresholds/fixtures.ts';
import { answer, broken } from '#ui/testing/answers.ts';
import { LATE } from '../testing/acts.ts';
import { eachWithItsApp } from '../testing/open-app.tsx';
import { card, fillIn, PREVIEW, showThresholds } from '../testing/thresholds.ts';

eachWithItsApp();

describe('the preview', () => {
  test('fires, a week, longest silence, what was kept quiet, the move after a fire with n, interval and verdict', async () => {
    showThresholds([ruleOf({ name: 'One' })]);
    const one = await card('One');
    const slider = await one.findByRole('slider', { name: 'Level of Bitcoin price' });
    expect(slider.getAttribute('aria-valuetext')).toBe('$105,000');
    const text = screen.getByRole('article').textContent;
    for (const words of [
      'Would have fired 7 times in the last 90 days, about 0.5 a week.',
      'Tried on hourly closes from CoinGecko, 90 days; live it is judged with every price, so it may fire more often.',
      'Longest silence23 days',
      'Kept quiet4 crossings',
      'BTC, 24h after a fire+0.84% −1.2% to +2.8%, n = 6',
      'BTC, 24h on all days+0.10% −0.3% to +0.5%, n = 90',
      'No evidence',
    ])
      expect(text).toContain(words);
    expect(one.getByRole('figure', { name: 'Bitcoin price, 90 days, 7 fires marked' })).toBeDefined();
  });

  test('the level is moved by the keys, and every new value is tried', async () => {
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

  test('while the level moves on, what it would do is shown, a few times a second; the last value for sure', async () => {
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

  test('what is typed in one go is asked once', async () => {
    const { tried } = showThresholds([ruleOf({ name: 'One' })]);
    const one = await card('One');
    await one.findByRole('slider');
    tried.length = 0;
    await fillIn(one.getByLabelText('Value'), '98,765');
    await waitFor(() => expect(tried.at(-1)?.value).toBe(98_765));
    expect(new Set(tried.map(({ value }) => value)).size).toBe(1);
    expect(tried[0]).not.toHaveProperty('id');
  });

  test('about 1 and about 3 a week set the value that does', async () => {
    showThresholds([ruleOf({ name: 'One' })]);
    const one = await card('One');
    await userEvent.click(await one.findByRole('button', { name: 'About 1 a week: $104,200' }));
    expect(one.getByLabelText<HTMLInputElement>('Value').value).toBe('104,200');
    expect(one.getByRole<HTMLButtonElement>('button', { name: 'About 3 a week' }).disabled).toBe(true);
  });

  test('loading, then an error with the words of the server and Retry', async () => {
    let fails = true;
    showThresholds([ruleOf({ name: 'One' })], {
      [PREVIEW]: () => (fails ? broken() : Response.json(previewOf(105_000))),
    });
    const one = await card('One');
    expect(await one.findByText('Failed to try the alert on the past')).toBeDefined();
    expect(one.getByText('Something went wrong on our side')).toBeDefined();
    fails = false;
    await userEvent.click(one.getByRole('button', { name: 'Retry' }));
    expect(await one.findByRole('slider')).toBeDefined();
  });

  test('nothing to try it on: the reason; a few days: how many', async () => {
    const none = { absent: 'The past of this coin is still being collected', points: [], days: 0 };
    showThresholds([ruleOf({ name: 'One' }), ruleOf({ id: 2, name: 'Two', metric: 'eth_price' })], {
      [PREVIEW]: (_url, init) => {
        const { metric } = JSON.parse(init?.body as string) as ThresholdInput;
        return Response.json(previewOf(105_000, metric === 'eth_price' ? none : { days: 4.2 }));
      },
    });
    expect(await (await card('Two')).findByText(none.absent)).toBeDefined();
    expect(
      await (await card('One')).findByText('Too few days to judge it. Only 4 days of it stored so far.'),
    ).toBeDefined();
  });

  test('a direction is moved in three steps; one in the name of the condition is not moved', async () => {
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
