import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod/mini';
import { readForecaster } from '#features/analysis/server/predictions/service.ts';
import { badgeOptions, type WidgetOptions, widgetOptions } from '#features/api/contract/widgets.ts';
import { BADGE_PATH, WIDGETS, type WidgetKind } from '#features/api/contract/widgets-names.ts';
import type { ApiDeps } from '#features/api/server/api/service.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import { AppError } from '#kernel/errors.ts';
import { prepare, writePrepared } from '#kernel/read-model.ts';
import { validationMessage } from '#kernel/route.ts';
import { drawBadge, drawFearGreed, drawNextEvent, drawPrice, drawRefusal, drawTicker, trackIn } from './badge.ts';
import { BADGE_HEADERS, createPageCache, type Drawing, WIDGET_HEADERS } from './page.ts';

const MAX_CACHED_WIDGETS = 200;
const CACHE_MS = 10_000;
const AGAIN_SECONDS = 10;
const CACHE = 'public, max-age=15, s-maxage=15, stale-while-revalidate=60, stale-if-error=300';
const HTML = 'text/html; charset=utf-8';
const SVG = 'image/svg+xml; charset=utf-8';

/** By id, or the highest ranked of a symbol. */
function getCoin(named: string, prices: readonly CryptoPrice[]): CryptoPrice {
  const found = prices.find(({ id }) => id === named.toLowerCase()) ?? bySymbol(named, prices);
  if (!found) throw new AppError('bad_request', `Unknown coin ${named}`);
  return found;
}

const bySymbol = (named: string, prices: readonly CryptoPrice[]) =>
  prices
    .filter(({ symbol }) => symbol.toUpperCase() === named.toUpperCase())
    .toSorted((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY))[0];

const parseOptions = <K extends WidgetKind>(kind: K, query: unknown) =>
  parsedOptions(widgetOptions[kind], query) as WidgetOptions<K>;

/** @throws AppError 400 in the words of the contract */
function parsedOptions<S extends z.ZodMiniType>(schema: S, query: unknown): z.output<S> {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys')
    throw new AppError('bad_request', `Unknown option ${String(issue.keys[0]).slice(0, 40)}`);
  throw new AppError('bad_request', validationMessage(issue?.message ?? 'Bad request', issue?.path ?? []));
}

/** Small pages for embedding: rendered here, cached for some seconds per set of options. */
export function widgetsRoutes(app: FastifyInstance, deps: ApiDeps, transport: Record<string, string>): void {
  const { db, market, metrics, events, sources, predictions, analysis, mode, now, publicUrl, report } = deps;
  const cache = createPageCache(MAX_CACHED_WIDGETS, CACHE_MS, now);
  const headers = { ...WIDGET_HEADERS, ...transport };
  const drawing = (): Drawing => ({ now: now(), mode, nameOf: sources.nameOf, publicUrl: publicUrl() });

  function prices(): CryptoPrice[] {
    const all = market.ctx.board.prices();
    if (all.length === 0)
      throw new AppError('unavailable', 'Initial data is still being collected', { retryAfterSeconds: AGAIN_SECONDS });
    return all;
  }

  /** Normalised options with coin ids, and the page. */
  const draw: { [K in WidgetKind]: (query: unknown) => { key: string; html: () => string } } = {
    ticker(query) {
      const options = parseOptions('ticker', query);
      const coins = [...new Set(options.coins.split(',').map((named) => getCoin(named, prices())))];
      const key = JSON.stringify({ ...options, coins: coins.map(({ id }) => id) });
      return { key, html: () => drawTicker(coins, options, drawing()) };
    },
    price(query) {
      const options = parseOptions('price', query);
      const coin = getCoin(options.coin, prices());
      return { key: JSON.stringify({ ...options, coin: coin.id }), html: () => drawPrice(coin, options, drawing()) };
    },
    'fear-greed'(query) {
      const options = parseOptions('fear-greed', query);
      const html = () => drawFearGreed(metrics.current().advanced.marketSentiment, options, drawing());
      return { key: JSON.stringify(options), html };
    },
    'next-event'(query) {
      const options = parseOptions('next-event', query);
      const html = () => {
        const next = events
          .list()
          .find(
            ({ status, impact }) => status === 'upcoming' && (options.impact === 'all' || impact === options.impact),
          );
        return drawNextEvent(next, options, drawing());
      };
      return { key: JSON.stringify(options), html };
    },
  };

  async function answer(kind: WidgetKind, request: FastifyRequest, reply: FastifyReply) {
    try {
      const { key, html } = draw[kind](request.query);
      const page = await cache.get(`${kind} ${key}`, async () =>
        prepare(html(), { contentType: HTML, cacheControl: CACHE, headers }),
      );
      reply.hijack();
      return writePrepared(request.raw, reply.raw, page);
    } catch (error) {
      if (!(error instanceof AppError))
        report('server', 'system', `The widget ${kind} failed`, {
          requestId: request.id,
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        });
      const { status, message, retryAfterSeconds } =
        error instanceof AppError
          ? error
          : new AppError('internal', `Something went wrong on our side (${request.id})`);
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
      return reply
        .code(status)
        .headers(headers)
        .type(HTML)
        .send(drawRefusal(message, drawing(), retryAfterSeconds));
    }
  }

  /** @throws AppError 404 */
  async function leagueRecord(name: string) {
    const { timestamp, cells } = await readForecaster(db, name, now());
    return { timestamp, cells: cells.map((cell) => ({ ...cell, provider: name })) };
  }

  for (const kind of WIDGETS)
    app.route({
      method: ['GET', 'HEAD'],
      url: `/widgets/${kind}`,
      handler: (request, reply) => answer(kind, request, reply),
    });

  app.route({
    method: ['GET', 'HEAD'],
    url: BADGE_PATH,
    async handler(request, reply) {
      const options = parsedOptions(badgeOptions, request.query);
      const record = options.record === 'live' ? predictions.record() : (analysis.currentReplay()?.record ?? null);
      const isLeague = options.record === 'league';
      const shown = { ...options, track: isLeague ? (options.track ?? '') : trackIn(record, options.track) };
      const badge = await cache.get(`badge ${JSON.stringify(shown)}`, async () => {
        const recordShown = isLeague ? await leagueRecord(shown.track ?? '') : record;
        return prepare(drawBadge(recordShown, shown, drawing()), {
          contentType: SVG,
          cacheControl: CACHE,
          headers: { ...BADGE_HEADERS, ...transport },
        });
      });
      reply.hijack();
      return writePrepared(request.raw, reply.raw, badge);
    },
  });
}
