import { Card } from '#web/ui/card.tsx';

export function IncidentsTab() {
  return (
    <Card id="incidents-tab" title="Status page">
      {null}
    </Card>
  );
}
