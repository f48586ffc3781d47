import { createProcessProduct } from './process-product.ts';

/** A process that only evaluates rules, on the database of the test. */
const product = await createProcessProduct();
await product.thresholds.startOwner();
