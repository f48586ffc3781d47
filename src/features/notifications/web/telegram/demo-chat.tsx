import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type DemoChat as Chat, writeDemoChat } from '#features/notifications/contract/telegram.ts';
import { CallError, call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { ChatBubble, ChatWriting } from './chat-bubble.tsx';
import { demoChatQuery, POLL_MS, telegramQuery } from './queries.ts';

type Props = { className: string };

/** The bot responds a moment after each message. */
const ANSWER_MS = 700;

/** Demo mode: the signed-in user's conversation with the bot in the simulated Telegram. */
export function DemoChat({ className }: Props) {
  const token = useToken();
  const query = useQuery(demoChatQuery(token));
  const place = { id: 'demo-chat', title: 'Telegram', className };
  return (
    <QueryView query={query} card={place} failed="Failed to load the chat">
      {(chat) => <Loaded chat={chat} place={place} />}
    </QueryView>
  );
}

function Loaded({ chat, place }: { chat: Chat; place: { id: string; title: string; className: string } }) {
  const token = useToken();
  const queries = useQueryClient();
  const { data: status } = useQuery({ ...telegramQuery(token), refetchInterval: POLL_MS });
  const { busy, submit } = useSubmit('', async (signal, act: { text?: string; blocked?: boolean }) => {
    try {
      queries.setQueryData(demoChatQuery(token).queryKey, await call(writeDemoChat, { body: act }, signal));
      setTimeout(() => void queries.invalidateQueries({ queryKey: ['telegram'] }), ANSWER_MS);
    } catch (error) {
      const isTold = error instanceof CallError && error.told;
      if (!signal.aborted) toast('error', isTold ? error.message : 'The simulated Telegram is not responding');
    }
  });
  const { bot, blocked, messages } = chat;
  return (
    <Card
      {...place}
      note={
        <span className="flex flex-wrap items-center gap-2 text-xs text-ink-3">
          {bot && <span className="break-words">@{bot}</span>}
          {status?.verified ? <Badge tone="up">Connected</Badge> : blocked && <Badge tone="warn">Blocked</Badge>}
        </span>
      }
      action={
        <Button aria-disabled={busy} onClick={() => void submit({ blocked: !blocked })} className="max-sm:h-10">
          {blocked ? 'Unblock the bot' : 'Block the bot'}
        </Button>
      }
    >
      <Messages messages={messages} />
      {blocked ? (
        <p className="border-t border-line px-4 py-3 text-sm text-ink-2">
          You have blocked the bot, so it cannot message you. Unblock it, then send /start to continue.
        </p>
      ) : (
        <ChatWriting
          code={status?.hasValidCode ? status.code : null}
          isConnected={status?.verified ?? false}
          busy={busy}
          onSend={(text) => void submit({ text })}
        />
      )}
    </Card>
  );
}

function Messages({ messages }: Pick<Chat, 'messages'>) {
  const list = useRef<HTMLDivElement>(null);
  const last = messages.at(-1)?.id;
  useEffect(() => {
    if (last !== undefined && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last]);
  return (
    <div
      ref={list}
      role="log"
      aria-label="Conversation with the bot"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
      tabIndex={0}
      className="relative flex flex-1 flex-col gap-2 overflow-y-auto border-t border-line bg-raised p-3 focus-visible:-outline-offset-2"
    >
      {messages.length === 0 && (
        <Empty title="No messages yet" note="Write to the bot below, as you would in Telegram." />
      )}
      {messages.map(({ id, ...message }) => (
        <ChatBubble key={id} {...message} />
      ))}
    </div>
  );
}
