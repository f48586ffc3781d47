import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest tests, which mostly wait: started last, they would extend the whole run. */
const LONGEST_FILES = [
  'tests/processes/shutdown.test.ts',
  'tests/processes/killed.test.ts',
  'src/app/server/jobs-twice.slow.test.ts',
  'tests/processes/saves.test.ts',
  'tests/processes/saved-before-rotation.test.ts',
  'tests/processes/beside.test.ts',
  'src/features/exports/server/exports/making.test.ts',
  'src/features/exports/server/exports/contents.test.ts',
  'src/features/payments/server/billing/grants.test.ts',
  'src/features/market/server/metrics/service/liquidations.test.ts',
  'src/features/alerts/server/alerts/judge.test.ts',
  'src/features/inflation/server/sources.test.ts',
  'src/features/market/server/market/collect.test.ts',
  'src/features/analysis/server/analysis/analysts.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const index = LONGEST_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
  return index === -1 ? LONGEST_FILES.length : index;
};

/** Files in the default order, but the slowest first. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const defaultOrder = await super.sort(files);
    return defaultOrder.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
