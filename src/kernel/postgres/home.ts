import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { type Account, changeOwner, findAccount, findUnreadableParent } from './account.ts';
import { makeSystemFolder } from './binaries.ts';
import { AppStartError } from './process.ts';

/** Where the bundled server is stored. `folder` is ours; `cluster` and `socketDir` belong to the account. */
export type Home = {
  folder: string;
  cluster: string;
  socketDir: string;
  logFile: string;
  passwordFile: string;
  account: Account | undefined;
};

export const SOCKET_PORT = 5432;
// sun_path holds 108 bytes on Linux and 104 on macOS, with its closing zero.
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 106;

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

function createFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  try {
    mkdirSync(path, { recursive: true });
    chmodSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new AppStartError(`Cannot use DATA_DIR: ${(error as Error).message}.`);
  }
}

/** The folder named by DATA_DIR/LOCATION, which stays valid when permissions change later. */
function findNamedFolder(dataDir: string): string | undefined {
  const file = join(dataDir, 'LOCATION');
  if (!existsSync(file)) return undefined;
  const folder = readFileSync(file, 'utf8').split('\n')[0]?.trim() ?? '';
  if (!existsSync(folder)) {
    throw new AppStartError(
      `${file} points to the database folder ${folder}, which does not exist. Restore the folder, or delete the file to start with an empty database.`,
    );
  }
  return folder;
}

function resolveSocketDir(folder: string, log: (line: string) => void): string {
  const inside = join(folder, 'run');
  if (Buffer.byteLength(join(inside, `.s.PGSQL.${SOCKET_PORT}`)) <= MAX_SOCKET_PATH_BYTES) return inside;
  const short = `/tmp/meridian-${hash(folder)}`;
  log(`The path of DATA_DIR is too long for a unix socket, so the socket is in ${short}.`);
  return short;
}

function createSocketDir(socketDir: string, account: Account | undefined): void {
  createFolder(socketDir, 0o700);
  changeOwner(account, socketDir);
  const stats = lstatSync(socketDir);
  if (!stats.isDirectory() || stats.uid !== (account?.uid ?? process.getuid?.()) || (stats.mode & 0o077) !== 0) {
    throw new AppStartError(
      `${socketDir} belongs to another user or is accessible to others. Delete it and start again.`,
    );
  }
}

function homeAt(folder: string, dataDir: string, log: (line: string) => void): Home {
  const cluster = join(folder, 'cluster');
  return {
    folder,
    cluster,
    socketDir: resolveSocketDir(folder, log),
    logFile: join(folder, 'postgres.log'),
    passwordFile: join(folder, 'password'),
    account: findAccount([cluster, dataDir]),
  };
}

/** The home of a server that has run before, without creating anything. */
export function findHome(dataDir: string): Home | undefined {
  if (!existsSync(dataDir)) return undefined;
  const real = realpathSync(dataDir);
  const folder = findNamedFolder(real) ?? join(real, 'postgres');
  return existsSync(join(folder, 'cluster')) ? homeAt(folder, real, () => {}) : undefined;
}

export function createHome(options: { dataDir: string; systemDir: string; log: (line: string) => void }): Home {
  const { systemDir, log } = options;
  // As root, PostgreSQL runs as another account, which has to enter the folder but not to list it.
  createFolder(resolve(options.dataDir), process.getuid?.() === 0 ? 0o711 : 0o700);
  const dataDir = realpathSync(options.dataDir);
  const inside = join(dataDir, 'postgres');
  const named = findNamedFolder(dataDir);
  const account = findAccount([join(named ?? inside, 'cluster'), dataDir]);
  const closed = account && findUnreadableParent(account, named ?? dataDir);

  let folder = named ?? inside;
  if (closed) {
    if (named || existsSync(join(inside, 'cluster'))) {
      throw new AppStartError(
        `The database is in ${folder}. PostgreSQL cannot run as root, and no other user can access ${closed}. Allow access (chmod o+x) or move DATA_DIR.`,
      );
    }
    makeSystemFolder(systemDir, closed);
    folder = join(systemDir, hash(dataDir));
  }
  createFolder(folder, account ? 0o711 : 0o700);
  if (account && findUnreadableParent(account, folder) === folder) chmodSync(folder, 0o711);
  if (closed) {
    writeFileSync(
      join(dataDir, 'LOCATION'),
      `${folder}\nPostgreSQL cannot run as root, and no other user can access ${closed}.\n`,
    );
  }
  if (folder !== inside) log(`The database of ${dataDir} is in ${folder}, see ${join(dataDir, 'LOCATION')}.`);
  const home = homeAt(folder, dataDir, log);
  createSocketDir(home.socketDir, account);
  return home;
}

/** Written atomically and never over an existing file: a concurrent start may have written it first. */
export function createPassword(home: Home): string {
  if (!existsSync(home.passwordFile)) {
    if (existsSync(home.cluster)) {
      throw new AppStartError(`Cannot open the database in ${home.cluster}: ${home.passwordFile} is missing.`);
    }
    const written = `${home.passwordFile}.${process.pid}`;
    writeFileSync(written, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(written, home.passwordFile);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(written);
    }
  }
  return readPassword(home);
}

export function readPassword(home: Home): string {
  return readFileSync(home.passwordFile, 'utf8').trim();
}
