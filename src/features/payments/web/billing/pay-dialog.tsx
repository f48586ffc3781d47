import { type ReactNode, useState } from 'react';
import type { Pricing } from '#features/payments/contract/billing.ts';
import { cx } from '#ui/cx.ts';
import { FormError, SECONDARY, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { firstOpen, METHODS, type Method } from './payment-methods.tsx';
import { cents, monthsText, percentOf } from './price-text.ts';
import type { Offer } from './pricing.ts';

export type Choice = { method: Method; months: number };

type Props = {
  title: string;
  offers: readonly Offer[];
  /** Marked at first. */
  months: number;
  methods: Pricing['methods'];
  /** What else is to know before paying. */
  children?: ReactNode;
  /** Ends when the browser leaves or the payment is shown; refuses with words for people. */
  pay: (choice: Choice, signal: AbortSignal) => Promise<unknown>;
  onClose: () => void;
};

const FAILED = 'Subscription failed. Please try again.';
const OPTION =
  'flex min-h-11 cursor-pointer items-center gap-2.5 rounded-ctl border border-line-strong px-3 py-2 text-sm has-checked:border-accent';

/** How long and by what one pays. */
export function PayDialog({ title, offers, months, methods, children, pay, onClose }: Props) {
  const [chosen, choose] = useState(offers.some((offer) => offer.months === months) ? months : offers[0]?.months);
  const [picked, pick] = useState<Method | null>(null);
  const method = picked && methods[picked] === null ? picked : firstOpen(methods);
  const { busy, failure, submit } = useSubmit(FAILED, (signal, choice: Choice) => pay(choice, signal));
  const offer = offers.find((each) => each.months === chosen);
  return (
    <Modal title={title} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (offer && method) void submit({ method, months: offer.months });
        }}
      >
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">Pay for</legend>
          {offers.map((each) => (
            <label key={each.months} className={cx(OPTION, 'num')}>
              <input
                type="radio"
                name="months"
                checked={each === offer}
                onChange={() => choose(each.months)}
                className="size-4 shrink-0 accent-(--accent)"
              />
              <span className="font-medium">{monthsText(each.months)}</span>
              {Math.round(each.discount * 100) > 0 && <span className="text-up">{percentOf(each.discount)} less</span>}
              <span className="ml-auto font-medium">${cents(each.price)}</span>
            </label>
          ))}
        </fieldset>
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">Payment method</legend>
          {METHODS.map(({ id, name, about }) => {
            const closed = methods[id];
            return (
              <label key={id} className={OPTION}>
                <input
                  type="radio"
                  name="method"
                  disabled={closed !== null}
                  checked={id === method}
                  onChange={() => pick(id)}
                  className="size-4 shrink-0 accent-(--accent)"
                />
                <span className={cx('font-medium', closed && 'text-ink-3')}>
                  {name}
                  <span className="block text-xs font-normal text-ink-3">{closed ?? about}</span>
                </span>
              </label>
            );
          })}
        </fieldset>
        {children}
        {!method && <FormError failure={{ message: 'Payments are unavailable right now.' }} />}
        <FormError failure={failure && { ...failure, detail: failure.detail ?? 'Nothing was charged.' }} />
        <div className="flex gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <Submit
            busy={busy}
            busyText={method === 'card' ? 'Opening the checkout...' : 'Preparing the payment...'}
            disabled={!method || !offer}
            className="num"
          >
            {method === 'card' ? 'Continue to Checkout' : 'Show Payment Details'}
          </Submit>
        </div>
      </form>
    </Modal>
  );
}
