import { planFaq, splitAnswer } from '#features/payments/contract/plan-faq.ts';
import { Card } from '#ui/card.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';

import type { Known } from './pricing.ts';

/** FAQ shown before payment; its numbers are those of this installation. */
export function Faq({ pricing }: { pricing: Known }) {
  return (
    <Card id="faq" title="FAQ">
      <div className="grid items-start gap-x-6 px-4 pb-2 text-sm lg:grid-cols-2">
        {planFaq(pricing).map(([question, answer]) => (
          <details key={question} className="border-t border-line py-1">
            <summary className="ml-4 list-outside py-2 font-medium">{question}</summary>
            <p className="ml-4 max-w-[68ch] pb-2 text-ink-2">
              {splitAnswer(answer).map(({ text, to }) =>
                to ? (
                  <Link key={text} to={to} className={TEXT_LINK}>
                    {text}
                  </Link>
                ) : (
                  text
                ),
              )}
            </p>
          </details>
        ))}
      </div>
    </Card>
  );
}
