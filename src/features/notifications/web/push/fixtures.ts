import { vi } from 'vitest';

export const ENDPOINT = 'https://fcm.googleapis.com/fcm/send/a';
export const KEYS = { p256dh: 'BA', auth: 'AA' };
/** Four bytes. */
export const PUBLIC_KEY = 'BP__-g';

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

type Given = {
  permission?: NotificationPermission;
  /** The user's answer to the permission prompt. */
  answers?: NotificationPermission;
  subscribed?: boolean;
  /** Key that the browser was subscribed to before. */
  keyBefore?: string;
  controlled?: boolean;
  waiting?: boolean;
  subscribe?: () => Promise<PushSubscription>;
};

/** Simulates only the browser's part of web push. */
export function fakeBrowser(given: Given = {}) {
  const { permission = 'granted', answers = 'granted', keyBefore = PUBLIC_KEY } = given;
  let current: PushSubscription | null = null;
  const unsubscribe = vi.fn(async () => {
    current = null;
    return true;
  });
  const make = (key: string) =>
    ({
      endpoint: ENDPOINT,
      options: { applicationServerKey: bytesOf(key).buffer },
      toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }),
      unsubscribe,
    }) as unknown as PushSubscription;
  if (given.subscribed) current = make(keyBefore);
  const subscribe = vi.fn(async () => (current = given.subscribe ? await given.subscribe() : make(PUBLIC_KEY)));
  const showNotification = vi.fn(async () => undefined);
  const registration = Object.assign(new EventTarget(), {
    waiting: given.waiting ? Object.assign(new EventTarget(), { state: 'installed' }) : null,
    pushManager: { getSubscription: async () => current, subscribe },
    showNotification,
  });
  const container = Object.assign(new EventTarget(), {
    controller: given.controlled ? {} : null,
    register: vi.fn(async () => registration),
    ready: Promise.resolve(registration),
  });
  const shown = vi.fn();
  const closed = vi.fn();
  const requestPermission = vi.fn(async () => (FakeNotification.permission = answers));
  class FakeNotification {
    static permission = permission;
    static requestPermission = requestPermission;
    close = closed;
    constructor(...args: unknown[]) {
      shown(...args);
    }
  }
  vi.stubGlobal('PushManager', vi.fn());
  vi.stubGlobal('Notification', FakeNotification);
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: container });
  return { container, registration, subscribe, unsubscribe, requestPermission, showNotification, shown, closed };
}

/** A browser without service workers. */
export function oldBrowser(): void {
  Reflect.deleteProperty(navigator, 'serviceWorker');
}
