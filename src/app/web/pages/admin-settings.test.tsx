import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type Setting } from '#features/operations/contract/settings.ts';
import { entries } from '#features/operations/web/admin/user-fixtures.ts';
import { pricingQuery } from '#features/payments/web/billing/pricing.ts';
import { type Answer, answer, refuse } from '#ui/testing/answers.ts';
import { LATE, press } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

const LIST = '/api/admin/settings';
const AT = '2026-11-21T11:57:00.000Z';
const settingOf = (key: string, change: Partial<Setting> = {}): Setting => ({
  key,
  about: `What ${key} does`,
  kind: 'number',
  choices: [],
  default: '20',
  value: '20',
  isDefault: true,
  history: [],
  ...change,
});
const changed = {
  value: '3',
  isDefault: false,
  history: [
    { value: '3', at: AT, by: 'ann@example.com', note: 'A <b>busy</b> week' },
    { value: null, at: AT, by: null, note: '' },
  ],
};
const SIGN_UPS = settingOf('SIGN_UPS', { kind: 'choice', choices: ['open', 'closed'], default: 'open', value: 'open' });
const listOf = (change: Partial<Setting> = {}) => ({ settings: [SIGN_UPS, settingOf('EXPORTS_PER_DAY', change)] });
const open = (calls: Record<string, Answer> = {}, change: Partial<Setting> = changed) =>
  openSignedIn({ at: '/app/admin?tab=settings', plan: 'admin', calls: { [LIST]: answer(listOf(change)), ...calls } });
const item = async (key: string) =>
  (await screen.findByRole('heading', { level: 3, name: key }, LATE)).closest('li') as HTMLElement;
const change = async (key: string) => userEvent.click(within(await item(key)).getByRole('button', { name: 'Change' }));

test('shows meaning, value, default, who changed it, when and why, and the previous value', async () => {
  open();
  expect((await item('SIGN_UPS')).textContent).toBe('SIGN_UPSWhat SIGN_UPS doesopen defaultChange');
  const text = (await item('EXPORTS_PER_DAY')).textContent;
  expect(text).toContain('3 default: 20');
  expect(text).toMatch(/Set to 3, .* by ann@example\.com: A <b>busy<\/b> week/);
  expect(text).toMatch(/Reset to default, .* by a deleted account/);
});

test('edits a number in place, with a note and the previously seen value', async () => {
  const { sent } = open({ [`${LIST}/EXPORTS_PER_DAY`]: answer(listOf({ ...changed, value: '50' })) });
  await change('EXPORTS_PER_DAY');
  const field = screen.getByLabelText('New value');
  await userEvent.clear(field);
  await userEvent.type(field, '50');
  await userEvent.type(screen.getByLabelText('Note'), 'More');
  await press('Save');
  expect(await screen.findByText('EXPORTS_PER_DAY set to 50')).toBeDefined();
  expect(sent(`${LIST}/EXPORTS_PER_DAY`, 'PUT')).toEqual([{ value: '50', was: '3', note: 'More' }]);
  expect((await item('EXPORTS_PER_DAY')).textContent).toContain('50 default: 20');
});

test('resets to the default and refetches prices, which carry daily limits', async () => {
  const { sent, queries } = open({ [`${LIST}/EXPORTS_PER_DAY`]: answer(listOf()) });
  await queries.fetchQuery(pricingQuery);
  await change('EXPORTS_PER_DAY');
  await press('Reset to default');
  expect(await screen.findByText('EXPORTS_PER_DAY reset to default')).toBeDefined();
  expect(queries.getQueryState(pricingQuery.queryKey)?.isInvalidated).toBe(true);
  expect(sent(`${LIST}/EXPORTS_PER_DAY`, 'PUT')).toEqual([{ value: null, was: '3', note: '' }]);
});

test('changes a choice', async () => {
  const { sent } = open({ [`${LIST}/SIGN_UPS`]: answer(listOf()) });
  await change('SIGN_UPS');
  await userEvent.selectOptions(screen.getByLabelText('New value'), 'closed');
  await press('Save');
  expect(await screen.findByText('SIGN_UPS set to closed')).toBeDefined();
  expect(sent(`${LIST}/SIGN_UPS`, 'PUT')).toEqual([{ value: 'closed', was: 'open', note: '' }]);
});

test('shows a refusal verbatim; sends nothing without a change', async () => {
  const words = 'EXPORTS_PER_DAY was changed in the meantime and is now 9';
  const { sent } = open({ [`${LIST}/EXPORTS_PER_DAY`]: refuse(409, words, 'conflict') });
  await change('EXPORTS_PER_DAY');
  await press('Save');
  expect(sent(`${LIST}/EXPORTS_PER_DAY`, 'PUT')).toEqual([]);
  await userEvent.type(screen.getByLabelText('New value'), '1');
  await press('Save');
  expect((await screen.findByRole('alert')).textContent).toBe(words);
  await press('Cancel');
  expect(screen.queryByLabelText('New value')).toBeNull();
});

describe('audit log', () => {
  const LIST = '/api/admin/audit';
  const open = (list: Answer = answer({ entries, more: false })) =>
    openSignedIn({ at: '/app/admin?tab=audit', plan: 'admin', calls: { [LIST]: list } });
  const items = async () => {
    await screen.findByText('Signed in', { selector: 'span' }, LATE);
    return within(screen.getByRole('region', { name: 'Audit Log' })).getAllByRole('listitem');
  };

  test('shows action, actor, target, time and origin in words, and the entry as text, scripts included', async () => {
    open();
    const all = await items();
    expect(all.map((item) => item.querySelector('p')?.textContent)).toEqual([
      'Signed in by ann@example.com',
      'Plan set by root@example.com for ann@example.com',
      'Sign-in rejected by Unknown, for ann@example.com',
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

  test('filters query the server and report no match', async () => {
    const { sent } = open((url) => Response.json({ entries: url.includes('?') ? [] : entries, more: false }));
    await items();
    await userEvent.type(screen.getByRole('searchbox', { name: 'Actor: email or id' }), 'root');
    expect(await screen.findByText('No entries found')).toBeDefined();
    await userEvent.type(screen.getByRole('searchbox', { name: 'Subject: email or id' }), '2');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'Plan set');
    await userEvent.type(screen.getByLabelText('From (UTC)'), '2026-11-01');
    await userEvent.type(screen.getByLabelText('To (UTC)'), '2026-11-30');
    await expect
      .poll(() => sent(LIST, 'GET').at(-1))
      .toBe(`${LIST}?action=plan.set&actor=root&subject=2&from=2026-11-01&to=2026-11-30`);
  });

  test("'Load more' appends to the list, then ends", async () => {
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
});
