import { Clock } from 'lucide-react';
import { accountPlan } from '#features/accounts/web/subscriptions/access.ts';
import { type Account, useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { PricesData } from '#features/market/web/market/prices-card.tsx';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { age } from '#shared/format.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';

const CHIP = 'inline-flex h-8 items-center rounded-ctl bg-raised px-3 text-sm font-medium text-ink-2';

/** The text of the badge, and whether it links to the plans; null while the account is loading. */
function planBadge(account: Account): { text: string; upgrade?: true } | null {
  if (account.state === 'anonymous') return { text: 'Upgrade to Pro', upgrade: true };
  if (account.state === 'unknown') return account.failed ? { text: 'Coming Soon' } : null;
  const plan = accountPlan(account);
  if (plan === 'admin') return { text: 'ADMIN' };
  return plan === 'pro' ? { text: 'Upgrade to Premium+', upgrade: true } : { text: account.subscription.planName };
}

/** At the right end of the dashboard's head, whose other parts do not move it. */
export function PlanBadge({ account }: { account: Account }) {
  const badge = planBadge(account);
  return (
    <div
      className={cx(
        'order-1 ml-auto flex min-h-8 justify-end sm:order-2',
        account.state === 'anonymous' && 'signed-in:invisible',
      )}
    >
      {badge?.upgrade ? (
        <ButtonLink to="/app/subscription" kind="outline" className="h-8 px-3">
          {badge.text}
        </ButtonLink>
      ) : (
        badge && <span className={CHIP}>{badge.text}</span>
      )}
    </div>
  );
}

export const toPricesData = ({ cryptoPrices, totals, sources, timestamp }: Dashboard): PricesData => ({
  rows: cryptoPrices,
  totals,
  sources,
  collection: timestamp,
});

type Props = {
  /** The earlier time shown. */
  moment?: string;
  onOpenTime: () => void;
  data: Dashboard | undefined;
};

export function DashboardHead({ data, moment, onOpenTime }: Props) {
  const account = useAccount();
  return (
    <div className="mb-3 flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1.5 sm:gap-x-3">
      <h1 className="text-xl font-semibold tracking-[-0.02em] whitespace-nowrap">Market Dashboard</h1>
      <div className="order-2 flex min-h-8 items-center gap-x-3 max-sm:w-full max-sm:justify-between sm:order-1">
        {data?.lastCollectionTime && <Collected at={Date.parse(data.lastCollectionTime)} />}
        <button
          type="button"
          onClick={onOpenTime}
          className={cx(
            'num inline-flex h-8 items-center gap-1.5 rounded-ctl border px-3 text-sm font-medium whitespace-nowrap hover:bg-raised',
            moment ? 'border-accent text-accent' : 'border-line-strong',
          )}
        >
          <Clock className="size-3.5" aria-hidden="true" />
          <span className="sr-only">Time shown: </span>
          {moment ?? 'Now'}
        </button>
      </div>
      <PlanBadge account={account} />
    </div>
  );
}

function Collected({ at }: { at: number }) {
  const now = useNow();
  // Reserves width so that the growing age does not shift its neighbors. Not in ch: the digits of the typeface are
  // wider than those of its fallback.
  return (
    <p className="label num">
      Collected <span className="inline-block min-w-[5.4em]">{age(now - at)}</span>
    </p>
  );
}
