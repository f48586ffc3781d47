import { alertsTopic } from '#features/alerts/contract.ts';
import { createThrottle } from '#server/platform/throttle.ts';

import type { NotificationsContext } from '../context.ts';
import { addHandings } from '../store/log.ts';

const WRITE_MS = 1_000;
/** An alert that is older than a day was written for the past, as that of the demo: it is no news, and its way is not measured. */
const NEWS_MS = 86_400_000;

export type InApp = { close: () => Promise<void> };

/** Measures how long alerts take to the open pages of this process: until the frame was written to all of their streams. */
export function measureInApp({ db, live, now, report }: NotificationsContext): InApp {
  let streamsAfterMs = new Map<number, number>();

  async function write(): Promise<void> {
    if (streamsAfterMs.size === 0) return;
    const measured = streamsAfterMs;
    streamsAfterMs = new Map();
    await addHandings(db, now(), measured);
  }

  const failed = (error: unknown) =>
    report('notifications', 'system', 'The measured times of alerts in the app could not be kept', error);
  const writing = createThrottle(WRITE_MS, write, failed);

  live.afterHanded(alertsTopic, ({ alerts }, streams) => {
    const at = now().getTime();
    for (const { receipt } of alerts) {
      const ms = Math.max(0, at - Date.parse(receipt.queuedAt));
      if (ms > NEWS_MS) continue;
      streamsAfterMs.set(ms, (streamsAfterMs.get(ms) ?? 0) + streams);
    }
    writing.poke();
  });

  return {
    async close() {
      await writing.flush();
      writing.stop();
    },
  };
}
