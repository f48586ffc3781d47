import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { onChild } from './process.mjs';
import { BootstrapError, say } from './report.mjs';

const WAIT_MS = 200;
// Longer than the slowest installation: the pid in an older file may have been reused.
const OLD_MS = 3_600_000;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

const unwritable = (file, { code }) =>
  new BootstrapError(`${dirname(file)} is not writable (${code}). Start once as its owner.`);

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw unwritable(file, error);
  }
}

/** The living process that holds the lock, or undefined when it is free or abandoned. */
export function findHolder(file) {
  try {
    const pids = readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
    const ageMs = Date.now() - statSync(file).mtimeMs;
    // A file just created may still be empty.
    if (pids.length === 0) return ageMs < 1000 ? -1 : undefined;
    return ageMs < OLD_MS ? pids.find(isAlive) : undefined;
  } catch {
    return undefined;
  }
}

/** Renamed first and checked again: another start may have replaced it in between. */
function removeAbandoned(file) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (findHolder(aside) === undefined) rmSync(aside, { force: true });
    else renameSync(aside, file);
  } catch {
    // Another start was faster.
  }
}

/** Runs `action` while no other start in this checkout does. */
export async function withLock(file, action) {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch (error) {
    throw unwritable(file, error);
  }
  let told = false;
  while (!take(file)) {
    const holder = findHolder(file);
    if (holder === undefined) {
      removeAbandoned(file);
      continue;
    }
    if (!told && holder > 0) say(`Waiting for another start (process ${holder}) to finish installing.`);
    told ||= holder > 0;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  // A killed start leaves its npm running, which continues to write: the lock is held until npm has ended too.
  onChild((pid) => writeFileSync(file, `${process.pid} ${pid}`));
  try {
    return await action();
  } finally {
    onChild(() => {});
    rmSync(file, { force: true });
  }
}
