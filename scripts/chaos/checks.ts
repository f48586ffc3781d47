import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { auditBooks } from '#features/payments/server/usdc/service/audit.ts';
import { openDatabase } from '#kernel/db.ts';
import type { Watcher } from './clients/watcher.ts';
import type { ChaosContext } from './context.ts';
import { resourceUsageOf } from './fleet.ts';

const FACTS = {
  plan_grants: 'md5(plan_grants::text)',
  plan_grant_revocations: 'md5(plan_grant_revocations::text)',
  journal: 'md5(journal::text)',
  postings: 'md5(postings::text)',
  entitlements: 'md5(entitlements::text)',
  prediction_ledger: 'md5(prediction_ledger::text)',
  audit_log: 'md5(audit_log::text)',
} as const;

/** Append-only facts: every fact ever seen must still exist, unchanged. */
export function createFactTracker(context: ChaosContext) {
  const known = new Map<string, Set<string>>();
  async function readFacts(): Promise<Map<string, Set<string>>> {
    const now = new Map<string, Set<string>>();
    for (const [table, expression] of Object.entries(FACTS)) {
      const rows = await context.cluster.query<{ mark: string }>(`select ${expression} as mark from ${table}`);
      now.set(table, new Set(rows.map(({ mark }) => mark)));
    }
    return now;
  }
  return {
    async recordSeen(): Promise<void> {
      const now = await readFacts().catch(() => null);
      for (const [table, marks] of now ?? []) {
        const marksOfTable = known.get(table) ?? new Set();
        for (const mark of marks) marksOfTable.add(mark);
        known.set(table, marksOfTable);
      }
    },
    async check(): Promise<string[]> {
      const now = await readFacts();
      return [...known].flatMap(([table, marks]) => {
        const missing = [...marks].filter((mark) => !now.get(table)?.has(mark)).length;
        return missing > 0 ? [`${missing} of ${marks.size} facts of ${table} are gone or were changed`] : [];
      });
    },
  };
}

export async function checkAccounting(context: ChaosContext): Promise<string[]> {
  const { db, close } = openDatabase(
    { host: '127.0.0.1', port: context.cluster.port, user: 'postgres', database: 'meridian' },
    () => undefined,
    1,
  );
  try {
    return await auditBooks(db);
  } finally {
    await close();
  }
}

export async function checkLedger(context: ChaosContext, env: Record<string, string>): Promise<string[]> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['src/app/server/main.ts', 'ledger:verify'], {
    env: { PATH, HOME, ...env, DATABASE_URL: `postgres://postgres@127.0.0.1:${context.cluster.port}/meridian` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  const [code] = (await once(child, 'close')) as [number | null];
  context.log(`ledger: ${text.trim().replaceAll(/\s+/g, ' ')}`);
  return code === 0 ? [] : [`the ledger does not verify: ${text.slice(-500)}`];
}

/** The size of one claim: a worker that dies may have sent this many without recording it. */
const BATCH = 50;

type Row = {
  id: string;
  user_id: string;
  channel: string;
  state: string;
  alert_id: string | null;
  message: string;
  mail_id: string | null;
};

const countsOf = (keys: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/**
 * Compares alerts with deliveries, and deliveries with what arrived. Alerts that fired after the last act are excluded,
 * because their deliveries were not awaited.
 */
export async function checkDeliveries(context: ChaosContext, watchers: readonly Watcher[]): Promise<string[]> {
  const failures: string[] = [];
  const ids = watchers.map(({ account }) => account.id);
  const rows = await context.cluster.query<Row>(
    `select d.id, d.user_id, d.channel, d.state, e.alert_id, e.payload->>'message' as message, m.mail_id
     from notification_deliveries d join notification_events e on e.id = d.event_id
     left join mail_deliveries m on m.delivery_id = d.id where d.user_id = any($1::bigint[]) and e.created_at <= $2`,
    [ids, context.endedAt],
  );
  for (const { id, channel, state, message } of rows)
    if (!['sent', 'expired'].includes(state)) failures.push(`delivery ${id} by ${channel} is ${state}: ${message}`);

  const alerts = await context.cluster.query<{ id: string; user_id: string }>(
    'select id, user_id from alerts where user_id = any($1::bigint[]) and queued_at <= $2',
    [ids, context.endedAt],
  );
  const expected = new Set(rows.map(({ alert_id: alert, user_id: user, channel }) => `${alert} ${user} ${channel}`));
  for (const { id, user_id: user } of alerts)
    for (const channel of ['email', 'push', 'telegram', 'webhook'])
      if (!expected.has(`${id} ${user} ${channel}`)) failures.push(`alert ${id} has no delivery by ${channel}`);

  const webhookCalls = countsOf(
    context.services.webhooks.calls.map(({ headers }) => String(headers['meridian-delivery'])),
  );
  const emails = countsOf(context.services.smtp.emails.map(({ messageId = '' }) => messageId));
  const duplicates = { webhook: 0, email: 0, push: 0, telegram: 0 };
  for (const count of webhookCalls.values()) duplicates.webhook += count - 1;
  for (const count of emails.values()) duplicates.email += count - 1;
  for (const { account, pushTags, chatTexts } of watchers) {
    const ownRows = rows.filter(({ user_id: user, state }) => Number(user) === account.id && state === 'sent');
    const [tags, texts] = [countsOf(await pushTags()), countsOf(await chatTexts())];
    // Reminders share an email; the message id begins with the email's id.
    const arrivedMailIds = new Set(
      context.services.smtp.emails
        .filter(({ rcptTo }) => rcptTo.includes(account.email))
        .map(({ messageId = '' }) => messageId.slice(1).split('.')[0]),
    );
    for (const { id, mail_id: mail } of ownRows.filter(({ channel }) => channel === 'email'))
      if (mail === null || !arrivedMailIds.has(mail))
        failures.push(`delivery ${id} was sent and ${account.email} has no email of it`);
    const chatRows = ownRows.filter(({ channel }) => channel === 'telegram');
    if ([...texts.values()].reduce((a, b) => a + b, 0) < chatRows.length)
      failures.push(`${account.email} has ${texts.size} chat messages of ${chatRows.length} that were sent`);
    for (const { id, channel, alert_id: alert } of ownRows) {
      if (channel === 'webhook' && !webhookCalls.has(`dlv_${id}`))
        failures.push(`delivery ${id} was sent and no webhook received it`);
      if (channel === 'push' && alert !== null && !tags.has(`alert-${alert}`) && tags.size < 50)
        failures.push(`delivery ${id} was sent and no browser has it`);
    }
    for (const count of tags.values()) duplicates.push += count - 1;
    for (const [text, count] of texts) if (text.includes('Bitcoin')) duplicates.telegram += count - 1;
  }
  // A batch may be sent twice for each crash of a worker, of its connections or of the database.
  const allowed = BATCH * (context.fleet.killCount() + context.interruptions);
  for (const [channel, count] of Object.entries(duplicates)) {
    context.log(`deliveries by ${channel} that arrived more than once: ${count}`);
    if (count > allowed)
      failures.push(`${count} deliveries by ${channel} arrived more than once, at most ${allowed} can`);
  }
  return failures;
}

const SAMPLE_SIZE = 3000;
/** Sources round, list prices have minute resolution, and tethers are not exactly one dollar. */
const MAX_PRICE_DEVIATION = 0.004;

type Price = { id: string; price: number; observed_at: Date; source: string };

/** Compares prices stored during the run with the simulated market. */
export async function checkPrices(context: ChaosContext): Promise<string[]> {
  const rows = await context.cluster.query<Price>(
    `select c.id, p.price, p.observed_at, p.source from price_observations p join coins c on c.key = p.coin_key
     where p.observed_at >= $1 and p.observed_at < $2 order by random() limit ${SAMPLE_SIZE}`,
    [context.startedAt, context.endedAt ?? new Date()],
  );
  let maxDeviation = 0;
  const failures = rows.flatMap(({ id, price, observed_at: at, source }) => {
    const actual = context.services.market.priceAt(id, at.getTime());
    const deviation = Math.abs(price / actual - 1);
    maxDeviation = Math.max(maxDeviation, deviation);
    return deviation > MAX_PRICE_DEVIATION
      ? [`${source} gave ${id} ${price} at ${at.toISOString()}, and the market was at ${actual}`]
      : [];
  });
  context.log(`prices looked at: ${rows.length}, the farthest from the market by ${(maxDeviation * 100).toFixed(3)}%`);
  if (rows.length === 0) failures.push('no price was stored during the run');
  return failures;
}

/** Errors that indicate a bug, not an injected fault. */
const BUG_PATTERN =
  /TypeError|ReferenceError|RangeError|is not a function|Cannot read prop|undefined is not|violates|duplicate key|syntax error|deadlock|does not exist|unhandled|uncaught/i;

export async function checkErrors(context: ChaosContext): Promise<string[]> {
  const groups = await context.cluster.query<{
    source: string;
    type: string;
    message: string;
    details: string | null;
    count: string;
  }>('select source, type, message, details, count from error_groups order by count desc');
  context.log(`error log: ${groups.length} failures of ${new Set(groups.map(({ source }) => source)).size} sources`);
  for (const { source, message, count, details } of groups.slice(0, 60))
    context.log(
      `  ${count}× ${source}: ${message.slice(0, 120)}${details ? ` — ${details.replaceAll(/\s+/g, ' ').slice(0, 140)}` : ''}`,
    );
  const fromLog = groups
    .filter(({ message, details }) => BUG_PATTERN.test(`${message} ${details ?? ''}`))
    .map(({ source, message, details }) => `error log: ${source}: ${message} — ${(details ?? '').slice(0, 600)}`);
  const fromOutput = context.fleet.members.flatMap(({ name, output }) =>
    /unhandled|uncaught|heap out of memory/i.test(output()) ? [`${name} has printed of something uncaught`] : [],
  );
  return [...fromLog, ...fromOutput];
}

const MAX_RESIDENT_MB = 900;
const MAX_EXTRA_FILES = 60;

export function resourceUsage(context: ChaosContext): Map<string, { mb: number; files: number }> {
  return new Map(
    context.fleet.members.flatMap(({ name, pid }) => {
      const usage = resourceUsageOf(pid());
      return usage ? [[name, usage] as const] : [];
    }),
  );
}

export function checkResourceUsage(context: ChaosContext, before: ReadonlyMap<string, { files: number }>): string[] {
  return [...resourceUsage(context)].flatMap(([name, { mb, files }]) => {
    const filesBefore = before.get(name)?.files ?? files;
    context.log(`${name}: ${mb} MB, ${files} open files (${filesBefore} before the run)`);
    return mb > MAX_RESIDENT_MB || files > filesBefore + MAX_EXTRA_FILES
      ? [`${name} has ${mb} MB and ${files} open files`]
      : [];
  });
}
