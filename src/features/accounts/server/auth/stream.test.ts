import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import { accountTopic } from '#features/accounts/contract/auth.ts';
import { openReader, type Reader } from '#kernel/live/fixtures/reader.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser, signInAgain, type TestUser } from '#tests/support/people.ts';

const SOON = { timeout: 20_000 };

const s = fileProduct();
let url: string;
let readers: Reader[] = [];
beforeAll(async () => {
  url = await addressOf(s.product);
});
afterEach(() => {
  for (const reader of readers) reader.close();
  readers = [];
});

const addressOf = async (product: Product) => `http://127.0.0.1:${(await product.listen()).port}`;
const ticketOf = async (who: TestUser) => (await who.post('/api/stream/ticket')).json<{ ticket: string }>().ticket;
const tell = (who: TestUser, product = s.product) => {
  const { live, db } = product.market.ctx;
  return live.publishTo(db, who.id, accountTopic, { changed: ['subscription'] });
};

async function follow(ticket: string, at = url, more = ''): Promise<Reader> {
  const reader = await openReader(`${at}/api/stream?topics=market,account&ticket=${ticket}${more}`);
  readers.push(reader);
  return reader;
}
async function open(who: TestUser, at = url): Promise<Reader> {
  const reader = await follow(await ticketOf(who), at);
  await expect.poll(reader.text, SOON).toContain('retry: 3000');
  return reader;
}

describe('POST /api/stream/ticket', () => {
  test('200: opens one stream, within 30 seconds', async () => {
    const ann = await registerUser(s, 'ann');
    const ticket = await ticketOf(ann);
    expect((await follow(ticket)).response.statusCode).toBe(200);
    expect((await follow(ticket)).response.statusCode).toBe(401);
    const late = await ticketOf(ann);
    s.advance(30_000);
    expect((await follow(late)).response.statusCode).toBe(401);
    expect((await follow('st_forged')).response.statusCode).toBe(401);
  });

  test('401: a ticket expires with its session', async () => {
    const ben = await registerUser(s, 'ben');
    const ticket = await ticketOf(ben);
    await ben.post('/api/auth/logout');
    expect((await follow(ticket)).response.statusCode).toBe(401);
  });
});

describe('the account stream', () => {
  test('delivers the account’s own updates from any process, and nothing from other accounts', async () => {
    const [cat, dan] = [await registerUser(s, 'cat'), await registerUser(s, 'dan')];
    const [ofCat, ofDan] = [await open(cat), await open(dan)];
    const other = await s.another();
    await tell(cat);
    await tell(cat, other);
    await expect.poll(() => ofCat.messages().filter(({ event }) => event === 'account'), SOON).toHaveLength(2);
    await tell(dan);
    await expect.poll(() => ofDan.messages().filter(({ event }) => event === 'account'), SOON).toHaveLength(1);
    expect(ofCat.messages().filter(({ event }) => event === 'account')).toHaveLength(2);
  });

  test('resumes where it broke off, with only its own and public frames', async () => {
    const [eve, fay] = [await registerUser(s, 'eve'), await registerUser(s, 'fay')];
    const first = await open(eve);
    await tell(eve);
    await expect.poll(first.ids, SOON).toHaveLength(1);
    first.close();
    await tell(fay);
    await tell(eve);
    await expect.poll(() => s.product.market.ctx.live.hub.newestId(), SOON).toBeGreaterThan((first.ids()[0] ?? 0) + 1);
    const again = await follow(await ticketOf(eve), url, `&lastEventId=${first.ids()[0]}`);
    await expect.poll(() => again.messages().map(({ event }) => event), SOON).toEqual(['account']);
  });

  test('401: the topic is closed without a ticket; an account frame never reaches a visitor', async () => {
    const gus = await registerUser(s, 'gus');
    expect((await openReader(`${url}/api/stream?topics=account`)).response.statusCode).toBe(401);
    const visitor = await openReader(`${url}/api/stream`);
    readers.push(visitor);
    await expect.poll(visitor.text, SOON).toContain('retry: 3000');
    const own = await open(gus);
    await tell(gus);
    await expect.poll(own.ids, SOON).toHaveLength(1);
    expect(visitor.text()).not.toContain('account');
  });

  test('ends immediately at log-out, on every process; other sessions and visitors keep theirs', async () => {
    const hal = await registerUser(s, 'hal');
    const other = await s.another();
    const there = await addressOf(other);
    const ida = await registerUser(s, 'ida');
    const [here, elsewhere, ofIda] = [await open(hal), await open(hal, there), await open(ida)];
    const ofPhone = await open(await signInAgain(s, hal));
    await hal.post('/api/auth/logout');
    await expect.poll(() => [here.ended(), elsewhere.ended()], SOON).toEqual([true, true]);
    expect([ofIda.ended(), ofPhone.ended()]).toEqual([false, false]);
  });

  test('ends when the plan changes, and the next one is for the new plan', async () => {
    const jan = await registerUser(s, 'jan');
    const admin = await registerUser(s, 'admin', 'admin');
    const stream = await open(jan);
    await admin.put(`/api/admin/users/${jan.id}/plan`, { plan: 'pro', until: null, note: '' });
    await expect.poll(stream.ended, SOON).toBe(true);
    expect((await jan.get('/api/subscription')).json().plan).toBe('pro');
    const next = await open(jan);
    expect(next.response.statusCode).toBe(200);
  });
});
