import { randomUUID } from 'node:crypto';

import type { Market } from '#sandbox/market/market.ts';
import { type Call, type Provider, Refusal } from '#sandbox/provider.ts';
import { type BrowserKeys, decrypt, makeBrowserKeys, readVapid } from '#sandbox/push-crypto.ts';

/** One message as the browser has read it. */
export type Received = {
  text: string;
  topic: string | null;
  ttl: number;
  urgency: string;
  at: string;
};

type Browser = { keys: BrowserKeys; applicationServerKey: string | null; gone: boolean; received: Received[] };

const BASE = '/push';
const MOST_BYTES = 4096;
const MOST_KEPT = 50;

const refuse = (status: number, error: string): Refusal => new Refusal({ status, body: { error } });
const headerOf = ({ headers }: Call, name: string): string => String(headers[name] ?? '');

/** Checks what RFC 8030 asks of every message, as the services of the browsers do. */
function checkMessage(call: Call): { ttl: number; topic: string | null; urgency: string } {
  if (headerOf(call, 'content-encoding') !== 'aes128gcm') throw refuse(415, 'The encoding must be aes128gcm');
  if (call.raw.length > MOST_BYTES) throw refuse(413, 'The message is too large');
  const ttl = headerOf(call, 'ttl');
  if (!/^\d+$/.test(ttl)) throw refuse(400, 'TTL must be a number of seconds');
  const topic = headerOf(call, 'topic');
  if (!/^[\w-]{0,32}$/.test(topic)) throw refuse(400, 'Topic must be at most 32 characters of base64url');
  const urgency = headerOf(call, 'urgency') || 'normal';
  if (!/^(very-low|low|normal|high)$/.test(urgency)) throw refuse(400, 'Urgency is not known');
  return { ttl: Number(ttl), topic: topic || null, urgency };
}

/** The push service of a browser and the browsers themselves: only they can read what they are sent. */
export function push(_market: Market): Provider {
  const browsers = new Map<string, Browser>();

  function find({ params }: Call): Browser {
    const browser = browsers.get(params['id'] ?? '');
    if (!browser) throw refuse(404, 'No such browser');
    return browser;
  }

  function take(call: Call): void {
    const browser = find(call);
    const sender = readVapid(headerOf(call, 'authorization'), `http://${headerOf(call, 'host')}`);
    if (typeof sender === 'string') throw refuse(403, `Not authorised: ${sender}`);
    browser.applicationServerKey ??= sender.publicKey;
    if (browser.applicationServerKey !== sender.publicKey) throw refuse(403, 'Subscribed to another sender');
    if (browser.gone) throw refuse(410, 'The subscription has ended');
    const manner = checkMessage(call);
    try {
      browser.received.push({ text: decrypt(call.raw, browser.keys), ...manner, at: new Date(call.now).toISOString() });
      browser.received.splice(0, browser.received.length - MOST_KEPT);
    } catch (error) {
      throw refuse(400, `The browser cannot read it: ${String(error)}`);
    }
  }

  function make(call: Call) {
    const id = randomUUID();
    const keys = makeBrowserKeys();
    const { applicationServerKey = null } = (call.posted ?? {}) as { applicationServerKey?: string };
    browsers.set(id, { keys, applicationServerKey, gone: false, received: [] });
    return {
      id,
      endpoint: `http://${headerOf(call, 'host')}${BASE}/${id}`,
      keys: { p256dh: keys.ecdh.getPublicKey('base64url'), auth: keys.auth.toString('base64url') },
    };
  }

  return {
    id: 'push',
    base: BASE,
    env: { PUSH_TEST_ORIGIN: { scheme: 'http', path: '' } },
    routes: [
      { path: '/browsers', answer: (call) => ({ status: 201, body: make(call) }) },
      {
        path: '/browsers/:id',
        answer: (call) => {
          const browser = find(call);
          if (call.method === 'DELETE') browser.gone = true;
          return { body: { gone: browser.gone, received: browser.received } };
        },
      },
      {
        path: '/:id',
        answer: (call) => {
          take(call);
          return { status: 201, body: '' };
        },
      },
    ],
    notFound: { status: 404, body: { error: 'Not found' } },
    rateLimited: { error: 'Too many messages' },
    serverError: { error: 'The service is not available' },
  };
}
