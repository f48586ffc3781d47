import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely';

import type { PushBrowser } from '#features/notifications/contract/push.ts';
import type { Db, Tables } from '#kernel/db.ts';

type PushKeysTable = {
  one: Generated<boolean>;
  /** 65 bytes, base64url. */
  public_key: string;
  sealed_private_key: string;
  created_at: string;
};

type PushBrowsersTable = {
  id: Generated<number>;
  user_id: number;
  /** Null for callers without a browser session. */
  session_id: number | null;
  endpoint: string;
  /** Public key of the browser, 65 bytes in base64url. */
  p256dh: string;
  /** Secret shared with the browser, 16 bytes in base64url. */
  auth: string;
  /** Device name, such as 'Chrome on Windows'. */
  device: string;
  created_at: string;
};

declare module '#kernel/db.ts' {
  interface Tables {
    push_keys: PushKeysTable;
    push_browsers: PushBrowsersTable;
  }
}

export type BrowserRow = Selectable<Tables['push_browsers']>;
export type Keys = { publicKey: string; sealed: string };

export async function findKeys(db: Db): Promise<Keys | undefined> {
  const row = await db.selectFrom('push_keys').selectAll().executeTakeFirst();
  return row && { publicKey: row.public_key, sealed: row.sealed_private_key };
}

/** Does nothing when another process was first. */
export async function insertKeys(db: Db, { publicKey, sealed }: Keys, at: Date): Promise<void> {
  await db
    .insertInto('push_keys')
    .values({ public_key: publicKey, sealed_private_key: sealed, created_at: at.toISOString() })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/**
 * Deletes a key pair whose private key is lost, with the browsers subscribed to it. Does nothing when another process
 * was first.
 */
export async function deleteKeys(db: Db, { sealed }: Keys): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('push_keys')
      .where('sealed_private_key', '=', sealed)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await tx.deleteFrom('push_browsers').execute();
  });
}

export type NewBrowser = {
  userId: number;
  sessionId: number | null;
  endpoint: string;
  p256dh: string;
  auth: string;
  device: string;
  at: Date;
};

/** A known endpoint gets a new id: it is the newest, and results for the old id no longer apply to it. */
export async function upsertBrowser(tx: Db, browser: NewBrowser, most: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', browser.userId).forNoKeyUpdate().execute();
  const row = {
    user_id: browser.userId,
    session_id: browser.sessionId,
    p256dh: browser.p256dh,
    auth: browser.auth,
    device: browser.device,
    created_at: browser.at.toISOString(),
  };
  await tx
    .insertInto('push_browsers')
    .values({ ...row, endpoint: browser.endpoint })
    .onConflict((oc) => oc.column('endpoint').doUpdateSet({ ...row, id: sql<number>`default` }))
    .execute();
  await tx
    .deleteFrom('push_browsers')
    .where('user_id', '=', browser.userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('push_browsers')
        .select('id')
        .where('user_id', '=', browser.userId)
        .orderBy('id', 'desc')
        .limit(most),
    )
    .execute();
}

export async function deleteBrowser(db: Db, userId: number, endpoint: string): Promise<void> {
  await db.deleteFrom('push_browsers').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute();
}

/** Deletes browsers that are gone for good. One subscribed again in the meantime has another id. */
export async function deleteStaleBrowsers(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('push_browsers').where('id', 'in', ids).execute();
}

export async function listBrowsers(db: Db, userId: number): Promise<PushBrowser[]> {
  const rows = await db
    .selectFrom('push_browsers')
    .select(['id', 'endpoint', 'device', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at }));
}

/** Browsers of each user with a live session. */
export async function findBrowsers(db: Db, userIds: readonly number[], now: Date): Promise<Map<number, BrowserRow[]>> {
  const rows = await db
    .selectFrom('push_browsers')
    .leftJoin('sessions', 'sessions.id', 'push_browsers.session_id')
    .selectAll('push_browsers')
    .where('push_browsers.user_id', 'in', [...new Set(userIds)])
    .where((eb) =>
      eb.or([eb('push_browsers.session_id', 'is', null), eb('sessions.expires_at', '>', now.toISOString())]),
    )
    .orderBy('push_browsers.id')
    .execute();
  return Map.groupBy(rows, ({ user_id }) => user_id);
}

/** Everyone with a browser. */
export const reachable = (): RawBuilder<{ user_id: number }> => sql`select user_id from push_browsers`;
