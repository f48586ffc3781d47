import { createProduct, type Product } from '#app/server/product.ts';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import { createLog } from '#kernel/log.ts';
import { openSecrets } from '#kernel/secrets.ts';

/** The product of a process started by a test, on the database the test passes. It starts no work of its own. */
export function createProcessProduct(): Promise<Product> {
  const config = loadConfig();
  const log = createLog('silent');
  return createProduct({
    config,
    mode: 'live',
    connection: JSON.parse(process.argv[2] ?? '') as Connection,
    databaseKind: 'external',
    clock: createClock(),
    log,
    secrets: openSecrets({ config, log }),
    version: '1.0.0',
  });
}
