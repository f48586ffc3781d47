import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import type { CollectionPanelProps } from '#features/analysis/web/collection-panel.tsx';
import type { Dashboard } from '#features/dashboard/contract.ts';
import { planOf } from '#features/subscriptions/web/access.ts';
import { useAccount } from '#features/subscriptions/web/use-subscription.ts';
import { keepsAdmin } from '#web/session.ts';
import { cx } from '#web/ui/cx.ts';
import { part } from '#web/ui/part.tsx';

const HELD = 'card mb-3 h-[3.125rem]';

const Panel = part<CollectionPanelProps>({
  name: 'The Data Collection panel',
  load: async () => (await import('#features/analysis/web/collection-panel.tsx')).CollectionPanel,
  loading: <div className={HELD} />,
});

/** For admins alone. Before it is known who looks, the place is held for whoever was one. */
export function CollectionPlace({ data }: { data: Dashboard | undefined }) {
  const account = useAccount();
  const queries = useQueryClient();
  const refresh = useCallback(() => void queries.invalidateQueries(), [queries]);
  if (planOf(account) === 'admin')
    return (
      <Panel
        known={{
          market: data?.lastCollectionTime ?? null,
          analysis: data?.aiAnalysis?.timestamp ?? null,
          backtest: data?.backtestResults?.timestamp ?? null,
        }}
        onRefresh={refresh}
      />
    );
  if (account.state === 'anonymous') return <div className={cx(HELD, 'hidden signed-in-admin:block')} />;
  return account.state === 'unknown' && !account.failed && keepsAdmin() ? <div className={HELD} /> : null;
}
