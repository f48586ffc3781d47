import { createClock } from '#server/platform/clock.ts';
import { loadConfig } from '#server/platform/config.ts';
import type { Connection } from '#server/platform/db.ts';
import { createLog } from '#server/platform/log.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { createProduct } from '#server/product.ts';

/** A process that does nothing but deliver what is due, on the database of the test that starts it. */
const config = loadConfig();
const log = createLog('silent');
const product = await createProduct({
  config,
  mode: 'live',
  connection: JSON.parse(process.argv[2] ?? '') as Connection,
  databaseKind: 'external',
  clock: createClock(),
  log,
  secrets: openSecrets({ config, log }),
  version: '1.0.0',
});
await product.notifications.deliver();
