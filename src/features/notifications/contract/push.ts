import { z } from 'zod/mini';

import { severity } from '#features/alerts/contract/alerts.ts';
import { endpoint } from '#shared/contract.ts';

/** The payload sent to a browser and shown by its service worker. */
export const pushMessage = z.object({
  title: z.string(),
  body: z.string(),
  /** A later message with the same tag replaces it. */
  tag: z.string(),
  /** A path on this site. */
  url: z.string(),
  severity,
  icon: z.string(),
  at: z.iso.datetime(),
});
export type PushMessage = z.infer<typeof pushMessage>;

/** Base64 in either alphabet, with or without padding. */
const base64 = z.string().check(z.maxLength(128), z.regex(/^[\w+/-]+={0,2}$/, 'must be base64'));
/** Longer than any push service's URLs. */
const address = z.string().check(z.minLength(1), z.maxLength(1024));

export const getVapidPublicKey = endpoint({
  method: 'GET',
  path: '/api/push/vapid-public-key',
  access: 'free',
  reply: z.object({ publicKey: z.string() }),
});

/** A browser subscribed by another account moves to the caller. The subscription ends with its session. */
export const subscribePush = endpoint({
  method: 'POST',
  path: '/api/push/subscribe',
  access: 'free',
  body: z.strictObject({ endpoint: address, keys: z.strictObject({ p256dh: base64, auth: base64 }) }),
  reply: z.object({ success: z.literal(true) }),
});

export const unsubscribePush = endpoint({
  method: 'POST',
  path: '/api/push/unsubscribe',
  access: 'free',
  body: z.strictObject({ endpoint: address }),
  reply: z.object({ success: z.literal(true) }),
});

const line = (most: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(most), z.regex(/^\P{Cc}*$/u, 'must be a single line'));

/** Sends to every browser of the caller immediately. */
export const testPush = endpoint({
  method: 'POST',
  path: '/api/push/test',
  access: 'free',
  body: z.strictObject({
    title: line(80),
    body: line(300),
    icon: z.string().check(z.maxLength(200), z.regex(/^\/(?![/\\])[\w./-]+$/, 'must be a path on this site')),
  }),
  reply: z.object({ success: z.literal(true), browsers: z.int() }),
});

const pushBrowser = z.object({
  id: z.int(),
  endpoint: z.string(),
  device: z.string(),
  createdAt: z.iso.datetime(),
});
export type PushBrowser = z.infer<typeof pushBrowser>;

/**
 * The caller's browsers, newest first. `simulated`: in the demo, where the built-in push service plays the browsers.
 */
export const listPushBrowsers = endpoint({
  method: 'GET',
  path: '/api/push/browsers',
  access: 'free',
  reply: z.object({ browsers: z.array(pushBrowser), simulated: z.boolean() }),
});

/** Demo only: subscribes a simulated browser, since nothing is sent outside. */
export const subscribeSimulated = endpoint({
  method: 'POST',
  path: '/api/push/simulated',
  access: 'free',
  reply: z.object({ success: z.literal(true) }),
});

/** Demo only: messages the caller's simulated browsers received, newest first. */
export const readSimulated = endpoint({
  method: 'GET',
  path: '/api/push/simulated',
  access: 'free',
  reply: z.object({ messages: z.array(pushMessage) }),
});
