import type { LegalText } from './legal-text.ts';
import { PRIVACY_KEPT } from './privacy-kept.tsx';
import { PRIVACY_USE } from './privacy-use.tsx';

export const PRIVACY: LegalText = {
  title: 'Privacy Policy',
  lead: 'What is known about you here, why, for how long, and what you can ask for. Written to be read.',
  short: [
    'You can read the market without an account, without cookies and without being tracked.',
    'An account holds an e-mail address, an argon2id hash of your password and what you make in it.',
    'Card numbers go to Stripe and never reach us. Payments in USDC are public on their blockchain.',
    'Nothing is sold, nothing is shared for advertising, nothing is sent to trackers.',
    'You can delete your account yourself. What the law needs of payments stays, and log entries without your address.',
  ],
  sections: [...PRIVACY_KEPT, ...PRIVACY_USE],
};
