import { unitsOfCents, usdOf } from '#shared/money.ts';

import type { Switches } from './stripe-post.ts';
import type { Session, Subscription } from './stripe-types.ts';
import type { StripeWorld } from './stripe-world.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1a1f36;background:#f6f8fa}
main{background:#fff;border:1px solid #d8dee4;border-radius:12px;padding:1.5rem 2rem}h1{font-size:1.35rem}
button{font:inherit;padding:.55rem 1rem;margin:.25rem .25rem .25rem 0;border-radius:8px;border:1px solid #b6bfca;background:#fff;cursor:pointer}
button.main{background:#4f46e5;border-color:#4f46e5;color:#fff}small,dt{color:#5b6472}dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
dd{margin:0}label{display:block}fieldset{border:1px solid #d8dee4;border-radius:8px;margin-top:1.5rem}[role=alert]{color:#b3261e}`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const safe = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] as string);
const usd = (cents: number) => `$${usdOf(unitsOfCents(cents))}`;
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

export function payPage(world: StripeWorld, session: Session, refused: boolean): string {
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

export function portalPage(world: StripeWorld, id: string, customer: string, returnUrl: string): string {
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
