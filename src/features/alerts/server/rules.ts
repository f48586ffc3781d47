import type { Reading } from './reading.ts';
import { calendar } from './rules/calendar.ts';
import { consensus } from './rules/consensus.ts';
import { dominance } from './rules/dominance.ts';
import { flows } from './rules/flows.ts';
import { funding } from './rules/funding.ts';
import { inflation } from './rules/inflation.ts';
import { liquidations } from './rules/liquidations.ts';
import { mood } from './rules/mood.ts';
import { prices } from './rules/prices.ts';
import type { Judged, Rule } from './rules/rule.ts';
import { ssr } from './rules/ssr.ts';
import { stablecoins } from './rules/stablecoins.ts';

const RULES: readonly Rule[] = [
  prices,
  flows,
  stablecoins,
  dominance,
  ssr,
  funding,
  liquidations,
  mood,
  consensus,
  inflation,
  calendar,
];

/** What every rule says of a moment. A figure that is no number says nothing. */
export const judgeAll = (reading: Reading): Judged[] =>
  RULES.flatMap((rule) => rule(reading)).filter(({ strength }) => Number.isFinite(strength));
