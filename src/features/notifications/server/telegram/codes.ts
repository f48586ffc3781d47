import { randomInt } from 'node:crypto';

import type { Secrets } from '#kernel/secrets.ts';

/** Without letters and digits that are taken for one another. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 8;

/** Eight characters of 31: a guess hits one of a thousand live codes once in 850 million. */
export const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** What was typed, without the spaces, dashes and small letters in which people differ. */
export const readCode = (typed: string): string => typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();

const PURPOSE = 'telegram code';

export const hashOfCode = (secrets: Secrets, code: string): Buffer => secrets.mac(PURPOSE, readCode(code));

/** What a code may have been kept as, also before the secret key was changed. */
export const hashesOfCode = (secrets: Secrets, code: string): Buffer[] => secrets.macs(PURPOSE, readCode(code));
