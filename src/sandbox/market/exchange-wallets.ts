/** Addresses that exchanges have published as theirs. */
export const BITCOIN_WALLETS: readonly (readonly [address: string, exchange: string])[] = [
  ['34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo', 'binance'],
  ['3M219KR5vEneNb47ewrPfWyb5jQ2DjxRP6', 'binance'],
  ['bc1qm34lsc65zpw79lxes69zkqmk6ee3ewf0j77s3h', 'binance'],
  ['bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97', 'bitfinex'],
  ['3JZq4atUahhuA9rLhXLMhhTo133J9rF97j', 'bitfinex'],
  ['bc1quhruqrghgcca950rvhtrg7cpd7u8k6svpzgzmrjy8xyukacl5lkq0r8l2d', 'okx'],
];
