import webPush from 'web-push';

import type { Config } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { type Secrets, UnreadableSecretError } from '#kernel/secrets.ts';
import { BRAND } from '#shared/brand.ts';

import { deleteKeys, findKeys, insertKeys } from './store.ts';

export type Vapid = {
  /** Creates the key pair if missing. */
  start: () => Promise<void>;
  publicKey: () => Promise<string>;
  /** Header that identifies the sender to a push service. One signature serves an origin for hours. */
  authorization: (origin: string) => Promise<string>;
};

type Deps = { db: Db; config: Config; now: () => Date; report: ReportError; secrets: Secrets };
type Pair = { publicKey: string; privateKey: string };

/** The library signs for twelve hours. */
const TOKEN_REUSE_MS = 11 * 3_600_000;
const MAX_CACHED_TOKENS = 100;

/** RFC 8292: one key pair per installation, stored encrypted in the database, the same in every process. */
export function createVapid({ db, config, now, report, secrets }: Deps): Vapid {
  const signed = new Map<string, { header: string; until: number }>();
  let pair: Promise<Pair> | undefined;

  async function load(): Promise<Pair> {
    let stored = await findKeys(db);
    if (!stored) {
      const made = webPush.generateVAPIDKeys();
      await insertKeys(db, { publicKey: made.publicKey, sealed: secrets.seal(made.privateKey) }, now());
      stored = await findKeys(db);
    }
    if (!stored) throw new Error('Failed to save the push notification keys');
    try {
      return { publicKey: stored.publicKey, privateKey: secrets.open(stored.sealed) };
    } catch (error) {
      if (!(error instanceof UnreadableSecretError)) throw error;
      report(
        'push',
        'system',
        'The push notification keys cannot be decrypted. Users must subscribe their browsers again',
      );
      await deleteKeys(db, stored);
      return load();
    }
  }

  function keys(): Promise<Pair> {
    pair ??= load().catch((error: unknown) => {
      pair = undefined;
      throw error;
    });
    return pair;
  }

  return {
    start: async () => void (await keys()),
    publicKey: async () => (await keys()).publicKey,
    async authorization(origin) {
      const at = now().getTime();
      const known = signed.get(origin);
      if (known && known.until > at) return known.header;
      const { publicKey, privateKey } = await keys();
      const { Authorization: header } = webPush.getVapidHeaders(
        origin,
        subject(config),
        publicKey,
        privateKey,
        'aes128gcm',
      );
      if (signed.size >= MAX_CACHED_TOKENS) signed.clear();
      signed.set(origin, { header, until: at + TOKEN_REUSE_MS });
      return header;
    },
  };
}

/** Contact for push services. */
const subject = ({ PUBLIC_URL }: Config): string =>
  PUBLIC_URL?.startsWith('https:') ? PUBLIC_URL : `mailto:${BRAND.supportEmail}`;
