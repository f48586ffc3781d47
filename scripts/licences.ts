import { writeFileSync } from 'node:fs';

import { formatNotices, licenceFaults, shippedPackages } from './licences/judge.ts';

// `npm run licences`: checks that every package may be part of the product. `-- FILE` writes all licence texts to a
// file.
const packages = shippedPackages(process.cwd());
const faults = licenceFaults(packages);
for (const fault of faults) console.error(fault);
const [file] = process.argv.slice(2);
if (file !== undefined) writeFileSync(file, formatNotices(packages));
const inBrowser = packages.filter(({ where }) => where === 'browser').length;
console.log(
  `${packages.length} packages are part of the product, ${inBrowser} of them in browsers only; ${faults.length} faults`,
);
if (faults.length > 0) process.exit(1);
