import { NETWORK_NAMES, type Network } from '#features/payments/contract/usdc.ts';
import type { Db } from '#kernel/db.ts';
import { unitsToUsd } from '#shared/money.ts';
import { NETWORKS, type UsdcContext } from '../context.ts';
import { findBroken } from '../store/audit.ts';
import { finalDeposits, findCursor } from '../store/deposits.ts';
import { listAmountsSince, listRoutes } from '../store/payments.ts';

/** Descriptions of violated ledger rules; empty when all hold. */
export async function auditBooks(db: Db): Promise<string[]> {
  const broken = await findBroken(db);
  return broken.map(({ what, detail }) => `${what}: ${detail}`);
}

const depositKey = ({ tx, idx }: { tx: string; idx: number }) => `${tx}:${idx}`;

/** Differences between the stored final deposits and the chain, re-read from its first block. */
export async function auditChain(ctx: UsdcContext, network: Network, signal: AbortSignal): Promise<string[]> {
  const rail = ctx.rails[network];
  const cursor = await findCursor(ctx.db, network);
  if (!cursor || cursor.scanned < cursor.firstBlock) return [];
  const known = {
    routes: await listRoutes(ctx.db, network),
    amounts: await listAmountsSince(ctx.db, network, new Date(0)),
    from: cursor.firstBlock,
    upTo: cursor.scanned,
  };
  const transfers = await rail.readAll(known, signal);
  const usdcTransfers = transfers.filter(
    ({ token, units }) => token.toLowerCase() === rail.token.toLowerCase() && units > 0n,
  );
  const shown = new Map(usdcTransfers.map((each) => [depositKey(each), each.units]));
  const stored = new Map(
    (await finalDeposits(ctx.db, network, cursor.scanned)).map((each) => [depositKey(each), each.units]),
  );
  const differing = new Set([...shown.keys(), ...stored.keys()]);
  return [...differing]
    .filter((key) => shown.get(key) !== stored.get(key))
    .map((key) => {
      const amounts = `${unitsToUsd(shown.get(key) ?? 0n)} on chain, ${unitsToUsd(stored.get(key) ?? 0n)} in the books`;
      return `${NETWORK_NAMES[network]} and the books differ: ${key}: ${amounts}`;
    });
}

/** Throws the findings so that they are reported. */
export async function auditPayments(ctx: UsdcContext, signal: AbortSignal): Promise<void> {
  const found = await auditBooks(ctx.db);
  for (const network of NETWORKS)
    if (ctx.rails[network].closed === null) found.push(...(await auditChain(ctx, network, signal)));
  for (const each of found) ctx.report('usdc', 'system', each);
  if (found.length > 0) throw new Error(`The payment audit found ${found.length} discrepancies: ${found.join('. ')}`);
}
