import { spawnSync } from 'node:child_process';

const { findNpm } = (await import(new URL('bootstrap/npm.mjs', import.meta.url).href)) as {
  findNpm: () => string | undefined;
};

const MOST_BYTES = 64 * 1024 * 1024;

/** What npm prints with --json, unread, and its complaints. npm ends with a failure when it has found something. */
export function askNpm(args: readonly string[]): { text: string; complaints: string } {
  const npm = findNpm();
  if (npm === undefined) throw new Error('npm was not found next to Node');
  const { stdout, stderr, error } = spawnSync(process.execPath, [npm, ...args], {
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  if (error) throw error;
  return { text: stdout, complaints: stderr };
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
