import { productOfProcess } from './process-product.ts';

/** A process that only delivers pending notifications, on the database of the test. */
const product = await productOfProcess();
await product.notifications.deliver();
