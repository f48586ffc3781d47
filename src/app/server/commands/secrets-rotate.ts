import type { Config } from '#kernel/config.ts';
import { type Connection, openDatabase } from '#kernel/db.ts';
import { claimInstallation } from '#kernel/installation.ts';
import type { Log } from '#kernel/log.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { deriveKey } from '#kernel/sealing.ts';
import { findNextKey, makeNextKey, openSecrets, takeNextKey } from '#kernel/secrets.ts';
import { rotate } from '#kernel/secrets-rotation/rotate.ts';
import { SEALED_COLUMNS } from '../compose.ts';

type Deps = {
  config: Config;
  log: Log;
  connection: Connection;
  signal: AbortSignal;
  print: (line: string) => void;
  /** Only in tests: shorter waits, smaller batches. */
  pace?: { settleMs: number; batch: number };
};
type Claim = Pick<Parameters<typeof claimInstallation>[1], 'mode' | 'seed'> & { now: Date };

/** `npm run secrets:rotate`, also while processes run: re-encrypts everything sealed with the new key. */
export async function rotateSecrets(
  { config, log, connection, signal, print, pace }: Deps,
  claim: Claim,
): Promise<void> {
  const { db, close } = openDatabase(connection, () => undefined, 2);
  try {
    const hasFile = config.SECRET_KEY === undefined;
    const folder = config.dataDir;
    const secrets = openSecrets({ config, log });
    await claimInstallation(db, { ...claim, secrets }, claim.now);

    /** With key files, the next key is created when the current one is in use. */
    function target(present: string | null): string {
      const [configured = ''] = secrets.held();
      if (!hasFile) return configured;
      const next = findNextKey(folder) ?? (present === configured ? makeNextKey(folder, log) : undefined);
      return next === undefined ? configured : deriveKey(next).fingerprint;
    }

    const { fingerprint, isNew, tables, remaining } = await rotate({
      db,
      secrets,
      tables: SEALED_COLUMNS,
      target,
      print,
      signal,
      ...pace,
    });
    const width = Math.max(...Object.keys(tables).map((name) => name.length));
    for (const [name, { sealed }] of Object.entries(tables)) print(`${name.padEnd(width)}  ${sealed}`);
    print(`remaining${' '.repeat(Math.max(0, width - 9))}  ${remaining}`);
    if (remaining > 0) {
      const unsealed = Object.entries(tables).filter(([, { unreadable }]) => unreadable > 0);
      const where = unsealed.map(([name, { unreadable }]) => `${name} ${unreadable}`).join(', ');
      throw new AppStartError(
        where === ''
          ? `${remaining} values were locked by other processes. Run this command again.`
          : `Values that none of the given keys can decrypt: ${where}. Add the key that encrypted them to SECRET_KEY_PREVIOUS and run this command again.`,
      );
    }
    const next = hasFile ? findNextKey(folder) : undefined;
    if (next !== undefined && deriveKey(next).fingerprint === fingerprint) {
      const [old = ''] = secrets.held();
      print(`The previous key is stored in ${takeNextKey(folder, old)}.`);
    }
    print(isNew ? `The secret key of this database is now ${fingerprint}.` : `The secret key is still ${fingerprint}.`);
  } finally {
    await close();
  }
}
