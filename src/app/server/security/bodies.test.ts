import { gzipSync } from 'node:zlib';

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';

import { API_SCOPES, apiError } from '#shared/contract.ts';
import { contractRows, type Row } from '#tests/support/access.ts';
import { makeKey } from '#tests/support/api-fixture.ts';
import { insertSession } from '#tests/support/callers.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';

const JSON_TYPE = 'application/json';
const DEEP = 100_000;

/** Invalid bodies, or ones made to break the parser. */
const BODIES: [what: string, type: string, payload: string | Buffer, headers?: Record<string, string>][] = [
  ['JSON that breaks off', JSON_TYPE, '{"a":'],
  ['no JSON', JSON_TYPE, '<xml/>'],
  ['lists in lists', JSON_TYPE, '['.repeat(DEEP) + ']'.repeat(DEEP)],
  ['objects in objects', JSON_TYPE, `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`],
  ['null', JSON_TYPE, 'null'],
  ['a list', JSON_TYPE, '[{}]'],
  ['a text', JSON_TYPE, '"x"'],
  ['a number without end', JSON_TYPE, '1e999'],
  ['__proto__', JSON_TYPE, '{"__proto__":{"polluted":1}}'],
  ['__proto__ further down', JSON_TYPE, '{"options":{"__proto__":{"polluted":1}}}'],
  ['constructor.prototype', JSON_TYPE, '{"constructor":{"prototype":{"polluted":1}}}'],
  ['one that is too large', JSON_TYPE, `{"a":"${'x'.repeat(1_200_000)}"}`],
  ['a form of another site', 'application/x-www-form-urlencoded', 'email=a%40b.example&password=x'],
  ['plain text of another site', 'text/plain', '{"email":"a@b.example"}'],
  ['XML', 'application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['a form without a boundary', 'multipart/form-data', 'x'],
  [
    'a form that breaks off',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n',
  ],
  ['JSON in UTF-16', 'application/json; charset=utf-16le', Buffer.from('{"a":1}', 'utf16le')],
  ['bytes that are no UTF-8', JSON_TYPE, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['packed JSON', JSON_TYPE, gzipSync('{}'), { 'content-encoding': 'gzip' }],
  ['a type that is none', 'x', 'x'],
];

/** The support message is a form; signed events and updates have their own formats. */
const WRITES = (await contractRows()).filter(({ method, endpoint: { body } }) => method !== 'GET' && body);

const s = fileProduct({ mode: 'demo', env: { EMAIL_CONFIRMATION: 'off', API_BURST_PER_SECOND: '0' } });
const admin = member(s, 'admin', 'admin');
let key: string;
beforeAll(async () => {
  key = (await makeKey(admin, { scopes: [...API_SCOPES] })).api_key;
});

let network = 0;

async function send(
  { method, path, endpoint: { scope } }: Row,
  type: string,
  payload: string | Buffer,
  more: Record<string, string> = {},
) {
  network += 1;
  const who =
    scope === undefined
      ? { authorization: `Bearer ${await insertSession(s, admin.id, { authenticatedMsAgo: 0 })}` }
      : { 'x-api-key': key };
  return s.product.app.inject({
    method: method as 'POST',
    url: path.replaceAll(/:\w+/g, '999999999'),
    remoteAddress: `10.9.${network & 255}.${network >> 8}`,
    headers: { ...who, 'content-type': type, ...more },
    payload,
  });
}

/** Number of rows per account table. */
async function written(): Promise<unknown> {
  const { db } = s.product.market.ctx;
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' and table_name not in ('sessions', 'api_days')`.execute(
    db,
  );
  const counts = rows.map(({ name }) => sql`select ${name}::text as name, count(*)::int as n from ${sql.table(name)}`);
  return (await sql.join(counts, sql` union all `).execute(db)).rows;
}

test.each(WRITES.map((row) => [`${row.method} ${row.path}`, row] as const))(
  'malformed bodies: %s: rejected in the wire shape without a write',
  async (_call, row) => {
    const before = await written();
    for (const [what, type, payload, more] of BODIES) {
      const { statusCode, body } = await send(row, type, payload, more);
      expect([what, statusCode >= 400 && statusCode < 500], body.slice(0, 200)).toEqual([what, true]);
      expect([what, apiError.safeParse(JSON.parse(body)).success]).toEqual([what, true]);
    }
    expect(await written()).toEqual(before);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  },
);
