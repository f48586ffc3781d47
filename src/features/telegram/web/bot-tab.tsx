import { Card } from '#web/ui/card.tsx';

export function BotTab() {
  return (
    <Card id="bot-tab" title="Telegram Bot">
      {null}
    </Card>
  );
}
