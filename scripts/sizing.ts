import { parseArgs } from 'node:util';
import { constantsOf, readMeasured } from './sizing/measured.ts';
import { ASKED, nextSteps, sizingTable, stagesTo } from './sizing/model.ts';

const USAGE = 'npm run sizing -- [--viewers N] [--rules N] [--rows-per-month N] [--only]';

function parseInteger(name: string, text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  console.error(`--${name} must be a whole number above 0\n${USAGE}`);
  return process.exit(2);
}

function read() {
  const options = {
    viewers: { type: 'string' },
    rules: { type: 'string' },
    'rows-per-month': { type: 'string' },
    /** Only the given load, without intermediate stages. */
    only: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return process.exit(2);
  }
}

const values = read();
const load = {
  viewers: parseInteger('viewers', values.viewers, ASKED.viewers),
  rules: parseInteger('rules', values.rules, ASKED.rules),
  rowsPerMonth: parseInteger('rows-per-month', values['rows-per-month'], ASKED.rowsPerMonth),
};
const constants = constantsOf(readMeasured());
const loads = values.only ? [load] : stagesTo(load);
console.log(sizingTable(loads, constants));
for (const each of loads)
  console.log(`\n${each.viewers.toLocaleString('en-US')} viewers: ${nextSteps(each, constants).join('; ')}`);
