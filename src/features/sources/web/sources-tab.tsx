import { Card } from '#web/ui/card.tsx';

export function SourcesTab() {
  return (
    <Card id="sources-tab" title="Sources">
      {null}
    </Card>
  );
}
