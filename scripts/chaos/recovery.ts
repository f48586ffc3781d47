import { setTimeout as sleep } from 'node:timers/promises';

import { call, jsonOf } from './call.ts';
import type { ChaosContext } from './context.ts';

/** Every check has to pass within this time of the end of the last act. */
export const MAX_RECOVERY_MS = 90_000;

type Health = { database: { writable: boolean }; sources: { id: string; state: string; note: string | null }[] };
type Prices = { cryptoPrices: { symbol: string; price: number; meta: { observedAt: string } }[] };

const LEASES = {
  collector: 7_246_010,
  'rules owner': 7_246_100,
  'watcher of Base': 7_246_051,
  'reader of the bot': 7_246_040,
};
/** A dashboard is rebuilt at most every five seconds. */
const MAX_PRICE_AGE_MS = 12_000;

const getJson = async <T>(port: number | null, path: string): Promise<T> => {
  const response = await call(`http://127.0.0.1:${port}`, path, { limitMs: 3000 });
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
  return jsonOf<T>(response);
};

const isHeld = async (context: ChaosContext, key: number) =>
  (await context.cluster.query(`select 1 from pg_locks where locktype = 'advisory' and objid = ${key} and granted`))
    .length === 1;

export const healthySources = async (context: ChaosContext): Promise<string[]> => {
  const { sources } = await getJson<Health>(context.fleet.webs[0]?.port() ?? null, '/api/health');
  return sources.filter(({ state }) => state === 'ok').map(({ id }) => id);
};

function recoveryChecks(context: ChaosContext, sources: readonly string[]): [string, () => Promise<boolean>][] {
  const { fleet, cluster } = context;
  const webChecks = fleet.webs.flatMap((web): [string, () => Promise<boolean>][] => [
    [`${web.name} takes writes`, async () => (await getJson<Health>(web.port(), '/api/health')).database.writable],
    [
      `${web.name} has prices of now`,
      async () => {
        const { cryptoPrices } = await getJson<Prices>(web.port(), '/api/dashboard');
        const at = cryptoPrices.find(({ symbol }) => symbol.toUpperCase() === 'BTC')?.meta.observedAt ?? '';
        const age = Math.abs(Date.now() - Date.parse(at));
        if (!(age < MAX_PRICE_AGE_MS)) throw new Error(`its price is of ${at || 'no time'}`);
        return true;
      },
    ],
  ]);
  return [
    ...webChecks,
    ...Object.entries(LEASES).map(([account, key]): [string, () => Promise<boolean>] => [
      `there is one ${account}`,
      () => isHeld(context, key),
    ]),
    [
      'rules are judged',
      async () =>
        (
          await cluster.query(
            "select 1 from alert_rules where name like 'Round %' and first_on <> 0 and updated_at > $1 limit 1",
            [new Date(Date.now() - MAX_PRICE_AGE_MS)],
          )
        ).length === 1,
    ],
    [
      'prices are stored',
      async () =>
        (await cluster.query('select 1 from price_observations where observed_at > $1 limit 1', [context.startedAt]))
          .length === 1,
    ],
    [
      'Base is looked at',
      async () => {
        const [row] = await cluster.query<{ polled_at: Date }>(
          "select polled_at from usdc_cursors where network = 'base'",
        );
        if (!row || Date.now() - row.polled_at.getTime() > MAX_PRICE_AGE_MS)
          throw new Error(`looked at ${row?.polled_at.toISOString()}`);
        return true;
      },
    ],
    [
      'every source that was well',
      async () => {
        const { sources: now } = await getJson<Health>(fleet.webs[0]?.port() ?? null, '/api/health');
        const unhealthy = now.filter(({ id, state }) => sources.includes(id) && state !== 'ok');
        if (unhealthy.length > 0)
          throw new Error(unhealthy.map(({ id, state, note }) => `${id} ${state}: ${note}`).join('. '));
        return true;
      },
    ],
  ];
}

/** Milliseconds until each check passed; those that never did are losses. */
export async function watchRecovery(
  context: ChaosContext,
  sources: readonly string[],
): Promise<{ durations: Map<string, number>; failures: string[] }> {
  const pending = new Map(recoveryChecks(context, sources));
  const durations = new Map<string, number>();
  const reasons = new Map<string, string>();
  const startedAt = performance.now();
  while (pending.size > 0 && performance.now() - startedAt < MAX_RECOVERY_MS) {
    await Promise.all(
      [...pending].map(async ([check, isRecovered]) => {
        const hasRecovered = await isRecovered().catch((error: unknown) => {
          reasons.set(check, String(error));
          return false;
        });
        if (!hasRecovered) return;
        const ms = Math.round(performance.now() - startedAt);
        durations.set(check, ms);
        context.log(`well again after ${(ms / 1000).toFixed(1)} s: ${check}`);
        pending.delete(check);
      }),
    );
    await sleep(200);
  }
  const failures = [...pending.keys()].map(
    (check) => `not within ${MAX_RECOVERY_MS / 1000} s: ${check} (${reasons.get(check) ?? 'it is not so'})`,
  );
  return { durations, failures };
}
