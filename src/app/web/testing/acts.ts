import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, vi } from 'vitest';

/** The code of a late part is compiled on first use. */
export const LATE = { timeout: 20_000 };

/** Changes immediately; the page follows when its code is loaded. */
export const address = () => location.pathname + location.search;

/** Fills a field at once, as a password manager does. */
export async function fill(label: string | RegExp, text: string): Promise<void> {
  await userEvent.clear(await screen.findByLabelText(label, { selector: 'input' }));
  await userEvent.paste(text);
}

export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

/** The page cannot reload in a test; this counts the reloads requested. */
export const countReloads = () => vi.spyOn(location, 'reload').mockImplementation(() => {});

/** Until mocks are restored, intervals of a second or more run fifty times as fast, so that pages poll soon. */
export function quickenIntervals(): void {
  const real = globalThis.setInterval;
  vi.spyOn(globalThis, 'setInterval').mockImplementation((work: () => void, ms = 0) =>
    real(work, ms < 1000 ? ms : ms / 50),
  );
}

/** From here on time advances only when the test advances it. */
export const stopTimers = () =>
  vi.useFakeTimers({
    toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'],
    shouldAdvanceTime: false,
  });
export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** The card once it shows this text; its placeholder is another element. */
export const region = (name: string, text: string | RegExp) =>
  waitFor(() => {
    const card = within(screen.getByRole('region', { name }));
    expect(card.getAllByText(text).length).toBeGreaterThan(0);
    return card;
  }, LATE);

export const texts = (elements: readonly Element[]) => elements.map(({ textContent }) => textContent);
