import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';

import { ago, dateTime } from '#shared/format.ts';
import { useToken } from '#web/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CornerButton } from '#web/ui/corner-button.tsx';
import { useNow } from '#web/ui/now.ts';
import { part } from '#web/ui/part.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Empty } from '#web/ui/states.tsx';

import { type ContactMessage, type MessageStatus, STATUSES } from '../contract.ts';
import type { MessageDialogProps } from './message-dialog.tsx';
import { messagesQuery } from './queries.ts';
import { MESSAGE_STATUSES } from './statuses.ts';

const MessageDialog = part<MessageDialogProps>({
  name: 'The message',
  load: async () => (await import('./message-dialog.tsx')).MessageDialog,
});

const CARD = { id: 'messages', title: 'Messages to support', className: 'relative min-h-96' };

/** What people have written by the contact page. */
export function MessagesTab() {
  const queries = useQueryClient();
  const [status, setStatus] = useState<MessageStatus | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  const [round, setRound] = useState(0);
  const { data } = useQuery(messagesQuery(useToken(), status, null));
  const refresh = () => {
    void queries.resetQueries({ queryKey: ['contact-messages'] });
    setRound(round + 1);
  };
  const all = data && STATUSES.reduce((sum, each) => sum + data.counts[each], 0);
  return (
    <Card {...CARD}>
      <CornerButton onClick={refresh}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </CornerButton>
      <fieldset className="flex flex-wrap gap-2 px-4 pt-1 pb-3">
        <legend className="sr-only">Show</legend>
        {([null, ...STATUSES] as const).map((each) => (
          <Button key={each ?? 'all'} aria-pressed={each === status} onClick={() => setStatus(each)}>
            {each === null ? 'All' : MESSAGE_STATUSES[each].words}
            <span className="num text-ink-3">{each === null ? all : data?.counts[each]}</span>
          </Button>
        ))}
      </fieldset>
      <Pages key={`${round} ${status}`} status={status} onOpen={setOpen} />
      {open !== null && <MessageDialog id={open} onChange={refresh} onClose={() => setOpen(null)} />}
    </Card>
  );
}

type PagesProps = { status: MessageStatus | null; onOpen: (id: number) => void };

function Pages(props: PagesProps) {
  const [starts, setStarts] = useState<readonly (number | null)[]>([null]);
  return (
    <ul className="flex flex-1 flex-col border-t border-line">
      {starts.map((before) => (
        <Page
          key={before ?? 'newest'}
          {...props}
          before={before}
          last={before === starts.at(-1)}
          onMore={(next) => setStarts([...starts, next])}
        />
      ))}
    </ul>
  );
}

type PageProps = PagesProps & { before: number | null; last: boolean; onMore: (before: number) => void };

function Page({ status, before, last, onOpen, onMore }: PageProps) {
  const query = useQuery(messagesQuery(useToken(), status, before));
  const messages = query.data?.messages ?? [];
  const oldest = messages.at(-1);
  return (
    <>
      {messages.length === 0 && (
        <li className="flex flex-1 flex-col">
          <QueryView
            query={query}
            failed="Failed to load admin data"
            loading={<output className="px-4 py-3 text-sm text-ink-2">Loading messages…</output>}
            isEmpty={({ messages }) => messages.length === 0}
            empty={<Empty title="No messages" note="What people write by the contact page appears here." />}
          >
            {() => null}
          </QueryView>
        </li>
      )}
      {messages.map((message) => (
        <Row key={message.id} message={message} onOpen={() => onOpen(message.id)} />
      ))}
      {last && query.data?.more && oldest && (
        <li className="border-t border-line px-4 py-3 text-center">
          <Button onClick={() => onMore(oldest.id)} className="max-sm:h-10">
            Load more
          </Button>
        </li>
      )}
    </>
  );
}

function Row({ message, onOpen }: { message: ContactMessage; onOpen: () => void }) {
  const { name, email, subject, status, hasScreenshot, createdAt } = message;
  const now = useNow(60_000);
  const at = Date.parse(createdAt);
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        onClick={onOpen}
        className="grid min-h-14 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 text-left text-sm hover:bg-raised focus-visible:-outline-offset-2"
      >
        <span className="min-w-0">
          <span className="block font-medium break-words">{subject}</span>
          <span className="block truncate text-xs text-ink-3">
            From {name}, {email}
          </span>
          {hasScreenshot && <span className="label block">With a screenshot</span>}
        </span>
        <span className="grid justify-items-end gap-0.5">
          <Badge tone={MESSAGE_STATUSES[status].tone}>{MESSAGE_STATUSES[status].words}</Badge>
          <time dateTime={createdAt} title={dateTime(at)} className="num label">
            {ago(now - at)}
          </time>
        </span>
      </button>
    </li>
  );
}
