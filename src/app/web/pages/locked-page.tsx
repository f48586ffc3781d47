import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { accountPlan, includesPlan } from '#features/accounts/web/subscriptions/access.ts';
import { type Counted, Upsell } from '#features/accounts/web/subscriptions/upsell.tsx';
import { buildUpsell, UPSELLS, type UpsellPage } from '#features/accounts/web/subscriptions/upsells.ts';
import { useHydratedAccount } from '#features/accounts/web/subscriptions/use-hydrated-account.ts';
import type { PaidPlan } from '#features/payments/contract/billing.ts';
import { PriceTag } from '#features/payments/web/billing/price-tag.tsx';
import { useDayLimits, usePricing } from '#features/payments/web/billing/pricing.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { CardFrame } from '#ui/card-frame.tsx';
import { cx } from '#ui/cx.ts';
import { Page } from '#ui/page.tsx';
import { ErrorState } from '#ui/states.tsx';
import { useTitle } from '#ui/use-title.ts';

import { NotFoundPage } from './not-found-page.tsx';

export type LockedPageProps = {
  page: UpsellPage;
  /** Title of the page itself, if it differs from that of its offer. */
  title?: string;
  /** What the page offers, if more specific than the general text. */
  about?: string | undefined;
  /** The page for plans that include it; absent until it is built. */
  children?: ReactNode;
};

/** The amount of data the page would use on this installation. */
function liveCounts(data: Dashboard | undefined): Counted[] {
  const metrics = Object.keys(data?.advancedMetrics?.history ?? {}).length;
  const healthy = data?.sources.filter(({ state }) => state === 'ok').length ?? 0;
  return [
    [data?.totals.coins ?? 0, 'coins'],
    [metrics, 'metrics with history'],
    [healthy, healthy === 1 ? 'source online' : 'sources online'],
  ];
}

/** Renders the page for plans that include it and an offer for others. */
export function LockedPage({
  page,
  title = UPSELLS[page].title,
  about = UPSELLS[page].about,
  children,
}: LockedPageProps) {
  const account = useHydratedAccount();
  const plan = accountPlan(account);
  if (includesPlan(plan, UPSELLS[page].access)) return children ?? <NotFoundPage />;
  if (account.state === 'unknown') return <Unknown page={page} title={title} about={about} failed={account.failed} />;
  return (
    <div className="px-3 pt-4 pb-8 sm:px-6 sm:pt-10">
      <Locked page={page} about={about} plan={plan} />
    </div>
  );
}

function Locked({ page, about, plan }: { page: UpsellPage; about: string; plan: ReturnType<typeof accountPlan> }) {
  const { data } = useQuery(dashboardQuery);
  useTitle(UPSELLS[page].title);
  return (
    <Upsell
      text={{ ...buildUpsell(page, useDayLimits()), about }}
      plan={plan}
      price={<LockedPrice plan={UPSELLS[page].access} />}
      counted={liveCounts(data)}
    />
  );
}

function LockedPrice({ plan }: { plan: PaidPlan }) {
  const { pricing, isReading } = usePricing();
  return (
    <>
      <PriceTag plan={plan} pricing={pricing} months={1} isReading={isReading} />
      {pricing.comingSoon && <p className="text-sm text-ink-3">Coming soon</p>}
    </>
  );
}

/** Columns of cards on each page, shown before the plan is known. */
const FRAMES: Record<UpsellPage, readonly (readonly string[])[]> = {
  alerts: [['Alerts']],
  'custom-alerts': [['Alerts']],
  'data-export': [
    ['New Export', 'Settings File'],
    ['Export Statistics', 'Export History'],
  ],
  'advanced-export': [
    ['New Export', 'Scheduled Exports'],
    ['Export Statistics', 'Recent Exports', 'White Label'],
  ],
  'advanced-analytics': [['Price Chart', 'Market Statistics']],
};

function Skeleton({ columns }: { columns: readonly (readonly string[])[] }) {
  return (
    <div className={cx('grid items-start gap-3', columns[1] && 'lg:grid-cols-2')}>
      {columns.map((titles) => (
        <div key={titles[0]} className="grid gap-3">
          {titles.map((title) => (
            <CardFrame key={title} id={title.replace(' ', '-')} title={title} className="min-h-96" />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Title and frame of the page, shown before the plan is known. */
function Unknown({ page, title, about, failed }: Required<Omit<LockedPageProps, 'children'>> & { failed: boolean }) {
  const queries = useQueryClient();
  return (
    <Page title={title} lead={about}>
      {failed ? (
        <div className="card flex min-h-96 flex-col p-4">
          <ErrorState
            message="Failed to check authentication status. Please try again."
            onRetry={() => void queries.invalidateQueries({ queryKey: ['subscription'] })}
          />
        </div>
      ) : (
        <Skeleton columns={FRAMES[page]} />
      )}
    </Page>
  );
}
