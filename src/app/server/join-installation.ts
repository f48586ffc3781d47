import type { Connection, Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { claimInstallation, readKeysOfInstallation } from '#kernel/installation.ts';
import { type Listener, openListener } from '#kernel/listener.ts';
import { KEYS_CHANGED } from '#kernel/secrets-rotation/store.ts';
import type { ProductOptions } from './product-options.ts';

type Deps = Pick<ProductOptions, 'mode' | 'secrets' | 'clock'> & {
  db: Db;
  connection: Connection;
  seed: number;
  report: ReportError;
  onError: (error: Error) => void;
};

/** Joins the processes of a database: the same data mode, and from now on the key that they all seal with. */
export async function joinInstallation(deps: Deps): Promise<Listener> {
  const { db, connection, mode, seed, secrets, clock, report, onError } = deps;
  await claimInstallation(db, { mode, seed, secrets }, clock.now());
  const listener = await openListener(connection, onError);

  async function follow(): Promise<void> {
    if (secrets.turnTo(await readKeysOfInstallation(db))) return;
    report(
      'server',
      'system',
      'The secret key was changed and this process does not have the new one. Restart it with both keys',
    );
  }
  const again = () =>
    void follow().catch((error: unknown) => report('server', 'system', 'Failed to load the new secret key', error));
  await listener.listen(KEYS_CHANGED, again, again);
  return listener;
}
