import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { auditBooks } from '#features/payments/server/usdc/service/audit.ts';
import { openDatabase } from '#kernel/db.ts';
import type { Night } from '../night.ts';

const FACTS = {
  plan_grants: 'md5(plan_grants::text)',
  plan_grant_revocations: 'md5(plan_grant_revocations::text)',
  journal: 'md5(journal::text)',
  postings: 'md5(postings::text)',
  entitlements: 'md5(entitlements::text)',
  prediction_ledger: 'md5(prediction_ledger::text)',
  audit_log: 'md5(audit_log::text)',
} as const;

/** Facts that are only ever added to: every one that was seen must still be there, unchanged. */
export function factKeeper(night: Night) {
  const seen = new Map<string, Set<string>>();
  async function look(): Promise<Map<string, Set<string>>> {
    const now = new Map<string, Set<string>>();
    for (const [table, expression] of Object.entries(FACTS)) {
      const rows = await night.cluster.query<{ mark: string }>(`select ${expression} as mark from ${table}`);
      now.set(table, new Set(rows.map(({ mark }) => mark)));
    }
    return now;
  }
  return {
    async remember(): Promise<void> {
      const now = await look().catch(() => null);
      for (const [table, marks] of now ?? []) {
        const known = seen.get(table) ?? new Set();
        for (const mark of marks) known.add(mark);
        seen.set(table, known);
      }
    },
    async check(): Promise<string[]> {
      const now = await look();
      return [...seen].flatMap(([table, marks]) => {
        const gone = [...marks].filter((mark) => !now.get(table)?.has(mark)).length;
        return gone > 0 ? [`${gone} of ${marks.size} facts of ${table} are gone or were changed`] : [];
      });
    },
  };
}

export async function checkBooks(night: Night): Promise<string[]> {
  const { db, close } = openDatabase(
    { host: '127.0.0.1', port: night.cluster.port, user: 'postgres', database: 'meridian' },
    () => undefined,
    1,
  );
  try {
    return await auditBooks(db);
  } finally {
    await close();
  }
}

export async function checkLedger(night: Night, env: Record<string, string>): Promise<string[]> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['src/app/server/main.ts', 'ledger:verify'], {
    env: { PATH, HOME, ...env, DATABASE_URL: `postgres://postgres@127.0.0.1:${night.cluster.port}/meridian` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  const [code] = (await once(child, 'close')) as [number | null];
  night.tell(`ledger: ${text.trim().replaceAll(/\s+/g, ' ')}`);
  return code === 0 ? [] : [`the ledger does not verify: ${text.slice(-500)}`];
}
