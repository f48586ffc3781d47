import { BRAND } from '#shared/brand.ts';

import type { PushMessage } from '../contract.ts';

const ICON = '/icon-192.png';
const HOME = '/app';
const TAG = 'news';

/** What was sent, as far as it can be read: a browser asks that each message is shown, whatever it holds. */
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

/** What lib.webworker does not know of yet. */
type Options = NotificationOptions & { renotify?: boolean; timestamp?: number };

export function onPush({ registration }: ServiceWorkerGlobalScope, data: PushMessageData | null): Promise<void> {
  const message = read(data);
  const at = Date.parse(textOr(message.at, ''));
  const options: Options = {
    body: textOr(message.body, 'There is news for you.'),
    icon: textOr(message.icon, ICON),
    badge: ICON,
    tag: textOr(message.tag, TAG),
    // What takes the place of an older message is news all the same.
    renotify: true,
    requireInteraction: message.severity === 'high',
    data: { url: textOr(message.url, HOME) },
    ...(Number.isNaN(at) ? {} : { timestamp: at }),
  };
  return registration.showNotification(textOr(message.title, BRAND.name), options);
}
