import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Pricing } from '#features/payments/contract/billing.ts';
import { cx } from '#ui/cx.ts';
import { FormError } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { METHODS, type Method } from './payment-methods.tsx';
import { cents, monthsText, percentText } from './price-text.ts';
import type { Offer } from './pricing.ts';

export type Choice = { method: Method; months: number };

type Props = {
  title: string;
  offers: readonly Offer[];
  /** Selected initially. */
  months: number;
  methods: Pricing['methods'];
  /** Further information shown before payment. */
  children?: ReactNode;
  /** Settles when the browser leaves or the payment is shown; rejects with a message for the user. */
  pay: (choice: Choice, signal: AbortSignal) => Promise<unknown>;
  onClose: () => void;
};

const FAILED = 'Subscription failed. Please try again.';
const OPTION =
  'flex min-h-11 cursor-pointer items-center gap-2.5 rounded-ctl border border-line-strong px-3 py-2 text-sm disabled:cursor-default';

/** Term and payment method: choosing the method opens the checkout or the payment, which shows the price again. */
export function PayDialog({ title, offers, months, methods, children, pay, onClose }: Props) {
  const [chosen, setMonths] = useState(offers.some((offer) => offer.months === months) ? months : offers[0]?.months);
  const [picked, pick] = useState<Method | null>(null);
  const { busy, failure, submit } = useSubmit(FAILED, (signal, choice: Choice) => pay(choice, signal));
  const offer = offers.find((each) => each.months === chosen);
  const choose = (method: Method) => {
    if (busy || !offer) return;
    pick(method);
    void submit({ method, months: offer.months });
  };
  return (
    <Modal title={title} onClose={onClose}>
      <div className="grid gap-4">
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">Pay for</legend>
          {offers.map((each) => (
            <label key={each.months} className={cx(OPTION, 'num has-checked:border-accent')}>
              <input
                type="radio"
                name="months"
                checked={each === offer}
                onChange={() => setMonths(each.months)}
                className="size-4 shrink-0 accent-(--accent)"
              />
              <span className="font-medium">{monthsText(each.months)}</span>
              {Math.round(each.discount * 100) > 0 && (
                <span className="text-up">{percentText(each.discount)} less</span>
              )}
              <span className="ml-auto font-medium">${cents(each.price)}</span>
            </label>
          ))}
        </fieldset>
        {children}
        <section aria-label="Payment method" className="grid gap-2">
          <h3 className="num mb-1 text-sm font-medium">{offer ? `Pay $${cents(offer.price)} with` : 'Pay with'}</h3>
          {METHODS.map(({ id, name, about }) => {
            const closed = methods[id];
            const isOn = busy && picked === id;
            const busyText = id === 'card' ? 'Opening the checkout...' : 'Preparing the payment...';
            return (
              <button
                key={id}
                type="button"
                disabled={closed !== null || !offer}
                aria-disabled={busy}
                onClick={() => choose(id)}
                className={cx(OPTION, 'text-left', !closed && 'hover:bg-raised aria-disabled:opacity-60')}
              >
                <span className={cx('font-medium', closed && 'text-ink-3')}>
                  {name}
                  <span className="block text-xs font-normal text-ink-3">{isOn ? busyText : (closed ?? about)}</span>
                </span>
                {!closed && <ChevronRight className="ml-auto size-4 shrink-0 text-ink-3" aria-hidden="true" />}
              </button>
            );
          })}
        </section>
        {METHODS.every(({ id }) => methods[id] !== null) && (
          <FormError failure={{ message: 'Payments are unavailable right now.' }} />
        )}
        <FormError failure={failure && { ...failure, detail: failure.detail ?? 'Nothing was charged.' }} />
      </div>
    </Modal>
  );
}
