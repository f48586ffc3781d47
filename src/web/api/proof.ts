import type { Endpoint } from '#shared/contract.ts';

import { type Args, CallError, call, type Reply } from './client.ts';

type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** Who asks the person to prove who they are. Returns what ends it. */
export function attachProof(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = undefined;
  };
}

/** As `call`; where the server wants a fresh proof the person is asked, and it is called again. Null when they declined. */
export async function callWithProof<E extends Endpoint>(
  e: E,
  args: Args<E>,
  signal?: AbortSignal,
): Promise<Reply<E> | null> {
  try {
    return await call(e, args, signal);
  } catch (error) {
    if (!ask || !(error instanceof CallError) || error.code !== 'reauthentication_required') throw error;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return (await asking) ? call(e, args, signal) : null;
  }
}
