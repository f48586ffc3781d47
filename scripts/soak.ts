import { parseArgs } from 'node:util';

import { evaluate } from '../bench/benchmark.ts';
import { soakFor } from '../bench/soak.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string' }, ci: { type: 'boolean' } } });
const minutes = Number(values.minutes ?? (values.ci ? 2 : 10));
if (!(minutes > 0 && minutes <= 24 * 60)) {
  console.error('Usage: npm run soak -- [--minutes N] [--ci], with N above 0 and at most 1440');
  process.exit(2);
}

const steps: (() => unknown)[] = [];
let missed = 0;
try {
  await soakFor(
    {
      ci: values.ci ?? false,
      emit(reading) {
        const result = evaluate(reading, false);
        if (!result.pass) missed++;
        const { name, subject, baseline, unit, goal, pass } = result;
        console.log(`${pass ? 'ok  ' : 'FAIL'} ${name}: ${subject} (${baseline ?? '-'}) ${unit}, goal ${goal}`);
      },
      note: (text) => console.log(`  ${text}`),
      cleanUp: (step) => steps.push(step),
    },
    minutes * 60,
  );
} finally {
  for (const step of steps.toReversed()) await step();
}
process.exit(missed > 0 ? 1 : 0);
