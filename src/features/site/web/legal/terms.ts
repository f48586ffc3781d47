import type { LegalText } from './legal-text.ts';
import type { Plans } from './plan-table.tsx';
import { TERMS_LAW } from './terms-law.tsx';
import { termsOfPlans } from './terms-plans.tsx';
import { TERMS_USE } from './terms-use.tsx';

/** With what this installation charges. */
export const termsOf = (plans: Plans): LegalText => ({
  title: 'Terms & Conditions',
  lead: 'The agreement between you and us when you use the service, in plain language.',
  short: [
    'This is information, not financial advice. Data is provided as is, with its source and age.',
    'Predictions come with their track record, not with a promise.',
    ...(plans?.trialDays === 0 ? [] : ['The free trial costs nothing, requires no card and ends automatically.']),
    'You can cancel at any time; it takes effect at the end of the billing period. There are no refunds for partial periods.',
    'Prices may change with 30 days notice. Our liability is capped at what you paid in the prior 12 months.',
  ],
  sections: [...TERMS_USE, ...termsOfPlans(plans), ...TERMS_LAW],
});
