import { licenceTexts, type Shipped } from './packages.ts';

type Noticed = Pick<Shipped, 'name' | 'version' | 'licence' | 'folder'>;

/** Every package with its licence; packages with the same text share it. */
export function noticesOf(packages: readonly Noticed[]): string {
  const groups = new Map<string, string[]>();
  for (const { name, version, licence, folder } of packages.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))) {
    const text = licenceTexts(folder) || `Licence: ${licence ?? 'see the package'} (the package brings no text).`;
    groups.set(text, [...(groups.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...groups].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `Software of others that is part of this product, with its licences.\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`;
}
