import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { API_KEY_PREFIX } from '#shared/contract.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM = 32;
const CHECKSUM = 6;
const KEY_LENGTH = API_KEY_PREFIX.length + RANDOM + CHECKSUM;
const BASE62 = /^[0-9A-Za-z]+$/;

/** Checksum of prefix and random part, in 6 characters. It detects typos and is not a secret. */
function checksumOf(text: string): string {
  let left = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM; i++) {
    digits = ALPHABET.charAt(left % 62) + digits;
    left = Math.floor(left / 62);
  }
  return digits;
}

/** 190 random bits in 32 characters and their checksum. Only the hash of it is stored. */
export function newKey(): string {
  let text: string = API_KEY_PREFIX;
  for (let i = 0; i < RANDOM; i++) text += ALPHABET.charAt(randomInt(62));
  return text + checksumOf(text);
}

/** False for whatever cannot be a key, such as one with a typing error. It looks at the text alone. */
export function isKeyText(text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(API_KEY_PREFIX)) return false;
  if (!BASE62.test(text.slice(API_KEY_PREFIX.length))) return false;
  return checksumOf(text.slice(0, -CHECKSUM)) === text.slice(-CHECKSUM);
}

/** What its owner knows a key by, such as mk_live_Y53X…6c1a. */
export const hintOf = (key: string): string => `${key.slice(0, API_KEY_PREFIX.length + 4)}…${key.slice(-4)}`;
