import { beforeEach, describe, expect, test } from 'vitest';
import type { AdminIncident, Incident, Status } from '#features/site/contract/status.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { NOON } from '#tests/support/start.ts';

const HOUR_MS = 3_600_000;
const s = fileProduct();
const admin = member(s, 'root', 'admin');

const db = () => s.product.market.ctx.db;
beforeEach(async () => {
  s.clock.set(NOON);
  await db().deleteFrom('incidents').execute();
});

const PATH = '/api/admin/incidents';
const BODY = {
  title: 'Alerts by email are late',
  impact: 'minor',
  components: ['alerts'],
  stage: 'investigating',
  message: 'Our mail server answers slowly.',
};
const later = (hours: number) => new Date(NOON.getTime() + hours * HOUR_MS).toISOString();
const MAINTENANCE = { ...BODY, impact: 'maintenance', startsAt: later(2), endsAt: later(4) };

const write = async (more: object = {}) => {
  const answer = await admin.post(PATH, { ...BODY, ...more });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<{ id: number }>().id;
};
const say = (id: number, stage: string, message = 'We are on it.') =>
  admin.post(`${PATH}/${id}/updates`, { stage, message });
const listed = async () => (await admin.get(PATH)).json<{ incidents: AdminIncident[]; more: boolean }>();
async function status(): Promise<Status> {
  await s.product.refresh();
  return (await s.get('/api/status')).json<Status>();
}
const shown = async (): Promise<Incident[]> => (await status()).incidents;
const measured = async (endsAt: string | null = null) => {
  const row = await db()
    .insertInto('incidents')
    .values({
      kind: 'measured',
      title: 'Degraded: Live prices',
      impact: 'minor',
      components: ['prices'],
      starts_at: later(-1),
      ends_at: endsAt,
      created_at: later(-1),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
};

describe('a manual incident', () => {
  test('is shown with its updates, newest first, without its author', async () => {
    const id = await write();
    s.advance(HOUR_MS);
    expect((await say(id, 'identified', 'A queue was full.')).json()).toEqual({ success: true });
    const updates = [
      { at: later(1), stage: 'identified', message: 'A queue was full.' },
      { at: later(0), stage: 'investigating', message: BODY.message },
    ];
    expect(await shown()).toEqual([
      {
        id,
        kind: 'written',
        title: BODY.title,
        impact: 'minor',
        components: ['alerts'],
        stage: 'identified',
        startsAt: later(0),
        endsAt: null,
        updates,
      },
    ]);
    const inside = (await listed()).incidents[0];
    expect(inside).toMatchObject({ author: admin.email, retractedAt: null });
    expect(inside?.updates).toEqual(updates.map((update) => ({ ...update, author: admin.email })));
  });

  test('leads the page until it is resolved', async () => {
    const id = await write({ impact: 'major', title: 'No alerts' });
    expect(await status()).toMatchObject({ state: 'down', headline: 'No alerts' });
    s.advance(HOUR_MS);
    await say(id, 'resolved');
    expect((await status()).headline).not.toBe('No alerts');
    expect((await shown())[0]).toMatchObject({ stage: 'resolved', endsAt: later(1) });
  });

  test('is resolved once, even by two administrators concurrently', async () => {
    const id = await write();
    const answers = await Promise.all([say(id, 'resolved'), say(id, 'resolved')]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await say(id, 'monitoring')).json()).toMatchObject({
      error: 'The incident is already resolved',
      code: 'conflict',
    });
  });

  test('that was retracted is removed from the page but retained, marked', async () => {
    const id = await write();
    expect((await admin.post(`${PATH}/${id}/retract`)).statusCode).toBe(200);
    expect(await shown()).toEqual([]);
    expect((await listed()).incidents).toMatchObject([{ id, retractedAt: later(0) }]);
    for (const answer of [await say(id, 'monitoring'), await admin.post(`${PATH}/${id}/retract`)])
      expect(statusAndMessage(answer)).toEqual([409, 'The incident was retracted']);
  });
});

describe('planned maintenance', () => {
  test('starts and ends as planned', async () => {
    await write(MAINTENANCE);
    expect((await status()).state).toBe('no_data');
    s.advance(3 * HOUR_MS);
    expect(await status()).toMatchObject({ state: 'maintenance', headline: `Maintenance now: ${BODY.title}` });
    s.advance(HOUR_MS);
    expect((await status()).state).not.toBe('maintenance');
  });

  test('that is resolved before its start does not start', async () => {
    const id = await write(MAINTENANCE);
    await say(id, 'resolved', 'Not needed any more.');
    s.advance(3 * HOUR_MS);
    expect((await status()).state).not.toBe('maintenance');
    expect((await shown())[0]).toMatchObject({ startsAt: later(2), endsAt: later(2) });
  });

  test.each([
    ['Maintenance needs a start and an end', { endsAt: undefined }],
    ['The end must be after the start', { startsAt: later(4), endsAt: later(4) }],
    ['The end must be in the future', { startsAt: later(-4), endsAt: later(-2) }],
    ['Maintenance can last at most seven days', { endsAt: later(2 + 7 * 24 + 1) }],
    ['The start must be within a year', { startsAt: later(24 * 367), endsAt: later(24 * 367 + 1) }],
    ['Only maintenance has a scheduled time', { impact: 'minor' }],
    ['Title is required', { title: '  ' }],
    ['Title can have at most 120 characters', { title: 'x'.repeat(121) }],
    ['Message is required', { message: '' }],
    ['Message can have at most 2,000 characters', { message: 'x'.repeat(2001) }],
    [
      'A new incident cannot already be resolved',
      { ...BODY, stage: 'resolved', startsAt: undefined, endsAt: undefined },
    ],
  ])('400: %s', async (error, more) => {
    const answer = await admin.post(PATH, { ...MAINTENANCE, ...more });
    expect(statusAndMessage(answer)).toEqual([400, error]);
  });
});

describe('an automatic incident', () => {
  test('can be explained, but not resolved or retracted manually', async () => {
    const id = await measured();
    expect((await say(id, 'identified')).statusCode).toBe(200);
    expect((await shown())[0]).toMatchObject({ kind: 'measured', stage: 'identified', endsAt: null });
    for (const [answer, error] of [
      [await say(id, 'resolved'), 'Measured incidents resolve automatically and cannot be resolved manually'],
      [await admin.post(`${PATH}/${id}/retract`), 'Measured incidents cannot be retracted'],
    ] as const)
      expect(statusAndMessage(answer)).toEqual([409, error]);
  });

  test('that has ended keeps its end when the final update is written', async () => {
    const id = await measured(later(-0.5));
    s.advance(HOUR_MS);
    expect((await say(id, 'resolved')).statusCode).toBe(200);
    expect((await shown())[0]).toMatchObject({ stage: 'resolved', endsAt: later(-0.5) });
  });
});

describe('rejections', () => {
  test.each([[{ impact: 'huge' }], [{ by: 1 }]])('400: %o', async (more) => {
    expect((await admin.post(PATH, { ...BODY, ...more })).statusCode).toBe(400);
    expect((await listed()).incidents).toEqual([]);
  });

  test('404: an unknown incident', async () => {
    for (const answer of [await say(999_999, 'monitoring'), await admin.post(`${PATH}/999999/retract`)])
      expect(statusAndMessage(answer)).toEqual([404, 'Incident not found']);
  });
});

test('thirty per page, with paging below the last', async () => {
  for (let n = 0; n < 33; n += 1) await write({ title: `No. ${n}` });
  const first = await listed();
  expect([first.incidents.length, first.more, first.incidents[0]?.title]).toEqual([30, true, 'No. 32']);
  const second = (await admin.get(`${PATH}?before=${first.incidents.at(-1)?.id}`)).json<typeof first>();
  expect([second.incidents.map(({ title }) => title), second.more]).toEqual([['No. 2', 'No. 1', 'No. 0'], false]);
});
