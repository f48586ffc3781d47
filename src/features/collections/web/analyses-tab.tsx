import { Card } from '#web/ui/card.tsx';

export function AnalysesTab() {
  return (
    <Card id="analyses-tab" title="AI Analysis">
      {null}
    </Card>
  );
}
