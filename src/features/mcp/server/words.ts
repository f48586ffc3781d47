import { sayPrices } from './say/market.ts';
import type { Say } from './say.ts';

/** How a call is called as a tool. */
export type ToolWords = {
  name: string;
  title: string;
  /** Says units, and what carries source and age. */
  description: string;
  /** False for what changes something; else GET reads. */
  isReading?: boolean;
  /** What the call takes that an assistant has no use for. */
  left?: readonly string[];
  say: Say;
};

const EACH = 'Each figure carries its source and the moment it was observed in `meta`.';

/** The tools by the method and path of their calls. */
export const TOOL_WORDS: Readonly<Record<string, ToolWords>> = {
  'GET /api/v1/crypto-prices': {
    name: 'get_crypto_prices',
    title: 'Crypto prices',
    description: `Prices of coins in USD with changes over 24 h and 7 d in percent, 24 h range, 24 h volume and market cap in USD. ${EACH}`,
    say: sayPrices,
  },
};
