import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matches } from '#kernel/read-model.ts';

/** Sites that show a link cache its picture as well. */
const CACHE = 'public, max-age=600, s-maxage=600, stale-while-revalidate=600, stale-if-error=86400';
const KEPT_MS = 600_000;

type Kept = { at: number; etag: string; bytes: Buffer };

/** Draws a picture when it is asked for and keeps it for ten minutes. One is drawn at a time: pages share the thread. */
export function createPictureCache(now: () => Date) {
  const kept = new Map<string, Kept>();
  const drawing = new Map<string, Promise<Kept>>();
  let last: Promise<unknown> = Promise.resolve();
  const isOld = ({ at }: Kept) => now().getTime() - at >= KEPT_MS;

  async function keep(name: string, draw: () => Promise<Uint8Array>): Promise<Kept> {
    const at = now().getTime();
    const bytes = Buffer.from(await draw());
    for (const [other, picture] of kept) if (isOld(picture)) kept.delete(other);
    const picture = { at, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`, bytes };
    kept.set(name, picture);
    return picture;
  }

  function pictureOf(name: string, draw: () => Promise<Uint8Array>): Promise<Kept> | Kept {
    const known = kept.get(name);
    if (known && !isOld(known)) return known;
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
    const { etag, bytes } = await pictureOf(name, draw);
    // Sites that show a link show its picture.
    reply.headers({ etag, 'cache-control': CACHE, 'cross-origin-resource-policy': 'cross-origin' });
    return matches(headers['if-none-match'], etag) ? reply.code(304).send() : reply.type('image/png').send(bytes);
  };
}
