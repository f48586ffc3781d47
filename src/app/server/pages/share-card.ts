import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Sparklines } from '#features/market/contract/market.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import type { BackgroundThread } from '#kernel/background-thread.ts';
import { matches } from '#kernel/read-model.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime, grouped, percent, price } from '#shared/format.ts';
import { polyline } from '#shared/picture/canvas.ts';
import type { Letters } from '#shared/picture/letters.ts';
import type { ShareCard } from '#shared/picture/share-card.ts';

import { CLIENT_DIR } from './build.ts';

/** Sites that show a link preview cache its image as well. */
const CACHE_CONTROL = 'public, max-age=600, s-maxage=600, stale-while-revalidate=600, stale-if-error=86400';
const CACHE_MS = 600_000;

type CachedPicture = { at: number; etag: string; bytes: Buffer };

/** Renders an image on request and caches it for ten minutes. One at a time: pages share the thread. */
export function createPictureCache(now: () => Date) {
  const cache = new Map<string, CachedPicture>();
  const drawing = new Map<string, Promise<CachedPicture>>();
  let last: Promise<unknown> = Promise.resolve();
  const isExpired = ({ at }: CachedPicture) => now().getTime() - at >= CACHE_MS;

  async function keep(name: string, draw: () => Promise<Uint8Array>): Promise<CachedPicture> {
    const at = now().getTime();
    const bytes = Buffer.from(await draw());
    for (const [other, picture] of cache) if (isExpired(picture)) cache.delete(other);
    const picture = { at, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`, bytes };
    cache.set(name, picture);
    return picture;
  }

  function findPicture(name: string, draw: () => Promise<Uint8Array>): Promise<CachedPicture> | CachedPicture {
    const known = cache.get(name);
    if (known && !isExpired(known)) return known;
    const running = drawing.get(name);
    if (running) return running;
    const next = last.then(() => keep(name, draw)).finally(() => drawing.delete(name));
    last = next.catch(() => undefined);
    drawing.set(name, next);
    return next;
  }

  return async (
    { headers }: FastifyRequest,
    reply: FastifyReply,
    name: string,
    draw: () => Promise<Uint8Array>,
  ): Promise<FastifyReply> => {
    const { etag, bytes } = await findPicture(name, draw);
    // Other sites embed the image in link previews.
    reply.headers({ etag, 'cache-control': CACHE_CONTROL, 'cross-origin-resource-policy': 'cross-origin' });
    return matches(headers['if-none-match'], etag) ? reply.code(304).send() : reply.type('image/png').send(bytes);
  };
}

const DRAWING = new URL('../../../shared/picture/share-card.ts', import.meta.url).href;
/** Fewer graded calls are not meaningful. */
const MIN_GRADED = 100;
const MAX_POINTS = 84;

export type ShareFacts = { dashboard: Dashboard; series: Sparklines['series'] };

type Deps = { thread: BackgroundThread; letters: Letters; now: () => Date; onError: (error: unknown) => void };

const whole = (share: number) => `${Math.round(share * 100)}%`;

/** A hit rate is always shown with its confidence interval. */
function recordText({ backtestResults }: Dashboard): string {
  const { n = 0, hit_rate: rate = null, hit_interval: range = null } = backtestResults?.headline ?? {};
  if (n < MIN_GRADED || rate === null || range === null) return '';
  return `${whole(rate)} of ${grouped(n)} graded calls correct (95% interval ${whole(range.low)} to ${whole(range.high)})`;
}

export function toDirection(change: number | null): ShareCard['prices'][number]['direction'] {
  const shown = Number((change ?? 0).toFixed(2));
  if (shown === 0) return 'flat';
  return shown > 0 ? 'up' : 'down';
}

export const downsample = (points: readonly number[]) => {
  const step = Math.max(1, Math.ceil(points.length / MAX_POINTS));
  return points.filter((_, i) => (points.length - 1 - i) % step === 0);
};

export const MARK = { line: polyline(BRAND.mark.line), dot: BRAND.mark.dot };

const BLANK: ShareCard = {
  ...BRAND,
  mark: MARK,
  demo: false,
  prices: [],
  seen: '',
  record: '',
};

/** Current values as on the pages; without prices only the product name. `dashboard` holds the tracked coins. */
export function buildShareCard({ dashboard, series }: ShareFacts): ShareCard {
  const { cryptoPrices, dataMode } = dashboard;
  const newest = cryptoPrices
    .map(({ meta }) => meta.observedAt)
    .toSorted()
    .at(-1);
  return {
    ...BLANK,
    demo: dataMode === 'demo',
    prices: cryptoPrices.map(({ id, symbol, name, price: usd, change_24h: change }) => ({
      symbol,
      name,
      price: `$${price(usd)}`,
      change: change === null ? '–' : `${percent(change)} 24h`,
      direction: toDirection(change),
      points: downsample(series[id]?.points ?? []),
    })),
    seen: newest ? dateTime(Date.parse(newest)).replace(/:\d\d UTC$/, ' UTC') : '',
    record: recordText(dashboard),
  };
}

export type Share = {
  /** Sets the data of the following images. */
  follow: (facts: ShareFacts) => void;
  mount: (app: FastifyInstance) => void;
};

/** The preview image of our links: rendered on request, then cached for ten minutes. */
export function createShare({ thread, letters, now, onError }: Deps): Share {
  let facts: ShareFacts | null = null;
  const send = createPictureCache(now);

  async function findPicture(of: ShareFacts | null): Promise<Uint8Array> {
    try {
      const card = of ? buildShareCard(of) : BLANK;
      return (await thread.call<{ bytes: Uint8Array }>(DRAWING, 'drawShareCard', card, letters)).bytes;
    } catch (error) {
      onError(error);
      return readFile(join(CLIENT_DIR, 'card.png'));
    }
  }

  return {
    follow(next) {
      facts = next;
    },
    mount(app) {
      app.get('/og.png', (request, reply) => {
        // The first prices immediately replace an image without any.
        const name = facts?.dashboard.cryptoPrices.length ? 'prices' : 'blank';
        return send(request, reply, name, () => findPicture(facts));
      });
    },
  };
}
