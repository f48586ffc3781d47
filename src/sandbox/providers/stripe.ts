import { setTimeout as sleep } from 'node:timers/promises';

import type { Call, Provider, Reply, Route } from '#sandbox/provider.ts';

import { answerOf, failure } from './stripe-api.ts';
import { type Form, formOf, textAt } from './stripe-form.ts';
import { payPage, portalPage } from './stripe-pages.ts';
import { NO_FAULT } from './stripe-post.ts';
import { StripeWorld } from './stripe-world.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const html = (body: string): Reply => ({ body, headers: HTML });
const goTo = (location: string): Reply => ({ status: 303, body: '', headers: { location } });
const gone: Reply = { status: 404, body: 'No such page', headers: HTML };

const headerOf = ({ headers }: Call, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** Where the caller reaches the sandbox. */
const originOf = (call: Call) => `http://${headerOf(call, 'host')}`;

function setSwitches(world: StripeWorld, form: Form): void {
  world.post.switches = {
    delayMs: Number(textAt(form, 'delayMs') ?? 0),
    duplicates: Number(textAt(form, 'duplicates') ?? 0),
    reorder: textAt(form, 'reorder') === '1',
    lose: textAt(form, 'lose') === '1',
    staleReads: Number(textAt(form, 'staleReads') ?? 0),
    staleMs: Number(textAt(form, 'staleMs') ?? NO_FAULT.staleMs),
  };
}

function pay(world: StripeWorld, call: Call, form: Form, at: number): Reply {
  const session = world.sessions.get(call.params['id'] ?? '');
  if (!session) return gone;
  if (call.method !== 'POST') return html(payPage(world, session, false));
  const act = textAt(form, 'act');
  if (act === 'switches') setSwitches(world, form);
  if (act === 'cancel') return goTo(session.cancel_url ?? session.success_url);
  if (act === 'decline') return html(payPage(world, session, true));
  if (act !== 'succeed' || session.status !== 'open') return html(payPage(world, session, false));
  world.pay(session, at);
  return goTo(session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id));
}

/** What the customer can do there, and for the demo what the operator and the bank can. */
function act(world: StripeWorld, customer: string, form: Form, at: number): void {
  const what = textAt(form, 'act');
  const sub = world.subscriptions.get(textAt(form, 'subscription') ?? '');
  if (what === 'switches') setSwitches(world, form);
  if (what === 'good' || what === 'refused') world.setCard(customer, what, at);
  if (sub && sub.status !== 'canceled') {
    if (what === 'cancel' || what === 'resume') world.setCancel(sub, what === 'cancel', at);
    if (what === 'renew') world.renew(sub, at);
  }
  const charge = world.charges.get(world.paidBy.get(textAt(form, 'invoice') ?? '') ?? '');
  if (!charge || charge.refunded) return;
  const dispute = [...world.disputes.values()].find((each) => each.charge === charge.id);
  if (what === 'refund') world.refund(charge, charge.amount, at);
  if (what === 'partial') world.refund(charge, Math.floor(charge.amount / 2), at);
  if (what === 'dispute' && !dispute) world.dispute(charge, at);
  if (dispute && (what === 'won' || what === 'lost')) world.decide(dispute, what, at);
}

function portal(world: StripeWorld, call: Call, form: Form, at: number): Reply {
  const id = call.params['id'] ?? '';
  const open = world.portals.get(id);
  if (!open) return gone;
  if (call.method === 'POST') {
    act(world, open.customer, form, at);
    return goTo(`/stripe/portal/${id}`);
  }
  return html(portalPage(world, id, open.customer, open.returnUrl));
}

type Kept = { body: string; reply: Reply };

/** The API below /v1, its checkout below /pay, its portal below /portal; `/switches` spoils the webhooks. */
export function stripe(): Provider {
  const world = new StripeWorld();
  const kept = new Map<string, Kept>();

  function api(call: Call, path: string[]): Reply {
    if (!/^Bearer (?:sk|rk)_test_/.test(headerOf(call, 'authorization')))
      return { status: 401, body: failure('Invalid API Key provided') };
    const key = call.method === 'POST' ? headerOf(call, 'idempotency-key') : '';
    const raw = call.raw.toString('utf8');
    const before = kept.get(key);
    if (before)
      return before.body === `${path.join('/')}?${raw}`
        ? { ...before.reply, headers: { 'idempotent-replayed': 'true' } }
        : {
            status: 400,
            body: failure(
              `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
              undefined,
              undefined,
              'idempotency_error',
            ),
          };
    const form = formOf(call.method === 'POST' ? raw : call.query);
    const at = Math.floor(call.now / 1000);
    const reply = answerOf(world, { method: call.method, path, form, at, origin: originOf(call) });
    const frozen = { ...reply, body: structuredClone(reply.body) };
    if (key && (reply.status ?? 200) < 400) kept.set(key, { body: `${path.join('/')}?${raw}`, reply: frozen });
    return frozen;
  }

  async function answer(call: Call, path: string[]): Promise<Reply> {
    const reply = api(call, path);
    const { switches } = world.post;
    if (call.method === 'GET' && path[0] === 'subscriptions' && switches.staleReads > 0) {
      switches.staleReads -= 1;
      await sleep(switches.staleMs, undefined, { ref: false });
    }
    return reply;
  }

  const timed = (path: string, then: (call: Call, form: Form, at: number) => Reply | Promise<Reply>): Route => ({
    path,
    async answer(call) {
      const at = Math.floor(call.now / 1000);
      world.pass(at);
      try {
        return await then(call, formOf(call.raw.toString('utf8')), at);
      } finally {
        world.post.flush(call.now);
      }
    },
  });
  const below = [':a', ':a/:b', ':a/:b/:c', ':a/:b/:c/:d'].map((path) =>
    timed(`/v1/${path}`, (call) => answer(call, Object.values(call.params))),
  );

  return {
    id: 'stripe',
    base: '/stripe',
    env: { STRIPE_API_BASE: { scheme: 'http', path: '/stripe' } },
    routes: [
      ...below,
      timed('/pay/:id', (call, form, at) => pay(world, call, form, at)),
      timed('/portal/:id', (call, form, at) => portal(world, call, form, at)),
      timed('/switches', (call, form) => {
        if (call.method === 'POST') setSwitches(world, form);
        return { body: world.post.switches };
      }),
    ],
    notFound: { status: 404, body: failure('Unrecognized request URL.', 'resource_missing') },
    rateLimited: failure('Request rate limit exceeded.', 'rate_limit'),
    serverError: failure('An error occurred while processing your request.', undefined, undefined, 'api_error'),
  };
}
