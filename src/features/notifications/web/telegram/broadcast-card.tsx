import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  AUDIENCES,
  type Audience,
  type getBotAudience,
  MAX_BROADCAST_LENGTH,
  testBroadcast,
} from '#features/notifications/contract/telegram.ts';
import { grouped } from '#shared/format.ts';
import { call, type Reply } from '#ui/api/client.ts';
import { Card } from '#ui/card.tsx';
import { FormError, PRIMARY, SECONDARY } from '#ui/form.tsx';
import { INPUT, Labelled } from '#ui/inputs.tsx';
import { part } from '#ui/part.tsx';
import { type Query, QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { AnnouncementPreview } from './announcement-preview.tsx';
import { AUDIENCE_WORDS, people } from './bot-labels.ts';
import { botAudienceQuery, broadcastsQuery, isUnderWay } from './bot-queries.ts';
import { telegramQuery } from './queries.ts';
import type { SendBroadcastProps } from './send-broadcast.tsx';

type Counted = Reply<typeof getBotAudience>;
type Props = { query: Query<Counted>; value: Audience; onChange: (audience: Audience) => void };

/** Audience with its current size and exclusions. */
function AudienceChoice({ query, value, onChange }: Props) {
  return (
    <QueryView
      query={query}
      failed="Failed to count recipients"
      loading={<div className="skel h-20" aria-hidden="true" />}
    >
      {({ people, left }) => (
        <fieldset>
          <legend className="font-medium">Audience</legend>
          <div className="grid gap-x-6 sm:grid-cols-2">
            {AUDIENCES.map((each) => (
              <label key={each} className="flex min-h-10 cursor-pointer items-center gap-2.5">
                <input
                  type="radio"
                  name="audience"
                  checked={each === value}
                  onChange={() => onChange(each)}
                  className="size-4 shrink-0 accent-(--accent)"
                />
                {AUDIENCE_WORDS[each]}
                <span className="num text-ink-3">{grouped(people[each])}</span>
              </label>
            ))}
          </div>
          <LeftOut {...left} />
        </fieldset>
      )}
    </QueryView>
  );
}

function LeftOut({ blocked, switchedOff, declined }: Counted['left']) {
  const parts = [
    [blocked, 'blocked the bot'],
    [switchedOff, 'turned Telegram off'],
    [declined, 'opted out with /stop'],
  ] as const;
  const counts = parts.filter(([count]) => count > 0).map(([count, words]) => `${grouped(count)} ${words}`);
  return counts.length > 0 && <p className="label">Excluded: {counts.join(', ')}.</p>;
}

const SendBroadcast = part<SendBroadcastProps>({
  name: 'The dialog',
  load: async () => (await import('./send-broadcast.tsx')).SendBroadcast,
});

const HINT = '*bold*, _italic_, [words](https://address). URLs become links automatically.';

/** Composes an announcement: text, audience, preview, test, sending. */
export function BroadcastCard() {
  const token = useToken();
  const [text, setText] = useState('');
  const [audience, setAudience] = useState<Audience>('all');
  const [asking, setAsking] = useState(false);
  const { data: status } = useQuery(telegramQuery(token));
  const counted = useQuery(botAudienceQuery(token));
  const { data: history } = useQuery(broadcastsQuery(token, null));
  const test = useSubmit('Failed to send the test', async (signal) => {
    await call(testBroadcast, { body: { text: text.trim() } }, signal);
    toast('success', 'Sent to your chat');
  });

  const count = counted.data?.people[audience];
  const isEmpty = text.trim() === '';
  const busy = history?.broadcasts.some(isUnderWay) ?? false;
  const why = whyNot({ hasBot: status?.hasBot, isEmpty, count, busy });
  const hint = why ?? (status?.verified === false ? 'Connect your own chat above to send yourself a test.' : null);
  function ask(event: FormEvent): void {
    event.preventDefault();
    if (why === null) setAsking(true);
  }
  const canTest = !isEmpty && status?.verified === true;
  return (
    <Card id="broadcast" title="Announcement" note={<span className="label">Sent to users with a connected chat</span>}>
      <div className="grid gap-4 px-4 pt-1 pb-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <form onSubmit={ask} className="grid content-start gap-4 text-sm">
          <div>
            <Labelled label="Message" note={HINT}>
              {(control) => (
                <textarea
                  {...control}
                  rows={7}
                  maxLength={MAX_BROADCAST_LENGTH}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                  className={`${INPUT} !h-auto py-2`}
                />
              )}
            </Labelled>
            <p className="num label text-right">
              {grouped(text.length)} of {grouped(MAX_BROADCAST_LENGTH)}
            </p>
          </div>
          <AudienceChoice query={counted} value={audience} onChange={setAudience} />
          <FormError failure={test.failure} />
          <div className="flex flex-wrap items-center gap-2">
            <button
              type="button"
              disabled={!canTest}
              aria-disabled={test.busy}
              onClick={() => void test.submit()}
              className={`${SECONDARY} disabled:cursor-default disabled:opacity-60`}
            >
              {test.busy ? 'Sending...' : 'Send test to me'}
            </button>
            <button type="submit" disabled={why !== null} className={PRIMARY}>
              {count === undefined ? 'Send' : `Send to ${people(count)}`}
            </button>
            {hint && <span className="text-ink-3">{hint}</span>}
          </div>
        </form>
        <AnnouncementPreview text={text} />
      </div>
      {asking && count !== undefined && (
        <SendBroadcast
          text={text.trim()}
          audience={audience}
          count={count}
          onSent={() => setText('')}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

type Known = { hasBot: boolean | undefined; isEmpty: boolean; count: number | undefined; busy: boolean };

function whyNot({ hasBot, isEmpty, count, busy }: Known): string | null {
  if (hasBot === false) return 'No bot is configured.';
  if (busy) return 'Another announcement is in progress.';
  if (count === undefined) return 'Counting recipients.';
  if (count === 0) return 'No recipients.';
  return isEmpty ? 'Write a message first.' : null;
}
