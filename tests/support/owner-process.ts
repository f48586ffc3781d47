import { productOfProcess } from './process-product.ts';

/** A process that does nothing but judge rules, on the database of the test that starts it. */
const product = await productOfProcess();
await product.thresholds.own();
