import { Card } from '#web/ui/card.tsx';

export function JobsTab() {
  return (
    <Card id="jobs-tab" title="Jobs">
      {null}
    </Card>
  );
}
