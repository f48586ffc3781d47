import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/payments/server/usdc';
const REORG = [`${SERVER}/reorg.test.ts`];
const CHANGES = { file: `${SERVER}/reconcile/reconcile.ts`, tests: REORG };
const RECONCILE = { file: `${SERVER}/reconcile/reconcile.ts`, tests: REORG };
const TAKE_BACK = { file: `${SERVER}/reconcile/reversal.ts`, tests: REORG };
const APPLY = { file: `${SERVER}/reconcile/apply.ts`, tests: REORG };
const STATUS = { file: `${SERVER}/status.ts`, tests: [`${SERVER}/life.test.ts`] };

/** Errors in converting chain data to money and plans. */
export const MUTANTS: Mutant[] = [
  {
    ...RECONCILE,
    name: 'the cursor jumps to the head: what is not final is not looked at again',
    from: 'const reached = Math.min(window.final,',
    to: 'const reached = Math.min(window.head,',
  },
  {
    ...RECONCILE,
    name: 'the cursor passes what is missing',
    from: '...missing.map(({ block }) => block - 1)',
    to: '...missing.map(() => window.final)',
  },
  {
    ...RECONCILE,
    name: 'an older look is booked',
    from: 'if ((old?.looks ?? 0) !== (cursor?.looks ?? 0))',
    to: 'if ((old?.looks ?? 0) < (cursor?.looks ?? 0))',
    tests: [`${SERVER}/watching.test.ts`],
  },
  {
    ...RECONCILE,
    name: 'money that is gone is not reversed',
    from: 'if (deposit.isCredited) await reverseDeposit(',
    to: 'if (false) await reverseDeposit(',
  },
  {
    ...RECONCILE,
    name: 'money is credited before the chain keeps it',
    from: "state === 'confirmed' || state === 'final';",
    to: "state !== 'foreign';",
    tests: [`${SERVER}/life.test.ts`],
  },
  {
    ...RECONCILE,
    name: 'what was credited is not marked',
    from: 'isCredited: deposit.isCredited || counts(deposit)',
    to: 'isCredited: deposit.isCredited',
  },
  {
    ...RECONCILE,
    name: 'a plan that was taken back does not come back',
    from: '(applications > 0 || paid.has(id))',
    to: 'paid.has(id)',
  },
  {
    ...RECONCILE,
    name: 'a deleted account stops the watch',
    from: 'people.filter((userId) => left.has(userId))',
    to: 'people.filter(() => true)',
    tests: [`${SERVER}/watching.test.ts`],
  },
  { ...CHANGES, name: 'nothing is ever gone', from: ': window.isLost(deposit);', to: ': false;' },
  { ...CHANGES, name: 'a lagging node is believed', from: ': window.isLost(deposit);', to: ': true;' },
  {
    ...CHANGES,
    name: 'a wrong token is credited',
    from: "return 'foreign';",
    to: "return 'confirmed';",
    tests: [`${SERVER}/life.test.ts`],
  },
  {
    ...CHANGES,
    name: 'something final is forgotten in silence',
    from: "if (deposit.state === 'final') orphanedDeposits(deposit);",
    to: '',
  },
  {
    ...CHANGES,
    name: 'what was confirmed sinks back with a lagging node',
    from: 'state: isDeeper ? old.state : state',
    to: 'state',
  },
  {
    ...CHANGES,
    name: 'the same place of a transaction is taken for the same money',
    from: 'if (!old || !isSameTransfer(transfer, old)) {',
    to: 'if (!old) {',
  },
  {
    ...TAKE_BACK,
    name: 'no plan is taken back',
    from: 'for (const payment of isLeft ? applied : [])',
    to: 'for (const payment of [] as typeof applied)',
  },
  {
    ...TAKE_BACK,
    name: 'the oldest is taken back first',
    from: 'Number(b.appliedAt) - Number(a.appliedAt) || b.number - a.number',
    to: 'Number(a.appliedAt) - Number(b.appliedAt) || a.number - b.number',
  },
  {
    ...TAKE_BACK,
    name: 'money without owner is dropped',
    from: "ownerId === null ? 'suspense' : creditAccount(ownerId)",
    to: "ownerId === null ? 'revenue' : creditAccount(ownerId)",
    tests: [`${SERVER}/life.test.ts`],
  },
  {
    ...TAKE_BACK,
    name: 'the rest of Pro stays given back',
    from: "['revenue', spent - prorated],",
    to: "['revenue', spent],",
  },
  { ...TAKE_BACK, name: 'a loss stays a loss', from: 'if (lost <= 0n) return;', to: 'if (lost >= 0n) return;' },
  {
    file: `${SERVER}/store/deposits.ts`,
    name: 'what comes again has the key of what was gone',
    from: 'generation: deposit.generation + 1',
    to: 'generation: deposit.generation',
    tests: REORG,
  },
  {
    ...APPLY,
    name: 'bought without the money',
    from: 'if (have < price - TOLERANCE) return false;',
    to: '',
  },
  {
    ...APPLY,
    name: 'the rest of Pro is given back for every offer',
    from: 'before.filter(({ source, cut, end }) => cut === end && ended.has(source))',
    to: "before.filter(({ plan }) => plan === 'pro').map((each) => ({ ...each, cut: each.end }))",
  },
  {
    ...APPLY,
    name: 'Pro heard of last is ended by Premium+',
    from: 'if (own && own.cut < own.end) {',
    to: 'if (false) {',
  },
  { ...STATUS, name: 'no tolerance', from: 'paid >= due - TOLERANCE', to: 'paid >= due' },
  { ...STATUS, name: 'any amount is enough', from: 'paid >= due - TOLERANCE', to: 'paid >= 0n' },
  {
    ...STATUS,
    name: 'late money counts',
    from: 'at <= expiresAt || seenAt <= expiresAt;',
    to: 'at <= expiresAt || seenAt !== expiresAt;',
  },
  {
    ...STATUS,
    name: 'only our own clock counts',
    from: 'at <= expiresAt || seenAt <= expiresAt;',
    to: 'seenAt <= expiresAt;',
  },
  {
    ...STATUS,
    name: 'only the clock of the chain counts',
    from: 'at <= expiresAt || seenAt <= expiresAt;',
    to: 'at <= expiresAt;',
    tests: [`${SERVER}/watching.test.ts`],
  },
];
