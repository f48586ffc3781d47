import { createProcessProduct } from './process-product.ts';

/** A process that only delivers pending notifications, on the database of the test. */
const product = await createProcessProduct();
await product.notifications.deliver();
