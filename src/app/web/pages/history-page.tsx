import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { planOf, reaches } from '#features/accounts/web/subscriptions/access.ts';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { Predictions } from '#features/analysis/web/analysis/predictions.tsx';
import { History } from '#features/exports/web/history/history.tsx';
import { useArrival } from '#ui/use-arrival.ts';
import { useTitle } from '#ui/use-title.ts';

export function HistoryPage() {
  useTitle('Historical Data');
  useArrival();
  const account = useAccount();
  const plan = planOf(account);
  const isWaiting = account.state === 'unknown' && !account.failed;
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Historical Data</h1>
      <p className="mt-1 mb-4 max-w-[72ch] text-sm text-ink-2">
        Every stored value with its source and age. Changes are relative to the previous value of the same symbol.
      </p>
      <div className="grid grid-cols-1 gap-3">
        <Predictions />
        {isWaiting ? (
          <output className="sr-only">Loading your plan</output>
        ) : (
          <History
            who={plan ?? 'anonymous'}
            days={PLAN_LIMITS[plan ?? 'free'].historyDays}
            mayExport={reaches(plan, 'pro')}
          />
        )}
      </div>
    </div>
  );
}
