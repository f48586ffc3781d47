import { readFileSync } from 'node:fs';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { eachWithItsApp, openApp, pressOpener } from '../testing/open-app.tsx';
import { parseNews } from './news.ts';

eachWithItsApp();

const read = (file: string) => readFileSync(file, 'utf8');
const account = () => screen.findByRole('button', { name: 'Your account' });
const dialog = () => screen.findByRole('dialog', { name: 'What’s new' });

test('the changelog has user-facing notes for this version: short lines without developer terms', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const [newest] = parseNews(read('CHANGELOG.md'));
  expect(newest?.version).toBe(version);
  expect(newest?.lines.length).toBeGreaterThanOrEqual(5);
  for (const line of newest?.lines ?? []) {
    expect(line).toMatch(/^[A-Z].{10,180}\.$/);
    expect(line).not.toMatch(/`|\*\*|\/api\//);
  }
});

test('shows only the lines under its heading, by version', () => {
  const text = '# C\n## 2.0.0\n- a\n### For users\n- New.\n### In detail\n- b\n## 1.0.0 (old)\n- c\n';
  expect(parseNews(text)).toEqual([{ version: '2.0.0', lines: ['New.'] }]);
  expect(parseNews(`${text}### For users\n- Old.\n\n- Older.\n`)[1]).toEqual({
    version: '1.0.0',
    lines: ['Old.', 'Older.'],
  });
  expect(parseNews('')).toEqual([]);
});

test('the account menu shows a dot until they are read, once per version, and never opens them automatically', async () => {
  localStorage.setItem('newsRead', '0.9.0');
  openApp({ at: '/app/sources', as: 'free' });
  const button = await account();
  expect(button.getAttribute('aria-describedby')).not.toBeNull();
  expect(within(button).getByText('What’s new, unread')).toBeDefined();
  expect(screen.queryByRole('dialog', { name: 'What’s new' })).toBeNull();
  await userEvent.click(within(pressOpener(button)).getByRole('menuitem', { name: 'What’s new' }));
  const lines = within(await dialog()).getAllByRole('listitem');
  expect(lines.map(({ textContent }) => textContent)).toEqual(parseNews(read('CHANGELOG.md'))[0]?.lines);
  expect(localStorage.getItem('newsRead')).toBe('1.0.0');
  expect((await account()).getAttribute('aria-describedby')).toBeNull();
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog', { name: 'What’s new' })).toBeNull();
});

test('visitors open them from the palette and the settings', async () => {
  openApp({ at: '/app/sources' });
  await userEvent.click(await screen.findByRole('button', { name: 'Settings and shortcuts' }));
  const settings = await screen.findByRole('dialog', { name: 'Settings and shortcuts' });
  await userEvent.click(within(settings).getByRole('button', { name: 'What’s new' }));
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Close' }));
  await userEvent.click(screen.getAllByRole('button', { name: /^Search/ })[0] as HTMLElement);
  const palette = await screen.findByRole('dialog', { name: 'Command palette' });
  await userEvent.click(within(palette).getByText('What’s new'));
  expect(await dialog()).toBeDefined();
});
