import type { Dashboard } from '#features/dashboard/contract.ts';
import { MomentButton } from '#features/dashboard/web/moment-button.tsx';
import type { MomentProps } from '#features/dashboard/web/moment-controls.tsx';
import type { PricesData } from '#features/market/web/prices-card.tsx';
import { age } from '#shared/format.ts';
import { useNow } from '#web/ui/now.ts';

export const pricesOf = ({ cryptoPrices, totals, sources, timestamp }: Dashboard): PricesData => ({
  rows: cryptoPrices,
  totals,
  sources,
  collection: timestamp,
});

type Props = MomentProps & { label?: string; data: Dashboard | undefined };

export function DashboardHead({ data, ...moment }: Props) {
  return (
    <div className="mb-3.5 flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1 sm:gap-x-3">
      <h1 className="text-xl font-semibold tracking-[-0.02em] whitespace-nowrap">Market Dashboard</h1>
      {data?.lastCollectionTime && <Collected at={Date.parse(data.lastCollectionTime)} />}
      <MomentButton {...moment} />
    </div>
  );
}

function Collected({ at }: { at: number }) {
  const now = useNow();
  return <p className="label num">Collected {age(now - at)}</p>;
}
