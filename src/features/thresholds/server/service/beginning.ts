import { compileRule, freshState } from '../engine/compile.ts';
import { levelled, stateOf, step, UNKNOWN } from '../engine/leg.ts';
import type { Leg, LegState } from '../engine/types.ts';
import type { Feed } from '../owner/feed.ts';
import type { Beginning } from './apply.ts';

/**
 * The state that the value of now gives a rule. It is worked out by who saves it, so that a crossing between the saving and the
 * loading of the rule is seen as one.
 */
export function beginningOf(feed: Feed): Beginning {
  function onNow(leg: Leg | undefined, given: LegState): LegState {
    if (!leg || given !== UNKNOWN) return given;
    const value = feed.current(leg.series)?.value;
    if (value === undefined) return UNKNOWN;
    const { kind, low, high, outLow, outHigh } = levelled(leg);
    return stateOf(step(kind, UNKNOWN, value, low, high, outLow, outHigh));
  }
  return (meaning) => {
    const row = { ...meaning, id: 0, userId: 0 };
    const { legs } = compileRule(row);
    const { first, second } = freshState(row);
    return { first: onNow(legs[0], first), second: onNow(legs[1], second) };
  };
}
