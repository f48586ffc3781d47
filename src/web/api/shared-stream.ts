import { openStream, type StreamEvent } from './stream.ts';

const NAME = 'meridian-stream';
const HIDDEN_GRACE_MS = 30_000;

type Listener = (event: StreamEvent) => void;

/**
 * One stream per browser: the tab that holds the lock owns the EventSource and passes every event on to the others.
 * HTTP/1.1 allows six connections per host, and six open tabs must not block the seventh call.
 */
function joinStream(listen: Listener): () => void {
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') return openStream(listen);
  const channel = new BroadcastChannel(NAME);
  const leaving = new AbortController();
  channel.addEventListener('message', ({ data }: MessageEvent<StreamEvent>) => listen(data));
  const lead = () =>
    new Promise<void>((release) => {
      const close = openStream((event) => {
        listen(event);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin
        channel.postMessage(event);
      });
      leaving.signal.addEventListener('abort', () => {
        close();
        release();
      });
    });
  navigator.locks.request(NAME, { signal: leaving.signal }, lead).catch(() => {
    // Left the queue before it was this tab's turn.
  });
  return () => {
    leaving.abort();
    channel.close();
  };
}

/** Lets go of the stream in a tab that stays hidden, and asks for one full read when it is looked at again. */
export function watchStream(listen: Listener): () => void {
  let leave: (() => void) | undefined = joinStream(listen);
  let grace: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = () => {
    clearTimeout(grace);
    if (document.visibilityState === 'hidden') {
      grace = setTimeout(() => {
        leave?.();
        leave = undefined;
      }, HIDDEN_GRACE_MS);
    } else if (!leave) {
      leave = joinStream(listen);
      listen({ name: 'reset', data: '' });
    }
  };
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    clearTimeout(grace);
    leave?.();
  };
}
