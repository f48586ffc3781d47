import { spawnSync } from 'node:child_process';

const { findNpm } = (await import(new URL('bootstrap/npm.mjs', import.meta.url).href)) as {
  findNpm: () => string | undefined;
};

const MOST_BYTES = 64 * 1024 * 1024;

/** The raw output of npm with --json, and its error output. npm exits with an error when it reports findings. */
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

/** Undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
