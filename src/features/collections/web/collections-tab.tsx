import { Card } from '#web/ui/card.tsx';

export function CollectionsTab() {
  return (
    <Card id="collections-tab" title="Database Collections">
      {null}
    </Card>
  );
}
