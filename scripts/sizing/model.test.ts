import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Constants, constantsOf, readMeasured } from './measured.ts';
import { ASKED, type Load, nextSteps, operationsDocument, type Plan, plan, sizingTable, stagesTo } from './model.ts';

const REAL = constantsOf(readMeasured());
/** Round figures, for easy mental arithmetic. */
const ROUND: Constants = {
  dashboardCpuUs: 20,
  streamCpuUs: 10,
  streamKb: 16,
  frameBytes: 5000,
  dashboardBytes: 10_000,
  processMb: 256,
  signInCpuMs: 36,
  historyMs: 10,
  ruleBytes: 1024,
  tickUs: 4,
  ruleLoadUs: 10,
  fireMs: 0.5,
  fanRowsPerSecond: 50_000,
  sendRowsPerSecond: 25_000,
  telegramPerSecond: 25,
  rowBytes: 256,
  connectionsPerProcess: 12,
  framesPerSecond: 1,
  requestsPerViewerPerMinute: 3,
  historyShare: 0.02,
  signInsPerViewerPerHour: 0.1,
  valuesPerSecond: 250,
  firesPerRulePerDay: 1,
  stormShare: 0.06,
  channelsPerFire: 2,
  telegramShare: 0.1,
  monthsKept: 12,
  use: 0.5,
  streamsPerProcess: 10_000,
  machineCores: 8,
  machineGb: 32,
  machineGigabits: 10,
  connectionsOfDatabase: 400,
};

const amount = fc.integer({ min: 1, max: 10_000_000 });
const loads = fc.record({ viewers: amount, rules: amount, rowsPerMonth: fc.integer({ min: 1, max: 1e10 }) });

describe('sizing arithmetic', () => {
  test('100,000 viewers, 1 M rules and 10 M rows per month, by hand', () => {
    const p = plan({ viewers: 100_000, rules: 1_000_000, rowsPerMonth: 10_000_000 }, ROUND);
    expect(p.requestsPerSecond).toBe(5000);
    // Per second: 0.1 s for responses, 1 s for frames, 0.1 s for sign-ins, at half utilization.
    expect(p.webCores).toBeCloseTo(2.4, 9);
    expect(p.webProcesses).toBe(10);
    expect(p.webGb).toBeCloseTo(10 / 4 + 1_600_000 / 1024 ** 2, 9);
    expect(p.ownerSeconds).toBeCloseTo(10, 9);
    // 1,000 fires per second take half a second: one core at half utilization.
    expect(p.shards).toBe(1);
    expect(p.stormSeconds).toBeCloseTo(120_000 / 50_000 + 120_000 / 25_000, 9);
    expect(p.telegramSeconds).toBeCloseTo(480, 9);
    expect(p.connections).toBe((10 + p.workers) * 12);
    expect(p.diskGb).toBeCloseTo(((10_000_000 * 12 * 256) / 1024 ** 3) * 1.5, 9);
    expect(p.frameGigabits).toBeCloseTo(4, 9);
    expect(p.gigabits).toBeCloseTo(4.4, 9);
    // 100 pages of history per second at 10 ms, in addition to fires and deliveries.
    expect(p.databaseCores).toBeCloseTo((1 + 0.5 + 2_000_000 / 86_400 / 25_000) / 0.5, 6);
  });

  test('a higher load never needs fewer resources', () => {
    const grown = (load: Load, by: Load): Load => ({
      viewers: load.viewers + by.viewers,
      rules: load.rules + by.rules,
      rowsPerMonth: load.rowsPerMonth + by.rowsPerMonth,
    });
    const none = { viewers: 0, rules: 0, rowsPerMonth: 0 };
    const parts = fc.constantFrom<keyof Load>('viewers', 'rules', 'rowsPerMonth');
    fc.assert(
      fc.property(loads, parts, amount, (load, part, more) => {
        const [less, greater] = [plan(load, REAL), plan(grown(load, { ...none, [part]: more }), REAL)];
        for (const key of Object.keys(less) as (keyof Plan)[])
          expect(greater[key], key).toBeGreaterThanOrEqual(less[key]);
      }),
    );
  });

  test('everything fits the plan: processes into machines, streams into processes, usage into cores', () => {
    fc.assert(
      fc.property(loads, (load) => {
        const p = plan(load, REAL);
        for (const value of Object.values(p)) expect(Number.isFinite(value) && value >= 0).toBe(true);
        expect(p.webProcesses * REAL.streamsPerProcess).toBeGreaterThanOrEqual(load.viewers);
        expect(p.webProcesses).toBeGreaterThanOrEqual(p.webCores);
        expect(p.machines * REAL.machineCores).toBeGreaterThanOrEqual(p.webCores + p.workerCores + p.databaseCores);
        expect(p.machines * REAL.machineGb).toBeGreaterThanOrEqual(p.webGb + p.workerGb + p.databaseGb);
        expect(p.gigabits).toBeGreaterThanOrEqual(p.frameGigabits);
        expect(p.machines * REAL.machineGigabits * REAL.use).toBeGreaterThanOrEqual(p.gigabits);
      }),
    );
  });

  test('a slower measurement never reduces the plan', () => {
    const costs = fc.constantFrom<keyof Constants>(
      'dashboardCpuUs',
      'streamCpuUs',
      'streamKb',
      'ruleBytes',
      'rowBytes',
      'fireMs',
    );
    fc.assert(
      fc.property(loads, costs, fc.double({ min: 1, max: 10, noNaN: true }), (load, cost, factor) => {
        const slower = plan(load, { ...REAL, [cost]: REAL[cost] * factor });
        expect(slower.machines).toBeGreaterThanOrEqual(plan(load, REAL).machines);
        expect(slower.diskGb).toBeGreaterThanOrEqual(plan(load, REAL).diskGb);
      }),
    );
  });

  test('the stages lead from a thousandth to the requested load', () => {
    expect(stagesTo(ASKED).map(({ viewers }) => viewers)).toEqual([1000, 10_000, 100_000, 1_000_000]);
    expect(nextSteps({ viewers: 1000, rules: 1000, rowsPerMonth: 100_000 }, REAL)).toEqual(['one machine is enough']);
    expect(nextSteps(ASKED, REAL).join()).toMatch(/web processes behind a proxy.*PgBouncer.*CDN/);
    expect(sizingTable([ASKED], REAL).split('\n')[0]).toBe('| viewers at once | 1,000,000 |');
  });

  test('the tables in docs/operations.md match the arithmetic', () => {
    expect(readFileSync('docs/operations.md', 'utf8')).toBe(operationsDocument());
  });
});
