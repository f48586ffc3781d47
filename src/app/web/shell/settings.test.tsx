import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { address } from '#app/web/testing/acts.ts';

import { closeApp, freezeTime, openApp } from '../testing/open-app.tsx';
import { PAGE_KEYS, SEARCH_KEYS, VIEW_KEYS } from './keys.ts';
import { MAIN_PAGES } from './pages.ts';

beforeEach(() => freezeTime());
afterEach(() => {
  closeApp();
  for (const name of ['palette', 'theme']) delete document.documentElement.dataset[name];
});

const look = () => document.documentElement.dataset;
const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key });

/** The code of the single keys loads shortly after the page. */
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
const keys = () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' });

test('up and down colors: blue and orange is a persistent choice that can be reverted', async () => {
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

describe('keyboard shortcuts', () => {
  test('? lists every single key, in groups; settings and palette also open the list', async () => {
    await open();
    press('?');
    const list = within(await keys());
    expect(
      list
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent)
        .join(' | '),
    ).toBe('Go to | Search | Lists, menus and charts | Page and dialogs');
    for (const [pressed, { does }] of Object.entries({ ...PAGE_KEYS, ...SEARCH_KEYS, ...VIEW_KEYS })) {
      const line = list.getByText(does).parentElement?.textContent;
      expect(line).toContain(`${does}${pressed.replace(/^g /, 'g then ')}`);
    }
    expect(list.getByText('Search coins, pages and actions').parentElement?.textContent).toContain('Ctrl K');
    const close = async () => userEvent.click(within(await keys()).getByRole('button', { name: 'Close' }));
    await close();
    await userEvent.click(screen.getByRole('button', { name: 'Settings and shortcuts' }));
    await userEvent.click(within(await settings()).getByRole('button', { name: 'All keyboard shortcuts' }));
    await close();
    expect(screen.queryByRole('dialog')).toBeNull();
    press('/');
    const palette = await screen.findByRole('dialog', { name: 'Command palette' });
    await userEvent.click(within(palette).getByText('All keyboard shortcuts'));
    expect(await keys()).toBeDefined();
  });

  test.each(Object.entries(PAGE_KEYS))('%s opens a sidebar page under its name', (_, { does, act }) => {
    const go = vi.fn();
    act({ go, open: () => {} });
    expect(MAIN_PAGES.find(({ name }) => name === does)?.to).toBe(go.mock.calls[0]?.[0]);
  });

  test('g s and g d open the pages; g alone, a late second key and typed text do not', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Show all 8' }));
    press('?', await screen.findByRole('searchbox', { name: 'Search coins' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    press('s');
    expect(address()).toBe('/app?list=all');
    press('g');
    press('s');
    expect(address()).toBe('/app/sources');
    expect(await screen.findByRole('heading', { level: 1, name: 'Data Sources' })).toBeDefined();
    press('g');
    press('d');
    expect(address()).toBe('/app');
  });

  test('/ and Ctrl+K open the palette, which links to sources, colors, settings and the status page, a standalone page', async () => {
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
    await open();
    const palette = async () => within(await screen.findByRole('dialog', { name: 'Command palette' }));
    press('/');
    await userEvent.click((await palette()).getByText('Status'));
    expect(assign).toHaveBeenCalledWith('/status');
    assign.mockRestore();
    press('/');
    await userEvent.click((await palette()).getByText(/^Switch up and down colors/));
    expect(look()['palette']).toBe('blue-orange');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await userEvent.click((await palette()).getByText('Settings and keyboard shortcuts'));
    expect(await settings()).toBeDefined();
  });

  test('can be switched off, and the list shows it', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Settings and shortcuts' }));
    await userEvent.click(within(await settings()).getByRole('checkbox', { name: /^Single-key shortcuts/ }));
    expect(localStorage.getItem('shortcuts')).toBe('off');
    await userEvent.click(within(await settings()).getByRole('button', { name: 'All keyboard shortcuts' }));
    expect(within(await keys()).getByText(/^Single-key shortcuts are off/)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    press('?');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('the sources are linked from the sidebar and from feed health', async () => {
  openApp();
  await screen.findByRole('rowheader', { name: /BTC/ });
  const sidebar = screen.getByRole('navigation', { name: 'Main' });
  expect(within(sidebar).getByRole('link', { name: 'Data Sources' }).getAttribute('href')).toBe('/app/sources');
  expect(
    within(sidebar)
      .getByRole('link', { name: /healthy/ })
      .getAttribute('href'),
  ).toBe('/app/sources');
  await userEvent.click(within(sidebar).getByRole('link', { name: 'Data Sources' }));
  expect(await screen.findByText('2 of 5 healthy, 1 on standby, 1 missing a key')).toBeDefined();
});
