// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { auditEntry } from '#features/operations/contract/admin.ts';
import { entries } from '#features/operations/web/admin/user-fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { LATE, press } from '../testing/acts.ts';
import { eachWithItsApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

eachWithItsApp();

const LIST = '/api/admin/audit';
const open = (list: Answer = answer({ entries, more: false })) =>
  openSignedIn({ at: '/app/admin?tab=audit', plan: 'admin', calls: { [LIST]: list } });
const items = async () => {
  await screen.findByText('Signed in', { selector: 'span' }, LATE);
  return within(screen.getByRole('region', { name: 'Audit log' })).getAllByRole('listitem');
};

test('the test data keep the contract', () => {
  expect(entries.map((each) => auditEntry.parse(each))).toEqual(entries);
});

test('what was done in words, by whom to whom, when and from where, the entry as text, script and all', async () => {
  open();
  const all = await items();
  expect(all.map((item) => item.querySelector('p')?.textContent)).toEqual([
    'Signed in by ann@example.com',
    'Plan set by root@example.com for ann@example.com',
    'Sign-in refused by Unknown, for ann@example.com',
    'Account deleted by root@example.com for deleted account 7',
    'thing.happened by Unknown',
  ]);
  expect(all[0]?.textContent).toContain('21 Nov 2026, 12:00:00 UTC · 203.0.113.0/24');
  expect(all[1]?.querySelector('pre')?.textContent).toContain('"note": "<script>alert(1)</script>"');
  expect(document.querySelector('pre script')).toBeNull();
  expect(screen.getAllByRole('link', { name: 'root@example.com' })[0]?.getAttribute('href')).toBe(
    '/app/admin?tab=users&user=1',
  );
});

test('filters ask the server, nothing found says so', async () => {
  const { sent } = open((url) => Response.json({ entries: url.includes('?') ? [] : entries, more: false }));
  await items();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Done by: email or id' }), 'root');
  expect(await screen.findByText('Nothing found')).toBeDefined();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Concerning: email or id' }), '2');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'What' }), 'Plan set');
  await userEvent.type(screen.getByLabelText('From (UTC)'), '2026-11-01');
  await userEvent.type(screen.getByLabelText('To (UTC)'), '2026-11-30');
  await expect
    .poll(() => sent(LIST, 'GET').at(-1))
    .toBe(`${LIST}?action=plan.set&actor=root&subject=2&from=2026-11-01&to=2026-11-30`);
});

test("'Load more' goes on below the last one, and ends", async () => {
  const { sent } = open((url) =>
    Response.json(
      url.includes('before=')
        ? { entries: [{ ...entries[0], id: 1, action: 'account.create' }], more: false }
        : { entries, more: true },
    ),
  );
  await items();
  await press('Load more');
  expect(await screen.findByText('Account created', { selector: 'span' })).toBeDefined();
  expect(sent(LIST, 'GET')).toContain(`${LIST}?before=7`);
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});

test('empty, and read again with Refresh', async () => {
  let list: readonly unknown[] = [];
  open(() => Response.json({ entries: list, more: false }));
  expect(await screen.findByText('Nothing yet', {}, LATE)).toBeDefined();
  list = entries;
  await userEvent.click(
    within(screen.getByRole('region', { name: 'Audit log' })).getByRole('button', { name: 'Refresh' }),
  );
  expect(await items()).toHaveLength(5);
});

test('loading', async () => {
  open(() => new Promise(() => {}));
  expect(await screen.findByText('Loading the audit log', {}, LATE)).toBeDefined();
});

test("error: 'Failed to load admin data', with Retry", async () => {
  let down = true;
  open(() => (down ? broken() : Response.json({ entries, more: false })));
  expect((await screen.findByRole('alert', {}, LATE)).textContent).toContain('Failed to load admin data');
  down = false;
  await press('Retry');
  expect(await items()).toHaveLength(5);
});
