import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Known to the demo and the tests. */
export const STRIPE_DEMO_SECRET = 'whsec_demo';

/** Webhook faults between Stripe and its receivers. */
export type WebhookFaults = {
  delayMs: number;
  /** How many extra times each event is sent. */
  duplicates: number;
  /** The events of one action arrive in reverse. */
  reorder: boolean;
  /** No events are sent. */
  lose: boolean;
  /** This many of the next subscription reads respond late with the state at the time of the request. */
  staleReads: number;
  staleMs: number;
};

export const NO_FAULTS: WebhookFaults = {
  delayMs: 0,
  duplicates: 0,
  reorder: false,
  lose: false,
  staleReads: 0,
  staleMs: 300,
};

export type StripeEvent = {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  type: string;
  livemode: false;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  data: { object: object };
};

const API_VERSION = '2026-10-28.endive';
const MAX_ATTEMPTS = 4;
const RETRY_MS = 1500;

export const createId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

/** Header `Stripe-Signature` over a body; `at` in seconds. */
export function signPayload(payload: string, at: number, secret = STRIPE_DEMO_SECRET): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`;
}

/** Stores every event and posts it, signed, to the origin of its customer's checkout. */
export class StripeWebhooks {
  readonly events: StripeEvent[] = [];
  faults: WebhookFaults = { ...NO_FAULTS };
  #pending: { event: StripeEvent; origin: string }[] = [];

  emit(type: string, object: object, created: number, origin: string | undefined): void {
    const event: StripeEvent = {
      id: createId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created,
      type,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: structuredClone(object) },
    };
    this.events.push(event);
    if (origin) this.#pending.push({ event, origin });
  }

  /** Sends the events of one action. */
  flush(now: number): void {
    const batch = this.#pending.splice(0);
    const { lose, reorder, delayMs, duplicates } = this.faults;
    if (lose || batch.length === 0) return;
    const order = reorder ? batch.toReversed() : batch;
    const deliveries = Array.from({ length: duplicates + 1 }, () => order).flat();
    void this.#send(deliveries, delayMs, now);
  }

  async #send(batch: readonly { event: StripeEvent; origin: string }[], delayMs: number, now: number): Promise<void> {
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    for (const { event, origin } of batch) await this.#deliver(event, origin, now + delayMs);
  }

  async #deliver(event: StripeEvent, origin: string, now: number): Promise<void> {
    const payload = JSON.stringify(event);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const at = Math.floor((now + attempt * RETRY_MS) / 1000);
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signPayload(payload, at),
      };
      const response = await fetch(`${origin}/api/stripe/webhook`, { method: 'POST', headers, body: payload }).catch(
        () => undefined,
      );
      if (response?.ok) return;
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
}
