import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Sparklines } from '#features/market/contract/market.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { matches } from '#kernel/read-model.ts';
import type { SideThread } from '#kernel/side-thread.ts';
import { BRAND } from '#shared/brand.ts';
import { dateTime, percent, price } from '#shared/format.ts';
import { polyline } from '#shared/picture/canvas.ts';
import type { Letters } from '#shared/picture/letters.ts';
import type { ShareCard } from '#shared/picture/share-card.ts';
import { CLIENT_DIR } from './build.ts';

const DRAWING = new URL('../../../shared/picture/share-card.ts', import.meta.url).href;
/** Whoever shows a link keeps the picture anyway. */
const CACHE = 'public, max-age=600, s-maxage=600, stale-while-revalidate=600, stale-if-error=86400';
const KEPT_MS = 600_000;
/** Fewer graded calls say nothing. */
const LEAST_GRADED = 100;
const MOST_POINTS = 84;

export type ShareFacts = { dashboard: Dashboard; series: Sparklines['series'] };

type Deps = { thread: SideThread; letters: Letters; now: () => Date; onError: (error: unknown) => void };

const whole = (share: number) => `${Math.round(share * 100)}%`;

/** A hit rate never stands without the range that it may truly lie in. */
function recordText({ backtestResults }: Dashboard): string {
  const { n = 0, hit_rate: rate = null, hit_interval: range = null } = backtestResults?.headline ?? {};
  if (n < LEAST_GRADED || rate === null || range === null) return '';
  return `${whole(rate)} of ${n.toLocaleString('en-US')} graded calls came true (likely ${whole(range.low)} to ${whole(range.high)})`;
}

function directionOf(change: number | null): ShareCard['prices'][number]['direction'] {
  const shown = Number((change ?? 0).toFixed(2));
  if (shown === 0) return 'flat';
  return shown > 0 ? 'up' : 'down';
}

const thinned = (points: readonly number[]) => {
  const step = Math.max(1, Math.ceil(points.length / MOST_POINTS));
  return points.filter((_, i) => (points.length - 1 - i) % step === 0);
};

const BLANK: ShareCard = {
  ...BRAND,
  mark: { line: polyline(BRAND.mark.line), dot: BRAND.mark.dot },
  demo: false,
  prices: [],
  seen: '',
  record: '',
};

/** What the pages say at this moment; without prices only who we are. `dashboard` holds the tracked coins. */
export function shareCardOf({ dashboard, series }: ShareFacts): ShareCard {
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
      direction: directionOf(change),
      points: thinned(series[id]?.points ?? []),
    })),
    seen: newest ? dateTime(Date.parse(newest)).replace(/:\d\d UTC$/, ' UTC') : '',
    record: recordText(dashboard),
  };
}

export type Share = {
  /** From now on the picture is drawn of these. */
  follow: (facts: ShareFacts) => void;
  mount: (app: FastifyInstance) => void;
};

/** The picture that sites show with a link to us: drawn when it is asked for, and then kept for ten minutes. */
export function createShare({ thread, letters, now, onError }: Deps): Share {
  let facts: ShareFacts | null = null;
  let kept: { at: number; hasPrices: boolean; etag: string; bytes: Buffer } | null = null;
  let drawing: Promise<void> | null = null;

  async function pictureOf(of: ShareFacts | null): Promise<Uint8Array> {
    try {
      const card = of ? shareCardOf(of) : BLANK;
      return (await thread.call<{ bytes: Uint8Array }>(DRAWING, 'drawShareCard', card, letters)).bytes;
    } catch (error) {
      onError(error);
      return readFile(join(CLIENT_DIR, 'card.png'));
    }
  }

  async function draw(): Promise<void> {
    const at = now().getTime();
    const hasPrices = (facts?.dashboard.cryptoPrices.length ?? 0) > 0;
    const bytes = Buffer.from(await pictureOf(facts));
    kept = { at, hasPrices, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`, bytes };
  }

  function isOld(): boolean {
    if (!kept) return true;
    const isFirst = !kept.hasPrices && (facts?.dashboard.cryptoPrices.length ?? 0) > 0;
    return isFirst || now().getTime() - kept.at >= KEPT_MS;
  }

  async function answer(ifNoneMatch: string | undefined, reply: FastifyReply): Promise<FastifyReply> {
    if (isOld()) {
      drawing ??= draw().finally(() => {
        drawing = null;
      });
      await drawing;
    }
    if (!kept) throw new Error('The picture was not kept');
    // Sites that show a link show its picture.
    reply.headers({ etag: kept.etag, 'cache-control': CACHE, 'cross-origin-resource-policy': 'cross-origin' });
    return matches(ifNoneMatch, kept.etag) ? reply.code(304).send() : reply.type('image/png').send(kept.bytes);
  }

  return {
    follow(next) {
      facts = next;
    },
    mount(app) {
      app.get('/og.png', (request, reply) => answer(request.headers['if-none-match'], reply));
    },
  };
}
