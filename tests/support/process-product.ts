import { createClock } from '#server/platform/clock.ts';
import { loadConfig } from '#server/platform/config.ts';
import type { Connection } from '#server/platform/db.ts';
import { createLog } from '#server/platform/log.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { createProduct, type Product } from '#server/product.ts';

/** The product of a process that a test starts, on the database that the test names. It does nothing by itself. */
export function productOfProcess(): Promise<Product> {
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
