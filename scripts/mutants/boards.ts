import type { Mutant } from '#tests/support/mutant.ts';

const JOBS = 'src/features/operations/server/jobs';
const SOURCES = 'src/features/operations/server/sources';
const LANDING = 'src/features/site/server/landing';
const RUNS = { file: `${JOBS}/service.ts`, tests: [`${JOBS}/jobs.test.ts`] };
const QUEUE = { file: `${JOBS}/store.ts`, tests: [`${JOBS}/jobs.test.ts`] };
const REDACT = { file: `${JOBS}/service.ts`, tests: [`${JOBS}/jobs.test.ts`] };
const COLLECT = { file: `${SOURCES}/service.ts`, tests: [`${SOURCES}/board.test.ts`] };
const FACTS = { file: `${LANDING}/service.ts`, tests: [`${LANDING}/facts.test.ts`, `${LANDING}/landing.test.ts`] };
const FRONT = { file: `${LANDING}/service.ts`, tests: [`${LANDING}/landing.test.ts`] };

/** Errors in manual admin actions, in the admin boards, and in the claims of the landing page. */
export const MUTANTS: Mutant[] = [
  {
    ...RUNS,
    name: 'what needs a payload is started without',
    from: '  if (why) throw new AppError',
    to: '  if (!why) throw new AppError',
  },
  {
    ...RUNS,
    name: 'a job runs twice at once',
    from: 'if (busy) throw new AppError',
    to: 'if (!busy) throw new AppError',
  },
  {
    ...RUNS,
    name: 'a run is retried twice',
    from: "if (run.state !== 'failed') throw",
    to: "if (run.state === 'unknown') throw",
  },
  {
    ...RUNS,
    name: 'a retry beside a run under way',
    from: 'const busy = declared.exclusive && (',
    to: 'const busy = declared.exclusive === undefined && (',
  },
  {
    ...RUNS,
    tests: COLLECT.tests,
    name: 'a failed run is told as done',
    from: "if (state === 'failed' || state === 'cancelled')",
    to: "if (state === 'cancelled')",
  },
  { ...RUNS, name: 'a start leaves no trace', from: "action: 'job.run'", to: "action: 'job.retry'" },
  {
    ...QUEUE,
    name: 'failures of all time are those of today',
    from: "and completed_on > now() - interval '24 hours'",
    to: '',
  },
  {
    ...QUEUE,
    name: 'what runs stands as waiting',
    from: "when state = 'active' then 'active'",
    to: "when state = 'active' then 'waiting'",
  },
  { ...REDACT, name: 'secrets of a payload are shown', from: "if (SECRET.test(name)) return '[redacted]';", to: '' },
  { ...REDACT, name: 'an error is shown whole', from: '.slice(0, ERROR_LINES)', to: '' },
  { ...COLLECT, name: 'a source that is off is asked', from: 'if (!sources.isOn(id)) return', to: 'if (false) return' },
  { ...COLLECT, name: 'a source is asked again at once', from: 'if (rest > 0) return', to: 'if (false) return' },
  {
    ...COLLECT,
    name: 'a source that asked for a rest gets none',
    from: 'if (slowDown > 0) return',
    to: 'if (false) return',
  },
  {
    ...COLLECT,
    name: 'a month is overspent by hand',
    from: 'if (budget && budget.used >= budget.limit)',
    to: 'if (budget && budget.used < 0)',
  },
  {
    ...COLLECT,
    name: 'a source that did not answer has answered',
    from: "if (lastSuccessAt !== success_before && (state === 'ok' || !hasFailed))",
    to: 'if (runs.length > 0)',
  },
  {
    ...COLLECT,
    name: 'collecting leaves no trace',
    from: "action: 'source.collect', details",
    to: "action: 'job.run', details",
  },
  { ...FACTS, name: 'a miss counts as a hit', from: 'hit: accuracy === 100', to: 'hit: accuracy >= 0' },
  { ...FACTS, name: 'the strip names the wrong day', from: 'issuedFrom: issued', to: 'issuedFrom: settled' },
  { ...FACTS, name: 'the file is not the one that is summed', from: '.update(text)', to: ".update(text + ' ')" },
  { ...FRONT, name: 'an alert that is sold is given away', from: 'new Date(at.getTime() - HOUR_MS)', to: 'at' },
];
