import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { type AdminDelivery, CHANNELS, retryDelivery } from '#features/notifications/contract/notifications.ts';
import { ago, dateTime, grouped } from '#shared/format.ts';
import { useAddressChoice } from '#ui/address-filter.ts';
import { call } from '#ui/api/client.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CornerButton } from '#ui/corner-button.tsx';
import { cx } from '#ui/cx.ts';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { CHANNEL_WORDS, outcomeNote, STATE_TONES, STATE_WORDS } from './labels.ts';
import { failedDeliveriesQuery, retriedQuery } from './queries.ts';

const HEADS = ['Notification', 'User', 'Channel', 'Time', 'Tries', 'Last response', 'Actions'] as const;
const CELL = 'sm:px-4 sm:py-3 align-middle';
const MINUTE_MS = 60_000;
const BEGUN = { state: 'waiting', tries: 0, note: null } as const;

/** A table on a wide screen, a list of blocks on a phone. */
function FailedTable({ deliveries }: { deliveries: readonly AdminDelivery[] }) {
  return (
    <table className="w-full text-left text-sm max-sm:block">
      <TableHead heads={HEADS} />
      <tbody className="max-sm:block">
        {deliveries.map((delivery) => (
          <Row key={delivery.id} listed={delivery} />
        ))}
      </tbody>
    </table>
  );
}

/** After a retry the row follows the delivery. */
function Row({ listed }: { listed: AdminDelivery }) {
  const now = useNow(MINUTE_MS);
  const [retries, setRetries] = useState(0);
  const after = useQuery(retriedQuery(useToken(), listed.id, retries));
  const { busy, failure, submit } = useSubmit('Failed to retry the delivery', async (signal) => {
    await call(retryDelivery, { params: { id: String(listed.id) } }, signal);
    setRetries(retries + 1);
  });
  const delivery = after.data ?? (retries > 0 ? { ...listed, ...BEGUN } : listed);
  const { id, title, severity, channel, queuedAt, tries, state, email, userId } = delivery;
  const at = Date.parse(queuedAt);
  const isOver = retries === 0 || after.isError || state === 'failed';
  const isUnderWay = !isOver && (state === 'waiting' || state === 'handed');
  return (
    <tr className="border-t border-line first:border-t-0 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-2 max-sm:gap-y-1.5 max-sm:px-4 max-sm:py-3">
      <th scope="row" className={cx(CELL, 'font-normal max-sm:w-full')}>
        <span id={`delivery-${id}`} className="block font-medium [overflow-wrap:anywhere]">
          {title}
        </span>
        <span className="label">{severity} severity</span>
      </th>
      <td className={cx(CELL, 'min-w-52 max-sm:w-full')}>
        <span className="block break-all">{email}</span>
        <span className="num label">ID {userId}</span>
      </td>
      <td className={CELL}>{CHANNEL_WORDS[channel]}</td>
      <td className={cx(CELL, 'num whitespace-nowrap text-ink-2')}>
        <time dateTime={queuedAt} title={dateTime(at)}>
          {ago(now - at)}
        </time>
      </td>
      <td className={cx(CELL, 'num whitespace-nowrap text-ink-2')}>
        {tries} <span className="sm:hidden">{tries === 1 ? 'try' : 'tries'}</span>
      </td>
      <td className={cx(CELL, 'max-sm:w-full')}>
        <output className="block" aria-labelledby={`delivery-${id}`}>
          {retries > 0 && <Badge tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Badge>}{' '}
          <span className="[overflow-wrap:anywhere]">
            {outcomeNote({ ...delivery, tries: 0 }, 'UTC', now) || (retries === 0 ? 'No response recorded' : '')}
          </span>
        </output>
        {(failure ?? after.error) && (
          <p role="alert" className="text-sm font-medium text-down">
            {failure?.message ?? 'Couldn’t load the result'}
          </p>
        )}
      </td>
      <td className={cx(CELL, 'text-right max-sm:ml-auto')}>
        <Button
          aria-describedby={`delivery-${id}`}
          aria-disabled={busy || !isOver}
          onClick={() => isOver && void submit()}
          className="aria-disabled:opacity-60 max-sm:h-10"
        >
          <RotateCw className="size-3.5" aria-hidden="true" />
          {busy || isUnderWay ? 'Retrying...' : isOver ? 'Retry' : 'Retried'}
        </Button>
      </td>
    </tr>
  );
}

const CARD = { id: 'failed-deliveries', title: 'Failed Deliveries', className: 'relative min-h-96' };
const FAILED = 'Failed to load admin data';
const ALL = 'All';
const CHOICES = [ALL, ...CHANNELS.map((channel) => CHANNEL_WORDS[channel])];

const countWords = (shown: number, total: number) =>
  shown < total ? `latest ${shown} of ${grouped(total)}` : `${total} failed ${total === 1 ? 'delivery' : 'deliveries'}`;

/** Failed deliveries of all users, for administrators. */
export function FailedTab() {
  const queries = useQueryClient();
  const [choice, choose] = useAddressChoice('filter', CHOICES);
  const [round, setRound] = useState(0);
  const channel = CHANNELS.find((each) => CHANNEL_WORDS[each] === choice) ?? null;
  const query = useQuery(failedDeliveriesQuery(useToken(), channel));
  return (
    <Card
      {...CARD}
      note={
        query.data && (
          <output className="label num">{countWords(query.data.deliveries.length, query.data.total)}</output>
        )
      }
    >
      <CornerButton
        onClick={() => {
          void queries.resetQueries({ queryKey: ['failed-deliveries'] });
          setRound(round + 1);
        }}
      >
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </CornerButton>
      <div className="grid gap-3 px-4 pt-1 pb-3">
        <p className="text-sm text-ink-2">
          Deliveries that used up their retries or were permanently rejected. Kept for 30 days; Retry starts over.
        </p>
        <div>
          <Segmented label="Channel" value={choice} options={CHOICES} onChange={choose} />
        </div>
      </div>
      <QueryView
        query={query}
        failed={FAILED}
        loading={<Loading />}
        isEmpty={({ deliveries }) => deliveries.length === 0}
        empty={
          <Empty
            title="No failed deliveries"
            note={channel ? `No failures for ${CHANNEL_WORDS[channel]}.` : 'Failed deliveries appear here.'}
          />
        }
      >
        {({ deliveries }) => <FailedTable key={`${round} ${choice}`} deliveries={deliveries} />}
      </QueryView>
    </Card>
  );
}

function Loading() {
  return (
    <div className="grid gap-3 px-4 py-3">
      <output className="sr-only">Loading failed deliveries</output>
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
      <div className="skel h-8" aria-hidden="true" />
    </div>
  );
}
