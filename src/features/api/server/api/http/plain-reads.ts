import type { Encode } from '#kernel/encode.ts';
import { createReadModel, type Prepared } from '#kernel/read-model.ts';

import type { ApiCall } from '../call.ts';
import { HEADERS } from './headers.ts';

/** After so many changes that nobody asked for, it is no longer kept ready. */
const UNASKED = 120;

/** The answer to a call without a query, the same for every key: made when it is asked for, then kept up with what changes. */
export type PlainRead = {
  /** Null when it has to be prepared first. */
  current: () => Prepared | null;
  prepare: () => Promise<Prepared | null>;
  /** What it shows has changed; the old answer serves until the new one is there. */
  renew: () => Promise<void>;
};

export function createPlainRead(
  { endpoint, answerPlain }: Pick<ApiCall, 'endpoint' | 'answerPlain'>,
  { encode, onInvalid }: { encode: Encode; onInvalid: (error: unknown) => void },
): PlainRead {
  const { 'cache-control': cacheControl, ...headers } = HEADERS;
  const model = createReadModel<unknown>({
    name: endpoint.path,
    schema: endpoint.reply,
    cacheControl,
    headers,
    encode,
    onInvalid,
  });
  let isStale = true;
  let unasked = 0;
  let made: Promise<unknown> = Promise.resolve();

  function make(): Promise<void> {
    isStale = false;
    const own = made.then(async () => model.publish(await answerPlain?.()));
    made = own.catch(() => {
      isStale = true;
    });
    return own;
  }

  return {
    current() {
      unasked = 0;
      return isStale ? null : model.current();
    },
    async prepare() {
      unasked = 0;
      if (isStale) await make();
      else await made;
      return model.current();
    },
    async renew() {
      unasked += 1;
      if (isStale) return;
      if (unasked > UNASKED) isStale = true;
      else await make().catch(onInvalid);
    },
  };
}
