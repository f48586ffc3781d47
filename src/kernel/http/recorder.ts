import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The endpoint of a call without what differs from call to call: numbers, hashes and the query's values. */
export function endpointOf(path: string): string {
  const [place = '', search = ''] = path.split('?');
  const segments = place.split('/').map((part) => (/^(\d+|(0x)?[0-9a-f]{32,})$/i.test(part) ? '_' : part));
  const names = [...new Set(new URLSearchParams(search).keys())].toSorted();
  return segments.join('/') + (names.length > 0 ? `?${names.join('&')}` : '');
}

const fileOf = (endpoint: string) => `${endpoint.replace(/[^\w.-]+/g, '-').replace(/^-+|-+$/g, '') || 'root'}.json`;

/** Keeps one body per endpoint, the newest; a folder that cannot be written is the operator's mistake and is thrown. */
export function createRecorder(folder: string) {
  return {
    keep(source: string, { path, body }: { path: string; body: unknown }): void {
      const place = join(folder, source);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, fileOf(endpointOf(path))), JSON.stringify(body, null, 1));
    },
  };
}
