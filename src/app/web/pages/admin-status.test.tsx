// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { type AdminIncident, listIncidents } from '#features/site/contract/status.ts';
import { type Answer, answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';
import { fill, LATE, press } from '../testing/acts.ts';
import { eachWithItsApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

eachWithItsApp();

const LIST = '/api/admin/incidents';
const written: AdminIncident = {
  id: 7,
  kind: 'written',
  title: 'Emails are <b>late</b>',
  impact: 'minor',
  components: ['alerts'],
  stage: 'identified',
  startsAt: '2026-11-21T11:00:00.000Z',
  endsAt: null,
  author: 'root@example.com',
  retractedAt: null,
  updates: [
    { at: '2026-11-21T11:30:00.000Z', stage: 'identified', message: 'A queue was full.', author: 'root@example.com' },
    { at: '2026-11-21T11:00:00.000Z', stage: 'investigating', message: 'We are looking.', author: null },
  ],
};
const measured: AdminIncident = {
  ...written,
  id: 6,
  kind: 'measured',
  title: 'Outage: Website and API',
  impact: 'major',
  components: ['website'],
  stage: null,
  author: null,
  updates: [],
};
const retracted: AdminIncident = { ...written, id: 5, title: 'By mistake', retractedAt: '2026-11-20T10:05:00.000Z' };
const all = [written, measured, retracted];
const listOf = (incidents: readonly AdminIncident[]) => answer({ incidents, more: false });
const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({ at: '/app/admin?tab=status', plan: 'admin', calls: { [LIST]: listOf(all), ...calls } });
const item = (name: string | RegExp) => screen.findByRole('article', { name }, LATE);
const buttons = async (name: string | RegExp) =>
  within(await item(name))
    .queryAllByRole('button')
    .map((button) => button.textContent);
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }, LATE));
const success = answer({ success: true });

test('the test data keep the contract', () => {
  expect(listIncidents.reply.parse({ incidents: all, more: false }).incidents).toEqual(all);
});

test('what happened, how far it is, who wrote what, and what can be done about it', async () => {
  open();
  const text = (await item('Emails are <b>late</b>')).textContent;
  for (const words of [
    'Minor impact',
    'Identified',
    'Alerts and notifications',
    'root@example.com',
    'A queue was full.',
  ])
    expect(text).toContain(words);
  expect(await buttons(/Emails/)).toEqual(['Add update to Emails are <b>late</b>', 'Retract Emails are <b>late</b>']);
  expect((await item(/Outage/)).textContent).toContain('Major impactOngoingMeasured');
  expect(await buttons(/Outage/)).toEqual(['Add update to Outage: Website and API']);
  expect((await item('By mistake')).textContent).toContain('Retracted');
  expect(await buttons('By mistake')).toEqual([]);
});

test('loading, empty, and an error with Retry', async () => {
  let down = true;
  open({ [LIST]: () => (down ? broken() : listOf([])()) });
  expect((await screen.findByRole('alert', {}, LATE)).textContent).toContain('Failed to load admin data');
  down = false;
  await press('Retry');
  expect(await screen.findByText('No incidents')).toBeDefined();
});

test('an incident is published with its components', async () => {
  const { sent } = open({ [LIST]: byMethod({ GET: listOf(all), POST: answer({ id: 8 }) }) });
  await item(/Emails/);
  await press('New incident');
  await fill('Title', 'Prices stand still');
  const form = await dialog('New incident');
  await userEvent.selectOptions(form.getByLabelText('Impact'), 'Major impact');
  await userEvent.click(form.getByRole('checkbox', { name: 'Live prices' }));
  await userEvent.type(form.getByLabelText('Message'), 'We are looking.');
  await userEvent.click(form.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent(LIST, 'POST')).toEqual([
    {
      title: 'Prices stand still',
      impact: 'major',
      components: ['prices'],
      stage: 'investigating',
      message: 'We are looking.',
    },
  ]);
});

test('a maintenance has its planned time in UTC instead of a state', async () => {
  const { sent } = open({ [LIST]: byMethod({ GET: listOf(all), POST: answer({ id: 8 }) }) });
  await item(/Emails/);
  await press('New incident');
  await fill('Title', 'New disks');
  const form = await dialog('New incident');
  await userEvent.selectOptions(form.getByLabelText('Impact'), 'Maintenance');
  expect(form.queryByLabelText('State')).toBeNull();
  await userEvent.type(form.getByLabelText('From (UTC)'), '2026-12-01T02:00');
  await userEvent.type(form.getByLabelText('Until (UTC)'), '2026-12-01T03:30');
  await userEvent.type(form.getByLabelText('Message'), 'Reading goes on.');
  await userEvent.click(form.getByRole('button', { name: 'Publish' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent(LIST, 'POST')).toMatchObject([
    { startsAt: '2026-12-01T02:00:00.000Z', endsAt: '2026-12-01T03:30:00.000Z' },
  ]);
});

test('an update goes on from the state it is in, and resolving is one of them', async () => {
  const { sent } = open({ [`${LIST}/7/updates`]: success });
  await item(/Emails/);
  await press(/^Add update to Emails/);
  const form = await dialog(/^Update: Emails/);
  expect(form.getByLabelText<HTMLSelectElement>('State').value).toBe('identified');
  await userEvent.selectOptions(form.getByLabelText('State'), 'Resolved');
  await userEvent.type(form.getByLabelText('Message'), 'All mails have gone out.');
  await userEvent.click(form.getByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent(`${LIST}/7/updates`, 'POST')).toEqual([{ stage: 'resolved', message: 'All mails have gone out.' }]);
});

test('what is measured is not resolved by hand', async () => {
  open();
  await item(/Outage/);
  await press(/^Add update to Outage/);
  const states = [...(await dialog(/^Update: Outage/)).getByLabelText<HTMLSelectElement>('State').options];
  expect(states.map(({ text }) => text)).toEqual(['Investigating', 'Identified', 'Monitoring']);
});

test('a refusal keeps the dialog with its reason', async () => {
  open({ [`${LIST}/7/retract`]: refuse(409, 'The incident was retracted', 'conflict') });
  await item(/Emails/);
  await press(/^Retract Emails/);
  const asked = await dialog('Retract the incident?');
  await userEvent.click(asked.getByRole('button', { name: 'Retract' }));
  expect((await asked.findByRole('alert')).textContent).toBe('The incident was retracted');
});
