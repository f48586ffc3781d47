/**
 * Bitcoin wallets that exchanges have published as theirs in their proofs of reserves, as collected in the public address
 * book of DefiLlama-Adapters (projects/helper/bitcoin-book). The largest of each: a deposit elsewhere is not seen.
 */
const WALLETS: Readonly<Record<string, readonly string[]>> = {
  Binance: [
    '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo',
    '3M219KR5vEneNb47ewrPfWyb5jQ2DjxRP6',
    'bc1qm34lsc65zpw79lxes69zkqmk6ee3ewf0j77s3h',
    '1Pzaqw98PeRfyHypfqyEgg5yycJRsENrE7',
    '34HpHYiyQwg69gFmCq2BGHjF1DZnZnBeBP',
    '3LtrsjtyLsHoG8WQMe2RFw3de4pLTQZNcY',
    '3JJmF63ifcamPLiAmLgG96RA599yNtY3EQ',
    'bc1q32lyrhp9zpww22phqjwwmelta0c8a5q990ghs6',
    '39884E3j6KZj82FK4vcCrkUvWYL5MQaS3v',
    '1PJiGp2yDLvUgqeBsuZVCBADArNsk6XEiw',
  ],
  Bitfinex: [
    'bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97',
    '3JZq4atUahhuA9rLhXLMhhTo133J9rF97j',
    '1Kr6QSydW9bFQG1mXiPNNu6WpJGmUa9i1g',
  ],
  OKX: [
    'bc1quhruqrghgcca950rvhtrg7cpd7u8k6svpzgzmrjy8xyukacl5lkq0r8l2d',
    '1LnoZawVFFQihU8d8ntxLMpYheZUfyeVAK',
    '1JQULE6yHr9UaitLr4wahTwJN7DaMX7W1Z',
    '1DcT5Wij5tfb3oVViF8mA8p4WrG98ahZPT',
    '1CY7fykRLWXeSbKB885Kr4KjQxmDdvW923',
  ],
  Kraken: [
    'bc1qnhmemsqfhycvp6g50v732h7wfwdt68el4ux5ttu8xwsrzngmxv0qr55aga',
    'bc1qa5aux0l2c3l99tpmd9c85770kqpksg3g6dxaw03jj6lphnwy4lqq68xfgc',
    'bc1q3gqqnn9hr0uachfk6rv3qhf3pp9z8a4z63ksc5qu0c2vvtykqd9qj3fyum',
  ],
  Gate: [
    '14kmvhQrWrNEHbrSKBySj4qHGjemDtS3SF',
    '162bzZT2hJfv5Gm3ZmWfWfHJjCtMD6rHhw',
    '1G47mSr3oANXMafVrR8UC4pzV7FEAzo3r9',
  ],
  HTX: [
    '12qTdZHx6f77aQ74CPCZGSY47VaRwYjVD8',
    '143gLvWYUojXaWZRrxquRKpVNTkhmr415B',
    '14XKsv8tT6tt8P8mfDQZgNF8wtN5erNu5D',
  ],
};

const EXCHANGE_OF = new Map(Object.entries(WALLETS).flatMap(([name, all]) => all.map((address) => [address, name])));

export const exchangeOf = (address: string): string | undefined => EXCHANGE_OF.get(address);
export const WALLETS_KNOWN = EXCHANGE_OF.size;
