import { readFileSync } from 'node:fs';
import { z } from 'zod';

const positive = z.number().positive();
const figure = z.strictObject({ value: positive, unit: z.string().min(5), source: z.string().min(5) });
const assumption = z.strictObject({ value: positive, unit: z.string().min(5) });

const figuresOf = <Name extends string>(names: readonly Name[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, figure])) as Record<Name, typeof figure>);
const assumptionsOf = <Name extends string>(names: readonly Name[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, assumption])) as Record<Name, typeof assumption>);

const FIGURES = [
  'dashboardCpuUs',
  'streamCpuUs',
  'streamKb',
  'frameBytes',
  'dashboardBytes',
  'processMb',
  'signInCpuMs',
  'historyMs',
  'ruleBytes',
  'tickUs',
  'ruleLoadUs',
  'fireMs',
  'fanRowsPerSecond',
  'sendRowsPerSecond',
  'telegramPerSecond',
  'rowBytes',
  'connectionsPerProcess',
] as const;
const ASSUMED = [
  'framesPerSecond',
  'requestsPerViewerPerMinute',
  'historyShare',
  'signInsPerViewerPerHour',
  'valuesPerSecond',
  'firesPerRulePerDay',
  'stormShare',
  'channelsPerFire',
  'telegramShare',
  'monthsKept',
  'use',
  'streamsPerProcess',
  'machineCores',
  'machineGb',
  'machineGigabits',
  'connectionsOfDatabase',
] as const;

const measured = z.strictObject({
  machine: z.string().min(5),
  figures: figuresOf(FIGURES),
  assumed: assumptionsOf(ASSUMED),
});
type Measured = z.output<typeof measured>;

/** Measured and assumed values, as plain numbers. */
export type Constants = Record<(typeof FIGURES)[number] | (typeof ASSUMED)[number], number>;

export const MEASURED_FILE = 'docs/measured.json';

/** docs/measured.json: each figure with its unit and where it was measured. Throws when one is missing or unknown. */
export function readMeasured(file = MEASURED_FILE): Measured {
  return measured.parse(JSON.parse(readFileSync(file, 'utf8')));
}

export function constantsOf({ figures, assumed }: Measured): Constants {
  const values = Object.entries({ ...figures, ...assumed }).map(([name, { value }]) => [name, value]);
  return Object.fromEntries(values) as Constants;
}
