export const STREAM_URL = '/api/stream?topics=prices,market';
const EVENTS = ['prices', 'market', 'reset'] as const;
/** The server sends prices at least once a minute: longer silence means a dead line that never closed. */
const SILENCE_MS = 75_000;
const POLL_MS = 15_000;
const GIVE_UP_AFTER = 3;
const LONGEST_WAIT_MS = 15_000;

export type StreamEvent =
  | { name: (typeof EVENTS)[number]; data: string }
  /** `poll`: the stream is out, read everything again. `live`: it works (again). */
  | { name: 'poll' | 'live'; data: '' };

/**
 * Keeps one EventSource alive: reconnects with growing pauses, notices silence, and asks for polling while the line is out.
 * Returns the function that closes it.
 */
export function openStream(emit: (event: StreamEvent) => void): () => void {
  let source: EventSource | undefined;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;

  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(lost, SILENCE_MS);
  };

  const alive = () => {
    if (failures >= GIVE_UP_AFTER) emit({ name: 'live', data: '' });
    failures = 0;
    clearInterval(polling);
    polling = undefined;
    heard();
  };

  function lost() {
    source?.close();
    clearTimeout(silence);
    clearTimeout(retry);
    failures++;
    if (failures >= GIVE_UP_AFTER && polling === undefined) {
      emit({ name: 'poll', data: '' });
      polling = setInterval(() => emit({ name: 'poll', data: '' }), POLL_MS);
    }
    retry = setTimeout(connect, Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (failures - 1)));
  }

  function connect() {
    source = new EventSource(STREAM_URL);
    source.addEventListener('open', alive);
    source.addEventListener('heartbeat', heard);
    source.addEventListener('error', () => {
      // While CONNECTING the browser retries by itself and sends Last-Event-ID; only repeated failure is ours to handle.
      if (source?.readyState === EventSource.CONNECTING && failures === 0) {
        failures++;
        return;
      }
      lost();
    });
    for (const name of EVENTS) {
      source.addEventListener(name, (event) => {
        heard();
        emit({ name, data: (event as MessageEvent<string>).data });
      });
    }
    heard();
  }

  connect();
  return () => {
    source?.close();
    clearTimeout(retry);
    clearTimeout(silence);
    clearInterval(polling);
  };
}
