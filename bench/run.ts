import { parseArgs } from 'node:util';

import { alertsOwner } from './alerts-owner.ts';
import { alertsPersist } from './alerts-persist.ts';
import { alertsPreview } from './alerts-preview.ts';
import { alertsTick } from './alerts-tick.ts';
import { analyticsBacktest } from './analytics-backtest.ts';
import { analyticsRisk } from './analytics-risk.ts';
import { backup } from './backup.ts';
import { type Benchmark, type Context, evaluate, type Result } from './benchmark.ts';
import { correlation } from './correlation.ts';
import { cost } from './cost.ts';
import { crowdConnections } from './crowd-connections.ts';
import { exportedFiles } from './exports.ts';
import { exportsLoad } from './exports-load.ts';
import { history } from './history.ts';
import { historySize } from './history-size.ts';
import { httpAccounts } from './http-accounts.ts';
import { httpDashboard } from './http-dashboard.ts';
import { httpMetrics } from './http-metrics.ts';
import { httpRebuild } from './http-rebuild.ts';
import { httpTwoProcesses } from './http-two-processes.ts';
import { httpV1 } from './http-v1.ts';
import { ingestTick } from './ingest-tick.ts';
import { notifications } from './notifications.ts';
import { notificationsSubscribers } from './notifications-subscribers.ts';
import { soak } from './soak.ts';
import { sseFanout } from './sse-fanout.ts';
import { start } from './start.ts';
import { webBoard } from './web-board.ts';
import { webCls } from './web-cls.ts';
import { webWeight } from './web-weight.ts';

const BENCHMARKS: Benchmark[] = [
  httpDashboard,
  httpAccounts,
  httpV1,
  httpMetrics,
  httpTwoProcesses,
  httpRebuild,
  exportsLoad,
  ingestTick,
  alertsTick,
  alertsOwner,
  alertsPersist,
  notifications,
  notificationsSubscribers,
  correlation,
  analyticsRisk,
  analyticsBacktest,
  alertsPreview,
  sseFanout,
  crowdConnections,
  history,
  historySize,
  exportedFiles,
  backup,
  cost,
  start,
  soak,
  webBoard,
  webCls,
  webWeight,
];

const { values: flags, positionals } = parseArgs({ options: { ci: { type: 'boolean' } }, allowPositionals: true });
const ci = flags.ci ?? false;
const results: Result[] = [];
let failedBenchmarks = 0;

/** "http" selects every benchmark whose name starts with it. */
const isSelected = (name: string) =>
  positionals.length === 0 || positionals.some((selected) => name === selected || name.startsWith(`${selected}.`));

async function runOne(benchmark: Benchmark): Promise<void> {
  const steps: (() => unknown)[] = [];
  const context: Context = {
    ci,
    emit(reading) {
      if (
        !benchmark.names.some(
          (name) => isSelected(name) && (reading.name === name || reading.name.startsWith(`${name}.`)),
        )
      )
        return;
      const result = evaluate(reading, ci);
      results.push(result);
      console.log(JSON.stringify(result));
    },
    note: (text) => console.log(`  ${text}`),
    cleanUp: (step) => steps.push(step),
  };
  const resultsBefore = results.length;
  try {
    await benchmark.run(context);
    if (results.length === resultsBefore) throw new Error(`${benchmark.names.join(', ')}: nothing was measured`);
  } catch (error) {
    failedBenchmarks++;
    console.error(error);
  } finally {
    for (const step of steps.toReversed()) await step();
  }
}

function printTable(): void {
  const head = ['name', 'n', 'subject', 'baseline', 'unit', 'ratio', 'goal', ''];
  const rows = results.map(({ name, n, subject, baseline, unit, ratio, goal, pass }) =>
    [
      name,
      n,
      subject,
      baseline ?? '',
      unit,
      ratio,
      goal ?? '(information)',
      goal === null ? '' : pass ? 'pass' : 'MISSED',
    ].map(String),
  );
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows])
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

const selected = BENCHMARKS.filter(({ names }) => names.some(isSelected));
if (selected.length === 0) {
  console.error(`Unknown benchmark. Benchmarks: ${BENCHMARKS.flatMap(({ names }) => names).join(', ')}`);
  process.exit(2);
}
for (const benchmark of selected) await runOne(benchmark);
console.log();
printTable();
const missedGoals = results.filter(({ pass }) => !pass).length;
console.log(
  `\n${results.length - missedGoals} within their goals, ${missedGoals} missed${failedBenchmarks ? `, ${failedBenchmarks} could not run` : ''}`,
);
process.exit(missedGoals + failedBenchmarks > 0 ? 1 : 0);
