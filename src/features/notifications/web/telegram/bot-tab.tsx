import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { botCommandsQuery } from './bot-queries.ts';
import { BotStateCard } from './bot-state-card.tsx';
import { COMMAND_WORDS, OUTCOME_WORDS } from './bot-words.ts';
import { BroadcastCard } from './broadcast-card.tsx';
import { BroadcastsCard } from './broadcasts-card.tsx';
import { ChatsCard } from './chats-card.tsx';
import { RelativeTime } from './relative-time.tsx';
import { TelegramPanel } from './telegram-panel.tsx';

const CARD = { id: 'bot-commands', title: 'Recent Commands', className: 'min-h-40' };
const SHOWN = 12;

/** What was asked of the bot, and what came of it; not by whom, and not a word of what was written. */
function CommandsCard() {
  const query = useQuery(botCommandsQuery(useToken()));
  const [isWhole, setWhole] = useState(false);
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {(commands) => (
        <Card {...CARD}>
          {commands.length === 0 ? (
            <Empty title="No commands yet" note="Commands sent to the bot appear here, without their text." />
          ) : (
            <ul className="border-t border-line text-sm">
              {(isWhole ? commands : commands.slice(0, SHOWN)).map(({ id, at, command, outcome }) => (
                <li
                  key={id}
                  className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 first:border-t-0"
                >
                  <span className="font-medium">{COMMAND_WORDS[command]}</span>
                  <Badge tone={OUTCOME_WORDS[outcome].tone}>{OUTCOME_WORDS[outcome].words}</Badge>
                  <span className="ml-auto text-xs text-ink-3">
                    <RelativeTime at={at} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {!isWhole && commands.length > SHOWN && (
            <div className="border-t border-line px-4 py-3 text-center">
              <Button onClick={() => setWhole(true)} className="max-sm:h-10">
                Show {commands.length - SHOWN} more
              </Button>
            </div>
          )}
        </Card>
      )}
    </QueryView>
  );
}

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
