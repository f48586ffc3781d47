import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { address, LATE } from '../testing/acts.ts';
import { closeApp, openApp } from '../testing/open-app.tsx';
import { STEPS } from './tour.tsx';

const human = (is: boolean) => Object.defineProperty(navigator, 'webdriver', { value: !is, configurable: true });

beforeEach(() => {
  // This DOM has no layout: every element counts as visible.
  vi.spyOn(Element.prototype, 'checkVisibility').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  closeApp();
  human(false);
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const offer = () => screen.queryByRole('complementary', { name: 'Tour' });
const steps = () => screen.queryByRole('dialog');
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

/** The dashboard with a fake clock, once its rows are loaded. */
async function open(at = '/app') {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  openApp({ at });
  await screen.findByRole('rowheader', { name: /BTC/ });
  await pass(0);
}

/** The tour, once its first step is shown. */
const began = (title = STEPS[0]?.title ?? '') => screen.findByRole('dialog', { name: title });

test('is offered on the first visit after an idle moment, and starts only on acceptance', async () => {
  human(true);
  await open();
  expect(offer()).toBeNull();
  await pass(4_000);
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  await pass(4_000);
  expect(offer()).toBeNull();
  await pass(2_000);
  await vi.waitFor(() => expect(offer()).not.toBeNull(), LATE);
  expect(steps()).toBeNull();
  await press('Take the tour');
  expect(await began()).toBeDefined();
  expect(offer()).toBeNull();
});

test.each([
  ['declined', async () => press('No, thanks'), 'skipped'],
  [
    'skipped',
    async () => {
      await press('Take the tour');
      await press('Skip');
    },
    'skipped',
  ],
])('%s, it disappears and is not offered again', async (_, leave, kept) => {
  human(true);
  await open();
  await pass(6_000);
  await vi.waitFor(() => expect(offer()).not.toBeNull(), LATE);
  await leave();
  expect([offer(), steps(), localStorage.getItem('tour')]).toEqual([null, null, kept]);
  await pass(12_000);
  expect(offer()).toBeNull();
});

test('does not ask again on the next visit after an answer', async () => {
  human(true);
  localStorage.setItem('tour', 'done');
  await open();
  await pass(12_000);
  expect(offer()).toBeNull();
});

test('is not offered to an automated browser', async () => {
  await open();
  await pass(12_000);
  expect(offer()).toBeNull();
});

test('is not offered while a dialog is open', async () => {
  human(true);
  await open();
  await press('Settings and shortcuts');
  const settings = await screen.findByRole('dialog', { name: 'Settings and shortcuts' });
  await pass(12_000);
  expect(offer()).toBeNull();
  await userEvent.click(within(settings).getByRole('button', { name: 'Close' }));
  await pass(6_000);
  await vi.waitFor(() => expect(offer()).not.toBeNull(), LATE);
});

test('the URL starts it: every step in order with its text, back, done, and focus on the page', async () => {
  await open('/app?tour=1');
  await pass(4_000);
  for (const [index, { title, text }] of STEPS.entries()) {
    const dialog = await began(title);
    expect(dialog.textContent).toContain(`${index + 1} of ${STEPS.length}`);
    expect(dialog.textContent).toContain(text);
    expect(document.activeElement?.textContent).toBe(index === STEPS.length - 1 ? 'Done' : 'Next');
    if (index < STEPS.length - 1) await press('Next');
  }
  await press('Back');
  expect(await began(STEPS.at(-2)?.title)).toBeDefined();
  await press('Next');
  await press('Done');
  expect([steps(), localStorage.getItem('tour')]).toEqual([null, 'done']);
  expect(address()).not.toContain('tour');
  expect(document.activeElement?.id).toBe('main');
});

test('Escape ends it', async () => {
  await open('/app?tour=1');
  await pass(4_000);
  const dialog = (await began()) as HTMLDialogElement;
  act(() => dialog.close());
  expect([steps(), localStorage.getItem('tour')]).toEqual([null, 'skipped']);
});

test('skips a step whose element is missing', async () => {
  vi.spyOn(Element.prototype, 'checkVisibility').mockImplementation(function (this: Element) {
    return !this.matches('[aria-label^="Market alerts"], [aria-label^="Market alerts"] *');
  });
  await open('/app?tour=1');
  await pass(4_000);
  expect((await began()).textContent).toContain('1 of 4');
  await press('Next');
  await press('Next');
  expect((await began('Everything is one search away')).textContent).toContain('3 of 4');
});

test('the palette restarts it from any page', async () => {
  localStorage.setItem('tour', 'done');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  openApp({ at: '/app/sources' });
  await userEvent.click((await screen.findAllByRole('button', { name: /^Search/ }))[0] as HTMLElement);
  const palette = await screen.findByRole('dialog', { name: 'Command palette' });
  await userEvent.click(within(palette).getByText('Take the tour'));
  expect(address()).toMatch(/^\/app/);
  await screen.findByRole('rowheader', { name: /BTC/ });
  await pass(4_000);
  expect(await began()).toBeDefined();
});
