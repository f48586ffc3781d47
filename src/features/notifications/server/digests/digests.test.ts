import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';

import type { AlertDraft } from '#features/alerts/server/alerts/raise.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { useProductWithMail } from '#tests/support/for-file.ts';
import { type EmailDelivery, headerOf, readDeliveries, SITE, startWithMail } from '#tests/support/mailed.ts';
import { registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';

const HOUR_MS = 3_600_000;

const { s, sink } = useProductWithMail();
beforeAll(async () => {
  await s.job('market.collect');
});

const db = () => s.product.market.ctx.db;

async function wish({ id }: TestUser, every: string, more: object = {}): Promise<void> {
  const wish = { digest: { every, hour: 8, weekday: 1 }, ...more };
  await sql`update users set notification_preferences = notification_preferences || ${JSON.stringify(wish)}::jsonb
    where id = ${id}`.execute(db());
}

async function gathered(who: TestUser, once: string, more: Partial<AlertDraft> = {}): Promise<void> {
  const own = { userId: who.id, ruleId: 1 };
  const said = { own, message: `This is ${once}`, severity: 'medium' as const, sourceAt: s.clock.now() };
  await raise(s, [createDraft(`${who.id} ${once}`, { ...said, ...more })]);
  await s.product.notifications.deliver();
}

async function gather(): Promise<void> {
  await s.job('digests.gather');
  await s.product.mail.deliver();
}

const statesOf = async (who: TestUser) => (await readDeliveries(s, who)).map(({ state }: EmailDelivery) => state);

describe('a digest', () => {
  test('is one email, by asset and by time, each alert with its value then and now', async () => {
    const ann = await registerUser(s, 'ann', 'pro');
    await wish(ann, 'hourly');
    const bitcoin = { metric: 'btc_price', value: 60_000, source: 'OKX' };
    await gathered(ann, 'Bitcoin is above 60,000 USD', bitcoin);
    s.advance(60_000);
    await gathered(ann, 'The SSR is above 1.5');
    s.advance(60_000);
    await gathered(ann, 'Bitcoin is above 61,000 USD', { ...bitcoin, value: 61_000 });
    expect(sink.emails).toEqual([]);
    expect(new Set(await statesOf(ann))).toEqual(new Set(['digest']));
    s.advance(HOUR_MS);
    await s.job('market.collect');
    await gather();

    expect(sink.emails).toHaveLength(1);
    const [mail] = sink.emails;
    expect(mail?.subject).toBe('Your hourly digest: 3 alerts: BTC, Market');
    const text = mail?.text ?? '';
    const order = ['BTC', '60,000 USD', '61,000 USD', 'Market', 'The SSR'].map((part) =>
      text.indexOf(part, text.indexOf('then and now')),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    const price = s.product.market.ctx.board.find('bitcoin')?.price.toFixed(2) ?? 'none';
    const now = Number(price).toLocaleString('en-US', { minimumFractionDigits: 2 });
    expect(text).toContain(`Bitcoin price: $60,000.00 (OKX), now $${now} (`);
    expect(text).toMatch(/now \$[\d,.]+ \((OKX|CoinGecko|Coinbase), (\d+s ago|just now|\d+m ago)\)/);
    expect(text).toContain('Stablecoin supply ratio (SSR): 1.50 (Meridian), no current value');
    expect(text).toContain('Fri 12:00 · This is Bitcoin is above 60,000 USD');
    expect(text).toContain(`${SITE}/app/alerts`);
    expect(text).not.toContain('Market Brief');
    expect(headerOf(mail, 'List-Unsubscribe')).toContain(`/api/unsubscribe?t=1.${ann.id}.all.`);
    expect(headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(await statesOf(ann)).toEqual(['sent', 'sent', 'sent']);
  });

  test('arrives at the hour the user chose, also on the day clocks are set back', async () => {
    const dan = await registerUser(s, 'dan', 'pro');
    await wish(dan, 'daily', { timeZone: 'Europe/Berlin' });
    // Sunday, 31 October 2027: at 03:00 the clocks of Berlin go back to 02:00.
    s.clock.set(new Date('2027-10-30T20:00:00Z'));
    await gathered(dan, 'in summer time');
    s.clock.set(new Date('2027-10-31T01:30:00Z'));
    await gathered(dan, 'in the hour that comes twice');
    s.clock.set(new Date('2027-10-31T06:59:00Z'));
    await gather();
    expect(sink.emails).toEqual([]);
    s.clock.set(new Date('2027-10-31T07:00:00Z'));
    await gather();
    const [mail] = sink.emails;
    expect(mail?.text).toContain('From Sat 22:00 to Sun 02:30, Europe/Berlin time');
    expect(mail?.text).toContain('Sun 02:30 · This is in the hour that comes twice');
    // Daily and weekly digests begin with the market brief; each clause links to its page.
    expect(mail?.text).toMatch(/Market Brief\n+Market\n[^]*\nCalendar\n[^]*Sun 02:30/);
    expect(mail?.html).toMatch(new RegExp(`<a href="${SITE}/app/figures/market.cap"[^>]*>Market cap \\$`));
  });

  test('user text is escaped', async () => {
    const eve = await registerUser(s, 'eve', 'pro');
    await wish(eve, 'hourly');
    await gathered(eve, 'evil', { message: '<script>alert(1)</script>\r\nBcc: eve@example.com' });
    s.advance(HOUR_MS);
    await gather();
    const [mail] = sink.emails;
    expect(mail?.html).not.toContain('<script>');
    expect([mail?.rcptTo, headerOf(mail, 'Bcc')]).toEqual([[eve.email], undefined]);
  });

  test('of more than a hundred alerts shows the latest and the number remaining', async () => {
    const many = await registerUser(s, 'many', 'pro');
    await wish(many, 'hourly');
    const own = { userId: many.id, ruleId: 1 };
    await raise(
      s,
      Array.from({ length: 103 }, (_, i) => createDraft(`many ${i}`, { own, sourceAt: s.clock.now() })),
    );
    await s.product.notifications.deliver();
    s.advance(HOUR_MS);
    await gather();
    expect(sink.emails[0]?.text).toContain('Showing the latest 100; 3 older alerts are in the app.');
    expect(sink.emails[0]?.text).toContain('This is many 102');
    expect(sink.emails[0]?.text).not.toContain('This is many 2\n');
    expect(new Set(await statesOf(many))).toEqual(new Set(['sent']));
  });
});

describe('a digest that is not sent', () => {
  test('to a refused address: each of its alerts is logged with the reason', async () => {
    const fay = await registerUser(s, 'fay', 'pro');
    await wish(fay, 'hourly');
    await gathered(fay, 'one');
    await gathered(fay, 'two');
    s.advance(HOUR_MS);
    sink.judge(() => [550, '5.1.1 no such user']);
    await gather();
    const refused = { state: 'failed', note: expect.stringContaining('no such user') };
    expect(await readDeliveries(s, fay)).toMatchObject([refused, refused]);

    const zoe = await registerUser(s, 'zoe');
    await sql`update mail_suppressions set user_id = ${zoe.id}`.execute(db());
    await gathered(fay, 'three');
    s.advance(HOUR_MS);
    await gather();
    expect((await readDeliveries(s, fay)).at(-1)).toMatchObject({
      state: 'dropped',
      note: expect.stringContaining('Your mail server rejects email'),
    });
    expect(sink.emails).toEqual([]);
  });

  test('interrupted between claiming and sending is sent whole on the next run', async () => {
    const hal = await registerUser(s, 'hal', 'pro');
    await wish(hal, 'hourly');
    await gathered(hal, 'one');
    s.advance(HOUR_MS);
    await sql`create function break_off() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$`.execute(
      db(),
    );
    await sql`create trigger break_off before insert on mail_outbox for each row execute function break_off()`.execute(
      db(),
    );
    await gather();
    expect([sink.emails, await statesOf(hal)]).toEqual([[], ['digest']]);
    await sql`drop trigger break_off on mail_outbox`.execute(db());
    await gather();
    expect([sink.emails.length, await statesOf(hal)]).toEqual([1, ['sent']]);
  });
});

test('two concurrent processes send one email', async () => {
  const ida = await registerUser(s, 'ida', 'pro');
  await wish(ida, 'hourly');
  for (const once of ['one', 'two', 'three']) await gathered(ida, `ida ${once}`);
  s.advance(HOUR_MS);
  const other = await s.another();
  await Promise.all(
    [s.product, other, s.product, other].map(({ scheduler }) => scheduler.runManually('digests.gather')),
  );
  await s.product.mail.deliver();
  expect(sink.emails).toHaveLength(1);
  expect(await statesOf(ida)).toEqual(['sent', 'sent', 'sent']);
});

test('without a mail server it stays in the outbox, and the log states it', async () => {
  const { s: demo, sink: unused } = await startWithMail({ SMTP_URL: '' });
  const joe = await registerUser(demo, 'joe', 'pro');
  const { db: there } = demo.product.market.ctx;
  await sql`update users set notification_preferences = notification_preferences || '{"digest": {"every": "hourly", "hour": 8, "weekday": 1}}'::jsonb`.execute(
    there,
  );
  await raise(demo, [createDraft('kept', { own: { userId: joe.id, ruleId: 1 } })]);
  await demo.product.notifications.deliver();
  demo.advance(HOUR_MS);
  await demo.job('digests.gather');
  expect(await readDeliveries(demo, joe)).toMatchObject([
    { state: 'sent', note: 'No mail server configured: saved to the outbox' },
  ]);
  expect((await sendRequest(demo, 'GET', '/api/email/status', undefined, { token: joe.token })).json()).toMatchObject({
    suppressed: null,
  });
  await demo.stop();
  await unused.down();
});
