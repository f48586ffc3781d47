import type { Query, QueryClient } from '@tanstack/react-query';
import { openStream, type StreamEvent } from '#app/web/stream.ts';
import type { RaisedAlert } from '#features/alerts/contract/alerts.ts';
import { countRaised, patchAlerts, readAlertsAgain, withRaised } from '#features/alerts/web/alerts/patch.ts';
import { type CollectionNews, collection } from '#features/analysis/web/analysis/collection-store.ts';
import { withTick } from '#features/market/web/market/quote.ts';
import { type Frame, ticks } from '#features/market/web/market/tick-store.ts';
import { dashboardQuery } from '#features/site/web/dashboard/queries.ts';
import { notifyReconnect } from '#ui/reconnect.ts';
import { toast } from '#ui/toast.ts';

const NAME = 'meridian-stream';
const HIDDEN_GRACE_MS = 30_000;

type Listener = (event: StreamEvent) => void;

/**
 * One stream per browser: the tab that holds the lock owns the EventSource and passes every event to the others.
 * HTTP/1.1 allows six connections per host, and six open tabs must not block the seventh call.
 */
function joinStream(listen: Listener): () => void {
  // Absent outside secure contexts.
  const locks = navigator.locks as LockManager | undefined | null;
  if (!locks || typeof BroadcastChannel === 'undefined') return openStream(listen);
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
  locks.request(NAME, { signal: leaving.signal }, lead).catch(() => {
    // Left the queue before it was this tab's turn.
  });
  return () => {
    leaving.abort();
    channel.close();
  };
}

/** Leaves the stream in a tab that stays hidden, and requests a full refetch when the tab is visible again. */
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

const PATCH_MS = 5_000;

/** Writes the ticks shown since the last patch into the dashboard, so that the cache matches the page. */
export function patchDashboard(queries: QueryClient): void {
  const state = queries.getQueryState(dashboardQuery.queryKey);
  if (!state?.data || state.status !== 'success' || state.fetchStatus === 'fetching') return;
  queries.setQueryData(
    dashboardQuery.queryKey,
    (old) => old && { ...old, cryptoPrices: old.cryptoPrices.map((row) => withTick(row, ticks.get(row.id))) },
    { updatedAt: state.dataUpdatedAt },
  );
}

/** What to refetch for each event of the server. */
const CALLS = {
  dashboard: ['dashboard'],
  sparklines: ['sparklines'],
  sources: ['dashboard', 'sources'],
  metrics: ['narratives', 'metrics', 'layer1'],
} as const;

/** Queries to refetch when calls were frozen or graded; a verification is cached until it is requested again. */
const RECORD_CALLS = ['dashboard', 'backtest', 'calls', 'ledger', 'replay', 'league'] as const;
const isReading = ({ queryKey }: Pick<Query, 'queryKey'>) => !queryKey.includes('verify');

/** What to refetch when the account has changed. */
const ACCOUNT_CALLS = {
  subscription: 'subscription',
  profile: 'subscription',
  sessions: 'sessions',
  notifications: 'preferences',
  payments: 'billing',
} as const;

export function handle(queries: QueryClient, { name, data }: StreamEvent, wasPolling: boolean): void {
  if (name === 'prices') ticks.push(JSON.parse(data) as Frame);
  else if (name === 'market') {
    const { changed } = JSON.parse(data) as { changed: (keyof typeof CALLS)[] };
    for (const key of new Set(changed.flatMap((what) => CALLS[what])))
      void queries.invalidateQueries({ queryKey: [key] });
  } else if (name === 'record') {
    for (const key of RECORD_CALLS) void queries.invalidateQueries({ queryKey: [key], predicate: isReading });
  } else if (name === 'inflation') void queries.invalidateQueries({ queryKey: ['inflation'] });
  else if (name === 'events')
    for (const key of ['events', 'dashboard']) void queries.invalidateQueries({ queryKey: [key] });
  else if (name === 'collection') collection.push(JSON.parse(data) as CollectionNews);
  else if (name === 'alerts') {
    const { alerts } = JSON.parse(data) as { alerts: RaisedAlert[] };
    patchAlerts(queries, withRaised(alerts));
    countRaised(queries, alerts);
    void queries.invalidateQueries({ queryKey: ['deliveries'] });
    if (alerts.some(({ thresholdId }) => thresholdId !== null))
      void queries.invalidateQueries({ queryKey: ['thresholds'] });
  } else if (name === 'account') {
    const { changed } = JSON.parse(data) as { changed: (keyof typeof ACCOUNT_CALLS)[] };
    for (const what of changed) void queries.invalidateQueries({ queryKey: [ACCOUNT_CALLS[what]] });
  } else if (name === 'exports') queries.setQueryData(['export-news'], JSON.parse(data));
  else if (name === 'joined') readAlertsAgain(queries);
  else if (name === 'back') notifyReconnect();
  else if (name === 'live') {
    toast('success', 'Live updates restored');
    notifyReconnect();
    void queries.invalidateQueries();
  } else {
    notifyReconnect();
    if (name === 'poll' && !wasPolling) toast('warning', 'Live updates interrupted. Prices refresh every 15 seconds.');
    void queries.invalidateQueries();
  }
}

/** Connects the page to the stream; returns a function that disconnects it. */
export function connectLive(queries: QueryClient): () => void {
  let polling = false;
  let dirty = false;
  const leave = watchStream((event) => {
    handle(queries, event, polling);
    if (event.name === 'poll' || event.name === 'live') polling = event.name === 'poll';
  });
  const stop = ticks.subscribeAll(() => {
    dirty = true;
  });
  const timer = setInterval(() => {
    if (dirty) patchDashboard(queries);
    dirty = false;
  }, PATCH_MS);
  return () => {
    leave();
    stop();
    clearInterval(timer);
  };
}
