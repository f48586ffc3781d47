import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/payments/server/billing';
const of = (file: string, ...tests: string[]) => ({
  file: `${SERVER}/${file}`,
  tests: tests.map((test) => `${SERVER}/${test}`),
});
const PRICES = of('prices.ts', 'prices.test.ts');
const JOURNAL = of('service/grants.ts', 'journal.test.ts');
const BOOKS = of('store.ts', 'journal.test.ts');
const DUE = of('jobs.ts', 'notice-due.test.ts', 'grants.test.ts');
const TRIAL = of('service/trial.ts', 'billing.test.ts');
const GRANTS = of('service/grants.ts', 'grants.test.ts');
const CARD = {
  file: 'src/features/accounts/server/profile/service.ts',
  tests: ['src/features/accounts/server/profile/with-card.test.ts'],
};

/** Errors in prices, books, grants, trials, notices and the profile. */
export const MUTANTS: Mutant[] = [
  {
    ...PRICES,
    name: 'rounds down: whole percents of whole cents are whole micro-dollars',
    from: ' + WHOLE_BP / 2n) / WHOLE_BP',
    to: ') / WHOLE_BP',
    equivalent: true,
  },
  { ...PRICES, name: 'any number of months is sold', from: 'each.months === months', to: 'each.months >= months' },
  { ...PRICES, name: 'one price for both plans', from: "plan === 'pro' ? config.PRO_PRICE_USD : ", to: '' },
  { ...JOURNAL, name: 'entries need not balance', from: 'if (sum !== 0n)', to: 'if (false)' },
  {
    ...JOURNAL,
    name: 'lines of one account overwrite each other',
    from: '(lines.get(account) ?? 0n) + units',
    to: 'units',
  },
  { ...JOURNAL, name: 'amounts that cannot be held', from: '!Number.isSafeInteger(Number(units))', to: 'false' },
  {
    ...JOURNAL,
    name: 'a balance with the wrong sign',
    from: 'return -(await readBalance',
    to: 'return (await readBalance',
  },
  { ...BOOKS, name: 'a key counts twice', from: 'if (!entry) return false;', to: '' },
  { ...DUE, name: 'tells those whose card renews', from: 'if (renews || ', to: 'if (' },
  { ...DUE, name: 'a declined card renews', from: ' && !card.pastDue', to: '' },
  { ...DUE, name: 'a cancelled card renews', from: '!card.cancelled && ', to: '' },
  { ...DUE, name: 'an old end is news', from: 'ago > NEWS_DAYS * DAY_MS + GRACE_MS', to: 'false' },
  { ...DUE, name: 'a trial is a plan', from: "source.startsWith('trial:')", to: 'false' },
  { ...DUE, name: 'the first end instead of the last', from: 'b.cut - a.cut', to: 'a.cut - b.cut' },
  { ...DUE, name: 'tells those who were given more', from: 'return currentPeriodEnd === null || ', to: 'return ' },
  {
    ...of('store.ts', 'grants.test.ts'),
    name: 'each hour anew',
    from: 'return row !== undefined;\n}\n\n/** Undefined when the account',
    to: 'return true;\n}\n\n/** Undefined when the account',
  },
  { ...TRIAL, name: 'a second trial', from: 'if (await hasUsedTrial(db, userId))', to: 'if (false)' },
  { ...TRIAL, name: 'a trial without the lock', from: 'await lockBilling(tx, userId);', to: '' },
  { ...TRIAL, name: 'a trial beside a plan', from: "if (plan !== 'free')", to: 'if (false)' },
  { ...TRIAL, name: 'a trial after a plan', from: 'units > 0n && !isRevoked', to: 'false' },
  { ...TRIAL, name: 'a plan that was taken back counts', from: ' && !isRevoked', to: '' },
  { ...TRIAL, name: 'a trial while coming soon', from: 'if (config.LAUNCH_COMING_SOON) return COMING_SOON;', to: '' },
  {
    ...GRANTS,
    name: 'grants that were taken back count',
    from: 'grants.filter(({ isRevoked }) => !isRevoked)',
    to: 'grants',
  },
  {
    ...GRANTS,
    name: 'processes are not told',
    from: "await notifyAccountChange(tx, { user: userId, ended: 'all' });",
    to: '',
  },
  {
    ...GRANTS,
    name: 'an account that is gone',
    from: 'if ((await findAddress(tx, userId)) === undefined) return;',
    to: '',
  },
  {
    ...GRANTS,
    name: 'a grant that came twice is told twice',
    from: 'if (!(await insertGrant(tx, grant))) return false;',
    to: 'await insertGrant(tx, grant);',
  },
  { ...CARD, name: 'a card of another plan counts', from: 'card?.plan !== standing.plan', to: 'card === null' },
  { ...CARD, name: 'a declined card renews', from: 'card.pastDue ? standing : ', to: '' },
];
