import { createProcessProduct } from './process-product.ts';

/** A process that serves the public API on the database of the test, until it is stopped. */
const product = await createProcessProduct();
const { port } = await product.listen();
process.on('SIGTERM', () => void product.stop().then(() => process.exit(0)));
process.stdout.write(`port ${port}\n`);
