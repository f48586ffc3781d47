import { relative } from 'node:path';

import { ACCEPTED_ADVISORIES, assessAudit, auditReport } from './audit/judge.ts';
import { shippedPackages } from './licences/judge.ts';
import { askNpm, parseJson } from './npm-json.ts';

// `npm run audit`: queries the registry for advisories on our packages. Fails for severe ones, but not when the service
// is unreachable. Without --omit=dev, because the browser half is built from development dependencies.
const root = process.cwd();
const { text, complaints: stderr } = askNpm([
  'audit',
  '--json',
  '--package-lock-only',
  '--fetch-retries=0',
  '--fetch-timeout=20000',
]);

const report = auditReport.safeParse(parseJson(text));
if (report.success) {
  const shipped = new Set(shippedPackages(root).map(({ folder }) => relative(root, folder).replaceAll('\\', '/')));
  const { fatal, warnings } = assessAudit(report.data, shipped, ACCEPTED_ADVISORIES, new Date());
  for (const line of warnings) console.log(`known  ${line}`);
  for (const line of fatal) console.error(`FAIL   ${line}`);
  console.log(
    `${shipped.size} packages in the product: ${fatal.length} require action, ${warnings.length} accepted or minor`,
  );
  if (fatal.length > 0) process.exit(1);
} else if (text.includes('"auditReportVersion"')) {
  console.error('FAIL   npm returned a report in an unknown format');
  process.exit(1);
} else {
  console.error('NOT AUDITED: the advisory service of the registry is unavailable. New advisories are unknown.');
  console.error((stderr || text).trim());
}
