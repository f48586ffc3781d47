import { readFileSync } from 'node:fs';

import { type Constants, constantsOf, readMeasured } from './measured.ts';
import { type Load, nextSteps, plan, stagesTo } from './model.ts';

/** The load that docs/operations.md speaks of. */
export const ASKED: Load = { viewers: 1_000_000, rules: 1_000_000, rowsPerMonth: 100_000_000 };

const [BEGIN, END] = ['<!-- sizing: written by npm run docs -->', '<!-- end of sizing -->'];
const whole = (value: number) => Math.ceil(value).toLocaleString('en-US');
const short = (value: number) => (value < 10 ? value.toFixed(2) : whole(value));

/** One column for each stage. */
export function sizingTable(loads: Load[], constants: Constants): string {
  const plans = loads.map((load) => plan(load, constants));
  const rows: [what: string, values: string[]][] = [
    ['rules', loads.map(({ rules }) => whole(rules))],
    ['rows per month', loads.map(({ rowsPerMonth }) => whole(rowsPerMonth))],
    ['requests per second', plans.map((p) => whole(p.requestsPerSecond))],
    ['Gbit/s out (live frames)', plans.map((p) => `${short(p.gigabits)} (${short(p.frameGigabits)})`)],
    ['web processes', plans.map((p) => whole(p.webProcesses))],
    ['web: cores, GB', plans.map((p) => `${short(p.webCores)}, ${short(p.webGb)}`)],
    ['workers (`ALERT_SHARDS`)', plans.map((p) => `${whole(p.workers)} (${whole(p.shards)})`)],
    ['workers: cores, GB', plans.map((p) => `${short(p.workerCores)}, ${short(p.workerGb)}`)],
    ['rules loaded in, s', plans.map((p) => short(p.ownerSeconds))],
    [
      'busiest minute delivered in, s (Telegram)',
      plans.map((p) => `${short(p.stormSeconds)} (${whole(p.telegramSeconds)})`),
    ],
    ['database: cores, GB', plans.map((p) => `${short(p.databaseCores)}, ${short(p.databaseGb)}`)],
    ['database: connections', plans.map((p) => whole(p.connections))],
    ['disk, GB', plans.map((p) => short(p.diskGb))],
    ['machines', plans.map((p) => whole(p.machines))],
  ];
  const head = `| viewers at once | ${loads.map(({ viewers }) => whole(viewers)).join(' | ')} |`;
  const line = `| --- | ${loads.map(() => '---:').join(' | ')} |`;
  return [head, line, ...rows.map(([what, values]) => `| ${what} | ${values.join(' | ')} |`)].join('\n');
}

function steps(loads: Load[], constants: Constants): string {
  return loads
    .map((load) => `- **${whole(load.viewers)} viewers**: ${nextSteps(load, constants).join('; ')}.`)
    .join('\n');
}

function sizing(): string {
  const constants = constantsOf(readMeasured());
  const loads = stagesTo(ASKED);
  return `${sizingTable(loads, constants)}\n\nWhat each stage adds:\n${steps(loads, constants)}`;
}

/** docs/operations.md with its tables of sizing as the arithmetic gives them. */
export function operationsDocument(file = 'docs/operations.md'): string {
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${file} has no sizing section: ${BEGIN} … ${END}`);
  return `${text.slice(0, from)}${BEGIN}\n${sizing()}\n${text.slice(to)}`;
}
