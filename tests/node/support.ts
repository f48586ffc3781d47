import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '../..');

const execute = promisify(execFile);

/** Standard output of a program run in the root of the repository. */
export async function output(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(program, args, { cwd: ROOT, maxBuffer: 64 << 20 });
  return stdout;
}

/** Tracked files and new ones that are not ignored: the content of the next commit. */
export async function filesOfRepository(...patterns: string[]): Promise<string[]> {
  const listed = await output('git', 'ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns);
  return listed.split('\n').filter(Boolean);
}
