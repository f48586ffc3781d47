import type { Terms } from './term.ts';

export const RULE_TERMS: Terms = {
  'rule.margin': {
    name: 'Margin',
    meaning: 'How far the value has to come back before an alert of your own is armed again.',
    formula: 'above T: armed again at T − margin; below T: at T + margin',
    unit: 'as the metric',
  },
  'rule.suppressed': {
    name: 'Kept quiet',
    meaning: 'Crossings that made no alert, because margin, cooldown, hold time or schedule kept it from flapping.',
    formula: 'crossings of the bare level − fires, over the same values',
    unit: 'count',
  },
  'rule.after': {
    name: 'After a fire',
    meaning: 'How the coin moved in the 24 h after the alert would have fired, against all days of the same span.',
    formula:
      'mean log move over 24 h after fires that do not overlap, as percent; 95 % interval by circular block bootstrap in blocks of 10 days',
    unit: 'percent',
    reading:
      '“No evidence” unless there are 8 fires and the 99 % interval of their distance to all days leaves out zero: a level that was met often is one that the price turned back from',
  },
  'rule.suggestion': {
    name: 'About so often a week',
    meaning: 'The value nearest to yours with which the alert would have fired about that often.',
    formula: 'fires ÷ days × 7 within a quarter of 1 or 3, over the stored 90 days; none from less than 21 days',
    unit: 'as the metric',
  },
};
