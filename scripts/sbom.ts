import { mkdirSync, writeFileSync } from 'node:fs';

import { shippedPackages } from './licences/judge.ts';
import { askNpm } from './npm-json.ts';

type Component = { name: string; version: string; scope: string };
type Bom = { metadata: { component: { name: string; type: string } }; components: Component[] };

// `npm run sbom`: the components of the product, as CycloneDX. Tools that are not part of it have the scope "excluded".
const FILE = 'artifacts/sbom.cdx.json';
const { text } = askNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only']);
const bom = JSON.parse(text) as Bom;
const shipped = new Set(shippedPackages(process.cwd()).map(({ name, version }) => `${name}@${version}`));
Object.assign(bom.metadata.component, { name: 'meridian', type: 'application' });
for (const component of bom.components)
  component.scope = shipped.has(`${component.name}@${component.version}`) ? 'required' : 'excluded';
mkdirSync('artifacts', { recursive: true });
writeFileSync(FILE, `${JSON.stringify(bom, null, 2)}\n`);
const required = bom.components.filter(({ scope }) => scope === 'required').length;
console.log(`${FILE}: ${required} packages in the product, ${bom.components.length - required} tools`);
