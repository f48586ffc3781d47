import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Provider, Reply, Route } from '#sandbox/provider.ts';
import { centsToUnits, unitsToUsd } from '#shared/money.ts';

import { answerOf, failure } from './stripe-api.ts';
import { NO_FAULT, type Switches } from './stripe-post.ts';
import { type Form, formOf, type Session, type Subscription, textAt } from './stripe-types.ts';
import { StripeWorld } from './stripe-world.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1a1f36;background:#f6f8fa}
main{background:#fff;border:1px solid #d8dee4;border-radius:12px;padding:1.5rem 2rem}h1{font-size:1.35rem}
button{font:inherit;padding:.55rem 1rem;margin:.25rem .25rem .25rem 0;border-radius:8px;border:1px solid #b6bfca;background:#fff;cursor:pointer}
button.main{background:#4f46e5;border-color:#4f46e5;color:#fff}small,dt{color:#5b6472}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
dd{margin:0}label{display:block}fieldset{border:1px solid #d8dee4;border-radius:8px;margin-top:1.5rem}[role=alert]{color:#b3261e}`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const safe = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] as string);
const usd = (cents: number) => `$${unitsToUsd(centsToUnits(cents))}`;
const day = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head><body><main><small>Simulated card service: no real money</small>${body}</main></body></html>`;

const button = (act: string, label: string, main = false) =>
  `<button name="act" value="${act}"${main ? ' class="main"' : ''}>${label}</button>`;

function switchesForm(action: string, switches: Switches): string {
  const box = (name: 'reorder' | 'lose', label: string) =>
    `<label><input type="checkbox" name="${name}" value="1"${switches[name] ? ' checked' : ''}> ${label}</label>`;
  const figure = (name: 'delayMs' | 'duplicates', label: string, most: number) =>
    `<label>${label} <input type="number" name="${name}" min="0" max="${most}" value="${switches[name]}"></label>`;
  return `<form method="post" action="${action}"><fieldset><legend>Webhooks</legend>
${figure('delayMs', 'Delay in ms', 60_000)}${figure('duplicates', 'Sent so many times more', 5)}
${box('reorder', 'In reverse order')}${box('lose', 'Lost')}${button('switches', 'Set')}</fieldset></form>`;
}

const every = (months: number) => (months === 1 ? 'every month' : `every ${months} months`);

function payPage(world: StripeWorld, session: Session, refused: boolean): string {
  const order = world.orders.get(session.id);
  const action = `/stripe/pay/${session.id}`;
  if (session.status !== 'open')
    return page('Checkout', `<h1>This checkout is ${session.status === 'complete' ? 'paid' : 'over'}</h1>`);
  const later = order?.trialEnd ? `<dt>First charge</dt><dd>${day(order.trialEnd)}</dd>` : '';
  const off = order?.off ? `<dt>Off the first payment</dt><dd>${usd(order.off)}</dd>` : '';
  return page(
    'Checkout',
    `<h1>${safe(order?.name ?? '')}</h1>${refused ? '<p role="alert">Your card was declined.</p>' : ''}
<dl><dt>Price</dt><dd>${usd(session.amount_subtotal)} ${every(order?.months ?? 1)}</dd>${off}${later}
<dt>Due today</dt><dd>${usd(session.amount_total)}</dd></dl>
<form method="post" action="${action}">${button('succeed', 'Pay with a good card', true)}${button('decline', 'Pay with a declined card')}${button('cancel', 'Back without paying')}</form>
${switchesForm(action, world.post.switches)}`,
  );
}

function subscriptionPart(world: StripeWorld, sub: Subscription, action: string): string {
  const name = safe(world.courses.get(sub.id)?.name ?? '');
  const [item] = sub.items.data;
  const acts =
    sub.status === 'canceled'
      ? ''
      : `${sub.cancel_at_period_end ? button('resume', 'Resume') : button('cancel', 'Cancel at the end of the period')}${button('renew', 'Let the next period begin now')}`;
  const state = sub.cancel_at_period_end && sub.status !== 'canceled' ? 'ends' : sub.status;
  const invoices = [...world.invoices.values()].filter(
    (each) => each.parent.subscription_details.subscription === sub.id,
  );
  const rows = invoices.map((each) => {
    const charge = world.charges.get(world.paidBy.get(each.id) ?? '');
    const dispute = [...world.disputes.values()].find((one) => one.charge === charge?.id);
    const more = dispute
      ? dispute.status === 'needs_response'
        ? button('won', 'Dispute won') + button('lost', 'Dispute lost')
        : ''
      : button('refund', 'Refund') + button('partial', 'Refund half') + button('dispute', 'Dispute');
    const isOpen = charge && !charge.refunded;
    return `<form method="post" action="${action}"><input type="hidden" name="invoice" value="${each.id}">${safe(each.number)} · ${usd(each.total)} · ${charge?.refunded ? 'refunded' : each.status} ${isOpen ? more : ''}</form>`;
  });
  return `<h2>${name}</h2><p>${state}, period until ${day(item.current_period_end)}</p>
<form method="post" action="${action}"><input type="hidden" name="subscription" value="${sub.id}">${acts}</form>${rows.join('')}`;
}

function portalPage(world: StripeWorld, id: string, customer: string, returnUrl: string): string {
  const action = `/stripe/portal/${id}`;
  const subs = [...world.subscriptions.values()].filter((each) => each.customer === customer);
  return page(
    'Billing portal',
    `<h1>Billing portal</h1><p>Card: ${world.cards.get(customer) ?? 'none'}</p>
<form method="post" action="${action}">${button('good', 'Use a good card')}${button('refused', 'Use a card that is declined')}</form>
${subs.map((sub) => subscriptionPart(world, sub, action)).join('')}
<p><a href="${safe(returnUrl)}">Return</a></p>${switchesForm(action, world.post.switches)}`,
  );
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const html = (body: string): Reply => ({ body, headers: HTML });
const goTo = (location: string): Reply => ({ status: 303, body: '', headers: { location } });
const gone: Reply = { status: 404, body: 'No such page', headers: HTML };

const headerOf = ({ headers }: Call, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** Origin of the sandbox as seen by the caller. */
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

/** Actions of the customer, and for the demo those of the operator and the bank. */
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

/** The API below /v1, its checkout below /pay, its portal below /portal; `/switches` injects webhook faults. */
export function stripe(): Provider {
  const world = new StripeWorld();
  const kept = new Map<string, Kept>();

  function api(call: Call, path: string[]): Reply {
    if (!/^Bearer (?:sk|rk)_test_/.test(headerOf(call, 'authorization')))
      return { status: 401, body: failure('Invalid API Key provided') };
    const key = call.method === 'POST' ? headerOf(call, 'idempotency-key') : '';
    const raw = call.rawBody.toString('utf8');
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
    async handle(call) {
      const at = Math.floor(call.now / 1000);
      world.pass(at);
      try {
        return await then(call, formOf(call.rawBody.toString('utf8')), at);
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
