import { calledOutcome } from '#features/analysis/server/predictions/scoring/scores.ts';

import {
  type Calls,
  callPages,
  coinRangePages,
  countCalls,
  countCoinRanges,
  countOpinions,
  opinionPages,
} from '../store/datasets.ts';
import type { Row, Scope } from '../store/scope.ts';
import { column, type Dataset } from './dataset.ts';

const share = (name: string, title: string) => column(name, title, 'number', '0 to 1');
const time = (name: string, title: string) => column(name, title, 'time', 'UTC');
const CHANCES = [share('p_up', 'Up'), share('p_flat', 'Flat'), share('p_down', 'Down')];

const scopeMethod = ({ mode }: Scope) => (mode === 'demo' ? 'demo' : 'computed');

export const OPINIONS: Dataset = {
  name: 'ai_analysis',
  title: 'AI analysis',
  grain: 'one analyst and horizon of one analysis',
  observed: 'issued_at',
  columns: [
    time('issued_at', 'Requested'),
    column('analysis_id', 'Analysis'),
    column('source', 'Analyst'),
    column('name', 'Name'),
    column('model', 'Model'),
    column('model_version', 'Version'),
    column('horizon', 'Horizon'),
    column('direction', 'Direction'),
    column('confidence', 'Confidence', 'number', '%'),
    ...CHANCES,
    column('reasoning', 'Reasoning'),
    column('key_factors', 'Key factors'),
    column('risk_factors', 'Risk factors'),
    column('overall_reasoning', 'Overall reasoning'),
    column('imputed', 'Probabilities imputed', 'boolean'),
    column('failure', 'Reason for missing response'),
    time('fetched_at', 'Responded'),
    column('method', 'Method'),
  ],
  count: countOpinions,
  async *pages(db, scope) {
    const method = scopeMethod(scope);
    for await (const rows of opinionPages(db, scope)) yield rows.map((row) => ({ ...row, method }));
  },
};

const usd = (name: string, title: string) => column(name, title, 'number', 'USD');
const ENDS = [
  usd('range_80_low', '80% range from'),
  usd('range_80_high', '80% range to'),
  usd('range_95_low', '95% range from'),
  usd('range_95_high', '95% range to'),
];
const HELD = [
  column('held_80', 'Inside the 80% range', 'boolean'),
  column('held_95', 'Inside the 95% range', 'boolean'),
];

const CALL = [
  column('seq', 'Entry', 'number'),
  column('analysis_id', 'Analysis'),
  column('source', 'Analyst'),
  column('model', 'Model'),
  column('asset', 'Asset'),
  column('horizon', 'Horizon'),
  time('issued_at', 'Issued'),
  time('resolves_at', 'Resolves'),
  ...CHANCES,
  column('called', 'Call'),
  column('imputed', 'Probabilities imputed', 'boolean'),
  usd('price_usd', 'Price at issue'),
  column('band', 'Flat within', 'number', 'log return'),
  ...ENDS,
];

const probabilities = (row: Row) => ({
  up: Number(row['p_up']),
  flat: Number(row['p_flat']),
  down: Number(row['p_down']),
});

const calls = (which: Calls, about: Pick<Dataset, 'name' | 'title' | 'grain' | 'observed' | 'columns'>): Dataset => ({
  ...about,
  count: (db, scope, most) => countCalls(db, which, scope, most),
  async *pages(db, scope) {
    for await (const rows of callPages(db, which, scope))
      yield rows.map((row) => {
        const called = calledOutcome(probabilities(row));
        return { ...row, called, accuracy: called === row['outcome'] ? 100 : 0 };
      });
  },
});

export const FROZEN = calls('frozen', {
  name: 'ai_predictions',
  title: 'AI predictions',
  grain: 'one recorded call by one analyst for one asset and horizon',
  observed: 'issued_at',
  columns: [...CALL, column('state', 'State')],
});

export const GRADED = calls('graded', {
  name: 'backtest_results',
  title: 'Backtest results',
  grain: 'one graded call by one analyst for one asset and horizon',
  observed: 'outcome_at',
  columns: [
    ...CALL,
    share('climatology_up', 'Base rate up'),
    share('climatology_flat', 'Base rate flat'),
    share('climatology_down', 'Base rate down'),
    share('persistence_up', 'Persistence up'),
    share('persistence_flat', 'Persistence flat'),
    share('persistence_down', 'Persistence down'),
    column('outcome', 'Outcome'),
    column('log_return', 'Log return', 'number', 'log return'),
    column('accuracy', 'Accuracy', 'number', '%'),
    ...HELD,
    column('outcome_seq', 'Outcome ledger entry', 'number'),
    time('outcome_at', 'Graded'),
  ],
});

/** Every coin except the five whose ranges are frozen with their calls. */
export const COIN_RANGES: Dataset = {
  name: 'coin_ranges',
  title: 'Daily price ranges',
  grain: 'one coin, day and horizon',
  observed: 'starts_at',
  columns: [
    time('starts_at', 'Start'),
    time('ends_at', 'End'),
    time('issued_at', 'Issued'),
    column('symbol', 'Symbol'),
    column('coin', 'Coin'),
    column('horizon', 'Horizon'),
    usd('price_usd', 'Start price'),
    ...ENDS,
    usd('end_price_usd', 'End price'),
    ...HELD,
    column('counted', 'Counts toward the record', 'boolean'),
    column('source', 'Analyst'),
    column('model_version', 'Version'),
    column('method', 'Method'),
  ],
  count: countCoinRanges,
  async *pages(db, scope) {
    const method = scopeMethod(scope);
    for await (const rows of coinRangePages(db, scope)) yield rows.map((row) => ({ ...row, method }));
  },
};
