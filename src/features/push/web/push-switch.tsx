import { useId } from 'react';

import { call } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';

import { testPush } from '../contract.ts';
import { SimulatedBrowser } from './simulated-browser.tsx';
import { leave, subscribe } from './steps.ts';
import { TEST } from './test-message.ts';
import { type PushView, usePush } from './use-push.ts';

const UNSUPPORTED = 'Push notifications not supported in this browser';
const DENIED = 'Notification permission denied. Please enable in browser settings.';
const FAILED = 'Error updating push notifications';

type Props = {
  /** What the account has chosen, for all its browsers. */
  isOn: boolean;
  disabled?: boolean;
  onChange: (on: boolean) => void;
};

/** Push notifications of the account and of this browser: on subscribes it, off ends its subscription. */
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
        <p className="label" aria-live="polite">
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

/** What can be done in this browser: try it where it is subscribed, else subscribe it. */
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
  if (!status) return 'Looking at this browser…';
  if (simulated) return 'Demo: nothing is sent outside, so messages go to a simulated browser.';
  if (!status.supported) return UNSUPPORTED;
  if (status.permission === 'denied') return DENIED;
  if (!isOn) return 'As notifications of this browser, also while no page is open.';
  const others = browsers.length - Number(isHere);
  const more =
    others === 0
      ? ''
      : ` ${others} other ${others === 1 ? 'browser' : 'browsers'} of yours ${others === 1 ? 'is' : 'are'}.`;
  return `This browser is ${isHere ? '' : 'not '}subscribed.${more}`;
}

function refuse(message: string): false {
  toast('error', message);
  return false;
}
