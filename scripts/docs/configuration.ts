import { z } from 'zod';

import { settings } from '#kernel/config.ts';

type Property = { description?: string; default?: string | number; enum?: string[]; type?: string };

const escaped = (text: string) => text.replaceAll('|', '\\|');

/** docs/configuration.md, made from the schema that reads the settings. */
export function configurationDocument(): string {
  const { properties = {} } = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Property>;
  };
  const rows = Object.entries(properties).map(([name, { description = '', default: fallback, enum: choices }]) => {
    const shown = fallback === undefined || fallback === '' ? '' : `\`${String(fallback)}\``;
    const values = choices ? ` Values: ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
    return `| \`${name}\` | ${escaped(shown)} | ${escaped(description)}${values} |`;
  });
  return `# Configuration

Environment variables. All have a working default; an empty value counts as unset. With an invalid value the product does not start and names the setting.
This page is generated from \`src/kernel/config.ts\` by \`npm run docs\`.

| name | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`;
}
