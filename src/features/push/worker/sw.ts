import { SKIP_WAITING } from './messages.ts';
import { onClick } from './on-click.ts';
import { onPush } from './on-push.ts';
import { onSubscriptionChange } from './on-subscription-change.ts';

const worker = self as unknown as ServiceWorkerGlobalScope;

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('push', (event) => event.waitUntil(onPush(worker, event.data)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(onClick(worker, event)));
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(onSubscriptionChange(worker, event)));
worker.addEventListener('message', ({ data }: ExtendableMessageEvent) => {
  if ((data as { type?: unknown } | null)?.type === SKIP_WAITING) void worker.skipWaiting();
});
