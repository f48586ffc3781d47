import type { TermView } from '#features/analysis/contract/analysis.ts';
import { isAboutChance, recordLine } from '#features/analysis/contract/brief.ts';
import type { Event } from '#features/events/contract.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import type { Brief, BriefClause, BriefLine } from '#features/site/contract/brief.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import type { Section } from '#kernel/mail/blocks.ts';
import { figurePath } from '#shared/figure-pages.ts';
import { COIN_PREFIX, type FigureMeta, type FigureOrigin, hasOrigin } from '#shared/figures.ts';
import { clockTime, compact, date, percent, price, rangeText } from '#shared/format.ts';
import type { Provenance } from '#shared/provenance.ts';

import { computed, type ReleaseDeps, releaseChanges } from './releases.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A release remains in the brief for a week. */
const RELEASED_MS = 7 * DAY_MS;
/** Movers are chosen from the largest coins; below them a move says little about the market. */
const RANKS = 100;

const clause = (text: string, meta: FigureOrigin, href = figurePath(meta.metric) ?? '/app'): BriefClause => ({
  text,
  href,
  meta,
});

/** A clause for a figure with its own provenance; none while the figure is unknown. */
const figureClause = (value: number | null, meta: FigureMeta | undefined, text: (value: number) => string) =>
  value !== null && hasOrigin(meta) ? [clause(text(value), meta)] : [];

const isFresh = ({ staleAfter }: Provenance, now: number) => Date.parse(staleAfter) >= now;

function marketLine({ totals, advancedMetrics }: Dashboard): BriefClause[] {
  const { market_cap: cap, volume_24h: volume, change_24h: change, meta } = totals;
  const dominance = advancedMetrics?.bitcoinDominance;
  const moved = change === null ? '' : `, ${percent(change, 1)} in 24h`;
  return [
    ...(cap !== null && meta ? [clause(`Market cap $${compact(cap)}${moved}`, { metric: 'market.cap', ...meta })] : []),
    ...(volume !== null && meta
      ? [clause(`24h volume $${compact(volume)}`, { metric: 'market.volume', ...meta })]
      : []),
    ...figureClause(dominance?.value ?? null, dominance?.meta['value'], (value) => {
      const points = dominance?.change_24h ?? null;
      return `Bitcoin dominance ${value.toFixed(1)}%${points === null ? '' : `, ${percent(points, 1).slice(0, -1)} pp`}`;
    }),
  ];
}

type Moved = CryptoPrice & { change_24h: number };

/** Bitcoin, and the day's largest gainer and loser of the top 100. Stale prices are excluded. */
function coinsLine({ cryptoPrices, timestamp }: Dashboard): BriefClause[] {
  const fresh = cryptoPrices.filter(
    (coin): coin is Moved => coin.change_24h !== null && isFresh(coin.meta, Date.parse(timestamp)),
  );
  const ranked = fresh
    .filter(({ rank }) => rank !== null && rank <= RANKS)
    .toSorted((a, b) => b.change_24h - a.change_24h);
  const place = ({ id }: Moved) => figurePath(`${COIN_PREFIX}${id}`);
  const bitcoin = fresh.find(({ id }) => id === 'bitcoin');
  const [best, worst] = [ranked[0], ranked.at(-1)];
  const mover = (coin: Moved | undefined, name: string) =>
    coin
      ? [
          clause(
            `${name}: ${coin.name} ${percent(coin.change_24h, 1)}`,
            { metric: 'coin.change', ...coin.meta },
            place(coin),
          ),
        ]
      : [];
  return [
    ...(bitcoin
      ? [
          clause(
            `Bitcoin $${price(bitcoin.price)}, ${percent(bitcoin.change_24h, 1)} in 24h`,
            { metric: 'coin.price', ...bitcoin.meta },
            place(bitcoin),
          ),
        ]
      : []),
    ...mover(best && best.change_24h > 0 ? best : undefined, 'Top gainer'),
    ...mover(worst && worst.change_24h < 0 ? worst : undefined, 'Top loser'),
  ];
}

function positioningLine({ advancedMetrics }: Dashboard): BriefClause[] {
  if (!advancedMetrics) return [];
  const { derivatives, marketSentiment } = advancedMetrics;
  const { openInterest, fundingRate, liquidations } = derivatives;
  const funding = fundingRate.metadata;
  const { long_liquidations: long } = liquidations.metadata;
  return [
    ...figureClause(
      funding.btc_funding,
      funding.meta['btc_funding'],
      (value) => `BTC funding ${percent(value, 4)} per 8h`,
    ),
    ...figureClause(openInterest.value, openInterest.meta['value'], (value) => `Open interest $${compact(value)}`),
    ...figureClause(liquidations.value, liquidations.meta['value'], (value) => {
      const share = long === null || value <= 0 ? '' : `, ${((100 * long) / value).toFixed(0)}% long`;
      return `24h liquidations $${compact(value)}${share}`;
    }),
    ...figureClause(marketSentiment.score, marketSentiment.meta['score'], (value) => {
      const word = marketSentiment.interpretation?.toLowerCase();
      return `Fear and greed ${value.toFixed(0)}${word === undefined ? '' : `, ${word}`}`;
    }),
  ];
}

const HORIZON: TermView['horizon'] = '24h';

/** The call for the next day, with the record of such calls. */
function outlookLine({ aiAnalysis, backtestResults, dataMode }: Dashboard): BriefClause[] {
  if (!aiAnalysis) return [];
  const { check_point: call, providers, ranges, meta } = aiAnalysis;
  const analysts = Object.keys(providers).length;
  const chance = isAboutChance(call.confidence) ? ', about chance' : '';
  const range = ranges.find(({ crypto_symbol: symbol, horizon }) => symbol === 'BTC' && horizon === HORIZON);
  const cell = backtestResults?.cells.find(
    ({ provider, current, horizon }) => provider === 'consensus' && current && horizon === HORIZON,
  );
  const { word, rest } = recordLine(cell);
  return [
    clause(
      `${analysts === 1 ? '1 analyst' : `${analysts} analysts`} for 24h: ${call.market_direction.toLowerCase()}, ${call.confidence.toFixed(0)}% confidence${chance}`,
      { metric: 'change.consensus', ...meta },
      '/app#ai-analysis',
    ),
    ...(range
      ? [
          clause(
            `BTC in 24h: 80% range ${rangeText(range.range_80)}`,
            { metric: 'record.ranges', ...meta },
            '/app#ai-analysis',
          ),
        ]
      : []),
    ...(backtestResults
      ? [
          {
            text: `24h track record: ${word}`,
            href: '/app/track-record',
            meta: computed(
              dataMode,
              'record.skill',
              backtestResults.timestamp,
              rest === '' ? {} : { terms: rest.slice(3) },
            ),
          },
        ]
      : []),
  ];
}

/** '9 Dec, 19:00 UTC', or the day only for an all-day event. */
const eventTime = ({ date: at, allDay, dateEstimated }: Event): string => {
  const ms = Date.parse(at);
  return `${date(ms).slice(0, -5)}${allDay ? '' : `, ${clockTime(ms)}`}${dateEstimated ? ' (estimated)' : ''}`;
};

function calendarLine(deps: ReleaseDeps, { timestamp, dataMode }: Dashboard): BriefClause[] {
  const released = releaseChanges(deps, new Date(Date.parse(timestamp) - RELEASED_MS));
  const next = deps.events
    .list()
    .filter(({ status, impact, title }) => status === 'upcoming' && impact === 'high' && title !== null)
    .toSorted((a, b) => Date.parse(a.date) - Date.parse(b.date))
    .slice(0, 2);
  return [
    ...released.slice(0, 1).map(({ text, href, meta }) => ({ text: `Released: ${text}`, href, meta })),
    ...next.map((event, index) => ({
      text: `${index === 0 ? 'Next' : 'Then'}: ${event.title}, ${eventTime(event)}`,
      href: '/app/events',
      meta: computed(dataMode, 'event.time', event.checkedAt, {
        ...(event.source === null ? {} : { source: event.source }),
        staleAfter: event.date,
      }),
    })),
  ];
}

/** The market in five lines, from the dashboard's figures and the calendar; no text is written by a model. */
export function buildBrief(deps: Omit<ReleaseDeps, 'mode'>, dashboard: Dashboard): Brief {
  const line = (topic: BriefLine['topic'], title: string, clauses: BriefClause[], missing: string): BriefLine => ({
    topic,
    title,
    clauses,
    missing: clauses.length > 0 ? null : missing,
  });
  return {
    timestamp: dashboard.timestamp,
    dataMode: dashboard.dataMode,
    lines: [
      line('market', 'Market', marketLine(dashboard), 'Market totals are not available yet.'),
      line('coins', 'Coins', coinsLine(dashboard), 'No fresh prices.'),
      line(
        'positioning',
        'Positioning',
        positioningLine(dashboard),
        'Derivatives and sentiment are not available yet.',
      ),
      line('outlook', 'Outlook', outlookLine(dashboard), 'No analysis yet.'),
      line(
        'calendar',
        'Calendar',
        calendarLine({ ...deps, mode: dashboard.dataMode }, dashboard),
        'No releases this week and no high-impact events scheduled.',
      ),
    ],
  };
}

/** The brief as a part of an email, each clause with the page that shows its source. */
export const briefSection = ({ lines }: Brief, publicUrl: string): Section => ({
  title: 'Market Brief',
  items: lines.map(({ title, clauses, missing }) => ({
    title,
    details: missing === null ? clauses.map(({ text, href }) => ({ text, url: `${publicUrl}${href}` })) : [missing],
  })),
});
