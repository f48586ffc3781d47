import type { NotificationsContext } from '../context.ts';
import { fanPersonal, fanShared } from '../store/fan.ts';

/** Makes the deliveries of everything that waits, each shard in a transaction of its own; gives how many are new. */
export async function fanOut({ db, channels, now }: NotificationsContext, signal: AbortSignal): Promise<number> {
  let added = 0;
  for (const step of [fanPersonal, fanShared]) {
    while (!signal.aborted) {
      const more = await db.transaction().execute((tx) => step(tx, channels, now()));
      if (more === undefined) break;
      added += more;
    }
  }
  return added;
}
