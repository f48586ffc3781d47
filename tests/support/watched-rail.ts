import type { Cursor, Rail, Transfer } from '#features/payments/server/usdc/rail.ts';
import { openSolana } from '#features/payments/server/usdc/solana-rail.ts';
import { loadConfig } from '#kernel/config.ts';
import { createLog } from '#kernel/log.ts';
import { openSecrets } from '#kernel/secrets.ts';
import type { Units } from '#shared/money.ts';

import { SECRET_KEY } from './start.ts';

export function solanaRail(urls: string, wallet: string | undefined, mode: 'live' | 'demo' = 'live'): Rail {
  const config = loadConfig({
    SECRET_KEY,
    LOG_LEVEL: 'silent',
    PAY_SOLANA_RPC_URLS: urls,
    ...(wallet === undefined ? {} : { PAY_SOLANA_WALLET: wallet }),
  });
  return openSolana({ config, mode, secrets: openSecrets({ config, log: createLog('silent') }) });
}

/** Stores the results of a rail's scans, like the payment core. */
export class WatchedRail {
  readonly rail: Rail;
  readonly routes: string[] = [];
  readonly amounts = new Map<Units, string>();
  readonly deposits = new Map<string, Transfer & { final: boolean }>();
  readonly lostTransfers: string[] = [];
  cursor: Cursor | null = null;
  /** Start of the first scan. */
  firstScannedBlock = 0;
  #next = 0;

  constructor(rail: Rail) {
    this.rail = rail;
  }

  async open(units?: Units): Promise<string> {
    this.#next += 1;
    const { route } = await this.rail.routeOf({ id: `payment${this.#next}`, number: this.#next });
    this.routes.push(route);
    if (units !== undefined) this.amounts.set(units, route);
    return route;
  }

  /** Returns the number of new transfers. */
  async scan(rail = this.rail): Promise<number> {
    const { cursor, routes, amounts } = this;
    const deposits = [...this.deposits.values()].filter(({ block }) => block > (cursor?.scanned ?? 0));
    const window = await rail.scan({ cursor, routes, amounts, deposits }, AbortSignal.timeout(60_000));
    if (!cursor) this.firstScannedBlock = window.from;
    const seen = new Set(window.transfers.map(({ tx }) => tx));
    for (const deposit of deposits)
      if (!seen.has(deposit.tx) && window.isLost(deposit)) {
        this.deposits.delete(deposit.tx);
        this.lostTransfers.push(deposit.tx);
      }
    const countBefore = this.deposits.size;
    for (const each of window.transfers) this.deposits.set(each.tx, { ...each, final: each.block <= window.final });
    this.cursor = { scanned: window.final, mark: window.mark ?? null };
    return this.deposits.size - countBefore;
  }

  /** Rereads everything the scans reported as final. */
  rereadFinal(): Promise<readonly Transfer[]> {
    const { routes, amounts, firstScannedBlock: from, cursor } = this;
    return this.rail.readAll({ routes, amounts, from, upTo: cursor?.scanned ?? 0 }, AbortSignal.timeout(60_000));
  }

  get sum(): Units {
    return [...this.deposits.values()].reduce((sum, { units }) => sum + units, 0n);
  }

  findDeposit(tx: string): (Transfer & { final: boolean }) | undefined {
    return this.deposits.get(tx);
  }
}
