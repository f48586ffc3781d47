import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Lets every other thread of the machine go first. Linux gives each thread a rank of its own; elsewhere nothing is done. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (thread !== process.pid) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where ranks are not to be changed, it goes on as it is.
  }
}
