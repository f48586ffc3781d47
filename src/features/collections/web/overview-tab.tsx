import { AttentionCard } from './attention-card.tsx';
import { FiguresCard } from './figures-card.tsx';
import { HealthCard } from './health-card.tsx';
import { RecentAlertsCard } from './recent-alerts-card.tsx';

/** Whether the product is healthy and who needs help, read anew each minute while it is looked at. */
export function OverviewTab() {
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      <HealthCard />
      <AttentionCard />
      <FiguresCard />
      <RecentAlertsCard />
    </div>
  );
}
