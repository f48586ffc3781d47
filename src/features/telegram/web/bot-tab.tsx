import { BotStateCard } from './bot-state-card.tsx';
import { BroadcastCard } from './broadcast-card.tsx';
import { BroadcastsCard } from './broadcasts-card.tsx';
import { ChatsCard } from './chats-card.tsx';
import { CommandsCard } from './commands-card.tsx';
import { TelegramPanel } from './telegram-panel.tsx';

/** One's own chat, and below it the bot as a whole. */
export function BotTab() {
  return (
    <div className="grid gap-3">
      <TelegramPanel />
      <BotStateCard />
      <BroadcastCard />
      <BroadcastsCard />
      <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ChatsCard />
        <CommandsCard />
      </div>
    </div>
  );
}
