// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answers, closeCard, failing, never, showCard } from '#app/web/testing/show-card.tsx';
import { ann } from '#features/accounts/web/auth/fixtures.ts';
import type { ImportReply } from '#features/exports/contract/settings-files.ts';
import type { Plan } from '#shared/contract.ts';
import { clearSession, startSession } from '#ui/session.ts';
import { SettingsCard } from './settings-card.tsx';

const IMPORT = '/api/settings/import';
const EXPORT = '/api/settings/export';
const FILE = { version: 1, product: 'Meridian', rules: [{ name: 'BTC' }], notifications: {} };
const CHANGES: ImportReply = {
  rules: { added: 2, removed: 1, kept: 3 },
  notifications: ['Email notifications: on → off'],
  applied: false,
};
const NOTHING: ImportReply = { rules: { added: 0, removed: 0, kept: 4 }, notifications: [], applied: false };

beforeEach(() => startSession('t-1', ann));
afterEach(() => {
  closeCard();
  clearSession();
});

let calls: () => { url: string; body: { rules: string; notifications: boolean; dryRun: boolean } }[];
function show(answers: Answers, plan: Plan = 'pro') {
  const { fetch } = showCard(<SettingsCard plan={plan} />, answers);
  calls = () =>
    (fetch.mock.calls as unknown as [string, RequestInit][]).map(([url, init]) => ({
      url,
      body: JSON.parse((init.body as string | undefined) ?? 'null'),
    }));
}
const reply = (json: ImportReply) => () => Response.json(json);
const pick = (content: unknown, name = 'mine.json') =>
  userEvent.upload(
    screen.getByLabelText('Settings file'),
    new File([typeof content === 'string' ? content : JSON.stringify(content)], name, { type: 'application/json' }),
  );
const preview = () => screen.findByRole('region', { name: 'Changes' });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const alertText = async () => (await screen.findByRole('alert')).textContent;

describe('exporting settings', () => {
  test('the file is passed to the browser', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    URL.createObjectURL = () => 'blob:settings';
    show({ [EXPORT]: () => new Response('{}') });
    await press('Download settings');
    await waitFor(() => expect(saved).toHaveBeenCalledOnce());
    expect((saved.mock.contexts[0] as HTMLAnchorElement).download).toBe('meridian-settings-2026-11-21.json');
    saved.mockRestore();
  });

  test('a failure is shown in place', async () => {
    show({ [EXPORT]: failing });
    await press('Download settings');
    expect(await alertText()).toBe('Something went wrong on our side');
  });

  test('a free plan mentions only notification settings', () => {
    show({}, 'free');
    expect(screen.getByText(/^Download your notification settings/)).toBeDefined();
    expect(screen.queryByText(/custom alerts/)).toBeNull();
  });
});

describe('importing settings', () => {
  test('changes are shown first; Apply performs and confirms them', async () => {
    let applied = false;
    const answer = () => {
      const { dryRun } = calls().at(-1)?.body ?? { dryRun: true };
      applied = !dryRun;
      return Response.json({ ...CHANGES, applied });
    };
    show({ [IMPORT]: answer });
    await pick(FILE);
    expect((await preview()).textContent).toContain('mine.json');
    expect(await screen.findByText('2 alerts added, 1 alert removed, 3 alerts kept. 1 notification setting changed.'));
    expect(screen.getByText('Email notifications: on → off')).toBeDefined();
    expect(applied).toBe(false);
    expect(calls().map(({ body }) => body)).toEqual([{ file: FILE, rules: 'add', notifications: true, dryRun: true }]);
    await press('Apply');
    expect(await screen.findByText('Your settings were imported.')).toBeDefined();
    expect(calls().at(-1)?.body).toEqual({ file: FILE, rules: 'add', notifications: true, dryRun: false });
    expect(screen.queryByRole('region', { name: 'Changes' })).toBeNull();
  });

  test('each other choice is previewed again', async () => {
    show({ [IMPORT]: reply(CHANGES) });
    await pick(FILE);
    await preview();
    await userEvent.selectOptions(screen.getByLabelText('Custom alerts'), 'Replace my list');
    await waitFor(() => expect(calls().at(-1)?.body).toMatchObject({ rules: 'replace', notifications: true }));
    await userEvent.click(screen.getByRole('switch', { name: 'Import notification settings' }));
    await waitFor(() => expect(calls().at(-1)?.body).toMatchObject({ rules: 'replace', notifications: false }));
    expect(calls().every(({ body }) => body.dryRun)).toBe(true);
  });

  test('nothing can be applied during a preview, or when nothing would change', async () => {
    let answer: () => Response | Promise<Response> = never;
    show({ [IMPORT]: () => answer() });
    await pick(FILE);
    expect(await screen.findByText('Reading the file…')).toBeDefined();
    const apply = screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' });
    expect(apply.disabled).toBe(true);
    answer = reply(NOTHING);
    await userEvent.selectOptions(screen.getByLabelText('Custom alerts'), 'Replace my list');
    expect(await screen.findByText('No changes.')).toBeDefined();
    expect(apply.disabled).toBe(true);
  });

  test('a free plan skips the alerts, and shows it', async () => {
    show({ [IMPORT]: reply(CHANGES) }, 'free');
    await pick(FILE);
    expect(await screen.findByText(/require Pro and are skipped/)).toBeDefined();
    expect(screen.queryByLabelText('Custom alerts')).toBeNull();
    expect(calls().at(-1)?.body).toMatchObject({ rules: 'skip', notifications: true });
  });

  test('an error message is shown in place; another file can be chosen', async () => {
    const words = 'Number 2: Unknown metric "btc_mood"';
    let refused = true;
    show({
      [IMPORT]: () =>
        refused ? Response.json({ error: words, code: 'bad_request' }, { status: 400 }) : Response.json(CHANGES),
    });
    await pick(FILE);
    expect(await alertText()).toBe(words);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Apply' }).disabled).toBe(true);
    refused = false;
    await pick(FILE, 'mended.json');
    expect(await screen.findByText(/2 alerts added/)).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a failed Apply is reported and can be retried', async () => {
    let fails = true;
    show({ [IMPORT]: () => (calls().at(-1)?.body.dryRun === false && fails ? failing() : Response.json(CHANGES)) });
    await pick(FILE);
    await screen.findByText(/2 alerts added/);
    await press('Apply');
    expect(await alertText()).toBe('Something went wrong on our side');
    fails = false;
    await press('Apply');
    expect(await screen.findByText('Your settings were imported.')).toBeDefined();
  });

  test('Cancel discards the file', async () => {
    show({ [IMPORT]: reply(CHANGES) });
    await pick(FILE);
    await preview();
    await press('Cancel');
    expect(screen.queryByRole('region', { name: 'Changes' })).toBeNull();
  });

  test.each([
    ['no JSON', 'hello', 'This is not a JSON file'],
    ['far too large', 'x'.repeat(2.6 * 1024 * 1024), 'This file is larger than 2.5 MB, so it is not a settings file'],
  ])('a file that is %s never leaves the browser', async (_what, content, sentence) => {
    show({ [IMPORT]: reply(CHANGES) });
    await pick(content);
    expect(await alertText()).toBe(sentence);
    expect(calls()).toEqual([]);
  });
});
