import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { filePaying } from '#tests/support/paying.ts';
import type { TestChain, TestTransfer } from '#tests/support/test-chain.ts';

// A random chain with reorganisations, lagging nodes, wrong tokens, strangers' deposits and crashing looks. Each chain
// runs many histories in parallel: what is sent, for which offers, and what survives a reorganisation differs between
// histories.
const HISTORIES = Number(process.env['HISTORIES'] ?? 2_000);
const SIDE_BY_SIDE = 100;
const STEPS = 10;
const OFFERS = 3;
const STEP_MS = 2 * 60_000;
const SEED = Number(process.env['SEED'] ?? 7);

const p = filePaying();

/** Mulberry32. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(next() * n);
  return { below, chance: (n: number) => next() < n };
}

type History = { userId: number; routes: string[]; dues: number[] };

/** Offers of accounts without sign-in: thousands of passwords would take hours. */
async function makeHistories(batch: string, below: (n: number) => number): Promise<History[]> {
  const now = p.s.clock.now();
  const users = await sql<{ id: number }>`insert into users (email, password_hash, created_at)
    select ${batch} || n || '@model.example', '', ${now.toISOString()}::timestamptz
    from generate_series(1, ${SIDE_BY_SIDE}) n returning id`.execute(p.db);
  const histories = users.rows.map(({ id }) => ({ userId: id, routes: [] as string[], dues: [] as number[] }));
  const rows = histories.flatMap(({ userId, routes, dues }) =>
    Array.from({ length: OFFERS }, (_, i) => {
      const price = (2 + below(60)) * 10_000;
      const credit = below(4) === 0 ? below(price / 20_000) * 10_000 : 0;
      const route = `0x${userId}x${i}`;
      routes.push(route);
      dues.push(price - credit);
      return {
        id: `pay_${userId}x${i}`,
        user_id: userId,
        network: 'base' as const,
        address: route,
        route,
        plan: below(3) === 0 ? ('premium' as const) : ('pro' as const),
        months: 1 + below(3),
        price,
        credit_used: credit,
        proration: 0,
        due: price - credit,
        created_at: now.toISOString(),
        expires_at: new Date(now.getTime() + (2 + below(8)) * STEP_MS).toISOString(),
        applied_at: null,
      };
    }),
  );
  await p.db.insertInto('usdc_payments').values(rows).execute();
  return histories;
}

function randomSent({ below, chance }: ReturnType<typeof randomOf>, { routes, dues }: History): TestTransfer[] {
  if (!chance(0.22)) return [];
  const place = below(OFFERS + 1);
  const exact = dues[place];
  const units = exact !== undefined && chance(0.6) ? BigInt(exact) : BigInt(below(61)) * 10_000n;
  return [{ to: routes[place] ?? null, units, ...(chance(0.1) ? { token: 'FAKE' } : {}) }];
}

async function look(chain: TestChain): Promise<void> {
  await p.s.product.scheduler.runManually('usdc.watch', { network: chain.network });
  await p.expectBooks();
}

/** A look that crashes while booking leaves nothing behind. */
async function dyingLook(chain: TestChain): Promise<void> {
  await sql`create function dies() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`.execute(
    p.db,
  );
  await sql`create trigger dies before insert or update on usdc_cursors for each row execute function dies()`.execute(
    p.db,
  );
  await expect(p.s.product.scheduler.runManually('usdc.watch', { network: chain.network })).rejects.toThrow('killed');
  await sql`drop trigger dies on usdc_cursors`.execute(p.db);
  await sql`drop function dies()`.execute(p.db);
  await p.expectBooks();
}

async function play(batch: string, seed: number): Promise<{ reorgs: number }> {
  const chain = p.base;
  const random = randomOf(seed);
  const { below, chance } = random;
  const histories = await makeHistories(batch, below);
  const gone = new Set<string>();
  const first = chain.height + 1;
  let deepest = chain.height - 6;
  let reorgs = 0;
  for (let step = 0; step < STEPS; step += 1) {
    p.s.advance(STEP_MS);
    chain.mine(histories.flatMap((history) => randomSent(random, history)));
    if (chance(0.45)) {
      // Blocks reported as final are never reorganised.
      const depth = Math.min(1 + below(5), chain.height - deepest - 1, chain.height - first + 1);
      if (depth > 0) {
        const lost = chain.reorg(depth);
        for (const { tx } of lost) gone.add(tx as string);
        chain.mine(lost.filter(() => chance(0.5)));
        reorgs += 1;
      }
    }
    chain.lag = chance(0.15) ? 1 + below(4) : 0;
    if (chance(0.08)) await dyingLook(chain);
    if (chance(0.75)) {
      await look(chain);
      deepest = Math.max(deepest, chain.height - chain.lag - 6);
    }
  }
  chain.lag = 0;
  chain.finalize();
  await look(chain);
  await look(chain);
  await compare(histories, gone);
  return { reorgs };
}

/** The ledger must match the chain as it is at the end. */
async function compare(histories: readonly History[], gone: ReadonlySet<string>): Promise<void> {
  const owners = new Map(histories.flatMap(({ routes, userId }) => routes.map((route) => [route, userId] as const)));
  const paid = new Map<number | null, bigint>();
  let canonical = 0n;
  for (const { token, route, units } of p.base.transfers(0, p.base.height)) {
    if (token !== 'USDC') continue;
    canonical += units;
    const owner = route === null ? null : (owners.get(route) ?? -1);
    paid.set(owner, (paid.get(owner) ?? 0n) + units);
  }
  const { rows } = await sql<{ account: string; sum: string }>`
    select account, sum(units)::text as sum from postings group by 1`.execute(p.db);
  const sums = new Map(rows.map(({ account, sum }) => [account, BigInt(sum)]));
  expect(sums.get('chain:base') ?? 0n).toBe(canonical);
  expect(-(sums.get('suspense') ?? 0n)).toBe(paid.get(null) ?? 0n);
  expect(sums.get('loss') ?? 0n).toBe(0n);
  const spent = await sql<{ user_id: number; units: string }>`
    select g.user_id, sum(g.units - coalesce(-(select sum(units) from postings o where o.key = 'prorate:' || g.source and o.account like 'credit:%'), 0))::text as units
    from plan_grants g where not exists (select from plan_grant_revocations r where r.source = g.source) group by 1`.execute(
    p.db,
  );
  const bought = new Map(spent.rows.map(({ user_id, units }) => [user_id, BigInt(units)]));
  for (const { userId } of histories)
    expect((bought.get(userId) ?? 0n) - (sums.get(`credit:${userId}`) ?? 0n)).toBe(paid.get(userId) ?? 0n);
  const reversed = await p.db.selectFrom('journal').select('key').where('key', 'like', 'rev:%').execute();
  for (const { key } of reversed) everReversed.add(key.split(':')[2] as string);
  for (const tx of gone) everGone.add(tx);
  for (const tx of everReversed) expect(everGone.has(tx), `${tx} was reversed and is on the chain`).toBe(true);
}

const everGone = new Set<string>();
const everReversed = new Set<string>();

test(`${HISTORIES} random histories: the books equal the chain, nobody has a plan without money, and no money is without owner`, {
  timeout: 900_000,
}, async () => {
  let reorgs = 0;
  for (let batch = 0; batch < HISTORIES / SIDE_BY_SIDE; batch += 1)
    reorgs += (await play(`b${batch}n`, SEED * 1_000 + batch)).reorgs;
  expect(reorgs).toBeGreaterThan(HISTORIES / SIDE_BY_SIDE);
  const grants = await p.db.selectFrom('plan_grants').select('source').execute();
  const taken = await p.db.selectFrom('plan_grant_revocations').select('source').execute();
  expect(grants.length).toBeGreaterThan(taken.length);
  expect(taken.length).toBeGreaterThan(HISTORIES / 100);
});
