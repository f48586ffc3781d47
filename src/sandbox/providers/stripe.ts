import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Provider, Reply, Route } from '#sandbox/provider.ts';
import { centsToUnits, unitsToUsd } from '#shared/money.ts';

import { failure, handleStripeCall } from './stripe-api.ts';
import { StripeState } from './stripe-state.ts';
import { type Form, parseForm, type Session, type Subscription, textAt } from './stripe-types.ts';
import { NO_FAULTS, type WebhookFaults } from './stripe-webhooks.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1a1f36;background:#f6f8fa}
main{background:#fff;border:1px solid #d8dee4;border-radius:12px;padding:1.5rem 2rem}h1{font-size:1.35rem}
button{font:inherit;padding:.55rem 1rem;margin:.25rem .25rem .25rem 0;border-radius:8px;border:1px solid #b6bfca;background:#fff;cursor:pointer}
button.main{background:#4f46e5;border-color:#4f46e5;color:#fff}small,dt{color:#5b6472}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
dd{margin:0}label{display:block}fieldset{border:1px solid #d8dee4;border-radius:8px;margin-top:1.5rem}[role=alert]{color:#b3261e}`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] as string);
const usd = (cents: number) => `$${unitsToUsd(centsToUnits(cents))}`;
const dateText = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head><body><main><small>Simulated card service: no real money</small>${body}</main></body></html>`;

const button = (action: string, label: string, main = false) =>
  `<button name="act" value="${action}"${main ? ' class="main"' : ''}>${label}</button>`;

function webhookFaultsForm(action: string, faults: WebhookFaults): string {
  const checkbox = (name: 'reorder' | 'lose', label: string) =>
    `<label><input type="checkbox" name="${name}" value="1"${faults[name] ? ' checked' : ''}> ${label}</label>`;
  const numberInput = (name: 'delayMs' | 'duplicates', label: string, max: number) =>
    `<label>${label} <input type="number" name="${name}" min="0" max="${max}" value="${faults[name]}"></label>`;
  return `<form method="post" action="${action}"><fieldset><legend>Webhooks</legend>
${numberInput('delayMs', 'Delay in ms', 60_000)}${numberInput('duplicates', 'Sent so many times more', 5)}
${checkbox('reorder', 'In reverse order')}${checkbox('lose', 'Lost')}${button('switches', 'Set')}</fieldset></form>`;
}

const billingInterval = (months: number) => (months === 1 ? 'every month' : `every ${months} months`);

function payPage(state: StripeState, session: Session, refused: boolean): string {
  const order = state.orders.get(session.id);
  const action = `/stripe/pay/${session.id}`;
  if (session.status !== 'open')
    return page('Checkout', `<h1>This checkout is ${session.status === 'complete' ? 'paid' : 'over'}</h1>`);
  const firstCharge = order?.trialEnd ? `<dt>First charge</dt><dd>${dateText(order.trialEnd)}</dd>` : '';
  const discount = order?.discount ? `<dt>Off the first payment</dt><dd>${usd(order.discount)}</dd>` : '';
  return page(
    'Checkout',
    `<h1>${escapeHtml(order?.name ?? '')}</h1>${refused ? '<p role="alert">Your card was declined.</p>' : ''}
<dl><dt>Price</dt><dd>${usd(session.amount_subtotal)} ${billingInterval(order?.months ?? 1)}</dd>${discount}${firstCharge}
<dt>Due today</dt><dd>${usd(session.amount_total)}</dd></dl>
<form method="post" action="${action}">${button('succeed', 'Pay with a good card', true)}${button('decline', 'Pay with a declined card')}${button('cancel', 'Back without paying')}</form>
${webhookFaultsForm(action, state.webhooks.faults)}`,
  );
}

function subscriptionPart(state: StripeState, sub: Subscription, action: string): string {
  const name = escapeHtml(state.progress.get(sub.id)?.name ?? '');
  const [item] = sub.items.data;
  const buttons =
    sub.status === 'canceled'
      ? ''
      : `${sub.cancel_at_period_end ? button('resume', 'Resume') : button('cancel', 'Cancel at the end of the period')}${button('renew', 'Let the next period begin now')}`;
  const statusText = sub.cancel_at_period_end && sub.status !== 'canceled' ? 'ends' : sub.status;
  const invoices = [...state.invoices.values()].filter(
    (each) => each.parent.subscription_details.subscription === sub.id,
  );
  const rows = invoices.map((each) => {
    const charge = state.charges.get(state.chargeOf.get(each.id) ?? '');
    const dispute = [...state.disputes.values()].find((one) => one.charge === charge?.id);
    const more = dispute
      ? dispute.status === 'needs_response'
        ? button('won', 'Dispute won') + button('lost', 'Dispute lost')
        : ''
      : button('refund', 'Refund') + button('partial', 'Refund half') + button('dispute', 'Dispute');
    const isOpen = charge && !charge.refunded;
    return `<form method="post" action="${action}"><input type="hidden" name="invoice" value="${each.id}">${escapeHtml(each.number)} · ${usd(each.total)} · ${charge?.refunded ? 'refunded' : each.status} ${isOpen ? more : ''}</form>`;
  });
  return `<h2>${name}</h2><p>${statusText}, period until ${dateText(item.current_period_end)}</p>
<form method="post" action="${action}"><input type="hidden" name="subscription" value="${sub.id}">${buttons}</form>${rows.join('')}`;
}

function portalPage(state: StripeState, id: string, customer: string, returnUrl: string): string {
  const action = `/stripe/portal/${id}`;
  const subs = [...state.subscriptions.values()].filter((each) => each.customer === customer);
  return page(
    'Billing portal',
    `<h1>Billing portal</h1><p>Card: ${state.cards.get(customer) ?? 'none'}</p>
<form method="post" action="${action}">${button('good', 'Use a good card')}${button('refused', 'Use a card that is declined')}</form>
${subs.map((sub) => subscriptionPart(state, sub, action)).join('')}
<p><a href="${escapeHtml(returnUrl)}">Return</a></p>${webhookFaultsForm(action, state.webhooks.faults)}`,
  );
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const htmlReply = (body: string): Reply => ({ body, headers: HTML });
const redirectTo = (location: string): Reply => ({ status: 303, body: '', headers: { location } });
const notFound: Reply = { status: 404, body: 'No such page', headers: HTML };

const readHeader = ({ headers }: Call, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** Origin of the sandbox as seen by the caller. */
const originOf = (call: Call) => `http://${readHeader(call, 'host')}`;

function setWebhookFaults(state: StripeState, form: Form): void {
  state.webhooks.faults = {
    delayMs: Number(textAt(form, 'delayMs') ?? 0),
    duplicates: Number(textAt(form, 'duplicates') ?? 0),
    reorder: textAt(form, 'reorder') === '1',
    lose: textAt(form, 'lose') === '1',
    staleReads: Number(textAt(form, 'staleReads') ?? 0),
    staleMs: Number(textAt(form, 'staleMs') ?? NO_FAULTS.staleMs),
  };
}

function pay(state: StripeState, call: Call, form: Form, at: number): Reply {
  const session = state.sessions.get(call.params['id'] ?? '');
  if (!session) return notFound;
  if (call.method !== 'POST') return htmlReply(payPage(state, session, false));
  const action = textAt(form, 'act');
  if (action === 'switches') setWebhookFaults(state, form);
  if (action === 'cancel') return redirectTo(session.cancel_url ?? session.success_url);
  if (action === 'decline') return htmlReply(payPage(state, session, true));
  if (action !== 'succeed' || session.status !== 'open') return htmlReply(payPage(state, session, false));
  state.pay(session, at);
  return redirectTo(session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id));
}

/** Actions of the customer, and for the demo those of the operator and the bank. */
function runPortalAction(state: StripeState, customer: string, form: Form, at: number): void {
  const action = textAt(form, 'act');
  const sub = state.subscriptions.get(textAt(form, 'subscription') ?? '');
  if (action === 'switches') setWebhookFaults(state, form);
  if (action === 'good' || action === 'refused') state.setCard(customer, action, at);
  if (sub && sub.status !== 'canceled') {
    if (action === 'cancel' || action === 'resume') state.setCancel(sub, action === 'cancel', at);
    if (action === 'renew') state.renew(sub, at);
  }
  const charge = state.charges.get(state.chargeOf.get(textAt(form, 'invoice') ?? '') ?? '');
  if (!charge || charge.refunded) return;
  const dispute = [...state.disputes.values()].find((each) => each.charge === charge.id);
  if (action === 'refund') state.refund(charge, charge.amount, at);
  if (action === 'partial') state.refund(charge, Math.floor(charge.amount / 2), at);
  if (action === 'dispute' && !dispute) state.dispute(charge, at);
  if (dispute && (action === 'won' || action === 'lost')) state.decide(dispute, action, at);
}

function portal(state: StripeState, call: Call, form: Form, at: number): Reply {
  const id = call.params['id'] ?? '';
  const portalSession = state.portals.get(id);
  if (!portalSession) return notFound;
  if (call.method === 'POST') {
    runPortalAction(state, portalSession.customer, form, at);
    return redirectTo(`/stripe/portal/${id}`);
  }
  return htmlReply(portalPage(state, id, portalSession.customer, portalSession.returnUrl));
}

type IdempotentReply = { body: string; reply: Reply };

/** The API below /v1, its checkout below /pay, its portal below /portal; `/switches` injects webhook faults. */
export function stripe(): Provider {
  const state = new StripeState();
  const idempotentReplies = new Map<string, IdempotentReply>();

  function api(call: Call, path: string[]): Reply {
    if (!/^Bearer (?:sk|rk)_test_/.test(readHeader(call, 'authorization')))
      return { status: 401, body: failure('Invalid API Key provided') };
    const key = call.method === 'POST' ? readHeader(call, 'idempotency-key') : '';
    const raw = call.rawBody.toString('utf8');
    const before = idempotentReplies.get(key);
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
    const form = parseForm(call.method === 'POST' ? raw : call.query);
    const at = Math.floor(call.now / 1000);
    const reply = handleStripeCall(state, { method: call.method, path, form, at, origin: originOf(call) });
    const frozen = { ...reply, body: structuredClone(reply.body) };
    if (key && (reply.status ?? 200) < 400)
      idempotentReplies.set(key, { body: `${path.join('/')}?${raw}`, reply: frozen });
    return frozen;
  }

  async function handleApi(call: Call, path: string[]): Promise<Reply> {
    const reply = api(call, path);
    const { faults } = state.webhooks;
    if (call.method === 'GET' && path[0] === 'subscriptions' && faults.staleReads > 0) {
      faults.staleReads -= 1;
      await sleep(faults.staleMs, undefined, { ref: false });
    }
    return reply;
  }

  const pageRoute = (path: string, handle: (call: Call, form: Form, at: number) => Reply | Promise<Reply>): Route => ({
    path,
    async handle(call) {
      const at = Math.floor(call.now / 1000);
      state.advanceTo(at);
      try {
        return await handle(call, parseForm(call.rawBody.toString('utf8')), at);
      } finally {
        state.webhooks.flush(call.now);
      }
    },
  });
  const apiPaths = [':a', ':a/:b', ':a/:b/:c', ':a/:b/:c/:d'].map((path) =>
    pageRoute(`/v1/${path}`, (call) => handleApi(call, Object.values(call.params))),
  );

  return {
    id: 'stripe',
    base: '/stripe',
    env: { STRIPE_API_BASE: { scheme: 'http', path: '/stripe' } },
    routes: [
      ...apiPaths,
      pageRoute('/pay/:id', (call, form, at) => pay(state, call, form, at)),
      pageRoute('/portal/:id', (call, form, at) => portal(state, call, form, at)),
      pageRoute('/switches', (call, form) => {
        if (call.method === 'POST') setWebhookFaults(state, form);
        return { body: state.webhooks.faults };
      }),
    ],
    notFound: { status: 404, body: failure('Unrecognized request URL.', 'resource_missing') },
    rateLimited: failure('Request rate limit exceeded.', 'rate_limit'),
    serverError: failure('An error occurred while processing your request.', undefined, undefined, 'api_error'),
  };
}
