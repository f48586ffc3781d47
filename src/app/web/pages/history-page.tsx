import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { accountPlan, includesPlan } from '#features/accounts/web/subscriptions/access.ts';
import { useHydratedAccount } from '#features/accounts/web/subscriptions/use-hydrated-account.ts';
import { Predictions } from '#features/analysis/web/analysis/predictions.tsx';
import { History } from '#features/exports/web/history/history.tsx';
import { CardFrame } from '#ui/card-frame.tsx';
import { Page } from '#ui/page.tsx';

export function HistoryPage() {
  const account = useHydratedAccount();
  const plan = accountPlan(account);
  const isWaiting = account.state === 'unknown' && !account.failed;
  return (
    <Page
      title="Historical Data"
      lead="Every stored value with its source and age. Changes are relative to the previous value of the same symbol."
    >
      <div className="grid grid-cols-1 gap-3">
        <Predictions />
        {isWaiting ? (
          <CardFrame id="stored" title="History" className="min-h-[34rem]" />
        ) : (
          <History
            who={plan ?? 'anonymous'}
            days={PLAN_LIMITS[plan ?? 'free'].historyDays}
            mayExport={includesPlan(plan, 'pro')}
          />
        )}
      </div>
    </Page>
  );
}
