import { cleanup, render } from '@testing-library/react';
import { toast as shownToasts } from 'sonner';
import { afterEach, beforeEach, vi } from 'vitest';
import type { AppSeed } from '#app/render.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { inflationAnswers } from '#features/inflation/web/fixtures.ts';
import { layer1 } from '#features/market/web/layer1/fixtures.ts';
import { meta, NOON, others, sources, top, totals } from '#features/market/web/market/fixtures.ts';
import { ticks } from '#features/market/web/market/tick-store.ts';
import { metrics } from '#features/market/web/metrics/fixtures.ts';
import { narratives } from '#features/market/web/narratives/fixtures.ts';
import { latencyOf } from '#features/notifications/web/notifications/fixtures.ts';
import { sourceList } from '#features/operations/web/sources/admin-fixtures.ts';
import { billingOf } from '#features/payments/web/billing/billing-fixtures.ts';
import { pricingOf } from '#features/payments/web/billing/fixtures.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { dashboardOf } from '#features/site/web/dashboard/fixtures.ts';
import { aboutOf } from '#features/site/web/legal/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import { startSession } from '#ui/session.ts';
import { App, createQueries } from '../app.tsx';
import { BrowserRouter } from '../browser-router.tsx';
import { FakeEventSource } from '../fake-event-source.ts';

/** Popover behavior that this DOM lacks: opening, closing and their events. */
export function installPopovers(): void {
  const toggle = (popover: HTMLElement, newState: 'open' | 'closed') => {
    if ((popover.dataset['popover'] === 'open') === (newState === 'open')) return;
    popover.dataset['popover'] = newState;
    popover.dispatchEvent(Object.assign(new Event('toggle'), { newState }));
  };
  Object.assign(HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      toggle(this, 'open');
    },
    togglePopover(this: HTMLElement, open: boolean) {
      toggle(this, open ? 'open' : 'closed');
    },
    hidePopover(this: HTMLElement) {
      toggle(this, 'closed');
    },
  });
}

/** Clicks the opener of a popover and emulates the browser. */
export function pressOpener(opener: HTMLElement): HTMLElement {
  const popover = document.getElementById(opener.getAttribute('popovertarget') ?? '');
  if (!popover) throw new Error('It opens nothing');
  opener.click();
  if (opener.getAttribute('popovertargetaction') === 'hide') popover.hidePopover();
  else popover.showPopover();
  return popover;
}

/** Every element counts as visible, so that content loaded on scroll is shown immediately. */
class SeenAtOnce {
  readonly #tell: (entries: { target: Element; isIntersecting: boolean }[]) => void;
  constructor(tell: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    this.#tell([{ target, isIntersecting: true }]);
  }
  disconnect(): void {}
  unobserve(): void {}
}

export const payload = (change: Partial<Dashboard> = {}): Dashboard => ({
  ...dashboardOf(NOON, { cryptoPrices: [...top, ...others], totals, sources }),
  ...change,
});

/** With the cards below the prices, as from a server that has collected data. */
export const wholePayload = (change: Partial<Dashboard> = {}): Dashboard =>
  payload({ trendingNarratives: narratives.narratives, advancedMetrics: metrics, layer1Data: layer1, ...change });

const CALLS: Record<string, () => Response> = {
  ...inflationAnswers,
  '/api/trending-narratives': () => Response.json(narratives),
  '/api/advanced-metrics': () => Response.json(metrics),
  '/api/layer1-data': () => Response.json(layer1),
  '/api/subscription/pricing': () => Response.json(pricingOf()),
  '/api/alerts': () => Response.json({ alerts: [] }),
  '/api/notifications/latency': () => Response.json(latencyOf()),
  '/api/brief': () => Response.json({ timestamp: new Date(NOON).toISOString(), dataMode: 'live', lines: [] }),
  '/api/changes': () =>
    Response.json({ timestamp: new Date(NOON).toISOString(), since: new Date(NOON).toISOString(), changes: [] }),
  '/api/about': () => Response.json(aboutOf()),
  '/api/sources': () => Response.json(sourceList),
  '/api/dashboard': () => Response.json(payload()),
  '/api/prices/sparklines': () =>
    Response.json({
      timestamp: new Date(NOON).toISOString(),
      series: { bitcoin: { points: [1, 2, 3], meta: meta() } },
    }),
};

type Options = {
  at?: string;
  seed?: AppSeed | null;
  calls?: Record<string, (url: string, init?: RequestInit) => Response | Promise<Response>>;
  /** The user who opens it. */
  as?: 'anonymous' | Plan;
};

/** The whole app at an address; only the network is mocked. `calls` responds by path, later entries win. */
export function openApp({
  at = '/app',
  seed = { version: '1.0.0', dashboard: null, sparklines: null },
  calls = {},
  as = 'anonymous',
}: Options = {}) {
  if (as !== 'anonymous') startSession(`${as}-token`, subscriptionOf(as));
  const account: typeof calls =
    as === 'anonymous'
      ? {}
      : {
          '/api/subscription': () => Response.json(subscriptionOf(as)),
          '/api/billing': () => Response.json(billingOf({ canTry: false })),
        };
  const answers = { ...CALLS, ...account, ...calls };
  const fetch = vi.fn(async (url: string, init?: RequestInit) => {
    const answer = answers[url.split('?')[0] ?? ''];
    return answer ? answer(url, init) : Response.json({ error: 'Unknown call', code: 'not_found' }, { status: 404 });
  });
  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('IntersectionObserver', SeenAtOnce);
  FakeEventSource.install();
  installPopovers();
  const queries = createQueries(seed);
  queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, retry: false } });
  history.replaceState(null, '', at);
  render(<App seed={seed} queries={queries} router={(routes) => <BrowserRouter>{routes}</BrowserRouter>} />);
  return { fetch, queries };
}

export function closeApp(): void {
  cleanup();
  // The library keeps toasts that were not dismissed, and would show them in the next app as well.
  shownToasts.dismiss();
  ticks.clear();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

/** Freezes the clock shortly after the payload; timers that React and the queries need keep running. */
export function freezeTime(ms = NOON): void {
  vi.useFakeTimers({ toFake: ['Date'], now: ms });
}

/** Every test of the file has its own app at that time, and cleans up. */
export function eachWithItsApp(): void {
  beforeEach(() => freezeTime());
  afterEach(() => {
    vi.restoreAllMocks();
    sessionStorage.clear();
    closeApp();
  });
}
