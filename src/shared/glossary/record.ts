import type { Terms } from './term.ts';

export const RECORD_TERMS: Terms = {
  'change.consensus': {
    name: 'Consensus change',
    unit: 'direction',
    meaning: 'The most probable direction across all analysts and horizons, now and at an earlier time.',
    formula: 'Pool of the stored analyses at both times',
  },
  'record.accuracy': {
    name: 'Accuracy',
    unit: 'percent',
    meaning: 'Share of graded calls that named the actual outcome: up, flat or down. Confidence is not considered.',
    formula: 'hits ÷ graded calls; the most probable outcome counts as the call',
    reading: 'Random guessing among three outcomes hits about one call in three',
  },
  'record.correlation': {
    name: 'Average correlation',
    unit: '−100 to 100',
    meaning: 'Whether stronger calls were followed by larger moves.',
    formula:
      'mean over provider, asset and horizon of Spearman’s rank correlation of p(up) − p(down) with the log return, × 100',
    reading: '100: same order as the moves. 0: no relation. Below 0: inverse',
  },
  'record.n': {
    name: 'Graded calls',
    unit: 'calls',
    meaning: 'Calls that reached their horizon and had a price to grade by. Void calls are counted separately.',
    formula: 'Count',
  },
  'record.n_eff': {
    name: 'Independent windows',
    unit: 'dates',
    meaning:
      'Issue dates whose windows do not overlap. Calls of one day share a market and overlapping windows share days, so only these count as evidence.',
    formula: 'issue dates at least one horizon apart, starting with the oldest',
    reading: 'Verdicts need at least 60',
  },
  'record.hit_rate': {
    name: 'Hit rate',
    unit: 'percent, with a 95% interval',
    meaning: 'Accuracy of one track at one horizon, with its confidence interval.',
    formula: 'hits ÷ graded calls; Wilson’s score interval on the independent windows',
  },
  'record.brier': {
    name: 'Brier score',
    unit: '0–2',
    meaning: 'Squared distance of the probabilities from the outcome. Lower is better.',
    formula: 'mean squared difference of p and outcome, summed over up, flat and down',
    reading: '0: perfect. 0.667: always one third each. 2: certain and wrong',
  },
  'record.skill': {
    name: 'Skill',
    unit: 'percent',
    meaning:
      'How much better the probabilities were than the best baseline: base rates of the past year, persistence or one third each.',
    formula: '1 − Brier ÷ the lowest Brier of base rates, persistence and uniform',
    reading: '100: perfect. 0: equal to the best baseline. Below 0: worse',
  },
  'record.rps': {
    name: 'Ranked probability score',
    unit: '0–2',
    meaning: 'Like Brier, but calling up before a fall costs more than calling flat. Lower is better.',
    formula: 'mean squared difference of the cumulative probabilities over down, flat, up',
  },
  'record.log_score': {
    name: 'Log score',
    unit: 'nats',
    meaning: 'Penalizes confident mistakes. Lower is better.',
    formula: 'mean of −ln p of the actual outcome, p at least 0.001',
    reading: '1.099: always one third each',
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
    meaning: 'Share of requested calls that were made.',
    formula: 'calls made ÷ (calls made + missing)',
  },
  'record.ranges': {
    name: 'Ranges held',
    unit: 'percent',
    meaning: 'How often the price at the end of the horizon was inside the range frozen with the call.',
    formula: 'calls whose price ended inside ÷ graded calls with a range',
    reading: 'An 80% range should hold 80% of the time. Well below: too narrow. Well above: too wide',
  },
  'record.interval_score': {
    name: 'Interval score',
    unit: '100 × log return',
    meaning: 'The width of the range plus a penalty for every price outside it. Narrow ranges that hold score best.',
    formula: 'width + 2 ÷ miss rate × distance outside, in log returns (Gneiting and Raftery)',
    reading: 'Lower is better. Below the score of past-year quantiles: better than those quantiles',
  },
  'record.miscalibration': {
    name: 'Miscalibration',
    unit: '0–1',
    meaning: 'How far forecasts of 60% were from occurring 60% of the time. Lower is better.',
    formula: 'binary Brier score − that of the isotonic curve (CORP)',
  },
  'record.discrimination': {
    name: 'Discrimination',
    unit: '0–1',
    meaning: 'How well forecasts separated occurrences from non-occurrences. Higher is better.',
    formula: 'uncertainty − Brier score of the isotonic curve (CORP)',
  },
  'record.recalibrated': {
    name: 'Recalibrated',
    unit: '0–2',
    meaning: 'Brier score of the same calls, recalibrated weekly on the earlier calls of the track.',
    formula:
      'Platt scaling per outcome, fitted on calls settled before the week, with a ridge worth four windows toward no correction; normalized to sum to 1',
    reading: 'Well below the original score: the track is overconfident or biased',
  },
  'record.difference': {
    name: 'Brier score minus base rates',
    unit: '−2 to 2, with a 95% interval',
    meaning: 'How much better or worse the calls were than base rates, with its confidence interval.',
    formula: 'mean over issue dates of the difference; circular block bootstrap in blocks of max(10 d, 2 h)',
    reading: 'Below 0: better than base rates. An interval that contains 0: no significant difference',
  },
  'record.direction': {
    name: 'Direction',
    unit: 'p',
    meaning:
      'Whether the direction was predicted better than the frequencies of up and down explain. Constant calls cannot be tested.',
    formula: 'Pesaran and Timmermann on independent dates, one-sided',
    reading: 'Not part of the verdict. A small p suggests skill at direction',
  },
  'record.missing': {
    name: 'Missing',
    unit: 'calls and percent',
    meaning: 'Requested calls that were not made. Counted so that no analyst can skip difficult calls.',
    formula: 'missing ÷ (calls made + missing)',
  },
  'record.pool': {
    name: 'Weighted consensus',
    unit: '0–2',
    meaning: 'Brier score of the consensus with weights learned from past losses.',
    formula:
      'exponential weights on the loss of each model relative to the equal pool, over windows settled before the week; p by Diebold–Mariano, from 28d by t over independent dates',
    reading: 'Equal weights are used until p is below 0.05',
  },
  'record.contribution': {
    name: 'Contribution to the pool',
    unit: '−2 to 2',
    meaning:
      'How much a forecaster improves the equally weighted league pool, on forecasts that others also made that day.',
    formula: 'mean Brier score of the pool without the forecaster − with the forecaster',
    reading: 'Above 0: improves the pool. Below 0: worsens it',
  },
};
