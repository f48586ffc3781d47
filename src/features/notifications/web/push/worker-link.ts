import { GET_AUTH_TOKEN, LATER, UPDATE_NOW, UPDATE_TAG } from '#features/notifications/worker/messages.ts';
import { tokenNow } from '#ui/session.ts';

/** The worker cannot read the storage: it asks this page for the token. */
export function answerWorker(): void {
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<{ type?: unknown } | null>) => {
    if (data?.type === GET_AUTH_TOKEN) ports[0]?.postMessage({ token: tokenNow() });
  });
}

/** What the browsers that have buttons on notifications take; the types of the page do not know of them. */
type Options = NotificationOptions & { actions: { action: string; title: string }[] };

function offerUpdate(registration: ServiceWorkerRegistration): void {
  const options: Options = {
    body: 'A new version is ready.',
    icon: '/favicon.ico',
    tag: UPDATE_TAG,
    requireInteraction: true,
    actions: [
      { action: UPDATE_NOW, title: 'Update Now' },
      { action: LATER, title: 'Later' },
    ],
  };
  // Without permission the new version comes when the last page of the old one is closed.
  registration.showNotification('Update Available', options).catch(() => undefined);
}

/** Offers a worker that waits behind the one in use, and loads the page again once another one has taken over. */
export function watchUpdates(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  let isControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isControlled) location.reload();
    isControlled = true;
  });
  const offer = (worker: ServiceWorker | null) => {
    if (worker?.state === 'installed' && serviceWorker.controller) offerUpdate(registration);
  };
  offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => offer(installing));
  });
}
