import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/alerts/server';
const ENGINE = `${SERVER}/thresholds/engine`;
const GATE = { file: `${SERVER}/alerts/raise.ts`, tests: [`${SERVER}/alerts/gate.test.ts`] };
const RULES = { file: `${ENGINE}/engine.ts`, tests: [`${ENGINE}/engine.test.ts`, `${ENGINE}/examples.test.ts`] };
const LEG = { ...RULES, file: `${ENGINE}/legs.ts` };
const raising = (file: string, test = 'alerts') => ({
  file: `${SERVER}/alerts/${file}.ts`,
  tests: [`${SERVER}/alerts/${test}.test.ts`],
});

/** Errors in built-in alerts and in the engine of custom rules. */
export const MUTANTS: Mutant[] = [
  { ...GATE, name: 'no hysteresis', from: 'strength <= toStrength(clear[retained - 1] as number)', to: 'true' },
  { ...GATE, name: 'a first look floods', from: 'if (!before && !alertsInitially)', to: 'if (false)' },
  { ...GATE, name: 'no cooldown', from: 'cooldownHours * HOUR_MS', to: '0' },
  { ...GATE, name: 'a higher step waits for the cooldown', from: '(hasCooled || isFurther)', to: 'hasCooled' },
  { ...GATE, name: 'levels below are read as above', from: '(below ? -level : level)', to: 'level' },
  { ...GATE, name: 'the way back is silent', from: '(isOut || inBothDirections === true)', to: 'isOut' },
  {
    ...raising('raise'),
    name: "an account's own alert goes to everyone",
    from: 'user_id === null).map(toRaised)',
    to: 'user_id !== undefined).map(toRaised)',
  },
  {
    ...raising('store'),
    name: 'an alert reaches other accounts',
    from: 'where user_id = ${userId}::bigint and id < ',
    to: 'where user_id is not null and id < ',
  },
  {
    ...raising('rules/triggers', 'months'),
    name: 'a move of the whole market is raised for each coin',
    from: 'Math.min(Math.abs(whole), Math.abs(alone) - 1)',
    to: 'Math.abs(whole)',
  },
  { ...LEG, name: 'a level must be exceeded', from: 'value >= high ? ON', to: 'value > high ? ON' },
  { ...LEG, name: 'a level passed within one value is missed', from: 'OFF_ABOVE | PASSED', to: 'OFF_ABOVE' },
  { ...LEG, name: 'no margin', from: 'value <= low || state === UNKNOWN ? OFF : state', to: 'OFF' },
  { ...RULES, name: 'a late value is judged', from: 'at < series.at ||', to: '' },
  { ...RULES, name: 'not a number is judged', from: ' || !Number.isFinite(value)', to: '' },
  {
    ...RULES,
    name: 'what holds when saved fires',
    from: 'before !== UNKNOWN && holds(result)) mark',
    to: 'holds(result)) mark',
  },
  { ...RULES, name: 'an expired rule fires', from: 'knownAt >= rare.expiresAt', to: 'knownAt > rare.expiresAt' },
  { ...RULES, name: 'a rule fires outside its schedule', from: '!isWithin(rare.schedule, knownAt)', to: 'false' },
  { ...RULES, name: 'a rule that fires once fires again', from: 'if (readStatus(rule) & DONE) return;', to: '' },
  { ...RULES, name: 'hold time is ignored', from: 'if (rare.holdMs > 0) {', to: 'if (false) {' },
  {
    ...RULES,
    name: 'one of two conditions is enough',
    from: 'Boolean(first && second)',
    to: 'Boolean(first || second)',
  },
];
