import { parseArgs } from 'node:util';

import { ASKED, sizingTable } from './sizing/document.ts';
import { constantsOf, readMeasured } from './sizing/measured.ts';
import { nextSteps, stagesTo } from './sizing/model.ts';

const USAGE = 'npm run sizing -- [--viewers N] [--rules N] [--rows-per-month N] [--only]';

function wholeOf(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  console.error(`--${name} has to be a whole number above 0\n${USAGE}`);
  return process.exit(2);
}

const { values } = parseArgs({
  options: {
    viewers: { type: 'string' },
    rules: { type: 'string' },
    'rows-per-month': { type: 'string' },
    /** The load alone, without the steps that lead there. */
    only: { type: 'boolean' },
  },
});
const load = {
  viewers: wholeOf('viewers', values.viewers, ASKED.viewers),
  rules: wholeOf('rules', values.rules, ASKED.rules),
  rowsPerMonth: wholeOf('rows-per-month', values['rows-per-month'], ASKED.rowsPerMonth),
};
const constants = constantsOf(readMeasured());
const loads = values.only ? [load] : stagesTo(load);
console.log(sizingTable(loads, constants));
for (const each of loads)
  console.log(`\n${each.viewers.toLocaleString('en-US')} viewers: ${nextSteps(each, constants).join('; ')}`);
