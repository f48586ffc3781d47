const CLOSES_AFTER_MS = 5000;

const DEFAULTS = {
  body: 'Test notification',
  icon: '/favicon.ico',
  tag: 'test-notification',
  requireInteraction: false,
  silent: false,
} satisfies NotificationOptions;

/** Shows a notification of this page: through the worker, so that it stays, or else for five seconds. */
export async function showLocal(
  registration: ServiceWorkerRegistration | null,
  title: string,
  options: NotificationOptions = {},
): Promise<void> {
  const all = { ...DEFAULTS, ...options };
  if (registration) return registration.showNotification(title, all);
  const shown = new Notification(title, all);
  setTimeout(() => shown.close(), CLOSES_AFTER_MS);
}
