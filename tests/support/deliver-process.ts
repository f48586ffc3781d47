import { productOfProcess } from './process-product.ts';

/** A process that does nothing but deliver what is due, on the database of the test that starts it. */
const product = await productOfProcess();
await product.notifications.deliver();
