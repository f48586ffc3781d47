import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/analysis/server/predictions';
const scoring = (file: string, test = file) => ({
  file: `${SERVER}/scoring/${file}.ts`,
  tests: [`${SERVER}/scoring/${test}.test.ts`],
});
const ledger = (file: string) => ({ file: `${SERVER}/${file}.ts`, tests: [`${SERVER}/ledger.test.ts`] });

/** Errors in scores, significance tests and the hash chain. */
export const MUTANTS: Mutant[] = [
  {
    ...scoring('scores'),
    name: 'Brier score halved',
    from: 'a * a + b * b + c * c',
    to: '(a * a + b * b + c * c) / 2',
  },
  {
    ...scoring('scores'),
    name: 'RPS of the first class only',
    from: 'first * first + second * second',
    to: 'first * first',
  },
  {
    ...scoring('scores'),
    name: 'log score of an impossible outcome is infinite',
    from: 'Math.max(probabilities[outcome], SMALLEST_PROBABILITY)',
    to: 'probabilities[outcome]',
  },
  {
    ...scoring('scores'),
    name: 'a tie is a call of up',
    from: 'if (up > flat && up > down)',
    to: 'if (up >= flat && up >= down)',
  },
  {
    ...scoring('scores'),
    name: 'skill against the weakest reference',
    from: 'Math.min(...references)',
    to: 'Math.max(...references)',
  },
  {
    ...scoring('volatility', 'baselines'),
    name: 'the edge of the band is no longer flat',
    from: 'Math.abs(r) <= band',
    to: 'Math.abs(r) < band',
  },
  {
    ...scoring('scores', 'baselines'),
    name: 'the band of a past window looks ahead',
    from: 'volatility[start] as number',
    to: 'volatility[start + days] as number',
  },
  {
    ...scoring('scores', 'baselines'),
    name: 'base rates from too few windows',
    from: 'n < FEWEST_WINDOWS',
    to: 'n === 0',
  },
  {
    ...scoring('intervals'),
    name: 'interval too narrow',
    from: 'square / (4 * n * n)',
    to: 'square / (4 * n * n * n)',
  },
  {
    ...scoring('intervals'),
    name: 'a bootstrap p of zero',
    from: '(1 + notBelow) / (resamples + 1)',
    to: 'notBelow / resamples',
  },
  {
    ...scoring('dates', 'compare'),
    name: 'overlapping windows counted as independent',
    from: 'Math.max(10, 2 * horizonDays)',
    to: 'horizonDays',
  },
  {
    ...scoring('all', 'verdict'),
    name: 'no correction for multiple testing',
    from: '(ps.length - rank) *',
    to: '1 *',
  },
  {
    ...scoring('all', 'verdict'),
    name: 'untested cells leave the family',
    from: '(ps.length - rank)',
    to: '(order.length - rank)',
  },
  { ...scoring('compare', 'verdict'), name: 'ahead of one baseline is enough', from: ', ...aheadOfOthers)', to: ')' },
  {
    ...scoring('compare', 'verdict'),
    name: 'a verdict from too few windows',
    from: 'nEff >= FEWEST_WINDOWS',
    to: 'nEff > 0',
  },
  {
    ...scoring('calibration', 'recalibration'),
    name: 'recalibration learns from outcomes not known yet',
    from: 'next.settledAt < week',
    to: 'next.issuedAt < week',
  },
  { ...ledger('chain'), name: 'the body is not hashed', from: 'recorded_at, kind, body]', to: 'recorded_at, kind]' },
  { ...ledger('chain'), name: 'entries are not chained', from: '[before, seq,', to: '[seq,' },
  { ...ledger('service/freeze'), name: 'a late call is frozen', from: 'ageMs > LATEST_MS ||', to: '' },
  {
    ...ledger('service/freeze'),
    name: 'an entry older than the newest one',
    from: 'Date.parse(last.recorded_at) > at.getTime()',
    to: 'Date.parse(last.recorded_at) > at.getTime() + 1e12',
  },
  {
    ...ledger('service/verify'),
    name: 'a changed record goes unnoticed',
    from: 'canonicalJson(factsIn(body))',
    to: 'canonicalJson(factsOf(row))',
  },
  {
    ...ledger('service/verify'),
    name: 'a published root is not compared',
    from: 'if (hash !== found)',
    to: 'if (found === undefined)',
  },
  { ...ledger('service'), name: 'a call is graded twice', from: 'open.has(call.seq)', to: 'open.size >= 0' },
  {
    ...ledger('service'),
    name: 'the return has the wrong sign',
    from: 'Math.log(price.usd / call.price)',
    to: 'Math.log(call.price / price.usd)',
  },
];
