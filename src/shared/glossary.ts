import { ANALYTICS_TERMS } from './glossary/analytics.ts';
import { CHAIN_TERMS } from './glossary/chains.ts';
import { EVENT_TERMS } from './glossary/events.ts';
import { INFLATION_TERMS } from './glossary/inflation.ts';
import { MACRO_TERMS } from './glossary/macro.ts';
import { MARKET_TERMS } from './glossary/market.ts';
import { NARRATIVE_TERMS } from './glossary/narratives.ts';
import { ONCHAIN_TERMS } from './glossary/onchain.ts';
import { RECORD_TERMS } from './glossary/record.ts';
import { RULE_TERMS } from './glossary/rules.ts';
import type { Term } from './glossary/term.ts';

/** Every metric by its id. docs/glossary.md says the same. */
export const GLOSSARY: Readonly<Record<string, Term>> = {
  ...MARKET_TERMS,
  ...ONCHAIN_TERMS,
  ...CHAIN_TERMS,
  ...NARRATIVE_TERMS,
  ...RECORD_TERMS,
  ...INFLATION_TERMS,
  ...MACRO_TERMS,
  ...EVENT_TERMS,
  ...RULE_TERMS,
  ...ANALYTICS_TERMS,
};
