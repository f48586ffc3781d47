import { setTimeout as sleep } from 'node:timers/promises';

import { call, jsonOf } from './call.ts';
import type { Night } from './night.ts';

/** Every check has to pass within this time of the end of the last act. */
export const LONGEST_RECOVERY_MS = 90_000;

type Health = { database: { writable: boolean }; sources: { id: string; state: string; note: string | null }[] };
type Prices = { cryptoPrices: { symbol: string; price: number; meta: { observedAt: string } }[] };

const OWNERS = {
  collector: 7_246_010,
  'rules owner': 7_246_100,
  'watcher of Base': 7_246_051,
  'reader of the bot': 7_246_040,
};
/** A dashboard is rebuilt at most every five seconds. */
const FRESH_MS = 12_000;

const direct = async <T>(port: number | null, path: string): Promise<T> => {
  const answer = await call(`http://127.0.0.1:${port}`, path, { limitMs: 3000 });
  if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}`);
  return jsonOf<T>(answer);
};

const isHeld = async (night: Night, key: number) =>
  (await night.cluster.query(`select 1 from pg_locks where locktype = 'advisory' and objid = ${key} and granted`))
    .length === 1;

export const sourcesThatAreWell = async (night: Night): Promise<string[]> => {
  const { sources } = await direct<Health>(night.fleet.webs[0]?.port() ?? null, '/api/health');
  return sources.filter(({ state }) => state === 'ok').map(({ id }) => id);
};

function wellnesses(night: Night, sources: readonly string[]): [string, () => Promise<boolean>][] {
  const { fleet, cluster } = night;
  const ofWebs = fleet.webs.flatMap((web): [string, () => Promise<boolean>][] => [
    [`${web.name} takes writes`, async () => (await direct<Health>(web.port(), '/api/health')).database.writable],
    [
      `${web.name} has prices of now`,
      async () => {
        const { cryptoPrices } = await direct<Prices>(web.port(), '/api/dashboard');
        const at = cryptoPrices.find(({ symbol }) => symbol.toUpperCase() === 'BTC')?.meta.observedAt ?? '';
        const age = Math.abs(Date.now() - Date.parse(at));
        if (!(age < FRESH_MS)) throw new Error(`its price is of ${at || 'no time'}`);
        return true;
      },
    ],
  ]);
  return [
    ...ofWebs,
    ...Object.entries(OWNERS).map(([who, key]): [string, () => Promise<boolean>] => [
      `there is one ${who}`,
      () => isHeld(night, key),
    ]),
    [
      'rules are judged',
      async () =>
        (
          await cluster.query(
            "select 1 from alert_rules where name like 'Round %' and first_on <> 0 and updated_at > $1 limit 1",
            [new Date(Date.now() - FRESH_MS)],
          )
        ).length === 1,
    ],
    [
      'prices are stored',
      async () =>
        (await cluster.query('select 1 from price_observations where observed_at > $1 limit 1', [night.startedAt]))
          .length === 1,
    ],
    [
      'Base is looked at',
      async () => {
        const [row] = await cluster.query<{ polled_at: Date }>(
          "select polled_at from usdc_cursors where network = 'base'",
        );
        if (!row || Date.now() - row.polled_at.getTime() > FRESH_MS)
          throw new Error(`looked at ${row?.polled_at.toISOString()}`);
        return true;
      },
    ],
    [
      'every source that was well',
      async () => {
        const { sources: now } = await direct<Health>(fleet.webs[0]?.port() ?? null, '/api/health');
        const ill = now.filter(({ id, state }) => sources.includes(id) && state !== 'ok');
        if (ill.length > 0) throw new Error(ill.map(({ id, state, note }) => `${id} ${state}: ${note}`).join('. '));
        return true;
      },
    ],
  ];
}

/** Milliseconds until each check passed; those that never did are losses. */
export async function watchRecovery(
  night: Night,
  sources: readonly string[],
): Promise<{ took: Map<string, number>; lost: string[] }> {
  const open = new Map(wellnesses(night, sources));
  const took = new Map<string, number>();
  const reasons = new Map<string, string>();
  const begun = performance.now();
  while (open.size > 0 && performance.now() - begun < LONGEST_RECOVERY_MS) {
    await Promise.all(
      [...open].map(async ([what, isWell]) => {
        const isSo = await isWell().catch((error: unknown) => {
          reasons.set(what, String(error));
          return false;
        });
        if (!isSo) return;
        const ms = Math.round(performance.now() - begun);
        took.set(what, ms);
        night.tell(`well again after ${(ms / 1000).toFixed(1)} s: ${what}`);
        open.delete(what);
      }),
    );
    await sleep(200);
  }
  const lost = [...open.keys()].map(
    (what) => `not within ${LONGEST_RECOVERY_MS / 1000} s: ${what} (${reasons.get(what) ?? 'it is not so'})`,
  );
  return { took, lost };
}
