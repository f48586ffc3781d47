import { Card } from '#web/ui/card.tsx';

export function AuditTab() {
  return (
    <Card id="audit-tab" title="Audit log">
      {null}
    </Card>
  );
}
