// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { users } from '#features/operations/web/admin/user-fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { LATE, press } from '../testing/acts.ts';
import { eachWithItsApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

eachWithItsApp();

const open = (calls: Record<string, Answer>) => openSignedIn({ at: '/app/admin?tab=users', plan: 'admin', calls });
const many = Array.from({ length: 500 }, (_, i) => ({ ...users[1], id: 900 - i, email: `p${i}@example.com` }));

test('more than a hundred are drawn step by step; until they are counted a full list says at least', async () => {
  open({ '/api/admin/users': answer(many), '/api/admin/users/count': broken });
  expect(await screen.findByText('500+ of 500+ users', {}, LATE)).toBeDefined();
  expect(screen.getAllByRole('row')).toHaveLength(101);
  await press('Show 100 more');
  expect(screen.getAllByRole('row')).toHaveLength(201);
  expect(screen.queryByText(/search to narrow/)).toBeNull();
});

test('past 500 the total is counted, and the list says how many of them it shows', async () => {
  const total: Answer = (url) => Response.json({ total: url.includes('q=') ? 731 : 12_345 });
  open({ '/api/admin/users': answer(many), '/api/admin/users/count': total });
  expect(await screen.findByText('12,345 of 12,345 users', {}, LATE)).toBeDefined();
  expect(screen.getByText('500 of 12,345 shown, search to narrow')).toBeDefined();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search by email' }), 'p');
  expect(await screen.findByText('731 of 12,345 users')).toBeDefined();
  expect(screen.getByText('500 of 731 shown, search to narrow')).toBeDefined();
});

test('what is not cut is not counted', async () => {
  const { sent } = open({ '/api/admin/users': answer(users) });
  await screen.findByText('3 of 3 users', {}, LATE);
  expect(sent('/api/admin/users/count', 'GET')).toEqual([]);
  expect(screen.queryByText(/search to narrow/)).toBeNull();
});

test.each([
  ['Set plan', 'Set plan of'],
  ['Delete user', 'Delete'],
])('the dialog %s stays while the list is searched', async (title, act) => {
  open({ '/api/admin/users': (url) => Response.json(url.includes('q=') ? [] : users) });
  await userEvent.click(await screen.findByRole('button', { name: `${act} ${users[1]?.email}` }, LATE));
  const dialog = await screen.findByRole('dialog', { name: title }, LATE);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search by email' }), 'nobody');
  expect(await screen.findByText('No users found')).toBeDefined();
  expect(screen.getByRole('dialog', { name: title })).toBe(dialog);
});
