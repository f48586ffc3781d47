import type { LegalText } from './legal-text.ts';
import { privacyRetention } from './privacy-retention.tsx';
import type { Statistics } from './privacy-statistics.tsx';
import { privacyUse } from './privacy-use.tsx';

export const PRIVACY_TITLE = 'Privacy Policy';

function tracked(statistics: Statistics): string {
  if (statistics === null)
    return 'You can read the market without an account, without cookies and without being tracked.';
  const none = 'You can read the market without an account and without cookies of ours.';
  return statistics ? `${none} Visits are counted by ${statistics}.` : none;
}

/** Includes the scripts this installation loads. */
export const buildPrivacy = (statistics: Statistics): LegalText => ({
  title: PRIVACY_TITLE,
  lead: 'What we know about you, why, for how long, and your rights.',
  short: [
    tracked(statistics),
    'An account holds an email address, an argon2id hash of your password and what you create in it.',
    'Card numbers go to Stripe and never reach us. Payments in USDC are public on their blockchain.',
    'Nothing is sold and nothing is shared for advertising.',
    'You can delete your account yourself. Payment records required by law remain, as do log entries without your address.',
  ],
  sections: [...privacyRetention(statistics), ...privacyUse(statistics)],
});
