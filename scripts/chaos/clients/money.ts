import { createHash } from 'node:crypto';

import { signPayload } from '#sandbox/providers/stripe-webhooks.ts';
import { callUrl, jsonOf } from '../call.ts';
import { attempt, type ChaosContext, type Client, callUntilAccepted, repeat } from '../context.ts';
import { type Account, createAccount } from './accounts.ts';

type Grant = { source: string; count: string };
const readGrants = (context: ChaosContext, userId: number) =>
  context.cluster.query<Grant>('select source, count(*) from plan_grants where user_id = $1 group by source', [userId]);
const readPlan = async (context: ChaosContext, { token }: Account) =>
  jsonOf<{ plan: string }>(await callUntilAccepted(context, '/api/subscription', { token })).plan;

const uniqueName = (prefix: string, number: number) =>
  `${prefix}${createHash('sha256').update(`${prefix}${number}`).digest('hex').slice(0, 6)}`;

/** A new account, or null: these sign-ups only lead to a payment. */
const tryCreateAccount = (context: ChaosContext, prefix: string, number: number) =>
  createAccount(context, uniqueName(prefix, number)).catch(() => null);

/**
 * The sandbox retries an event four times within seconds, the real card service for three days: these are the later
 * retries.
 */
async function redeliverEvents(context: ChaosContext): Promise<void> {
  const stripeBase = context.services.urls['STRIPE_API_BASE'] ?? '';
  const response = await callUrl(`${stripeBase}/v1/events?limit=1000`, { token: 'sk_test_demo' });
  const { data } = jsonOf<{ data: { id: string; created: number }[] }>(response);
  for (const event of data.toReversed()) {
    const payload = JSON.stringify(event);
    await callUntilAccepted(context, '/api/stripe/webhook', {
      method: 'POST',
      headers: { 'stripe-signature': signPayload(payload, Math.floor(Date.now() / 1000)) },
      json: event,
    });
  }
}

type Invoice = { id: string; amount_paid: number; customer: string };

/** Users who pay by card: each charge of the card service must be booked and granted once. */
export function createCardBuyers(context: ChaosContext): Client {
  const payers: Account[] = [];
  let number = 0;
  return {
    name: 'card buyers',
    run: (signal) =>
      repeat(signal, 2500, async () => {
        number += 1;
        const account = await tryCreateAccount(context, 'card', number);
        if (!account || signal.aborted) return;
        const json = { planId: 'pro', months: 1 };
        const options = { method: 'POST' as const, token: account.token, ip: account.ip, json };
        const response = await attempt(context, 'checkout', '/api/subscribe/stripe', options);
        if (!response) return;
        const { url } = jsonOf<{ url: string }>(response);
        const form = new URLSearchParams({ act: 'succeed' });
        const submitted = await callUrl(url, { method: 'POST', form }).catch(() => null);
        if (submitted?.status !== 303) return;
        context.outcomes.recordAccepted('charge of a card');
        payers.push(account);
      }),
    afterRecovery: () => redeliverEvents(context),
    async check() {
      const stripeBase = context.services.urls['STRIPE_API_BASE'] ?? '';
      const response = await callUrl(`${stripeBase}/v1/events?limit=1000`, { token: 'sk_test_demo' });
      const { data } = jsonOf<{ data: { type: string; data: { object: Invoice } }[] }>(response);
      const charged = new Map(
        data.filter(({ type }) => type === 'invoice.paid').map(({ data: { object } }) => [object.id, object]),
      );
      const rows = await context.cluster.query<{ id: string; units_paid: string }>(
        'select id, units_paid from card_invoices',
      );
      const booked = new Map(rows.map(({ id, units_paid: units }) => [id, Number(units)]));
      const failures = [...charged.values()].flatMap(({ id, amount_paid: cents }) =>
        booked.get(id) === cents * 10_000
          ? []
          : [`invoice ${id}: ${cents} cents were charged, ${booked.get(id) ?? 'nothing'} millionths are booked`],
      );
      for (const id of booked.keys()) if (!charged.has(id)) failures.push(`invoice ${id} is booked and was never paid`);
      const customers = [...charged.values()].map(({ customer }) => customer);
      if (new Set(customers).size !== customers.length) failures.push('somebody was charged twice');
      for (const account of payers) {
        const grants = await readGrants(context, account.id);
        if (grants.length !== 1 || grants[0]?.count !== '1')
          failures.push(`${account.email} has paid once and has ${grants.length} grants`);
        else if ((await readPlan(context, account)) !== 'pro')
          failures.push(`${account.email} has paid and is not on Pro`);
      }
      return failures;
    },
  };
}

type Payment = { paymentId: string; address: string; amount: string; status: string };

/** Users who pay in USDC: each transfer on the chain must be booked and granted once. */
export function createUsdcBuyers(context: ChaosContext): Client {
  const transfers: { account: Account; payment: Payment }[] = [];
  let number = 0;
  return {
    name: 'USDC buyers',
    run: (signal) =>
      repeat(signal, 3000, async () => {
        number += 1;
        const account = await tryCreateAccount(context, 'usdc', number);
        if (!account || signal.aborted) return;
        const json = { planId: 'pro', network: 'base', months: 1 };
        const options = { method: 'POST' as const, token: account.token, ip: account.ip, json };
        const response = await attempt(context, 'USDC payment', '/api/subscribe/wallet-payment', options);
        if (!response) return;
        const payment = jsonOf<Payment>(response);
        const query = new URLSearchParams({ to: payment.address, amount: payment.amount });
        const transferResponse = await callUrl(`${context.services.origin}/wallet/base?${query.toString()}`, {
          method: 'POST',
          form: new URLSearchParams({ send: 'exact' }),
        }).catch(() => null);
        if (!transferResponse || transferResponse.status >= 400) return;
        context.outcomes.recordAccepted('transfer of USDC');
        transfers.push({ account, payment });
      }),
    async check() {
      const failures: string[] = [];
      for (const { account, payment } of transfers) {
        const path = `/api/subscribe/payments/${payment.paymentId}`;
        const { status } = jsonOf<Payment>(await callUntilAccepted(context, path, { token: account.token }));
        const grants = await readGrants(context, account.id);
        if (!['confirmed', 'settled'].includes(status))
          failures.push(`the USDC of ${account.email} was sent, its payment is ${status}`);
        else if (grants.length !== 1 || grants[0]?.count !== '1')
          failures.push(`${account.email} has sent USDC once and has ${grants.length} grants`);
        else if ((await readPlan(context, account)) !== 'pro')
          failures.push(`${account.email} has sent USDC and is not on Pro`);
      }
      return failures;
    },
  };
}
