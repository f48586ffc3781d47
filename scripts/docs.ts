import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { generateClient } from './client.ts';
import { accessDocument, apiDocument, configurationDocument } from './docs/generate.ts';
import { operationsDocument } from './sizing/model.ts';

const FILES: Record<string, () => string | Promise<string>> = {
  'docs/configuration.md': configurationDocument,
  'docs/api.md': apiDocument,
  'docs/access.md': accessDocument,
  'docs/operations.md': operationsDocument,
  'clients/typescript/client.ts': generateClient,
};

const isCheck = process.argv.includes('--check');
let isStale = false;
for (const [file, make] of Object.entries(FILES)) {
  const text = await make();
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (isCheck) {
    isStale = true;
    console.error(`${file} is out of date: run npm run docs`);
  } else {
    writeFileSync(file, text);
    console.log(`${file} updated`);
  }
}
if (isStale) process.exit(1);
