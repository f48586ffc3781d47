import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useToken } from '#web/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import { botCommandsQuery } from './bot-queries.ts';
import { COMMAND_WORDS, OUTCOME_WORDS } from './bot-words.ts';
import { When } from './when.tsx';

const CARD = { id: 'bot-commands', title: 'Recent commands', className: 'min-h-40' };
const SHOWN = 12;

/** What was asked of the bot, and what came of it; not by whom, and not a word of what was written. */
export function CommandsCard() {
  const query = useQuery(botCommandsQuery(useToken()));
  const [isWhole, setWhole] = useState(false);
  return (
    <QueryView query={query} card={CARD} failed="Failed to load admin data">
      {(commands) => (
        <Card {...CARD}>
          {commands.length === 0 ? (
            <Empty title="No commands yet" note="What people ask the bot appears here, without their words." />
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
                    <When at={at} />
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
