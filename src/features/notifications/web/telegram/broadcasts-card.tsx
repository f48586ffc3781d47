import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Broadcast, cancelBroadcast } from '#features/notifications/contract/telegram.ts';
import { announcementParts, chatParts, shownText } from '#shared/chat-text.ts';
import { grouped } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Inbox, type InboxPage, LoadMore } from '#ui/inbox.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { AUDIENCE_WORDS, BROADCAST_STATES, people } from './bot-labels.ts';
import { broadcastsQuery, isUnderWay } from './bot-queries.ts';
import { ChatBubble } from './chat-bubble.tsx';
import { RelativeTime } from './relative-time.tsx';

/** Announcements with author and progress. */
export function BroadcastsCard() {
  return (
    <Card id="broadcasts" title="Past Announcements" className="min-h-40">
      <Inbox renderPage={(page) => <Page {...page} />} />
    </Card>
  );
}

function Page({ before, last, onMore }: InboxPage) {
  const query = useQuery(broadcastsQuery(useToken(), before));
  const broadcasts = query.data?.broadcasts ?? [];
  const oldest = broadcasts.at(-1);
  return (
    <>
      {broadcasts.length === 0 && (
        <li className="flex flex-1 flex-col">
          <QueryView
            query={query}
            failed="Failed to load admin data"
            loading={<output className="px-4 py-3 text-sm text-ink-2">Loading announcements…</output>}
            isEmpty={() => true}
            empty={
              <Empty title="No announcements yet" note="Announcements you send appear here with their progress." />
            }
          >
            {() => null}
          </QueryView>
        </li>
      )}
      {broadcasts.map((broadcast) => (
        <Row key={broadcast.id} broadcast={broadcast} />
      ))}
      {last && query.data?.more && oldest && <LoadMore onMore={() => onMore(oldest.id)} />}
    </>
  );
}

function Row({ broadcast }: { broadcast: Broadcast }) {
  const { text, audience, people: count, createdAt, createdBy, state } = broadcast;
  const [cancelling, setCancelling] = useState(false);
  const queries = useQueryClient();
  const [first] = shownText(chatParts(text)).split('\n', 1);
  async function cancel(signal: AbortSignal): Promise<void> {
    await call(cancelBroadcast, { params: { id: broadcast.id } }, signal);
    await queries.invalidateQueries({ queryKey: ['bot', 'broadcasts'] });
  }
  return (
    <li className="grid gap-2 border-t border-line px-4 py-3 text-sm first:border-t-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <details className="min-w-0 flex-1">
          <summary className="cursor-pointer font-medium break-words">{first}</summary>
          <div className="mt-2 flex flex-col rounded-card border border-line bg-raised p-3">
            <ChatBubble from="bot" text={text} parts={announcementParts(text)} at={createdAt} />
          </div>
        </details>
        <span className="flex items-center gap-2">
          <Badge tone={BROADCAST_STATES[state].tone}>{BROADCAST_STATES[state].words}</Badge>
          {state === 'running' && (
            <Button onClick={() => setCancelling(true)} className="max-sm:h-10">
              Cancel
            </Button>
          )}
        </span>
      </div>
      <p className="text-xs text-ink-3">
        {AUDIENCE_WORDS[audience]}, {people(count)} · by {createdBy ?? 'a deleted account'} ·{' '}
        <RelativeTime at={createdAt} />
      </p>
      <Progress broadcast={broadcast} />
      {cancelling && (
        <ConfirmDialog
          title="Cancel the rest?"
          keep="Keep sending"
          words={['Cancel the rest', 'Cancelling...']}
          failed="Failed to cancel the announcement"
          act={cancel}
          onClose={() => setCancelling(false)}
        >
          Remaining recipients will not receive it. Messages already in flight may still arrive.
        </ConfirmDialog>
      )}
    </li>
  );
}

function Progress({ broadcast }: { broadcast: Broadcast }) {
  const { sent, failed, skipped, cancelled, waiting, held } = broadcast;
  const all = sent + failed + skipped + cancelled + waiting;
  const done = all === 0 ? 100 : Math.round(((all - waiting) / all) * 100);
  const counts = [
    ['Sent', sent, true],
    ['Failed', failed, true],
    ['Skipped', skipped, true],
    ['Canceled', cancelled, cancelled > 0],
    ['Waiting', waiting, waiting > 0],
  ] as const;
  return (
    <>
      {isUnderWay(broadcast) && (
        <div
          role="progressbar"
          aria-label="Progress"
          aria-valuenow={done}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-2 overflow-hidden rounded-full bg-raised"
        >
          <div className="h-2 rounded-full bg-accent" style={{ width: `${done}%` }} />
        </div>
      )}
      <dl className="flex flex-wrap gap-x-4 gap-y-1">
        {counts.map(
          ([name, count, isShown]) =>
            isShown && (
              <div key={name} className="flex gap-1.5">
                <dt className="text-ink-3">{name}</dt>
                <dd className="num font-medium">{grouped(count)}</dd>
              </div>
            ),
        )}
      </dl>
      {held > 0 && <p className="label">{people(held)} will receive it when their quiet hours end.</p>}
    </>
  );
}
