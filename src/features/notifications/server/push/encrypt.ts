import webPush from 'web-push';

import type { BrowserRow } from './store.ts';

/**
 * RFC 8291 needs a new key pair per message, which takes a millisecond. Returns the body, readable only by the browser,
 * and its headers.
 */
export function encrypt(
  { endpoint, p256dh, auth }: Pick<BrowserRow, 'endpoint' | 'p256dh' | 'auth'>,
  text: string,
  manner: { TTL: number; urgency: 'normal' | 'high'; topic?: string; headers: Record<string, string> },
): { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> } {
  const options = { ...manner, vapidDetails: null as never };
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, options);
  return { headers: headersToText(headers), body: new Uint8Array(body) };
}

const headersToText = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (name === 'Content-Length' ? [] : [[name, String(value)]])),
  );
