import { createHash } from 'node:crypto';

import { signatureOf } from '#sandbox/providers/stripe-post.ts';
import { jsonOf, reach } from '../call.ts';
import { ask, type Client, each, insist, type Night } from '../night.ts';
import { type Account, makeAccount } from './accounts.ts';

type Grant = { source: string; count: string };
const grantsOf = (night: Night, userId: number) =>
  night.cluster.query<Grant>('select source, count(*) from plan_grants where user_id = $1 group by source', [userId]);
const planOf = async (night: Night, { token }: Account) =>
  jsonOf<{ plan: string }>(await insist(night, '/api/subscription', { token })).plan;

const nameOf = (what: string, number: number) =>
  `${what}${createHash('sha256').update(`${what}${number}`).digest('hex').slice(0, 6)}`;

/** A new account, or null: these sign-ups only lead to a payment. */
const someone = (night: Night, what: string, number: number) =>
  makeAccount(night, nameOf(what, number)).catch(() => null);

/**
 * The sandbox retries an event four times within seconds, the real card service for three days: these are the later
 * retries.
 */
async function postAgain(night: Night): Promise<void> {
  const base = night.world.urls['STRIPE_API_BASE'] ?? '';
  const answer = await reach(`${base}/v1/events?limit=1000`, { token: 'sk_test_demo' });
  const { data } = jsonOf<{ data: { id: string; created: number }[] }>(answer);
  for (const event of data.toReversed()) {
    const payload = JSON.stringify(event);
    await insist(night, '/api/stripe/webhook', {
      method: 'POST',
      headers: { 'stripe-signature': signatureOf(payload, Math.floor(Date.now() / 1000)) },
      json: event,
    });
  }
}

type Invoice = { id: string; amount_paid: number; customer: string };

/** Users who pay by card: each charge of the card service must be booked and granted once. */
export function cardBuyers(night: Night): Client {
  const paid: Account[] = [];
  let number = 0;
  return {
    name: 'card buyers',
    run: (signal) =>
      each(signal, 2500, async () => {
        number += 1;
        const who = await someone(night, 'card', number);
        if (!who || signal.aborted) return;
        const json = { planId: 'pro', months: 1 };
        const said = { method: 'POST' as const, token: who.token, ip: who.ip, json };
        const answer = await ask(night, 'checkout', '/api/subscribe/stripe', said);
        if (!answer) return;
        const { url } = jsonOf<{ url: string }>(answer);
        const form = new URLSearchParams({ act: 'succeed' });
        const pressed = await reach(url, { method: 'POST', form }).catch(() => null);
        if (pressed?.status !== 303) return;
        night.book.done('charge of a card');
        paid.push(who);
      }),
    wind: () => postAgain(night),
    async check() {
      const base = night.world.urls['STRIPE_API_BASE'] ?? '';
      const answer = await reach(`${base}/v1/events?limit=1000`, { token: 'sk_test_demo' });
      const { data } = jsonOf<{ data: { type: string; data: { object: Invoice } }[] }>(answer);
      const charged = new Map(
        data.filter(({ type }) => type === 'invoice.paid').map(({ data: { object } }) => [object.id, object]),
      );
      const rows = await night.cluster.query<{ id: string; units_paid: string }>(
        'select id, units_paid from card_invoices',
      );
      const booked = new Map(rows.map(({ id, units_paid: units }) => [id, Number(units)]));
      const lost = [...charged.values()].flatMap(({ id, amount_paid: cents }) =>
        booked.get(id) === cents * 10_000
          ? []
          : [`invoice ${id}: ${cents} cents were charged, ${booked.get(id) ?? 'nothing'} millionths are booked`],
      );
      for (const id of booked.keys()) if (!charged.has(id)) lost.push(`invoice ${id} is booked and was never paid`);
      const customers = [...charged.values()].map(({ customer }) => customer);
      if (new Set(customers).size !== customers.length) lost.push('somebody was charged twice');
      for (const who of paid) {
        const grants = await grantsOf(night, who.id);
        if (grants.length !== 1 || grants[0]?.count !== '1')
          lost.push(`${who.email} has paid once and has ${grants.length} grants`);
        else if ((await planOf(night, who)) !== 'pro') lost.push(`${who.email} has paid and is not on Pro`);
      }
      return lost;
    },
  };
}

type Payment = { paymentId: string; address: string; amount: string; status: string };

/** Users who pay in USDC: each transfer on the chain must be booked and granted once. */
export function usdcBuyers(night: Night): Client {
  const sent: { who: Account; payment: Payment }[] = [];
  let number = 0;
  return {
    name: 'USDC buyers',
    run: (signal) =>
      each(signal, 3000, async () => {
        number += 1;
        const who = await someone(night, 'usdc', number);
        if (!who || signal.aborted) return;
        const json = { planId: 'pro', network: 'base', months: 1 };
        const said = { method: 'POST' as const, token: who.token, ip: who.ip, json };
        const answer = await ask(night, 'USDC payment', '/api/subscribe/wallet-payment', said);
        if (!answer) return;
        const payment = jsonOf<Payment>(answer);
        const query = new URLSearchParams({ to: payment.address, amount: payment.amount });
        const wallet = await reach(`${night.world.origin}/wallet/base?${query.toString()}`, {
          method: 'POST',
          form: new URLSearchParams({ send: 'exact' }),
        }).catch(() => null);
        if (!wallet || wallet.status >= 400) return;
        night.book.done('transfer of USDC');
        sent.push({ who, payment });
      }),
    async check() {
      const lost: string[] = [];
      for (const { who, payment } of sent) {
        const path = `/api/subscribe/payments/${payment.paymentId}`;
        const { status } = jsonOf<Payment>(await insist(night, path, { token: who.token }));
        const grants = await grantsOf(night, who.id);
        if (!['confirmed', 'settled'].includes(status))
          lost.push(`the USDC of ${who.email} was sent, its payment is ${status}`);
        else if (grants.length !== 1 || grants[0]?.count !== '1')
          lost.push(`${who.email} has sent USDC once and has ${grants.length} grants`);
        else if ((await planOf(night, who)) !== 'pro') lost.push(`${who.email} has sent USDC and is not on Pro`);
      }
      return lost;
    },
  };
}
