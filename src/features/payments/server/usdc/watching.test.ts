import { expect, test } from 'vitest';

import { filePaying, MINUTE, PRO } from '#tests/support/paying.ts';
import { PASSWORD, registerUser } from '#tests/support/people.ts';
import { skipTimers } from '#tests/support/skip-timers.ts';

const heard: string[] = [];
const p = filePaying({ PAY_POLL_SECONDS: '1', ROLE: 'worker', LOG_LEVEL: 'info' }, (line) => heard.push(line));

const reports = async () => {
  const rows = await p.db
    .selectFrom('error_logs')
    .select(['message', 'details'])
    .where('source', '=', 'usdc')
    .orderBy('id')
    .execute();
  return rows.map(({ message }) => message);
};

const cursor = () =>
  p.db.selectFrom('usdc_cursors').selectAll().where('network', '=', 'base').executeTakeFirstOrThrow();

test('of two concurrent watchers one books, and the outdated result of the other is dropped', async () => {
  const ann = await registerUser(p.s, 'ann');
  const offer = await p.open(ann);
  await p.watch();
  p.base.pay(offer.address, PRO);
  p.base.confirm();
  const { looks } = await cursor();
  // Both have looked before either books; the second does not know that the chain dropped the money.
  let first = true;
  p.base.duringScan = async () => {
    if (!first) return;
    first = false;
    p.base.reorg(3);
    await p.watch();
  };
  await p.watch();
  p.base.duringScan = async () => undefined;
  expect((await cursor()).looks).toBe(looks + 1);
  expect(await p.show(ann, offer)).toMatchObject({ status: 'pending', deposits: [] });
  await Promise.all([p.watch(), p.watch(), p.watch()]);
  expect(await p.credit(ann)).toBe('0.00');
});

test('an unresponsive network changes nothing', async () => {
  const ben = await registerUser(p.s, 'ben');
  const offer = await p.open(ben);
  p.base.pay(offer.address, PRO);
  const before = await cursor();
  p.base.isDown = true;
  await expect(p.watch()).rejects.toThrow('no node answers');
  p.base.isDown = false;
  expect(await cursor()).toEqual(before);
  expect((await p.show(ben, offer)).status).toBe('pending');
  await p.finalised();
  expect((await p.show(ben, offer)).status).toBe('settled');
});

test('money of an account deleted meanwhile is recorded in the ledger, and nothing stalls', async () => {
  const [cas, dot] = [await registerUser(p.s, 'cas'), await registerUser(p.s, 'dot')];
  const [gone, stays] = [await p.open(cas), await p.open(dot)];
  p.base.pay(gone.address, PRO, { tx: 'gone' });
  p.base.confirm();
  const deleted = await cas.post('/api/profile/delete', { password: PASSWORD });
  if (deleted.statusCode !== 200) await p.db.deleteFrom('users').where('id', '=', cas.id).execute();
  await p.watch();
  expect(await p.credit(cas)).toBe('29.99');
  p.base.reorg(3);
  p.base.pay(stays.address, PRO);
  await p.finalised();
  expect(await p.credit(cas)).toBe('0.00');
  expect((await p.show(dot, stays)).status).toBe('settled');
});

test('a chain whose clock is far ahead or behind costs users no payment time', async () => {
  const now = p.s.clock.now().getTime();
  for (const [name, skew] of [
    ['ahead', 40 * MINUTE],
    ['behind', -40 * MINUTE],
  ] as const) {
    const who = await registerUser(p.s, name);
    const offer = await p.open(who);
    p.base.mine([{ to: offer.address, units: PRO }], new Date(now + skew));
    await p.finalised();
    expect(await p.show(who, offer)).toMatchObject({ status: 'settled', flags: [] });
    expect((await p.show(who, offer)).grantedUntil).toBe('2026-12-20T12:00:00.000Z');
  }
});

test('the user’s open page is notified when money arrives', async () => {
  const eva = await registerUser(p.s, 'eva');
  const offer = await p.open(eva);
  p.base.pay(offer.address, 1_000_000n);
  const count = async () => {
    const rows = await p.db
      .selectFrom('live_frames' as never)
      .selectAll()
      .execute();
    return (rows as { user_id: number | null; topic: string }[]).filter(({ user_id }) => Number(user_id) === eva.id)
      .length;
  };
  const before = await count();
  await p.watch();
  expect(await count()).toBe(before + 1);
  await p.watch();
  expect(await count()).toBe(before + 1);
});

test('the audit is silent while ledger and chain agree, and reports every difference', async () => {
  const audit = () => p.s.product.scheduler.runManually('usdc.audit');
  await p.watch();
  await audit();
  const hidden = p.base.blocks.findLast(({ transfers }, block) => transfers.length > 0 && block < p.base.height - 8);
  const sent = hidden?.transfers ?? [];
  if (hidden) hidden.transfers = [];
  await expect(audit()).rejects.toThrow('Base and the books differ');
  await expect
    .poll(async () => (await reports()).join('\n'), { timeout: 20_000 })
    .toMatch(/on chain, [1-9][\d.]* in the books/);
  if (hidden) hidden.transfers = sent;
  await audit();
  const at = p.s.clock.now().toISOString();
  await p.db.insertInto('journal').values({ key: 'admin:wrong', at }).execute();
  await p.db.insertInto('postings').values({ key: 'admin:wrong', account: 'credit:1', units: 5 }).execute();
  await expect(audit()).rejects.toThrow('An entry does not balance: admin:wrong: 5');
  await p.db.insertInto('postings').values({ key: 'admin:wrong', account: 'goodwill', units: -5 }).execute();
  await p.db.insertInto('journal').values({ key: 'admin:right', at }).execute();
  const back = [
    { key: 'admin:right', account: 'credit:1', units: -5 },
    { key: 'admin:right', account: 'goodwill', units: 5 },
  ];
  await expect(audit()).rejects.toThrow('A balance is below zero: credit:1: -5');
  await p.db.insertInto('postings').values(back).execute();
  await audit();
});

test('workers scan automatically, one of them at a time; a failure is reported once, until it recovers', async () => {
  const other = await p.s.another();
  const { restore } = skipTimers(1000, 60_000);
  p.s.product.usdc.work();
  other.usdc.work();
  const looks = p.base.scanCount;
  await expect.poll(() => p.base.scanCount, { timeout: 20_000 }).toBeGreaterThan(looks + 2);
  const fresh = await registerUser(p.s, 'fresh');
  const offer = await p.open(fresh);
  p.base.pay(offer.address, PRO);
  p.base.finalize();
  await expect.poll(async () => (await p.show(fresh, offer)).status, { timeout: 20_000 }).toBe('settled');
  p.base.isDown = true;
  const word = 'Cannot monitor Base payments';
  await expect.poll(reports, { timeout: 20_000 }).toContain(word);
  const failed = p.base.scanCount;
  await expect.poll(() => p.base.scanCount, { timeout: 20_000 }).toBeGreaterThan(failed);
  expect((await reports()).filter((message) => message === word)).toHaveLength(1);
  p.base.isDown = false;
  await expect
    .poll(() => heard.some((line) => line.includes('payment monitoring resumed')), { timeout: 30_000 })
    .toBe(true);
  await Promise.all([p.s.product.usdc.stop(), other.usdc.stop()]);
  restore();
  const stopped = p.base.scanCount;
  await p.expectBooks();
  expect(p.base.scanCount).toBe(stopped);
});
