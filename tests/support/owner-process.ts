import { productOfProcess } from './process-product.ts';

/** A process that only evaluates rules, on the database of the test. */
const product = await productOfProcess();
await product.thresholds.startOwner();
