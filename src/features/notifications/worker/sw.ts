import type { PushMessage } from '#features/notifications/contract/push.ts';
import { BRAND } from '#shared/brand.ts';
import { GET_AUTH_TOKEN, LATER, SKIP_WAITING, UPDATE_NOW, UPDATE_TAG } from './messages.ts';

const ANSWER_MS = 3000;
const SUBSCRIBE = '/api/push/subscribe';
const UNSUBSCRIBE = '/api/push/unsubscribe';

/** Asks the open pages, since only they can read local storage. Null when none responds. */
async function requestToken({ clients }: ServiceWorkerGlobalScope): Promise<string | null> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const answers = pages.map(
    (page) =>
      new Promise<string>((resolve, reject) => {
        const { port1, port2 } = new MessageChannel();
        const giveUp = setTimeout(() => reject(new Error('No response')), ANSWER_MS);
        port1.onmessage = ({ data }: MessageEvent<{ token?: unknown } | null>) => {
          clearTimeout(giveUp);
          if (typeof data?.token === 'string') resolve(data.token);
          else reject(new Error('Not signed in'));
        };
        page.postMessage({ type: GET_AUTH_TOKEN }, [port2]);
      }),
  );
  return Promise.any(answers).catch(() => null);
}

const post = (path: string, token: string, body: unknown) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });

/** The push service has changed the subscription: the server is updated on behalf of the signed-in user. */
async function onSubscriptionChange(
  worker: ServiceWorkerGlobalScope,
  { oldSubscription, newSubscription }: Pick<PushSubscriptionChangeEvent, 'oldSubscription' | 'newSubscription'>,
): Promise<void> {
  const token = await requestToken(worker);
  if (token === null) return;
  if (oldSubscription) await post(UNSUBSCRIBE, token, { endpoint: oldSubscription.endpoint });
  const key = oldSubscription?.options.applicationServerKey;
  const subscription =
    newSubscription ??
    (key
      ? await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
      : null);
  if (!subscription) return;
  const { endpoint, keys } = subscription.toJSON();
  await post(SUBSCRIBE, token, { endpoint, keys });
}

const ICON = '/icon-192.png';
const HOME = '/app';
const TAG = 'news';

/** Parses the message leniently: browsers require every message to be shown, whatever it contains. */
function read(data: PushMessageData | null): Partial<PushMessage> {
  const text = data?.text() ?? '';
  try {
    const message = JSON.parse(text) as unknown;
    return typeof message === 'object' && message !== null ? message : { body: String(message) };
  } catch {
    return { body: text };
  }
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

/** Missing from lib.webworker. */
type Options = NotificationOptions & { renotify?: boolean; timestamp?: number };

function onPush({ registration }: ServiceWorkerGlobalScope, data: PushMessageData | null): Promise<void> {
  const message = read(data);
  const at = Date.parse(textOr(message.at, ''));
  const options: Options = {
    body: textOr(message.body, 'You have a new notification.'),
    icon: textOr(message.icon, ICON),
    badge: ICON,
    tag: textOr(message.tag, TAG),
    // A message that replaces an older one still alerts the user.
    renotify: true,
    requireInteraction: message.severity === 'high',
    data: { url: textOr(message.url, HOME) },
    ...(Number.isNaN(at) ? {} : { timestamp: at }),
  };
  return registration.showNotification(textOr(message.title, BRAND.name), options);
}

/** Always a page of this site, whatever the message contains. */
function pageUrl(worker: ServiceWorkerGlobalScope, data: unknown): URL {
  const home = new URL(HOME, worker.location.origin);
  const { url } = (data ?? {}) as { url?: unknown };
  if (typeof url !== 'string' || !URL.canParse(url, home)) return home;
  const page = new URL(url, home);
  return page.origin === home.origin ? page : home;
}

/** Opens the notification's page: in a tab that already shows it, else in one of the app, else in a new one. */
async function open({ clients }: ServiceWorkerGlobalScope, page: URL): Promise<void> {
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url === page.href);
  if (tab) return void (await tab.focus());
  const app = tabs.find(({ url }) => new URL(url).pathname.startsWith(HOME));
  // A tab not controlled by this worker cannot be navigated.
  const moving = app?.navigate(page.href).catch(() => null);
  await app?.focus().catch(() => null);
  if (!(await moving)) await clients.openWindow(page.href);
}

async function onClick(worker: ServiceWorkerGlobalScope, { notification, action }: NotificationEvent): Promise<void> {
  notification.close();
  if (action === LATER) return;
  if (notification.tag === UPDATE_TAG) {
    if (action === UPDATE_NOW) worker.registration.waiting?.postMessage({ type: SKIP_WAITING });
    return;
  }
  await open(worker, pageUrl(worker, notification.data));
}

const worker = self as unknown as ServiceWorkerGlobalScope;

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('push', (event) => event.waitUntil(onPush(worker, event.data)));
worker.addEventListener('notificationclick', (event) => event.waitUntil(onClick(worker, event)));
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(onSubscriptionChange(worker, event)));
worker.addEventListener('message', ({ data }: ExtendableMessageEvent) => {
  if ((data as { type?: unknown } | null)?.type === SKIP_WAITING) void worker.skipWaiting();
});
