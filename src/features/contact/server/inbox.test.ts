import { beforeEach, describe, expect, test } from 'vitest';
import type { ContactMessage } from '#features/contact/contract.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { PNG } from '#tests/support/logo.ts';
import { CONTACT_MESSAGE, contactPage, imageBlob } from '#tests/support/mailbox.ts';
import { registerUser, sendRequest } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

type Inbox = { messages: ContactMessage[]; counts: Record<string, number>; more: boolean };

const DAY_MS = 86_400_000;
const s = fileProduct();
const page = contactPage(s);
const admin = member(s, 'root', 'admin');
const ann = member(s, 'ann');
beforeEach(async () => {
  page.switchNetwork();
  await s.product.market.ctx.db.deleteFrom('contact_messages').execute();
});

const write = async (more: Parameters<typeof page.solvedForm>[0] = {}, headers = {}) => {
  page.switchNetwork();
  const answer = await page.send(await page.solvedForm(more), headers);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return (await page.rows()).at(-1)?.id ?? 0;
};
const inbox = async (query = '') => (await admin.get(`/api/admin/contact${query}`)).json<Inbox>();

describe('the inbox', () => {
  test('newest first, without message texts, with the count per status', async () => {
    await write();
    await write({ subject: 'Another', screenshot: imageBlob(PNG) });
    const { messages, counts, more } = await inbox();
    expect(messages.map(({ subject, hasScreenshot, status }) => [subject, hasScreenshot, status])).toEqual([
      ['Another', true, 'new'],
      [CONTACT_MESSAGE.subject, false, 'new'],
    ]);
    expect(messages[0]).not.toHaveProperty('message');
    expect([counts, more]).toEqual([{ new: 2, open: 0, settled: 0, spam: 0 }, false]);
  });

  test('fifty per page, with paging past the last', async () => {
    const { db } = s.product.market.ctx;
    const row = { ...CONTACT_MESSAGE, status: 'new' as const, created_at: s.clock.now().toISOString() };
    await db
      .insertInto('contact_messages')
      .values(Array.from({ length: 60 }, (_, n) => ({ ...row, subject: `No. ${n}` })))
      .execute();
    const first = await inbox();
    expect([first.messages.length, first.more]).toEqual([50, true]);
    const second = await inbox(`?before=${first.messages.at(-1)?.id}`);
    expect([second.messages.map(({ subject }) => subject), second.more]).toEqual([
      Array.from({ length: 10 }, (_, n) => `No. ${9 - n}`),
      false,
    ]);
  });

  test('one message in full, as written', async () => {
    const message = '<script>alert(1)</script> and a second line\nof it';
    const id = await write({ message }, { authorization: `Bearer ${ann.token}` });
    expect((await admin.get(`/api/admin/contact/${id}`)).json()).toMatchObject({
      message,
      account: ann.email,
      status: 'new',
      settledAt: null,
    });
  });

  test('a status change is audited, and the list follows', async () => {
    const id = await write();
    expect((await admin.put(`/api/admin/contact/${id}`, { status: 'settled' })).json()).toEqual({ success: true });
    expect((await inbox('?status=settled')).messages.map((message) => message.id)).toEqual([id]);
    expect((await inbox('?status=new')).messages).toEqual([]);
    const trace = await s.product.market.ctx.db
      .selectFrom('audit_log')
      .select(['actor_id', 'details'])
      .where('action', '=', 'contact.status')
      .executeTakeFirst();
    expect(trace).toEqual({ actor_id: admin.id, details: { message: id, status: 'settled' } });
  });

  test('the screenshot is a download of its own type', async () => {
    const id = await write({ screenshot: imageBlob(PNG, 'text/html') });
    const { headers, rawPayload } = await admin.get(`/api/admin/contact/${id}/screenshot`);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="message-${id}.png"`,
      'x-content-type-options': 'nosniff',
    });
    expect(rawPayload).toEqual(PNG);
  });

  test.each([
    ['a message', 'GET', ''],
    ['a picture', 'GET', '/screenshot'],
    ['a status', 'PUT', ''],
  ] as const)('404: %s of a message that does not exist', async (_, method, path) => {
    const body = method === 'PUT' ? { status: 'open' } : undefined;
    const answer = await sendRequest(s, method, `/api/admin/contact/999${path}`, body, { token: admin.token });
    expect(statusAndMessage(answer)).toEqual([404, 'Message not found']);
  });

  test('404: the screenshot of a message without one', async () => {
    expect((await admin.get(`/api/admin/contact/${await write()}/screenshot`)).statusCode).toBe(404);
  });

  test.each(['?status=lost', '?before=0', '?before=x'])('400: %s', async (query) => {
    expect((await admin.get(`/api/admin/contact${query}`)).statusCode).toBe(400);
  });

  test('rejects an unknown status', async () => {
    expect((await admin.put(`/api/admin/contact/${await write()}`, { status: 'lost' })).statusCode).toBe(400);
  });
});

describe('retention', () => {
  test('until 90 days after it was settled, and at most two years', async () => {
    const [settled, spam, open] = [await write(), await write({ website: 'x' }), await write()];
    for (const id of [settled, spam]) await admin.put(`/api/admin/contact/${id}`, { status: 'settled' });
    await admin.put(`/api/admin/contact/${open}`, { status: 'open' });
    s.advance(90 * DAY_MS);
    await s.job('contact.retention');
    expect(await page.rows()).toHaveLength(3);
    s.advance(1000);
    await s.job('contact.retention');
    expect((await page.rows()).map(({ id }) => id)).toEqual([open]);
    s.advance(640 * DAY_MS);
    await s.job('contact.retention');
    expect(await page.rows()).toEqual([]);
  });

  test('a message is deleted with the account that sent it', async () => {
    const bob = await registerUser(s, 'bob');
    await write({}, { authorization: `Bearer ${bob.token}` });
    await write();
    await s.product.market.ctx.db.deleteFrom('users').where('id', '=', bob.id).execute();
    expect(await page.rows()).toHaveLength(1);
  });
});
