import { wait } from '../clock.ts';
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import { sealPrefix } from '../sealing.ts';
import { type Secrets, UnreadableSecretError } from '../secrets.ts';
import {
  beginChange,
  countOtherKeys,
  endChange,
  lockBatch,
  lockKeys,
  readPermanentKey,
  replaceTexts,
  type SealedColumns,
} from './store.ts';

type Deps = {
  db: Db;
  secrets: Secrets;
  tables: readonly SealedColumns[];
  /** The fingerprint of the key to seal with, given the one in use. */
  target: (present: string | null) => string;
  print: (line: string) => void;
  signal: AbortSignal;
  /**
   * Longer than a process takes to learn of a new key: texts it sealed with the earlier key until then are found
   * afterwards.
   */
  settleMs?: number;
  batch?: number;
};

/** Texts by table; those that no key held here opens are left unchanged. */
type Pass = { sealed: number; unreadable: number };
/** `isNew`: another key was in use before. */
export type Rotation = { fingerprint: string; isNew: boolean; tables: Record<string, Pass>; remaining: number };

const SETTLE_MS = 10_000;
const BATCH_SIZE = 200;
const MAX_ROUNDS = 30;

/** Re-encrypts everything with the target key while processes that hold both keys keep running. Can be interrupted and run again. */
export async function rotate(deps: Deps): Promise<Rotation> {
  const { db, secrets, print: onProgress, signal, settleMs = SETTLE_MS } = deps;
  const { fingerprint, isNew } = await begin(deps);
  const tables: Rotation['tables'] = Object.fromEntries(
    deps.tables.map(({ table }) => [table, { sealed: 0, unreadable: 0 }]),
  );
  let isSettled = false;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let sealed = 0;
    for (const columns of deps.tables) {
      const pass = await sealTable(deps, columns, sealPrefix(fingerprint));
      const known = tables[columns.table] as Pass;
      known.sealed += pass.sealed;
      known.unreadable = pass.unreadable;
      sealed += pass.sealed;
      if (pass.sealed > 0) onProgress(`${columns.table}: ${known.sealed} re-encrypted`);
    }
    signal.throwIfAborted();
    if (isSettled && sealed === 0) break;
    isSettled = true;
    await wait(settleMs, signal);
    signal.throwIfAborted();
  }
  const counts = await Promise.all(deps.tables.map((each) => countOtherKeys(db, each, sealPrefix(fingerprint))));
  const remaining = counts.reduce((sum, count) => sum + count, 0);
  if (remaining === 0) await db.transaction().execute((tx) => endChange(tx, fingerprint));
  secrets.useKeysOf({
    key_fingerprint: fingerprint,
    next_key_fingerprint: null,
    lasting_key: await readPermanentKey(db),
  });
  return { fingerprint, isNew, tables, remaining };
}

/** From here on every process seals with the target key, and none starts without both keys. */
async function begin({ db, secrets, target }: Deps): Promise<Pick<Rotation, 'fingerprint' | 'isNew'>> {
  return db.transaction().execute(async (tx) => {
    const keys = await lockKeys(tx);
    const next = keys.next_key_fingerprint ?? target(keys.key_fingerprint);
    if (!secrets.holds(next)) {
      throw new AppError(
        'conflict',
        `The secret key ${next} is not configured. Set SECRET_KEY and SECRET_KEY_PREVIOUS.`,
      );
    }
    secrets.useKeysOf(keys);
    const begun = { fingerprint: next, isNew: next !== keys.key_fingerprint };
    if (!begun.isNew || next === keys.next_key_fingerprint) return begun;
    const lasting = secrets.sealLastingKey(next);
    await beginChange(tx, next, lasting);
    secrets.useKeysOf({ ...keys, next_key_fingerprint: next, lasting_key: lasting });
    return begun;
  });
}

async function sealTable({ db, secrets, signal, batch = BATCH_SIZE }: Deps, of: SealedColumns, prefix: string) {
  const pass: Pass = { sealed: 0, unreadable: 0 };
  let after: number | string | boolean | null = null;
  for (;;) {
    signal.throwIfAborted();
    const rows = await db.transaction().execute(async (tx) => {
      const found = await lockBatch(tx, of, prefix, after, batch);
      for (const row of found) {
        const texts = row.texts.map((text) => reseal(secrets, text, prefix));
        pass.sealed += texts.filter((text, at) => text !== row.texts[at]).length;
        pass.unreadable += texts.filter((text) => text !== null && !text.startsWith(prefix)).length;
        if (texts.some((text, at) => text !== row.texts[at])) await replaceTexts(tx, of, { ...row, texts });
      }
      return found;
    });
    const last = rows.at(-1);
    if (!last) return pass;
    after = last.key;
  }
}

function reseal(secrets: Secrets, text: string | null, prefix: string): string | null {
  if (text === null || text.startsWith(prefix)) return text;
  try {
    return secrets.seal(secrets.open(text));
  } catch (error) {
    if (error instanceof UnreadableSecretError) return text;
    throw error;
  }
}
