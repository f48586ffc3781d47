import { expect, test } from 'vitest';

import { loadConfig } from './config.ts';

const TREASURY = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720';
const XPUB =
  'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj';

test('a treasury with its checksum and an extended public key are taken', () => {
  const { PAY_BASE_TREASURY, PAY_BASE_XPUB } = loadConfig({ PAY_BASE_TREASURY: TREASURY, PAY_BASE_XPUB: XPUB });
  expect([PAY_BASE_TREASURY, PAY_BASE_XPUB]).toEqual([TREASURY, XPUB]);
});

test.each([
  ['PAY_BASE_TREASURY', TREASURY.toLowerCase(), 'checksum'],
  ['PAY_BASE_TREASURY', TREASURY.replace('20a7', '2Oa7'), 'must be an address'],
  ['PAY_BASE_TREASURY', TREASURY.replace('9720', '9702'), 'checksum'],
  ['PAY_BASE_TREASURY', TREASURY.replace('0xa0', '0xA0'), 'checksum'],
  ['PAY_BASE_TREASURY', `0x${'0'.repeat(40)}`, 'zero address'],
  ['PAY_BASE_USDC', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 'checksum'],
  ['PAY_BASE_XPUB', XPUB.replace('Aw6Z', 'Aw7Z'), 'extended public key'],
  ['PAY_BASE_XPUB', XPUB.slice(0, -1), 'extended public key'],
  ['PAY_BASE_XPUB', XPUB.replace('xpub', 'xprv'), 'extended public key'],
  ['PAY_BASE_RPC_URLS', 'https://one.example,two', 'URLs'],
])('the product does not start with %s=%s', (name, value, reason) => {
  expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`${name}.*${reason}`));
});
