import { issueStreamTicket } from '#features/accounts/contract/auth.ts';
import { call } from '#ui/api/client.ts';
import { onSession, tokenNow } from '#ui/session.ts';

export const STREAM_URL = '/api/stream?topics=prices,market,record,collection,inflation,events';
const EVENTS = [
  'prices',
  'market',
  'record',
  'collection',
  'inflation',
  'events',
  'account',
  'alerts',
  'exports',
  'reset',
] as const;
/** The server sends prices at least once a minute: longer silence means a dead connection that never closed. */
const SILENCE_MS = 75_000;
const POLL_MS = 15_000;
const MAX_FAILURES = 3;
const MAX_RETRY_MS = 15_000;

export type StreamEvent =
  | { name: (typeof EVENTS)[number]; data: string }
  /**
   * `poll`: the stream is down, refetch everything. `live`: it works again. `back`: it was down only briefly. `joined`:
   * the account's stream is open for the first time, and does not include earlier events.
   */
  | { name: 'poll' | 'live' | 'back' | 'joined'; data: '' };

/**
 * A ticket opens one stream, so the browser must not reopen it; this event announces that the account may have changed.
 */
const ACCOUNT_ENDED = JSON.stringify({ changed: ['subscription'] });

/**
 * Keeps one EventSource alive: reconnects with growing delays, detects silence, and requests polling while the
 * connection is down. Signed-in users get the stream of their account, and a new one at each change of the session.
 * Returns the function that closes it.
 */
export function openStream(emit: (event: StreamEvent) => void): () => void {
  let source: EventSource | undefined;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  let lastEventId = '';
  /** Increments with every new connection: late events of an older one are ignored. */
  let line = 0;

  const onMessage = () => {
    clearTimeout(silence);
    silence = setTimeout(lost, SILENCE_MS);
  };

  const alive = () => {
    if (failures > 0) emit({ name: failures >= MAX_FAILURES ? 'live' : 'back', data: '' });
    failures = 0;
    clearInterval(polling);
    polling = undefined;
    onMessage();
  };

  function lost() {
    source?.close();
    clearTimeout(silence);
    clearTimeout(retry);
    failures++;
    if (failures >= MAX_FAILURES && polling === undefined) {
      emit({ name: 'poll', data: '' });
      polling = setInterval(() => emit({ name: 'poll', data: '' }), POLL_MS);
    }
    retry = setTimeout(connect, Math.min(MAX_RETRY_MS, 1000 * 2 ** (failures - 1)));
  }

  function connect() {
    const current = ++line;
    if (tokenNow() === null) return open(STREAM_URL, false);
    call(issueStreamTicket, {}).then(
      ({ ticket, topics }) => {
        const from = lastEventId && `&lastEventId=${lastEventId}`;
        if (current === line)
          open(`${[STREAM_URL, ...topics].join(',')}&ticket=${encodeURIComponent(ticket)}${from}`, true);
      },
      () => {
        if (current === line) lost();
      },
    );
    return undefined;
  }

  function open(url: string, isAccounts: boolean) {
    source = new EventSource(url);
    source.addEventListener('open', () => {
      alive();
      if (isAccounts && lastEventId === '') emit({ name: 'joined', data: '' });
    });
    source.addEventListener('heartbeat', onMessage);
    source.addEventListener('error', () => {
      // While CONNECTING the browser retries and sends Last-Event-ID; only repeated failure is handled here.
      if (source?.readyState === EventSource.CONNECTING && failures === 0 && !isAccounts) {
        failures++;
        return;
      }
      lost();
      if (isAccounts) emit({ name: 'account', data: ACCOUNT_ENDED });
    });
    for (const name of EVENTS) {
      source.addEventListener(name, (event) => {
        onMessage();
        ({ lastEventId } = event as MessageEvent<string>);
        emit({ name, data: (event as MessageEvent<string>).data });
      });
    }
    onMessage();
  }

  const leave = onSession(() => {
    source?.close();
    clearTimeout(retry);
    connect();
  });
  connect();
  return () => {
    line++;
    leave();
    source?.close();
    clearTimeout(retry);
    clearTimeout(silence);
    clearInterval(polling);
  };
}
