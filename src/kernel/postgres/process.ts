import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A zombie process counts as dead. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !/\) Z/.test(readProc(pid, 'stat'));
}

/** The name of the program, or an empty string where the system does not provide it. */
export function readProgramName(pid: number): string {
  return readProc(pid, 'comm').trim();
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Polls until the condition is true; false on timeout. */
export async function waitUntil(isDone: () => boolean, timeoutMs: number, stepMs = 10): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!isDone()) {
    if (performance.now() > end) return false;
    await sleep(stepMs);
  }
  return true;
}

/** A start that cannot continue; the message is one sentence for the operator and is printed without a stack. */
export class AppStartError extends Error {
  override name = 'AppStartError';
}

export class DataDirInUseError extends AppStartError {}
