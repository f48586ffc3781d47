import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { hashToken } from '#features/accounts/server/auth/service.ts';
import { readPlanStatuses, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import type { Caller } from '#kernel/route.ts';
import { API_KEY_PREFIX, type ApiScope } from '#shared/contract.ts';

import type { ApiKeysContext } from './context.ts';
import { type FoundKey, findKeys } from './store/keys.ts';

export type KeyCaller = Caller & { keyId: number; scopes: readonly ApiScope[] };

/** Cache lifetime, in case a notification from another process is missed. */
const CACHE_MS = 60_000;
const MAX_CACHED = 20_000;
/** Cache of unknown keys: smaller, because anyone can invent them. */
const MAX_UNKNOWN = 2_000;
/** Maximum number of keys per database query. */
const MAX_BATCH = 200;

type CachedKey = { caller: KeyCaller; until: number };
type Asking = {
  answer: Promise<KeyCaller | null>;
  settle: (caller: KeyCaller | null) => void;
  fail: (e: unknown) => void;
};

export type KeyCallers = {
  /** From the cache: null for an unknown key, undefined when it must be read. */
  known: (key: string) => KeyCaller | null | undefined;
  /** Account of a key; null for an unknown or ended key. */
  read: (key: string) => Promise<KeyCaller | null>;
  forget: (userId: number) => void;
  forgetAll: () => void;
};

function evictOldest(map: Map<string, unknown>, most: number): void {
  if (map.size >= most) map.delete(map.keys().next().value as string);
}

/** Caches callers by key. However many unknown keys arrive, only one database query runs at a time. */
export function createKeyCallers(ctx: ApiKeysContext): KeyCallers {
  const byKey = new Map<string, CachedKey>();
  const unknown = new Map<string, number>();
  let waiting = new Map<string, Asking>();
  let isAsking = false;
  /** Incremented with every invalidation: a read that began before it must not be cached after it. */
  let epoch = 0;

  function cacheKey(key: string, known: CachedKey): void {
    evictOldest(byKey, MAX_CACHED);
    byKey.set(key, known);
  }

  async function lookUp(asked: readonly [string, Asking][]): Promise<void> {
    const now = ctx.now();
    const before = epoch;
    const hashes = asked.map(([key]) => hashToken(key));
    const found = new Map((await findKeys(ctx.db, hashes, now)).map((each) => [each.hash, each]));
    const owners = [...new Set([...found.values()].map(({ userId }) => userId))];
    const standings = owners.length > 0 ? await readPlanStatuses(ctx.db, owners, now) : new Map<number, never>();
    asked.forEach(([key, { settle }], i) => {
      const each: FoundKey | undefined = found.get(hashes[i]?.toString('hex') ?? '');
      const standing = each && standings.get(each.userId);
      const isFresh = before === epoch;
      if (!each || !standing) {
        evictOldest(unknown, MAX_UNKNOWN);
        if (isFresh) unknown.set(key, now.getTime() + CACHE_MS);
        return settle(null);
      }
      const { userId, id: keyId, scopes, role } = each;
      const caller: KeyCaller = { userId, sessionId: null, plan: resolvePlan(role, standing), keyId, scopes };
      const until = Math.min(
        now.getTime() + CACHE_MS,
        each.until === null ? Number.POSITIVE_INFINITY : Date.parse(each.until),
        standing.holdsUntil?.getTime() ?? Number.POSITIVE_INFINITY,
      );
      if (isFresh) cacheKey(key, { caller, until });
      return settle(caller);
    });
  }

  async function queryInBatches(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, MAX_BATCH);
      if (batch.length === waiting.size) waiting = new Map();
      else for (const [key] of batch) waiting.delete(key);
      await lookUp(batch).catch((error: unknown) => {
        for (const [, { fail }] of batch) fail(error);
      });
    }
    isAsking = false;
  }

  return {
    known(key) {
      const known = byKey.get(key);
      const now = ctx.now().getTime();
      if (known) {
        if (known.until > now) return known.caller;
        byKey.delete(key);
        return undefined;
      }
      const until = unknown.get(key);
      if (until === undefined) return undefined;
      if (until > now) return null;
      unknown.delete(key);
      return undefined;
    },
    read(key) {
      const same = waiting.get(key);
      if (same) return same.answer;
      const { promise: answer, resolve: settle, reject: fail } = Promise.withResolvers<KeyCaller | null>();
      waiting.set(key, { answer, settle, fail });
      void queryInBatches();
      return answer;
    },
    forget(userId) {
      epoch += 1;
      for (const [key, { caller }] of byKey) if (caller.userId === userId) byKey.delete(key);
      // Keys of a disabled account are cached as unknown until it is enabled.
      unknown.clear();
    },
    forgetAll() {
      epoch += 1;
      byKey.clear();
      unknown.clear();
    },
  };
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM = 32;
const CHECKSUM = 6;
const KEY_LENGTH = API_KEY_PREFIX.length + RANDOM + CHECKSUM;
const BASE62 = /^[0-9A-Za-z]+$/;

/** Checksum of prefix and random part, in 6 characters. It detects typos and is not a secret. */
function computeChecksum(text: string): string {
  let left = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM; i++) {
    digits = ALPHABET.charAt(left % 62) + digits;
    left = Math.floor(left / 62);
  }
  return digits;
}

/** 190 random bits in 32 characters and their checksum. Only the hash of it is stored. */
export function newKey(): string {
  let text: string = API_KEY_PREFIX;
  for (let i = 0; i < RANDOM; i++) text += ALPHABET.charAt(randomInt(62));
  return text + computeChecksum(text);
}

/** False for text that cannot be a key, such as a typo. Checks the text only. */
export function isKeyText(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(API_KEY_PREFIX)) return false;
  if (!BASE62.test(text.slice(API_KEY_PREFIX.length))) return false;
  return computeChecksum(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM);
}

/** The hint shown to the owner, such as mk_live_Y53X…6c1a. */
export const keyHint = (key: string): string => `${key.slice(0, API_KEY_PREFIX.length + 4)}…${key.slice(-4)}`;
