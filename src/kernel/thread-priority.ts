import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Gives every other thread of the machine precedence. Linux has a priority per thread; elsewhere nothing is done. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (thread !== process.pid) setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where priorities cannot be changed, nothing changes.
  }
}
