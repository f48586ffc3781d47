import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/contact/server';
const CAPTCHA = { file: `${SERVER}/service.ts`, tests: [`${SERVER}/contact.test.ts`] };
const SERVICE = { file: `${SERVER}/service.ts`, tests: [`${SERVER}/contact.test.ts`] };
const STORE = { file: `${SERVER}/store.ts`, tests: [`${SERVER}/inbox.test.ts`] };

/** Errors in support messages: senders, content and storage. */
export const MUTANTS: Mutant[] = [
  { ...CAPTCHA, name: 'any seal is right', from: 'timingSafeEqual(bytes, right)', to: 'true' },
  { ...CAPTCHA, name: 'a sum never gets old', from: ' || Number(expiry) <= deps.now().getTime()', to: '' },
  {
    ...CAPTCHA,
    name: 'a wrong answer leaves the sum',
    from: '  await useUp(deps, challenge);\n  return false;',
    to: '  return false;',
  },
  { ...CAPTCHA, name: 'a sum sends many messages', from: 'return hits === 1;', to: 'return hits > 0;' },
  { ...SERVICE, name: 'a network writes without limit', from: "await limitNetwork(ctx, 'contact', network);", to: '' },
  { ...SERVICE, name: 'a network tries without limit', from: "await limitNetwork(ctx, 'captcha', network);", to: '' },
  {
    ...SERVICE,
    name: 'an address is told without limit',
    from: "(await canSendMail(ctx, 'contact', written.email))",
    to: 'true',
  },
  { ...SERVICE, name: 'spam is mailed', from: 'const mails = isSpam', to: 'const mails = false' },
  {
    ...SERVICE,
    name: 'a PNG may go on',
    from: 'return length === 0 && at === bytes.length;',
    to: 'return length === 0;',
  },
  {
    ...SERVICE,
    name: 'a JPEG may go on',
    from: 'bytes[bytes.length - 2] !== 0xff || bytes[bytes.length - 1] !== 0xd9',
    to: 'false',
  },
  { ...SERVICE, name: 'a GIF may go on', from: 'return at === bytes.length - 1;', to: 'return true;' },
  { ...SERVICE, name: 'a WebP may go on', from: 'return length === bytes.length;', to: 'return true;' },
  { ...STORE, name: 'what is settled is kept', from: "eb('settled_at', '<', settledBefore.toISOString()), ", to: '' },
  { ...STORE, name: 'what is open is kept for ever', from: ", eb('created_at', '<', before.toISOString())", to: '' },
  {
    ...STORE,
    name: 'a page begins at the newest again',
    from: "query = query.where('id', '<', before);",
    to: 'void before;',
  },
];
