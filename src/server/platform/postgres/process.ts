import { setTimeout as sleep } from 'node:timers/promises';

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Asks until the answer is yes; false when the time is over. */
export async function waitUntil(isDone: () => boolean, timeoutMs: number, stepMs = 10): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!isDone()) {
    if (performance.now() > end) return false;
    await sleep(stepMs);
  }
  return true;
}
