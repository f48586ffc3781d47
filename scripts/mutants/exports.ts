import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/exports/server/exports';
const part = (file: string, test: string) => ({ file: `${SERVER}/${file}.ts`, tests: [`${SERVER}/${test}.test.ts`] });
const CREATE = part('service/create', 'create');
const SERVE = part('service/files', 'files');
const MAKE = part('service/run-export', 'making');
const CONTENTS = part('store/scope', 'contents');
const WRITERS = ['src/kernel/files/write.test.ts', 'src/kernel/files/readers.test.ts'];
const CSV = { file: 'src/kernel/files/csv.ts', tests: WRITERS };

/** Errors in the content of export files, access to them and their creation. */
export const MUTANTS: Mutant[] = [
  { ...CSV, name: 'a formula is left as it is', from: "if (FORMULA.test(clean)) clean = `'${clean}`;", to: '' },
  { ...CSV, name: 'quotes are not doubled', from: `replaceAll('"', '""')`, to: `replaceAll('"', '"')` },
  { ...CSV, name: 'a comma splits a cell', from: String.raw`/[",\r\n]/`, to: String.raw`/["\r\n]/` },
  { ...CSV, name: 'an empty text is null', from: `if (clean === '') return '""';`, to: '' },
  {
    file: 'src/kernel/files/text.ts',
    name: 'control characters reach XML',
    from: "replaceAll(FORBIDDEN, '')",
    to: "replaceAll(/!/g, '')",
    tests: WRITERS,
  },
  { ...CREATE, name: 'PDF on Pro', from: 'PREMIUM_FORMATS.has(asked.format) ||', to: '' },
  { ...CREATE, name: 'more exports than the plan allows', from: 'load.today >= perDay', to: 'load.today > perDay' },
  { ...CREATE, name: 'exports at once pass the limit', from: 'await lockUser(tx, caller.userId);', to: '' },
  { ...CREATE, name: 'cancelled exports are free without limit', from: 'load.wasted >= WASTED_PER_DAY', to: 'false' },
  {
    ...part('service/range', 'create'),
    name: 'the last day is cut off',
    from: 'midnight(endDate) + DAY_MS - 1',
    to: 'midnight(endDate) - 1',
    tests: [`${SERVER}/contents.test.ts`],
  },
  {
    ...SERVE,
    name: 'a part of another file is appended',
    from: 'ifRange === undefined || ifRange === etag',
    to: 'true',
  },
  {
    ...SERVE,
    name: 'a part ends one byte late',
    from: 'start: first, end: last }',
    to: 'start: first, end: last + 1 }',
  },
  {
    ...MAKE,
    name: 'a broken attempt leaves its file',
    from: "if (end.why !== 'made') await removeFiles(ctx.config, row);",
    to: '',
  },
  { ...MAKE, name: 'an export is tried for ever', from: 'row.attempt > ATTEMPTS', to: 'row.attempt > 10 * ATTEMPTS' },
  {
    ...CONTENTS,
    name: 'rows after the range',
    from: '>= ${from}::timestamptz and ${column} <= ${to}',
    to: '>= ${from}::timestamptz and now() <= ${to}',
  },
  {
    ...part('service/read', 'files'),
    name: 'an expired file is served',
    from: '(until !== null && until <= ctx.now().toISOString())',
    to: 'false',
  },
];
