import { priceList } from '#features/billing/server/service.ts';
import type { Dashboard } from '#features/dashboard/contract.ts';
import { analyticsOf } from '#server/platform/analytics.ts';
import type { Config } from '#server/platform/config.ts';
import type { Uptime } from '#server/platform/heartbeat.ts';

import type { About, Schedule } from '../contract.ts';
import { cronWords } from './cron-words.ts';

type Lanes = Pick<Config, 'FAST_LANE_SECONDS' | 'LISTING_MINUTES' | 'FULL_COLLECTION_CRON' | 'SLOW_LANE_MINUTES'>;

const counted = (count: number, unit: string) => (count === 1 ? `every ${unit}` : `every ${count} ${unit}s`);

/** As the jobs run: they begin on whole minutes, and past an hour on whole hours. */
export function scheduleOf(config: Lanes): Schedule {
  const { FAST_LANE_SECONDS: fast, SLOW_LANE_MINUTES: slow } = config;
  return {
    prices: fast > 60 ? `at least ${counted(fast / 60, 'minute')}` : 'at least every 60 seconds',
    listing: counted(config.LISTING_MINUTES, 'minute'),
    full: cronWords(config.FULL_COLLECTION_CRON),
    slow: slow >= 60 ? counted(Math.round(slow / 60), 'hour') : counted(slow, 'minute'),
  };
}

function plansOf(config: Config): About['plans'] {
  const { pro, premium, trialDays, limits } = priceList(config);
  return { pro: pro.originalPrice, premium: premium.originalPrice, trialDays, limits };
}

type Known = { config: Config; dashboard: Dashboard; uptime: Uptime };

/** What the About text says of this instance: nothing in it is written by hand. */
export function composeAbout({ config, dashboard, uptime }: Known): About {
  const { dataMode, cryptoPrices, sources } = dashboard;
  const statistics = analyticsOf(config);
  return {
    dataMode,
    schedule: scheduleOf(config),
    counts: { coins: cryptoPrices.length, sources: sources.length },
    sources: sources.map(({ id, name, gives }) => ({ id, name, gives })),
    plans: plansOf(config),
    analytics: statistics && new URL(statistics.origin).host,
    uptime,
  };
}
