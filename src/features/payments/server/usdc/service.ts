import type { BillingEntry } from '#features/payments/contract/billing.ts';
import { NETWORK_NAMES, type Network } from '#features/payments/contract/usdc.ts';
import type { PaymentMethod, Receipt } from '#features/payments/server/billing/service.ts';
import { isLoopback } from '#kernel/http/loopback.ts';
import { runForLeader } from '#kernel/leader.ts';
import { unitsToUsd } from '#shared/money.ts';
import { openNode } from './base/node.ts';
import { CHAIN_ID, createScanner } from './base/scanner.ts';
import { type AddressFor, contractAddresses, walletAddresses } from './base/transfers.ts';
import { NETWORKS, type UsdcContext, type UsdcDeps } from './context.ts';
import { planTitle } from './labels.ts';
import type { Rail } from './rail.ts';
import { disabledReason } from './service/quote.ts';
import { watch } from './service/watch.ts';
import { openSolana } from './solana-rail.ts';
import { paidUnits, paymentFlags, paymentStatus } from './status.ts';
import { type Deposit, findDepositsByPayment } from './store/deposits.ts';
import { findPayment, listPayments, type StoredPayment } from './store/payments.ts';

const NUMBER_DIGITS = 6;

const toOwed = ({ due, expiresAt, appliedAt }: StoredPayment) => ({ due, expiresAt, isApplied: appliedAt !== null });

/** A purchase is one entry; an unpaid offer is listed only while it is open. */
function toBillingEntry(payment: StoredPayment, deposits: readonly Deposit[], now: Date): BillingEntry | undefined {
  const status = paymentStatus(toOwed(payment), deposits, now);
  const paid = paidUnits(deposits);
  const isApplied = payment.appliedAt !== null;
  if (!isApplied && paid === 0n && status === 'expired') return undefined;
  // A partial deposit is on the balance while the rest is awaited: the offer is still open.
  const isKept = status !== 'underpaid' && paymentFlags(toOwed(payment), deposits).includes('credited');
  const title = `${planTitle(payment)}, USDC on ${NETWORK_NAMES[payment.network]}`;
  return {
    id: payment.id,
    at: (payment.appliedAt ?? payment.createdAt).toISOString(),
    title: isKept ? `${title} (added to balance)` : title,
    method: payment.due === 0n ? 'credit' : payment.network,
    amount: unitsToUsd(isApplied || paid > 0n ? paid : payment.due),
    state: isApplied || isKept ? 'paid' : status === 'expired' ? 'expired' : 'open',
    receipt: isApplied ? `/api/billing/receipts/${payment.id}` : null,
  };
}

function toReceipt(payment: StoredPayment, deposits: readonly Deposit[]): Receipt {
  const live = deposits.filter(({ state }) => state === 'confirmed' || state === 'final');
  const paid = paidUnits(live);
  const from = (what: string, units: bigint): [string, string][] => (units > 0n ? [[what, unitsToUsd(-units)]] : []);
  const over = paid - (payment.price - payment.creditUsed - payment.proration);
  const network = NETWORK_NAMES[payment.network];
  return {
    number: `M-${payment.network === 'base' ? 'B' : 'S'}-${String(payment.number).padStart(NUMBER_DIGITS, '0')}`,
    at: payment.appliedAt ?? payment.createdAt,
    lines: [
      [planTitle(payment), unitsToUsd(payment.price)],
      ...from('Unused Pro time', payment.proration),
      ...from('From your balance', payment.creditUsed),
      ...(over > 0n ? [['Added to your balance', unitsToUsd(over)] as const] : []),
    ],
    total: unitsToUsd(paid),
    paidBy:
      live.length === 0
        ? 'Credit'
        : `USDC on ${network}, ${live.length === 1 ? 'transaction' : 'transactions'} ${live.map(({ tx }) => tx).join(', ')}`,
  };
}

/** USDC payments as billing sees them. */
function usdcMethod(ctx: UsdcContext): PaymentMethod {
  const { db, now } = ctx;
  return {
    methods: () => ({ base: disabledReason(ctx, 'base'), solana: disabledReason(ctx, 'solana') }),
    async entriesOf(userId) {
      const payments = await listPayments(db, [userId]);
      const deposits = await findDepositsByPayment(
        db,
        payments.map(({ id }) => id),
      );
      return payments.flatMap(
        (payment) =>
          toBillingEntry(
            payment,
            deposits.filter(({ paymentId }) => paymentId === payment.id),
            now(),
          ) ?? [],
      );
    },
    async findReceipt(userId, id) {
      const payment = await findPayment(db, id, userId);
      if (!payment?.appliedAt) return undefined;
      return toReceipt(payment, await findDepositsByPayment(db, [id]));
    },
  };
}

type Deps = Pick<UsdcDeps, 'config' | 'mode' | 'now'>;

function createAddressDeriver({ PAY_BASE_TREASURY: treasury, PAY_BASE_XPUB: xpub }: Deps['config']): AddressFor | null {
  if (xpub) return walletAddresses(xpub);
  return treasury ? contractAddresses(treasury) : null;
}

/** USDC on Base: every payment has its own address. `maxBlocks` limits the blocks read per look. */
export function openBase({ config, mode, now }: Deps, limits: { maxBlocks?: number } = {}): Rail {
  const { PAY_BASE_RPC_URLS: urls, PAY_BASE_USDC: token } = config;
  const addressFor = createAddressDeriver(config);
  const [preferred = ''] = urls;
  return {
    network: 'base',
    closed: addressFor ? null : 'USDC on Base is not accepted: no treasury is set (PAY_BASE_TREASURY)',
    token,
    async routeOf(payment) {
      if (!addressFor) throw new Error('PAY_BASE_TREASURY is not set');
      const address = await addressFor(payment);
      return { address, route: address, reference: null };
    },
    uniqueAmounts: false,
    uriOf: ({ address, units }) => `ethereum:${token}@${CHAIN_ID}/transfer?address=${address}&uint256=${units}`,
    linkOf: (tx) => (mode === 'demo' ? null : `https://basescan.org/tx/${tx}`),
    demoWalletOf:
      mode === 'demo' && isLoopback(preferred)
        ? ({ address, units, expiresAt }) => {
            const query = { to: address, amount: unitsToUsd(units), expires: expiresAt.toISOString() };
            return `${new URL(preferred).origin}/wallet/base?${new URLSearchParams(query).toString()}`;
          }
        : null,
    ...createScanner({ nodes: urls.map(openNode), token, now, ...limits }),
  };
}

const LOCKS: Record<Network, number> = { base: 7_246_051, solana: 7_246_052 };

export type Usdc = {
  ctx: UsdcContext;
  way: PaymentMethod;
  /** Watches the chains in the one process that holds their lock. Only workers call it. */
  work: () => void;
  stop: () => Promise<void>;
};

/** USDC payments of one process. `rails` replaces the real networks in tests. */
export function createUsdc(deps: UsdcDeps, rails: Partial<Record<Network, Rail>> = {}): Usdc {
  const ctx: UsdcContext = {
    ...deps,
    rails: { base: rails.base ?? openBase(deps), solana: rails.solana ?? openSolana(deps) },
  };
  const terms: ReturnType<typeof runForLeader>[] = [];

  /** A network closed to new payments may still have pending ones: only a rail without keys is not watched. */
  const lead = async (network: Network) => {
    const ending = new AbortController();
    const watching = watch(ctx, network, ending.signal);
    return async () => {
      ending.abort();
      await watching;
    };
  };

  return {
    ctx,
    way: usdcMethod(ctx),
    work() {
      for (const network of NETWORKS.filter((each) => ctx.rails[each].closed === null))
        terms.push(
          runForLeader(deps.direct, LOCKS[network], {
            duty: `payments ${network}`,
            lead: () => lead(network),
            error: (error) => ctx.report('usdc', 'system', 'Payment monitoring failed', error),
            log: deps.log,
          }),
        );
    },
    async stop() {
      await Promise.all(terms.map((term) => term.stop()));
    },
  };
}
