import { Card } from '#web/ui/card.tsx';

export function SettingsTab() {
  return (
    <Card id="settings-tab" title="Settings">
      {null}
    </Card>
  );
}
