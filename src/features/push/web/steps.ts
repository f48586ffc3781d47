import { call } from '#web/api/client.ts';

import { subscribeSimulated, unsubscribePush } from '../contract.ts';
import type { PushHelper } from './push-helper.ts';
import type { PushView } from './use-push.ts';

/** Asks for permission, then subscribes this browser; in the demo a simulated one, which needs no permission. */
export async function subscribe(
  helper: PushHelper,
  simulated: boolean | null,
): Promise<'subscribed' | 'denied' | 'failed'> {
  if (simulated) {
    return call(subscribeSimulated, {}).then(
      () => 'subscribed',
      () => 'failed',
    );
  }
  if (!(await helper.requestPermission()).success) return 'denied';
  return (await helper.subscribe()).success ? 'subscribed' : 'failed';
}

/** The account's choice is off even where this very browser had never been subscribed. */
export async function leave(
  helper: PushHelper,
  { simulated, browsers }: Pick<PushView, 'simulated' | 'browsers'>,
): Promise<boolean> {
  if (simulated) {
    const ends = browsers.map(({ endpoint }) => call(unsubscribePush, { body: { endpoint } }));
    return (await Promise.allSettled(ends)).every(({ status }) => status === 'fulfilled');
  }
  return !helper.getStatus().isSubscribed || (await helper.unsubscribe()).success;
}
