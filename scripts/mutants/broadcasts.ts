import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/notifications/server/telegram';
const TESTS = {
  tests: ['broadcast', 'broadcast-delivery'].map((name) => `${SERVER}/${name}.test.ts`),
};
const SERVICE = { file: `${SERVER}/broadcasts.ts`, ...TESTS };
const STORE = { file: `${SERVER}/store/broadcasts.ts`, ...TESTS };

/** Errors in bot announcements: senders, recipients, rate limits and reports. */
export const MUTANTS: Mutant[] = [
  { ...SERVICE, name: 'sent without a fresh sign-in', from: '  await requireProof(ctx.auth, caller);\n', to: '' },
  {
    ...SERVICE,
    name: 'a key is taken for another text',
    from: 'if (before.text !== text || before.audience !== audience || before.authorId !== caller.userId)',
    to: 'if (before.id === -1)',
  },
  {
    ...SERVICE,
    name: 'a second press sends again',
    from: '    if (before) {',
    to: '    if (before && before.id === -1) {',
  },
  { ...SERVICE, name: 'two at once', from: 'if ((await closeBroadcasts(inside)).length > 0)', to: 'if (false)' },
  { ...SERVICE, name: 'as many a day as wished', from: '    await rejectTooMany(tx, at);\n', to: '' },
  { ...SERVICE, name: 'sent to nobody', from: 'if (people === 0) throw', to: 'if (people < 0) throw' },
  {
    ...SERVICE,
    name: 'no trace is left',
    from: "action: 'telegram.broadcast', details",
    to: "action: 'job.run', details",
  },
  { ...SERVICE, name: 'it never expires', from: 'at.getTime() + DAY_MS)', to: 'at.getTime() + 365 * DAY_MS)' },
  {
    ...SERVICE,
    name: 'administrators count as a plan',
    from: "['free', 'pro', 'premium', 'admin'] as const",
    to: "['free', 'pro', 'premium', 'premium'] as const",
  },
  { ...SERVICE, name: 'markup stands in the title', from: 'shownText(chatParts(text))', to: 'text' },
  {
    ...SERVICE,
    name: 'who left is not counted',
    from: '(isMade && !isCancelled ? rest : 0)',
    to: '(isMade && isCancelled ? rest : 0)',
  },
  {
    ...SERVICE,
    name: 'cancelling stops nothing',
    from: '    await withdraw(tx, { subject: broadcastKey(id) }, at);\n',
    to: '',
  },
  {
    ...STORE,
    name: 'one that is through is cancelled',
    from: "    .where('cancelled_at', 'is', null)\n    .where('finished_at', 'is', null)\n",
    to: '',
  },
  { ...STORE, name: 'yesterday counts for today', from: ".where('created_at', '>', from.toISOString())", to: '' },
];
