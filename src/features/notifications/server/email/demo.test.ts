import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '#features/accounts/server/auth/service.ts';
import { ask, type Person, person, personWith } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

type Head = { id: number; subject: string; kind: string; at: string };
type List = { address: string; mails: Head[] };

let demo: Started;
let pro: Person;
let free: Person;

async function signIn(email: string): Promise<Person> {
  const answer = await ask(demo, 'POST', '/api/auth/login', { email, password: DEMO_PASSWORD });
  const { token, user } = answer.json<{ token: string; user: { id: number; email: string } }>();
  return personWith(demo, token, user);
}
const post = (to: string, subject: string) =>
  demo.product.mail.post(demo.product.market.ctx.db, {
    kind: 'news',
    to,
    subject,
    html: `<html><body><p>${subject} is here</p></body></html>`,
    text: subject,
  });
const listOf = async (one: Person) => (await one.get('/api/demo/mails')).json<List>();

beforeAll(async () => {
  demo = await start({ mode: 'demo' });
  [pro, free] = [await signIn('pro@meridian.example'), await signIn('free@meridian.example')];
  await demo.product.market.ctx.db.deleteFrom('mail_outbox').execute();
});
afterAll(() => demo.stop());

describe('the mails of who is signed in, in the demo', () => {
  test('nothing yet', async () => {
    expect(await listOf(pro)).toEqual({ address: 'pro@meridian.example', mails: [] });
  });

  test('newest first; one of them is opened', async () => {
    const first = await post('pro@meridian.example', 'First');
    demo.advance(1000);
    const second = await post('pro@meridian.example', 'Second');
    const at = demo.clock.now().toISOString();
    const { mails } = await listOf(pro);
    expect(mails.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(mails[0]).toEqual({ id: second.id, subject: 'Second', kind: 'news', at });
    expect((await pro.get(`/api/demo/mails/${second.id}`)).json()).toEqual({
      id: second.id,
      subject: 'Second',
      kind: 'news',
      at,
      html: '<html><body><p>Second is here</p></body></html>',
    });
  });

  test("another's mails are neither listed nor opened", async () => {
    const { id } = await post('free@meridian.example', 'For Free alone');
    expect((await listOf(pro)).mails.map(({ subject }) => subject)).not.toContain('For Free alone');
    const answer = await pro.get(`/api/demo/mails/${id}`);
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'There is no such mail', code: 'not_found' }]);
    expect((await free.get(`/api/demo/mails/${id}`)).statusCode).toBe(200);
    expect((await pro.get('/api/demo/mails/1e3')).statusCode).toBe(400);
  });

  test('no more than the newest thirty', async () => {
    for (let i = 1; i <= 31; i++) await post('free@meridian.example', `Mail ${i}`);
    const { mails } = await listOf(free);
    expect([mails.length, mails[0]?.subject, mails.at(-1)?.subject]).toEqual([30, 'Mail 31', 'Mail 2']);
  });
});

test('a live product has no such calls and no such page', async () => {
  const live = await start();
  await live.product.rebuild();
  await demo.product.rebuild();
  const ann = await person(live, 'ann');
  for (const path of ['/api/demo/mails', '/api/demo/mails/1', '/api/demo/telegram', '/app/phone'])
    expect([path, (await ann.get(path)).statusCode]).toEqual([path, 404]);
  expect((await demo.get('/app/phone')).statusCode).toBe(200);
  await live.stop();
});
