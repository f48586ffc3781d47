import { getVapidPublicKey, subscribePush, unsubscribePush } from '#features/notifications/contract/push.ts';
import { GET_AUTH_TOKEN, LATER, UPDATE_NOW, UPDATE_TAG } from '#features/notifications/worker/messages.ts';
import { CallError, call } from '#ui/api/client.ts';
import { beforeSignOut, tokenNow } from '#ui/session.ts';
import { trusted } from '#ui/trusted.ts';

/** The worker cannot read local storage, so it asks this page for the token. */
function answerWorker(): void {
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<{ type?: unknown } | null>) => {
    if (data?.type === GET_AUTH_TOKEN) ports[0]?.postMessage({ token: tokenNow() });
  });
}

/** Options of browsers with notification actions, missing from the DOM types. */
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
  // Without permission the new version takes over once the last page of the old one is closed.
  registration.showNotification('Update Available', options).catch(() => undefined);
}

/** Offers an update that is waiting, and reloads the page once a new worker has taken over. */
function watchUpdates(registration: ServiceWorkerRegistration): void {
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

const CLOSES_AFTER_MS = 5000;

const DEFAULTS = {
  body: 'Test notification',
  icon: '/favicon.ico',
  tag: 'test-notification',
  requireInteraction: false,
  silent: false,
} satisfies NotificationOptions;

/** Shows a notification from this page: through the worker, so that it persists, otherwise for five seconds. */
async function showLocal(
  registration: ServiceWorkerRegistration | null,
  title: string,
  options: NotificationOptions = {},
): Promise<void> {
  const all = { ...DEFAULTS, ...options };
  if (registration) return registration.showNotification(title, all);
  const shown = new Notification(title, all);
  setTimeout(() => shown.close(), CLOSES_AFTER_MS);
}

export type PushResult = {
  success: boolean;
  error?: string;
  permission?: NotificationPermission;
  isSubscribed?: boolean;
  subscription?: PushSubscription | null;
};

export type PushStatus = {
  supported: boolean;
  isSubscribed: boolean;
  permission: NotificationPermission;
  subscription: PushSubscription | null;
};

export type PushState = 'new' | 'unsupported' | 'initialized' | 'subscribed' | 'unsubscribed';

export type PushHelper = {
  /** Registers the worker and checks whether this browser is subscribed. Idempotent. */
  initialize: () => Promise<PushResult>;
  subscribe: () => Promise<PushResult>;
  unsubscribe: () => Promise<PushResult>;
  requestPermission: () => Promise<PushResult>;
  showLocalNotification: (title: string, options?: NotificationOptions) => Promise<PushResult>;
  getStatus: () => PushStatus;
  state: () => PushState;
};

export const WORKER = '/sw.js';
/** A browser that cannot reach its push service never responds. */
const SUBSCRIBE_MS = 10_000;
const SIGN_IN = 'Authentication required. Please log in to enable push notifications.';

const hasPush = () => 'serviceWorker' in navigator && 'PushManager' in globalThis;
const permissionNow = (): NotificationPermission => ('Notification' in globalThis ? Notification.permission : 'denied');

/** Results that are no success are for the console: what is shown is up to whoever asked. */
function failed(error: string, more: Omit<PushResult, 'success' | 'error'> = {}): PushResult {
  // oxlint-disable-next-line no-console -- see above
  console.warn(`Push notifications: ${error}`);
  return { success: false, error, ...more };
}

const caught = (error: unknown) => failed(error instanceof Error ? error.message : String(error));

/** Web push of one page. */
export function createPushHelper(): PushHelper {
  let registration: ServiceWorkerRegistration | null = null;
  let subscription: PushSubscription | null = null;
  let state: PushState = 'new';
  let starting: Promise<PushResult> | undefined;

  const currentResult = (): PushResult => ({
    success: true,
    permission: permissionNow(),
    isSubscribed: subscription !== null,
    subscription,
  });

  async function start(): Promise<PushResult> {
    registration = await navigator.serviceWorker.register(trusted.createScriptURL(WORKER), { scope: '/' });
    answerWorker();
    watchUpdates(registration);
    beforeSignOut(async () => {
      if (subscription) await helper.unsubscribe();
    });
    subscription = await registration.pushManager.getSubscription();
    state = subscription ? 'subscribed' : 'initialized';
    return currentResult();
  }

  async function publicKey(): Promise<string> {
    try {
      return (await call(getVapidPublicKey, {})).publicKey;
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      if (status === 0) throw error;
      throw new Error(status === 401 ? SIGN_IN : 'Failed to get VAPID public key', { cause: error });
    }
  }

  const helper: PushHelper = {
    initialize() {
      if (!hasPush()) {
        state = 'unsupported';
        return Promise.resolve(failed('Push notifications not supported'));
      }
      starting ??= start().catch((error: unknown) => {
        starting = undefined;
        return caught(error);
      });
      return starting;
    },
    async subscribe() {
      if (!hasPush() || !registration) return failed('Push notifications not supported or not initialized');
      if (tokenNow() === null) return failed(SIGN_IN);
      try {
        const made = await subscribeBrowser(registration, decodeBase64Url(await publicKey()));
        try {
          await call(subscribePush, { body: subscriptionBody(made) });
        } catch (cause) {
          // A subscription unknown to the server would never receive anything.
          subscription = null;
          await made.unsubscribe().catch(() => false);
          throw new Error('Failed to subscribe on server', { cause });
        }
        subscription = made;
        state = 'subscribed';
        return currentResult();
      } catch (error) {
        return caught(error);
      }
    },
    async unsubscribe() {
      if (!subscription) return failed('Not subscribed to push notifications', { isSubscribed: false });
      const { endpoint } = subscription;
      try {
        await subscription.unsubscribe();
      } catch (error) {
        return caught(error);
      }
      subscription = null;
      state = 'unsubscribed';
      // The browser has ended it: a server that misses this call finds out with the next message.
      if (tokenNow() !== null) await call(unsubscribePush, { body: { endpoint } }).catch(caught);
      return currentResult();
    },
    async requestPermission() {
      if (!('Notification' in globalThis)) return failed('Notifications not supported');
      const permission = await Notification.requestPermission();
      if (permission === 'granted') return { success: true, permission };
      return failed(permission === 'denied' ? 'Permission denied' : 'Permission dismissed', { permission });
    },
    async showLocalNotification(title, options) {
      if (!('Notification' in globalThis)) return failed('Notifications not supported');
      if (Notification.permission !== 'granted') return failed('Notification permission not granted');
      try {
        await showLocal(registration, title, options);
        return { success: true };
      } catch (error) {
        return caught(error);
      }
    },
    getStatus: () => ({
      supported: hasPush(),
      isSubscribed: subscription !== null,
      permission: permissionNow(),
      subscription,
    }),
    state: () => state,
  };
  return helper;
}

export const pushHelper = createPushHelper();

function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Both keys in base64url, as the server expects. */
function subscriptionBody(subscription: PushSubscription) {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  return { endpoint: subscription.endpoint, keys: { p256dh, auth } };
}

/** A subscription for keys other than the server's current ones cannot be used. */
async function subscribeBrowser(
  { pushManager }: ServiceWorkerRegistration,
  key: Uint8Array<ArrayBuffer>,
): Promise<PushSubscription> {
  const before = await pushManager.getSubscription();
  const keyBefore = before?.options.applicationServerKey;
  if (keyBefore && String(new Uint8Array(keyBefore)) !== String(key)) await before.unsubscribe();
  return inTime(
    navigator.serviceWorker.ready.then(() =>
      pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
    ),
  );
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The browser’s push service did not respond')), SUBSCRIBE_MS);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
