import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '#features/operations/contract/admin.ts';
import { audit, findAuditFault } from '#kernel/audit.ts';
import { type Person, person, signedInAgain } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

const DAY_MS = 86_400_000;
let s: Started;
let admin: Person;
let ann: Person;
beforeAll(async () => {
  s = await start();
  admin = await person(s, 'admin', 'admin');
  ann = await person(s, 'ann_a', 'pro');
});
afterAll(() => s.stop());

const read = async (query = '') => {
  const answer = await admin.get(`/api/admin/audit${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ entries: AuditEntry[]; more: boolean }>();
};
const entry = (action: string, change: object = {}) =>
  audit(s.product.market.ctx.db, { at: s.clock.now(), actorId: ann.id, subjectId: ann.id, action, ...change });

describe('the log', () => {
  const run = (text: string) => sql.raw(text).execute(s.product.market.ctx.db);

  test('is append-only, its chain too', async () => {
    await entry('receipt.read');
    for (const table of ['audit_log', 'audit_chain'])
      for (const act of [`update ${table} set `, `delete from ${table}`, `truncate ${table} cascade`])
        await expect(
          run(act.endsWith('set ') ? `${act}${table === 'audit_log' ? 'network' : 'hash'} = null` : act),
        ).rejects.toThrow('the audit log is append-only');
  });

  test('is one chain, also of many transactions at once; what was changed past the triggers is found', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => entry('receipt.read', { details: { i } })));
    const { db } = s.product.market.ctx;
    expect(await findAuditFault(db)).toBeNull();
    const unguarded = (text: string) =>
      db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql.raw(text).execute(tx);
      });
    const [{ place, audit_id: id } = { place: 0, audit_id: 0 }] = (
      await sql<{ place: number; audit_id: number }>`select place, audit_id from audit_chain order by place desc
        offset 5 limit 1`.execute(db)
    ).rows;
    await unguarded(`update audit_log set action = 'receipt.red' where id = ${id}`);
    expect(await findAuditFault(db)).toBe(place);
    await unguarded(`update audit_log set action = 'receipt.read' where id = ${id}`);
    expect(await findAuditFault(db)).toBeNull();
    await unguarded(`insert into audit_log (at, action) values (now(), 'receipt.read')`);
    expect(await findAuditFault(db)).toBe(0);
    await unguarded('delete from audit_log where id = (select max(id) from audit_log)');
    expect(await findAuditFault(db)).toBeNull();
  });
});

describe('GET /api/admin/audit', () => {
  test('200: newest first, who by address, what it concerned and from where', async () => {
    await entry('plan.set', {
      actorId: admin.id,
      details: { note: '<script>alert(1)</script>' },
      network: '203.0.113.0/24',
    });
    const [first] = (await read()).entries;
    expect(first).toEqual({
      id: expect.any(Number),
      at: s.clock.now().toISOString(),
      action: 'plan.set',
      actor: { id: admin.id, email: admin.email },
      subject: { id: ann.id, email: ann.email },
      details: { note: '<script>alert(1)</script>' },
      network: '203.0.113.0/24',
    });
  });

  test('filters: an act or its noun, who did it and whom it concerns by id or a part of the address', async () => {
    await entry('passkey.add');
    await entry('passkey.remove');
    await entry('passkeys_other.add');
    const acts = async (query: string) => (await read(query)).entries.map(({ action }) => action);
    expect(await acts('?action=passkey')).toEqual(['passkey.remove', 'passkey.add']);
    expect(await acts('?action=passkey.add')).toEqual(['passkey.add']);
    expect(await acts(`?action=plan.set&actor=${admin.id}&subject=ANN_A`)).toEqual(['plan.set']);
    expect(await acts('?action=plan.set&subject=annxa')).toEqual([]);
    expect(await acts('?action=plan&actor=ann_a')).toEqual([]);
    expect(await acts('?actor=99999999')).toEqual([]);
  });

  test('filters: whole UTC days, both included', async () => {
    const day = () => s.clock.now().toISOString().slice(0, 10);
    s.advance(DAY_MS);
    await entry('webhook.add');
    const first = day();
    s.advance(DAY_MS);
    await entry('webhook.remove');
    const second = day();
    admin = await signedInAgain(s, admin);
    const acts = async (query: string) => (await read(`?action=webhook${query}`)).entries.map(({ action }) => action);
    expect(await acts(`&from=${first}`)).toEqual(['webhook.remove', 'webhook.add']);
    expect(await acts(`&from=${first}&to=${first}`)).toEqual(['webhook.add']);
    expect(await acts(`&from=${second}`)).toEqual(['webhook.remove']);
    expect(await acts(`&to=${first}`)).toEqual(['webhook.add']);
  });

  test('fifty a page, and on below the last without a gap or a double, whatever is written meanwhile', async () => {
    for (let n = 0; n < 120; n += 1) await entry('event.ignore', { details: { n } });
    const seen: unknown[] = [];
    let page = await read('?action=event.ignore');
    for (;;) {
      seen.push(...page.entries.map(({ details }) => details['n']));
      if (!page.more) break;
      await entry('event.ignore', { details: { n: 'later' } });
      page = await read(`?action=event.ignore&before=${page.entries.at(-1)?.id}`);
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => 119 - n));
  });

  test('a deleted account is named by its id alone', async () => {
    const ben = await person(s, 'ben');
    await ben.remove('/api/auth/delete-account');
    const [last] = (await read(`?subject=${ben.id}`)).entries;
    expect(last).toMatchObject({ action: 'account.delete', actor: { id: ben.id, email: null } });
  });

  test.each(['?action=Drop%20table', '?from=yesterday', '?before=x', `?actor=${'a'.repeat(255)}`])(
    '400: %s',
    async (query) => expect((await admin.get(`/api/admin/audit${query}`)).statusCode).toBe(400),
  );
});
