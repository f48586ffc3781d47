import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { installPopovers, pressOpener } from '#app/web/testing/open-app.tsx';

import { Menu, MenuItem, MenuLink } from './menu.tsx';

beforeEach(installPopovers);
const NAMES = ['Apple', 'Banana', 'Blueberry', 'Closed', 'Elsewhere'];

function show() {
  const chosen = vi.fn<(name: string) => void>();
  render(
    <MemoryRouter>
      <Menu label="Fruit" renderOpener={(props) => <button {...props}>Open</button>} head={<p>Fruit of today</p>}>
        {NAMES.slice(0, 3).map((name) => (
          <MenuItem key={name} stays={name === 'Banana'} onSelect={() => chosen(name)}>
            {name}
          </MenuItem>
        ))}
        <MenuItem disabled onSelect={() => chosen('Closed')}>
          Closed
        </MenuItem>
        <MenuLink to="/elsewhere">Elsewhere</MenuLink>
      </Menu>
    </MemoryRouter>,
  );
  const button = screen.getByRole('button', { name: 'Open' });
  return { button, chosen };
}

const item = (name: string) => screen.getByRole('menuitem', { name });
const focused = () => document.activeElement?.textContent;
const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
const opened = () => {
  const shown = show();
  act(() => void pressOpener(shown.button));
  const menu = screen.getByRole('menu').parentElement;
  if (!menu) throw new Error('The menu stands nowhere');
  return { ...shown, menu };
};

describe('menu', () => {
  test('is labeled by its button, and its items form a single tab stop', () => {
    const { button } = opened();
    expect([button.getAttribute('aria-haspopup'), button.getAttribute('aria-expanded')]).toEqual(['menu', 'true']);
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(NAMES);
    expect(screen.getByRole('menu', { name: 'Fruit' }).textContent).not.toContain('Fruit of today');
    expect(screen.getAllByRole('menuitem').every(({ tabIndex }) => tabIndex === -1)).toBe(true);
    expect(focused()).toBe('Apple');
  });

  test('arrows, Home and End move focus, skipping disabled items', () => {
    opened();
    const walked = ['ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown', 'End', 'Home'].map((key) => {
      press(key);
      return focused();
    });
    expect(walked).toEqual(['Elsewhere', 'Blueberry', 'Elsewhere', 'Apple', 'Elsewhere', 'Apple']);
  });

  test('first letters cycle through items; a shortcut does not', () => {
    opened();
    const walked = ['b', 'B', 'b', 'x', 'c', 'e'].map((key) => {
      press(key);
      return focused();
    });
    expect(walked).toEqual(['Banana', 'Blueberry', 'Banana', 'Banana', 'Banana', 'Elsewhere']);
    fireEvent.keyDown(document.activeElement as Element, { key: 'a', ctrlKey: true });
    expect(focused()).toBe('Elsewhere');
  });

  test.each([
    ['ArrowDown', 'Apple'],
    ['ArrowUp', 'Elsewhere'],
  ])('%s on its button opens it at %s', (key, name) => {
    const { button } = show();
    fireEvent.keyDown(button, { key });
    expect([button.getAttribute('aria-expanded'), focused()]).toEqual(['true', name]);
  });

  test.each([
    ['Apple', 'closed'],
    ['Banana', 'open'],
  ])('%s is selected once, and the menu is then %s', async (name, state) => {
    const { menu, chosen } = opened();
    await userEvent.click(item(name));
    expect([chosen.mock.calls, menu.dataset['popover']]).toEqual([[[name]], state]);
  });

  test('closes after following a link and on Tab', async () => {
    const { menu } = opened();
    await userEvent.click(item('Elsewhere'));
    expect(menu.dataset['popover']).toBe('closed');
    act(() => menu.showPopover());
    press('Tab');
    expect(menu.dataset['popover']).toBe('closed');
  });
});
