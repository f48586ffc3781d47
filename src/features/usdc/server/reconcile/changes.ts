import type { Rail, Transfer, Window } from '../rail.ts';
import type { Deposit } from '../store/deposits.ts';
import type { StoredPayment } from '../store/payments.ts';

/** What a look at a chain changes of what is stored. */
export type Changes = {
  /** No longer on the chain, by proof. */
  gone: Deposit[];
  /** New, deeper, or in another block than before. */
  put: Deposit[];
  /** Money that is final by its height, yet neither shown nor proved to be gone: the cursor does not pass it. */
  missing: Deposit[];
};

type Seen = {
  /** Of the window, not orphaned. */
  stored: readonly Deposit[];
  /** Of the same transactions, whatever became of them. */
  known: readonly Deposit[];
  byRoute: ReadonlyMap<string, StoredPayment>;
  now: Date;
};

const RANK = { orphaned: -1, foreign: 0, seen: 1, confirmed: 2, final: 3 } as const;

const keyOf = ({ tx, idx }: Pick<Transfer, 'tx' | 'idx'>): string => `${tx}:${idx}`;
const lower = (network: Window['network'], token: string) => (network === 'base' ? token.toLowerCase() : token);

/** In another block a transaction may have its logs at other places: the same place need not be the same money. */
const isSameMoney = (a: Transfer, b: Deposit): boolean =>
  a.units === b.units && a.token === b.token && a.sender === b.sender && (a.route ?? b.route) === (b.route ?? a.route);

function stateOf(rail: Rail, { network, safe, final }: Window, transfer: Transfer): Deposit['state'] {
  if (lower(network, transfer.token) !== lower(network, rail.token)) return 'foreign';
  if (transfer.units > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Error(`${rail.network} shows a transfer of ${transfer.units} micro-USDC: ${transfer.tx}`);
  return transfer.block <= final ? 'final' : transfer.block <= safe ? 'confirmed' : 'seen';
}

function vanished(deposit: Deposit): never {
  throw new Error(`A final deposit on ${deposit.network} has vanished: ${deposit.tx}`);
}

function depositOf(rail: Rail, window: Window, transfer: Transfer, { byRoute, now }: Seen, old?: Deposit): Deposit {
  const state = stateOf(rail, window, transfer);
  const { tx, idx, block, blockHash, at, token, sender, units } = transfer;
  const chain = { network: window.network, tx, idx, block, blockHash, at, token, sender, units };
  if (!old || !isSameMoney(transfer, old)) {
    const generation = old ? old.generation + Number(old.state !== 'orphaned') : 0;
    const paymentId = (transfer.route !== null && byRoute.get(transfer.route)?.id) || null;
    const fresh = { isCredited: false, ownerId: null, seenAt: now };
    return { ...chain, ...fresh, state, route: transfer.route, generation, paymentId };
  }
  // A node that lags behind does not take back what another has confirmed.
  const isDeeper = old.blockHash === blockHash && RANK[old.state] > RANK[state];
  return { ...old, ...chain, state: isDeeper ? old.state : state };
}

/** Pure; throws when something final is not what it was. */
export function changesOf(rail: Rail, window: Window, seen: Seen): Changes {
  const transfers = new Map(window.transfers.filter(({ units }) => units > 0n).map((each) => [keyOf(each), each]));
  const known = new Map(seen.known.map((each) => [keyOf(each), each]));
  const changes: Changes = { gone: [], put: [], missing: [] };
  for (const deposit of seen.stored) {
    const transfer = transfers.get(keyOf(deposit));
    const isGone = transfer ? !isSameMoney(transfer, deposit) : window.isLost(deposit);
    if (isGone) {
      if (deposit.state === 'final') vanished(deposit);
      changes.gone.push(deposit);
    } else if (!transfer && deposit.block <= window.final && !['final', 'foreign'].includes(deposit.state))
      changes.missing.push(deposit);
  }
  for (const [key, transfer] of transfers) {
    const old = known.get(key);
    if (old?.state === 'final') {
      if (old.blockHash !== transfer.blockHash) vanished(old);
      continue;
    }
    const next = depositOf(rail, window, transfer, seen, old);
    if (!old || next.state !== old.state || next.blockHash !== old.blockHash || !isSameMoney(transfer, old))
      changes.put.push(next);
  }
  return changes;
}
