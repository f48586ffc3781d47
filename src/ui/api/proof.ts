import type { Endpoint } from '#shared/contract.ts';

import { type Args, CallError, call, type Reply } from './client.ts';

type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** Registers the prompt for re-authentication. Returns a function that removes it. */
export function attachProof(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = undefined;
  };
}

/** Where the server requires re-authentication, prompts the user and repeats `work`. Null when they decline. */
export async function withProof<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!ask || !(error instanceof CallError) || error.code !== 'reauthentication_required') throw error;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return (await asking) ? work() : null;
  }
}

/** Like `call`, with re-authentication where required. */
export const callWithProof = <E extends Endpoint>(
  e: E,
  args: Args<E>,
  signal?: AbortSignal,
): Promise<Reply<E> | null> => withProof(() => call(e, args, signal));

/** For reads: throws the refusal of the server when the user declines. */
export async function provenCall<E extends Endpoint>(e: E, args: Args<E>, signal?: AbortSignal): Promise<Reply<E>> {
  const reply = await callWithProof(e, args, signal);
  if (reply === null)
    throw new CallError(403, 'reauthentication_required', 'Please confirm it’s you to continue.', true);
  return reply;
}
