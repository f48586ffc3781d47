import type { Terms } from './term.ts';

export const RECORD_TERMS: Terms = {
  'change.consensus': {
    name: 'Change of the consensus',
    unit: 'direction',
    meaning: 'The direction with the highest probability over all analysts and horizons, now and at an earlier moment.',
    formula: 'Pool of the stored analyses at both moments',
  },
  'record.accuracy': {
    name: 'Accuracy',
    unit: 'percent',
    meaning:
      'How many graded calls named the class that came: up, flat or down. It says nothing about how sure they were.',
    formula: 'hits ÷ graded calls; the likeliest class counts as named',
    reading: 'Blind guessing among three classes hits about one call in three',
  },
  'record.correlation': {
    name: 'Average correlation',
    unit: '−100 to 100',
    meaning: 'Whether stronger calls went with stronger moves.',
    formula:
      'mean over provider, asset and horizon of Spearman’s rank correlation of p(up) − p(down) with the log return, × 100',
    reading: '100: the order of the calls was that of the moves. 0: no relation. Below 0: the wrong way round',
  },
  'record.n': {
    name: 'Graded calls',
    unit: 'calls',
    meaning: 'Calls whose time has come and whose price was known. Void calls are counted apart.',
    formula: 'Count',
  },
  'record.n_eff': {
    name: 'Independent windows',
    unit: 'dates',
    meaning:
      'Calls of one day share their market, and windows that overlap share their days: this is what counts as evidence.',
    formula: 'issue dates at least the horizon apart, taken from the oldest on',
    reading: 'Below 60 no word about skill is said',
  },
  'record.hit_rate': {
    name: 'Hit rate',
    unit: 'percent, with a 95% interval',
    meaning: 'Accuracy of one track at one horizon, with the range it may truly lie in.',
    formula: 'hits ÷ graded calls; Wilson’s score interval on the independent windows',
  },
  'record.brier': {
    name: 'Brier score',
    unit: '0–2',
    meaning: 'How far the probabilities were from what came. Lower is better.',
    formula: 'mean of the squared differences of p and outcome, summed over up, flat and down',
    reading: '0 perfect, 0.667 always one third each, 2 certain and wrong',
  },
  'record.skill': {
    name: 'Skill',
    unit: 'percent',
    meaning:
      'How much better the probabilities were than the best baseline: base rates of the past year, persistence or one third each.',
    formula: '1 − Brier ÷ the lowest Brier of base rates, persistence and uniform',
    reading: '100 perfect, 0 as good as the best baseline, below 0 worse',
  },
  'record.rps': {
    name: 'Ranked probability score',
    unit: '0–2',
    meaning: 'Like Brier, but calling up when it went down costs more than calling flat. Lower is better.',
    formula: 'mean of the squared differences of the cumulated probabilities over down, flat, up',
  },
  'record.log_score': {
    name: 'Log score',
    unit: 'nats',
    meaning: 'What being sure of the wrong thing costs. Lower is better.',
    formula: 'mean of −ln p of what came, p no less than 0.001',
    reading: '1.099 is always one third each',
  },
  'record.void': {
    name: 'Void rate',
    unit: 'percent',
    meaning: 'Calls that could not be graded, because a price or the volatility was missing.',
    formula: 'void ÷ (graded + void)',
  },
  'record.coverage': {
    name: 'Coverage',
    unit: 'percent',
    meaning: 'Calls that were asked for and given.',
    formula: 'calls made ÷ (calls made + missing)',
  },
  'record.ranges': {
    name: 'Ranges held',
    unit: 'percent',
    meaning: 'How often the price at the end of the horizon was inside the range frozen with the call.',
    formula: 'calls whose price ended inside ÷ graded calls with a range',
    reading: 'An 80% range should hold 80% of the time: well below is too narrow, well above too wide',
  },
  'record.interval_score': {
    name: 'Interval score',
    unit: '100 × log return',
    meaning: 'The width of the range plus a penalty for every price outside it. Narrow ranges that hold score best.',
    formula: 'width + 2 ÷ miss rate × distance outside, in log returns (Gneiting and Raftery)',
    reading: 'Lower is better. Below the score of past-year quantiles, the ranges are the better forecast',
  },
  'record.miscalibration': {
    name: 'Miscalibration',
    unit: '0–1',
    meaning: 'How far “60 %” was from happening six times in ten. Lower is better.',
    formula: 'binary Brier score − that of the isotonic curve (CORP)',
  },
  'record.discrimination': {
    name: 'Discrimination',
    unit: '0–1',
    meaning: 'How well the forecasts told the two cases apart. Higher is better.',
    formula: 'uncertainty − Brier score of the isotonic curve (CORP)',
  },
  'record.recalibrated': {
    name: 'Recalibrated',
    unit: '0–2',
    meaning:
      'The Brier score the same calls would have had, corrected each week by what the track had said before and what had come.',
    formula:
      'a line in log-odds for each class (Platt), fitted on calls settled before the week with a ridge of four windows around no correction; scaled to sum to 1',
    reading: 'Well below the score as said: the track is too sure, or leans',
  },
  'record.difference': {
    name: 'Brier less base rates’',
    unit: '−2 to 2, with a 95% interval',
    meaning: 'How much better or worse the calls were than base rates, with the range the difference may truly lie in.',
    formula: 'mean over issue dates of the difference; circular block bootstrap in blocks of max(10 d, 2 h)',
    reading: 'Below 0: better than base rates. An interval that holds 0 shows no difference',
  },
  'record.direction': {
    name: 'Direction',
    unit: 'p',
    meaning: 'Whether up or down was known, apart from how often each came. Constant calls cannot be tested.',
    formula: 'Pesaran and Timmermann on independent dates, one-sided',
    reading: 'A second look, not behind the word: small says that the direction was known',
  },
  'record.missing': {
    name: 'Missing',
    unit: 'calls and percent',
    meaning: 'Calls that were asked for and not given: nobody can be silent when unsure.',
    formula: 'missing ÷ (calls made + missing)',
  },
  'record.pool': {
    name: 'Weighted consensus',
    unit: '0–2',
    meaning: 'The Brier score the consensus would have had with weights by the past instead of equal ones.',
    formula:
      'weight e to the sum of what a model lost less than the equal pool, over windows settled before the week; p by Diebold–Mariano, from 28 d on by t over independent dates',
    reading: 'Equal weights stay until p is below 0.05',
  },
  'record.contribution': {
    name: 'Contribution to the pool',
    unit: '−2 to 2',
    meaning:
      'How much a forecaster improves the equally weighted pool of the league, over forecasts that others made too on the same day.',
    formula: 'mean Brier score of the pool without the forecaster − that of the pool with them',
    reading: 'Above 0 the forecaster makes the pool better, below 0 worse',
  },
};
