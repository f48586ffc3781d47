// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { Threshold } from '#features/alerts/contract/thresholds.ts';
import { ruleOf, rules } from '#features/alerts/web/thresholds/fixtures.ts';
import { type Answer, refuse } from '#ui/testing/answers.ts';
import { address, LATE, press } from '../testing/acts.ts';
import { eachWithItsApp } from '../testing/open-app.tsx';
import { card, LIST, saveAll, showThresholds, thresholdServer } from '../testing/thresholds.ts';

eachWithItsApp();

describe('saving', () => {
  const withSave = (save: Answer) => {
    const { calls } = thresholdServer();
    return showThresholds(rules, {
      [LIST]: (url, init) => (init?.method === 'POST' ? save(url, init) : (calls[LIST] as Answer)(url, init)),
    });
  };

  test("fails: 'Failed to save thresholds. Please try again.', and the sentence of the server at its card", async () => {
    withSave(refuse(400, 'Number 2: The margin must be smaller than the value itself', 'bad_request'));
    const panic = await card('Panic');
    await userEvent.click(panic.getByRole('switch'));
    await userEvent.click(saveAll());
    expect(await screen.findByText('Failed to save thresholds. Please try again.', {}, LATE)).toBeDefined();
    expect((await panic.findByRole('alert')).textContent).toBe('The margin must be smaller than the value itself');
    expect(saveAll().disabled).toBe(false);
  });

  test('what is about no card stands above the list', async () => {
    withSave(refuse(403, 'Pro covers 50 alerts of your own, and this list has 51', 'upgrade_required'));
    await userEvent.click((await card('Panic')).getByRole('switch'));
    await userEvent.click(saveAll());
    expect((await screen.findByRole('alert', {}, LATE)).textContent).toBe(
      'Pro covers 50 alerts of your own, and this list has 51',
    );
  });

  const changeElsewhere = ({ kept }: { kept: { list: Threshold[]; version: number } }) => {
    kept.list = [ruleOf({ id: 9, name: 'From elsewhere' }), ...kept.list.filter(({ id }) => id !== 3)];
    kept.version++;
  };

  test('another tab changed the list: Reload takes it and drops what is unsaved', async () => {
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

  test('another tab changed the list: Keep mine saves the changes on top of it', async () => {
    // As browsers have it by now.
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

test('a save whose answer was lost: Keep mine does not add the same alert once more', async () => {
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
  expect((await screen.findByRole('alert', {}, LATE)).textContent).toBe('The server cannot be reached');
  await press('Add Threshold');
  await userEvent.click(saveAll());
  await press('Keep mine');
  await userEvent.click(saveAll());
  await waitFor(() => expect(kept.version).toBe(3));
  expect(kept.list.filter(({ name }) => name.startsWith('Bitcoin price above $102'))).toHaveLength(3);
  expect(kept.list).toHaveLength(rules.length + 3);
});

describe('leaving with unsaved changes', () => {
  const link = () => screen.getAllByRole('link', { name: 'Data sources' })[0] as HTMLElement;

  test('asks: Stay stays, Leave leaves', async () => {
    showThresholds();
    await userEvent.click((await card('Panic')).getByRole('switch'));
    await userEvent.click(link());
    await press('Stay');
    expect(address()).toBe('/app/custom-alerts');
    await userEvent.click(link());
    await press('Leave');
    await waitFor(() => expect(address()).toBe('/app/sources'));
  });

  test('does not ask when nothing is changed', async () => {
    showThresholds();
    await card('Panic');
    await userEvent.click(link());
    await waitFor(() => expect(address()).toBe('/app/sources'));
  });

  test('closing the page is held up only while something is unsaved', async () => {
    showThresholds();
    const toggle = (await card('Panic')).getByRole('switch');
    const closing = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(false);
    await userEvent.click(toggle);
    expect(closing()).toBe(true);
    await userEvent.click(toggle);
    expect(closing()).toBe(false);
  });
});
