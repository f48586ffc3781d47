import type { Known, Rail, Window } from '#features/payments/server/usdc/rail.ts';
import { openBase } from '#features/payments/server/usdc/service.ts';
import { loadConfig } from '#kernel/config.ts';

export const TREASURY = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';

/** USDC on Base as accepted by a product with these settings. */
export const openTestBase = (
  env: Record<string, string>,
  {
    mode = 'live',
    now = () => new Date('2026-11-20T12:00:00Z'),
    maxBlocks,
  }: { mode?: 'live' | 'demo'; now?: () => Date; maxBlocks?: number } = {},
): Rail =>
  openBase(
    { config: loadConfig({ PAY_BASE_TREASURY: TREASURY, ...env }), mode, now },
    maxBlocks === undefined ? {} : { maxBlocks },
  );

const keyOf = ({ tx, idx }: { tx: string; idx: number }) => `${tx}:${idx}`;

/** Scans repeatedly, and stores the part of a window that the next scan needs. */
export function createWatcher(rail: Rail, routes: readonly string[]) {
  let cursor: Known['cursor'] = null;
  let deposits: Known['deposits'] = [];
  return {
    scan: async (): Promise<Window & { lost: string[] }> => {
      const window = await rail.scan({ cursor, routes, amounts: new Map(), deposits }, AbortSignal.timeout(30_000));
      const lost = deposits.filter(window.isLost).map(keyOf);
      const seen = new Set(window.transfers.map(keyOf));
      const stillPending = deposits.filter((each) => !lost.includes(keyOf(each)) && !seen.has(keyOf(each)));
      deposits = [...stillPending, ...window.transfers].filter(({ block }) => block > window.final);
      cursor = { scanned: window.final, mark: null };
      return { ...window, lost };
    },
    scanned: () => cursor?.scanned,
  };
}
