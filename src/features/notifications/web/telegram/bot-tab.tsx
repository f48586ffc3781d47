import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConnectedChat } from '#features/notifications/contract/telegram.ts';
import { grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { dayOf } from '#ui/day.ts';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { COMMAND_WORDS, OUTCOME_WORDS } from './bot-labels.ts';
import { botChatsQuery, botCommandsQuery } from './bot-queries.ts';
import { BotStateCard } from './bot-state-card.tsx';
import { BroadcastCard } from './broadcast-card.tsx';
import { BroadcastsCard } from './broadcasts-card.tsx';
import { RelativeTime } from './relative-time.tsx';
import { TelegramPanel } from './telegram-panel.tsx';

const HEADS = ['User', 'Chat', 'Since', 'Last message', 'State'] as const;
const LONGEST_SEARCH = 254;
const CELL = 'sm:px-4 sm:py-3 align-middle';

/** Connected chats: all, or those whose email address matches the search. */
function ChatsCard() {
  const [q, search] = useState('');
  const { data } = useQuery(botChatsQuery(useToken(), q, null));
  return (
    <Card
      id="bot-chats"
      title="Connected Users"
      className="min-h-40"
      note={data && <output className="label num">{grouped(data.total)}</output>}
    >
      <div className="px-4 pt-1 pb-3">
        <SearchBox label="Search by email" value={q} longest={LONGEST_SEARCH} onSearch={search} />
      </div>
      <Pages key={q} q={q} />
    </Card>
  );
}

function Pages({ q }: { q: string }) {
  const [starts, setStarts] = useState<readonly (string | null)[]>([null]);
  const first = useQuery(botChatsQuery(useToken(), q, null));
  return (
    <QueryView
      query={first}
      failed="Failed to load admin data"
      loading={<div className="skel m-4 h-20" aria-hidden="true" />}
      isEmpty={({ chats }) => chats.length === 0}
      empty={
        q ? (
          <Empty title="No users found" />
        ) : (
          <Empty title="No chats connected" note="Users connect their chats in their profile." />
        )
      }
    >
      {() => (
        <table className="w-full text-left text-sm max-sm:block">
          <TableHead heads={HEADS} />
          {starts.map((before) => (
            <Page
              key={before}
              q={q}
              before={before}
              last={before === starts.at(-1)}
              onMore={(next) => setStarts([...starts, next])}
            />
          ))}
        </table>
      )}
    </QueryView>
  );
}

type PageProps = { q: string; before: string | null; last: boolean; onMore: (before: string) => void };

function Page({ q, before, last, onMore }: PageProps) {
  const query = useQuery(botChatsQuery(useToken(), q, before));
  const { data } = query;
  const next = data?.next;
  return (
    <tbody className="border-t border-line first-of-type:border-t-0 max-sm:block">
      {data?.chats.map((chat) => (
        <Row key={chat.userId} chat={chat} />
      ))}
      {data === undefined && (
        <tr className="max-sm:block">
          <td colSpan={HEADS.length} className="max-sm:block">
            <QueryView
              query={query}
              failed="Failed to load admin data"
              loading={<div className="skel m-4 h-20" aria-hidden="true" />}
            >
              {() => null}
            </QueryView>
          </td>
        </tr>
      )}
      {last && next && (
        <tr className="border-t border-line max-sm:block">
          <td colSpan={HEADS.length} className="px-4 py-3 text-center max-sm:block">
            <Button onClick={() => onMore(next)} className="max-sm:h-10">
              Load more
            </Button>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Row({ chat }: { chat: ConnectedChat }) {
  const { email, linkedAt, lastSentAt, blockedAt, isOn, announcements } = chat;
  return (
    <tr className="border-t border-line first:border-t-0 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-2 max-sm:gap-y-1.5 max-sm:px-4 max-sm:py-3">
      <th scope="row" className={cx(CELL, 'font-medium break-all max-sm:w-full')}>
        {email}
      </th>
      <td className={cx(CELL, 'num text-ink-2')}>{chat.chat}</td>
      <td className={cx(CELL, 'num text-ink-2 whitespace-nowrap')}>{dayOf(linkedAt)}</td>
      <td className={cx(CELL, 'text-ink-2 max-sm:text-xs')}>
        <span className="text-ink-3 sm:sr-only">Last message </span>
        {lastSentAt ? <RelativeTime at={lastSentAt} /> : <span className="text-ink-3">None in 30 days</span>}
      </td>
      <td className={cx(CELL, 'text-right max-sm:ml-auto')}>
        <span className="flex flex-wrap gap-1.5 sm:justify-end">
          {blockedAt ? <Badge tone="warn">Stopped</Badge> : <Badge tone="up">Connected</Badge>}
          {!isOn && <Badge>Turned off</Badge>}
          {!announcements && <Badge>No announcements</Badge>}
        </span>
      </td>
    </tr>
  );
}

const CARD = { id: 'bot-commands', title: 'Recent Commands', className: 'min-h-40' };
const SHOWN = 12;

/** Bot commands and their outcomes, without sender or message text. */
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

/** The administrator's own chat, and below it the bot as a whole. */
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
