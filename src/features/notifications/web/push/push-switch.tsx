import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import {
  type PushBrowser,
  subscribeSimulated,
  testPush,
  unsubscribePush,
} from '#features/notifications/contract/push.ts';
import { ago } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { useNow } from '#ui/now.ts';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { type PushHelper, type PushStatus, pushHelper } from './push-helper.ts';
import { pushBrowsersQuery, simulatedQuery } from './queries.ts';
import { TEST } from './test-message.ts';

type PushView = {
  /** Null until the browser has reported it. */
  status: PushStatus | null;
  /** This browser is subscribed and known to the server; in the demo, a simulated one instead. */
  isHere: boolean;
  /** All browsers of the user known to the server. */
  browsers: readonly PushBrowser[];
  /** The demo simulates browsers. Null until the server has reported it. */
  simulated: boolean | null;
  /** An operation is in progress. */
  busy: boolean;
  /** Runs an operation with the helper, then refreshes the state. */
  act: <T>(work: (helper: PushHelper) => Promise<T>) => Promise<T>;
};

function usePush(): PushView {
  const queries = useQueryClient();
  const token = useToken();
  const { data, isError } = useQuery(pushBrowsersQuery(token));
  const browsers = data?.browsers ?? [];
  const [status, setStatus] = useState<PushStatus | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isHere = true;
    void pushHelper.initialize().then(() => {
      if (isHere) setStatus(pushHelper.getStatus());
    });
    return () => {
      isHere = false;
    };
  }, []);
  const endpoint = status?.subscription?.endpoint;

  return {
    status,
    isHere: data?.simulated ? browsers.length > 0 : browsers.some((browser) => browser.endpoint === endpoint),
    browsers,
    simulated: data?.simulated ?? (isError ? false : null),
    busy,
    async act(work) {
      setBusy(true);
      try {
        return await work(pushHelper);
      } finally {
        setStatus(pushHelper.getStatus());
        await queries.invalidateQueries({ queryKey: ['push-browsers'] });
        setBusy(false);
      }
    },
  };
}

/** Requests permission, then subscribes this browser; in the demo a simulated one, which needs no permission. */
async function subscribe(helper: PushHelper, simulated: boolean | null): Promise<'subscribed' | 'denied' | 'failed'> {
  if (simulated) {
    return call(subscribeSimulated, {}).then(
      () => 'subscribed',
      () => 'failed',
    );
  }
  if (!(await helper.requestPermission()).success) return 'denied';
  return (await helper.subscribe()).success ? 'subscribed' : 'failed';
}

/** Turns the account setting off even if this browser was never subscribed. */
async function leave(
  helper: PushHelper,
  { simulated, browsers }: Pick<PushView, 'simulated' | 'browsers'>,
): Promise<boolean> {
  if (simulated) {
    const ends = browsers.map(({ endpoint }) => call(unsubscribePush, { body: { endpoint } }));
    return (await Promise.allSettled(ends)).every(({ status }) => status === 'fulfilled');
  }
  return !helper.getStatus().isSubscribed || (await helper.unsubscribe()).success;
}

const MOST_SHOWN = 3;

/** Messages received by the demo's simulated browser, decrypted by its push service. */
function SimulatedBrowser() {
  const messages = useQuery(simulatedQuery(useToken())).data?.messages ?? [];
  const now = useNow(10_000);
  return (
    <section aria-label="Simulated browser" className="order-2 w-full rounded-ctl border border-line p-3 text-sm">
      <h3 className="label">Simulated browser</h3>
      {messages.length === 0 && <p className="mt-1 text-ink-3">Nothing received yet.</p>}
      <ul>
        {messages.slice(0, MOST_SHOWN).map(({ title, body, tag, at }) => (
          <li key={`${tag} ${at}`} className="mt-2">
            <p className="font-medium">
              {title} <span className="num text-xs font-normal text-ink-3">{ago(now - Date.parse(at))}</span>
            </p>
            <p className="text-ink-2">{body}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const UNSUPPORTED = 'Push notifications not supported in this browser';
const DENIED = 'Notification permission denied. Please enable in browser settings.';
const FAILED = 'Error updating push notifications';

type Props = {
  /** The account setting, for all its browsers. */
  isOn: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
};

/** Push notifications of the account and this browser: on subscribes it, off ends its subscription. */
export function PushSwitch({ isOn, disabled = false, onChange }: Props) {
  const push = usePush();
  const name = useId();
  const { status, busy, act, simulated } = push;

  async function enter(): Promise<boolean> {
    if (!simulated && status && !status.supported) return refuse(UNSUPPORTED);
    const result = await act((helper) => subscribe(helper, simulated));
    if (result === 'denied') return refuse(DENIED);
    if (result === 'failed') return refuse(FAILED);
    toast('success', 'Successfully subscribed to push notifications!');
    return true;
  }

  async function toggle(): Promise<void> {
    if (!isOn) {
      if (await enter()) onChange(true);
      return;
    }
    if (!(await act((helper) => leave(helper, push)))) return void refuse(FAILED);
    toast('success', 'Successfully unsubscribed from push notifications');
    onChange(false);
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p id={name} className="text-sm font-medium">
          Push notifications
        </p>
        <p className="label min-h-8 sm:min-h-4" aria-live="polite">
          {inWords(push, isOn)}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-labelledby={name}
        disabled={disabled || busy || !status || simulated === null}
        onClick={() => void toggle()}
        className="inline-flex h-11 sm:order-1 shrink-0 items-center gap-2 rounded-ctl px-2 text-sm font-medium hover:bg-raised disabled:cursor-default disabled:opacity-60 sm:h-9"
      >
        <span className="switch-track" aria-hidden="true" />
        <span className="w-6 text-left" aria-hidden="true">
          {isOn ? 'On' : 'Off'}
        </span>
      </button>
      {isOn && (simulated || status?.supported) && (
        <HereButton push={push} disabled={disabled || busy} onSubscribe={() => void enter()} />
      )}
      {isOn && simulated && <SimulatedBrowser />}
    </div>
  );
}

type HereProps = { push: PushView; disabled: boolean; onSubscribe: () => void };

/** The action for this browser: send a test when subscribed, otherwise subscribe. */
function HereButton({ push: { isHere, act }, disabled, onSubscribe }: HereProps) {
  const test = () => act(() => call(testPush, { body: TEST }));
  return (
    <Button
      disabled={disabled}
      className="h-11! max-sm:w-full sm:h-9!"
      onClick={() => {
        if (!isHere) return onSubscribe();
        test().then(
          () => toast('success', 'Test notification sent successfully!'),
          () => toast('error', 'Failed to send test notification'),
        );
      }}
    >
      {isHere ? 'Send test notification' : 'Subscribe this browser'}
    </Button>
  );
}

function inWords({ status, isHere, browsers, simulated }: PushView, isOn: boolean): string {
  if (!status) return 'Checking this browser…';
  if (simulated) return 'Demo: messages go to a simulated browser and never leave this machine.';
  if (!status.supported) return UNSUPPORTED;
  if (status.permission === 'denied') return DENIED;
  if (!isOn) return 'Browser notifications, even when the app is closed.';
  const others = browsers.length - Number(isHere);
  const more =
    others === 0 ? '' : ` ${others} other ${others === 1 ? 'browser' : 'browsers'} ${others === 1 ? 'is' : 'are'}.`;
  return `This browser is ${isHere ? '' : 'not '}subscribed.${more}`;
}

function refuse(message: string): false {
  toast('error', message);
  return false;
}
