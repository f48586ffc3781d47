import type { McpServer } from '@modelcontextprotocol/server';

import { GLOSSARY } from '#shared/glossary.ts';

const GLOSSARY_URI = 'meridian://glossary';

const glossary = JSON.stringify(GLOSSARY);

/** What every metric means, for those who explain a figure. */
export function addResources(server: McpServer): void {
  const mimeType = 'application/json';
  server.registerResource(
    'glossary',
    GLOSSARY_URI,
    {
      title: 'Glossary',
      description: 'Every metric by its id: name, unit, meaning, formula and how to read its value.',
      mimeType,
    },
    () => ({ contents: [{ uri: GLOSSARY_URI, mimeType, text: glossary }] }),
  );
}
