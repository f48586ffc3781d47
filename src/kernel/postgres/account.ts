import { chownSync, existsSync, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppStartError } from './process.ts';

/** The user PostgreSQL runs as when the product runs as root, which PostgreSQL refuses. */
export type Account = { uid: number; gid: number };

type Entry = Account & { name: string };

function passwdEntries(): Entry[] {
  if (!existsSync('/etc/passwd')) return [];
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/**
 * Undefined unless the product runs as root. Otherwise the first owner of `paths` that is not root, else the user
 * nobody. The account needs a passwd entry: initdb refuses to run without one.
 */
export function findAccount(paths: string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entries = passwdEntries();
  for (const path of paths) {
    const owner = existsSync(path) ? statSync(path).uid : 0;
    const entry = entries.find(({ uid }) => uid === owner);
    if (owner !== 0 && entry) return { uid: entry.uid, gid: entry.gid };
  }
  const nobodyUser = entries.find(({ name }) => name === 'nobody');
  if (!nobodyUser) throw new AppStartError('PostgreSQL cannot run as root, and this machine has no user "nobody".');
  return { uid: nobodyUser.uid, gid: nobodyUser.gid };
}

function allows(account: Account, { mode, uid, gid }: Stats, bits: number): boolean {
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

/** The first folder on the path that the account may not enter, or undefined when all are accessible. */
export function findUnreadableParent(account: Account, path: string): string | undefined {
  const folders: string[] = [];
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return folders.find((folder) => existsSync(folder) && !allows(account, statSync(folder), 0o1));
}

export function changeOwner(account: Account | undefined, path: string): void {
  if (!account) return;
  const stats = lstatSync(path);
  if (stats.uid === account.uid) return;
  chownSync(path, account.uid, account.gid);
}

/** Changes the owner of a whole tree, for a data directory that belonged to another user. */
export function changeOwnerRecursive(account: Account | undefined, root: string): void {
  if (!account || statSync(root).uid === account.uid) return;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  // The root is last: its owner distinguishes an interrupted change from a completed one.
  chownSync(root, account.uid, account.gid);
}
