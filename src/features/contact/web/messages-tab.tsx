import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { type MessageStatus, STATUSES } from '#features/contact/contract.ts';
import { useAddressText } from '#ui/address-filter.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { Inbox, type InboxPage, InboxRow, LoadMore } from '#ui/inbox.tsx';
import { part } from '#ui/part.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import type { MessageDialogProps } from './message-dialog.tsx';
import { MESSAGE_STATUSES, messagesQuery } from './queries.ts';

const MessageDialog = part<MessageDialogProps>({
  name: 'The message',
  load: async () => (await import('./message-dialog.tsx')).MessageDialog,
});

const CARD = { id: 'messages', title: 'Support Messages', className: 'relative min-h-96' };

/** Messages sent through the contact page. */
export function MessagesTab() {
  const queries = useQueryClient();
  const [asked, setStatus] = useAddressText('filter');
  const status = STATUSES.find((each) => each === asked) ?? null;
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
            <span className="num min-w-4 text-ink-3">{each === null ? all : data?.counts[each]}</span>
          </Button>
        ))}
      </fieldset>
      <Inbox key={`${round} ${status}`} renderPage={(page) => <Page {...page} status={status} onOpen={setOpen} />} />
      {open !== null && <MessageDialog id={open} onChange={refresh} onClose={() => setOpen(null)} />}
    </Card>
  );
}

type PagesProps = { status: MessageStatus | null; onOpen: (id: number) => void };

type PageProps = PagesProps & InboxPage;

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
            empty={<Empty title="No messages" note="Messages from the contact page appear here." />}
          >
            {() => null}
          </QueryView>
        </li>
      )}
      {messages.map((message) => (
        <InboxRow
          key={message.id}
          title={message.subject}
          who={`From ${message.name}, ${message.email}`}
          note={message.hasScreenshot && <span className="label block">Screenshot attached</span>}
          state={MESSAGE_STATUSES[message.status]}
          createdAt={message.createdAt}
          onOpen={() => onOpen(message.id)}
        />
      ))}
      {last && query.data?.more && oldest && <LoadMore onMore={() => onMore(oldest.id)} />}
    </>
  );
}
