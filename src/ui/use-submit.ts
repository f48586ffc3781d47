import { useEffect, useRef, useState } from 'react';

import { CallError } from '#ui/api/client.ts';

export type Failure = {
  message: string;
  /** More details of the failure. */
  detail?: string;
};

/** A local error with a user-facing message. */
export class Told extends Error {}

/** The server's own message, else `fallback`. */
function toFailure(error: unknown, fallback: string): Failure {
  if (error instanceof Told) return { message: error.message };
  if (!(error instanceof CallError)) return { message: fallback };
  return error.told ? { message: error.message } : { message: fallback, detail: error.message };
}

/** One call at a time, with its failure. Leaving the form cancels the call. */
export function useSubmit<A extends unknown[]>(
  fallback: string,
  act: (signal: AbortSignal, ...args: A) => Promise<unknown>,
) {
  const [busy, setBusy] = useState(false);
  const [failure, fail] = useState<Failure | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function submit(...args: A): Promise<void> {
    if (busy) return;
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    fail(null);
    try {
      await act(controller.signal, ...args);
    } catch (error) {
      if (!controller.signal.aborted) fail(toFailure(error, fallback));
    }
    if (!controller.signal.aborted) setBusy(false);
  }
  return { busy, failure, fail, submit };
}
