// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { closeApp, freezeTime, openApp } from '../testing/open-app.tsx';

beforeEach(() => freezeTime());
afterEach(() => {
  closeApp();
  for (const name of ['palette', 'theme']) delete document.documentElement.dataset[name];
});

const look = () => document.documentElement.dataset;
const address = () => screen.getByLabelText('Address').textContent;
const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });

/** The code of the single keys comes a moment after the page. */
async function open() {
  openApp();
  await screen.findByRole('rowheader', { name: /BTC/ });
  await waitFor(() => {
    const before = look()['theme'];
    press('t');
    expect(look()['theme']).not.toBe(before);
  });
}

const settings = () => screen.findByRole('dialog', { name: 'Settings and shortcuts' });

describe('colours of up and down', () => {
  test('blue and orange is a choice that stays, and can be taken back', async () => {
    openApp();
    await userEvent.click(await screen.findByRole('button', { name: 'Settings and shortcuts' }));
    const dialog = await settings();
    await userEvent.click(within(dialog).getByRole('radio', { name: /^Blue and orange/ }));
    expect([look()['palette'], localStorage.getItem('palette')]).toEqual(['blue-orange', 'blue-orange']);
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Green and red' }));
    expect([look()['palette'], localStorage.getItem('palette')]).toEqual(['green-red', 'green-red']);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('keyboard shortcuts', () => {
  test('? opens the list of them', async () => {
    await open();
    press('?');
    const text = (await settings()).textContent;
    for (const words of [
      'This list?',
      'Search coins, pages and actions/Ctrl K',
      'Dashboardg d',
      'Data sourcesg s',
      'Esc',
    ])
      expect(text).toContain(words);
  });

  test('g s and g d go to the pages; g alone and a late second key do not', async () => {
    await open();
    press('s');
    expect(address()).toBe('/app');
    press('g');
    press('s');
    expect(address()).toBe('/app/sources');
    expect(await screen.findByRole('heading', { level: 1, name: 'Data sources' })).toBeDefined();
    press('g');
    press('d');
    expect(address()).toBe('/app');
  });

  test('/ and Ctrl+K open the palette, which leads to sources, colours and settings', async () => {
    await open();
    press('/');
    const palette = await screen.findByRole('dialog', { name: 'Command palette' });
    await userEvent.click(within(palette).getByText(/^Switch colours of up and down/));
    expect(look()['palette']).toBe('blue-orange');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await userEvent.click(within(await screen.findByRole('dialog')).getByText('Settings and keyboard shortcuts'));
    expect(await settings()).toBeDefined();
  });

  test('the palette leads to the status page, which is a page of its own', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
    await open();
    press('/');
    const palette = await screen.findByRole('dialog', { name: 'Command palette' });
    await userEvent.click(within(palette).getByText('Status'));
    expect(assign).toHaveBeenCalledWith('/status');
    assign.mockRestore();
  });

  test('nothing happens while something is typed', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Show all 8' }));
    press('?', await screen.findByRole('searchbox', { name: 'Search coins' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('they can be switched off', async () => {
    await open();
    press('?');
    await userEvent.click(within(await settings()).getByRole('checkbox', { name: /^Single keys/ }));
    expect(localStorage.getItem('shortcuts')).toBe('off');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    press('?');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('the sources are linked from the sidebar and from the health of the feeds', async () => {
  openApp();
  await screen.findByRole('rowheader', { name: /BTC/ });
  const sidebar = screen.getByRole('navigation', { name: 'Main' });
  expect(within(sidebar).getByRole('link', { name: 'Data sources' }).getAttribute('href')).toBe('/app/sources');
  expect(
    within(sidebar)
      .getByRole('link', { name: /healthy/ })
      .getAttribute('href'),
  ).toBe('/app/sources');
  await userEvent.click(within(sidebar).getByRole('link', { name: 'Data sources' }));
  expect(await screen.findByText('2 of 5 healthy, 1 standing by, 1 without its key')).toBeDefined();
});
