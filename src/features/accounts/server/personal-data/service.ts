import { type AuthContext, limitUser, requireProof } from '#features/accounts/server/auth/service.ts';
import { audit } from '#kernel/audit.ts';
import type { PersonalData } from '#kernel/personal-data.ts';
import type { Caller, Download } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';

import { readMails, readPart } from './store.ts';

const VERSION = 1;
const A_DAY = { most: 5, seconds: 86_400 };

const json = (value: unknown) => JSON.stringify(value, null, 1);

/** Tables with personal data of all features; `leftOut` names tables that are not exported, with the reason. */
export type PersonalDataTables = { tables: readonly PersonalData[]; leftOut: Readonly<Record<string, string>> };

/** Explains missing columns in the file itself. */
const exclusionReasons = ({ tables, leftOut }: PersonalDataTables) => ({
  ...leftOut,
  ...Object.fromEntries(
    tables.flatMap(({ table, hidden = {} }) => Object.entries(hidden).map(([name, why]) => [`${table}.${name}`, why])),
  ),
});

/** Everything stored about a user, streamed table by table. */
export async function buildPersonalData(
  ctx: AuthContext,
  personalData: PersonalDataTables,
  caller: Caller,
  network: string | null,
): Promise<Download> {
  await requireProof(ctx, caller);
  await limitUser(ctx, 'personal-data', caller.userId, A_DAY);
  const at = ctx.now();
  await audit(ctx.db, { at, actorId: caller.userId, subjectId: caller.userId, action: 'account.data', network });
  const createdAt = at.toISOString();

  async function* text(): AsyncGenerator<string> {
    yield `{\n "version": ${VERSION},\n "product": ${json(BRAND.name)},\n "createdAt": ${json(createdAt)}`;
    let email = '';
    for (const part of personalData.tables) {
      const rows = await readPart(ctx.db, part, caller.userId);
      for (const row of rows) for (const name of part.sealed ?? []) row[name] = ctx.secrets.open(String(row[name]));
      if (part.table === 'users') [{ email }] = rows as [{ email: string }];
      yield `,\n ${json(part.table)}: ${json(rows)}`;
    }
    yield `,\n "mails": ${json(await readMails(ctx.db, email))},\n "leftOut": ${json(exclusionReasons(personalData))}\n}\n`;
  }
  const fileName = `${BRAND.name.toLowerCase()}-my-data-${createdAt.slice(0, 10)}.json`;
  return { type: 'application/json; charset=utf-8', fileName, text: text() };
}
