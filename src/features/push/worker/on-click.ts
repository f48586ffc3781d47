import { LATER, SKIP_WAITING, UPDATE_NOW, UPDATE_TAG } from './messages.ts';

const HOME = '/app';

/** A page of this site, whatever the message says. */
function pageOf(worker: ServiceWorkerGlobalScope, data: unknown): URL {
  const home = new URL(HOME, worker.location.origin);
  const { url } = (data ?? {}) as { url?: unknown };
  if (typeof url !== 'string' || !URL.canParse(url, home)) return home;
  const page = new URL(url, home);
  return page.origin === home.origin ? page : home;
}

/** Opens what the notification is about: in a tab that shows it already, else in one of the app, else in a new one. */
async function open({ clients }: ServiceWorkerGlobalScope, page: URL): Promise<void> {
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = tabs.find(({ url }) => url === page.href);
  if (there) return void (await there.focus());
  const app = tabs.find(({ url }) => new URL(url).pathname.startsWith(HOME));
  // A tab that this worker does not control stays where it is.
  const moving = app?.navigate(page.href).catch(() => null);
  await app?.focus().catch(() => null);
  if (!(await moving)) await clients.openWindow(page.href);
}

export async function onClick(
  worker: ServiceWorkerGlobalScope,
  { notification, action }: NotificationEvent,
): Promise<void> {
  notification.close();
  if (action === LATER) return;
  if (notification.tag === UPDATE_TAG) {
    if (action === UPDATE_NOW) worker.registration.waiting?.postMessage({ type: SKIP_WAITING });
    return;
  }
  await open(worker, pageOf(worker, notification.data));
}
