import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type PushMessage, subscribeSimulated, testPush } from '#features/notifications/contract/push.ts';
import { ago } from '#shared/format.ts';
import { CallError, call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useNow } from '#ui/now.ts';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { Empty } from '#ui/states.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { pushBrowsersQuery, simulatedQuery } from './queries.ts';
import { TEST } from './test-message.ts';

type Props = {
  className: string;
  /** The account setting: while push is off only tests arrive. */
  isOn: boolean;
};

/** Demo mode: the simulated browsers of the signed-in user, shown like a phone's lock screen. */
export function LockScreen({ className, isOn }: Props) {
  const query = useQuery(pushBrowsersQuery(useToken()));
  const place = { id: 'lock-screen', title: 'Notifications', className };
  return (
    <QueryView
      query={query}
      card={place}
      failed="Failed to load your browsers"
      isEmpty={({ simulated }) => !simulated}
      empty={<Empty title="No simulated browser" note="This server has no simulated push service." />}
    >
      {({ browsers }) => (
        <Card {...place} action={browsers.length > 0 && <SendTest />}>
          {browsers.length > 0 && !isOn && <PushIsOff />}
          {browsers.length > 0 ? <Screen /> : <Subscribe />}
        </Card>
      )}
    </QueryView>
  );
}

/** Message for a failed call: the server's, if it gave one. */
const errorText = (error: unknown, otherwise: string) =>
  error instanceof CallError && error.told ? error.message : otherwise;

function useAct(act: (signal: AbortSignal) => Promise<unknown>, failed: string) {
  const queries = useQueryClient();
  return useSubmit('', async (signal) => {
    try {
      await act(signal);
      await queries.invalidateQueries({ queryKey: ['push-browsers'] });
    } catch (error) {
      if (!signal.aborted) toast('error', errorText(error, failed));
    }
  });
}

function SendTest() {
  const { busy, submit } = useAct(
    (signal) => call(testPush, { body: TEST }, signal),
    'Failed to send test notification',
  );
  return (
    <Button aria-disabled={busy} onClick={() => void submit()} className="max-sm:h-10">
      {busy ? 'Sending...' : 'Send a test notification'}
    </Button>
  );
}

function Subscribe() {
  const { busy, submit } = useAct(
    (signal) => call(subscribeSimulated, {}, signal),
    'Error updating push notifications',
  );
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 px-4 pb-8 text-center">
      <div>
        <p className="font-medium">No browser is subscribed</p>
        <p className="mt-1 max-w-80 text-sm text-ink-3">
          A simulated browser plays your phone. It receives real encrypted messages, on this machine only.
        </p>
      </div>
      <Button aria-disabled={busy} onClick={() => void submit()} className="h-10!">
        {busy ? 'Subscribing...' : 'Subscribe a simulated browser'}
      </Button>
    </div>
  );
}

function PushIsOff() {
  return (
    <p className="border-t border-line px-4 py-3 text-sm text-ink-2">
      Push is off in{' '}
      <Link to="/app/profile?tab=notifications" className={TEXT_LINK}>
        your notification settings
      </Link>
      , so no alerts are sent here.
    </p>
  );
}

function Screen() {
  const query = useQuery(simulatedQuery(useToken()));
  return (
    <div className="flex flex-1 flex-col overflow-hidden border-t border-line bg-raised">
      <Time />
      <QueryView
        query={query}
        failed="Failed to load notifications"
        loading={<div className="skel h-20" />}
        isEmpty={({ messages }) => messages.length === 0}
        empty={<Empty title="No notifications" note="Alerts appear here while Push is on in your settings." />}
      >
        {({ messages }) => (
          <ul className="relative grid content-start gap-2 overflow-y-auto px-3 pb-4">
            {messages.map((message) => (
              <Notice key={message.tag} message={message} />
            ))}
          </ul>
        )}
      </QueryView>
    </div>
  );
}

function Time() {
  const now = useNow();
  const shown = new Date(now);
  return (
    <div className="px-4 py-4 text-center" aria-hidden="true">
      <p className="num text-[44px] leading-none font-semibold tracking-[-0.02em]">
        {now > 0 && shown.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}
      </p>
      <p className="mt-1 text-sm text-ink-2">
        {now > 0 && shown.toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long' })}
      </p>
    </div>
  );
}

function Notice({ message: { title, body, icon, url, at, severity } }: { message: PushMessage }) {
  const now = useNow(10_000);
  return (
    <li>
      <Link
        to={url}
        className="flex gap-3 rounded-card border border-line bg-surface p-3 text-left text-sm hover:border-line-strong"
      >
        <img src={icon} alt="" className="size-8 shrink-0" />
        <span className="min-w-0 flex-1">
          <span className="flex justify-between gap-3">
            <span className="min-w-0 font-semibold break-words">{title}</span>
            <span className="num shrink-0 text-xs text-ink-3">{ago(now - Date.parse(at))}</span>
          </span>
          <span className="block break-words text-ink-2">{body}</span>
          <span className="sr-only">Severity {severity}</span>
        </span>
      </Link>
    </li>
  );
}
