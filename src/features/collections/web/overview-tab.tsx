import { Card } from '#web/ui/card.tsx';

export function OverviewTab() {
  return (
    <Card id="overview-tab" title="Overview">
      {null}
    </Card>
  );
}
