import { messageOf } from './errors.ts';

const DISK_FULL = '53100';
export const DISK_FULL_NOTE = 'The database disk is full: writes fail or wait, reads continue.';
/** Connection failures, shutdowns and recoveries in PostgreSQL's own words, then those of the socket. */
const UNREACHABLE = /^(08...|25P03|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
/** What the driver and its pool say themselves, without a code. */
const ENDED =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|timeout expired|timeout exceeded when trying to connect|Query read timeout)/;

type Failure = { code?: string; syscall?: string } | null | undefined;
const codeOf = (error: unknown): string => (error as Failure)?.code ?? '';

/** True when no statement got through: the database is away, starting or going down. */
export function isUnreachable(error: unknown): boolean {
  // A missing file is this too, but for a socket it says that no server listens.
  if (codeOf(error) === 'ENOENT') return (error as Failure)?.syscall === 'connect';
  return UNREACHABLE.test(codeOf(error)) || ENDED.test(messageOf(error));
}

/** One sentence for the operator about a write that failed. */
export function explainFailure(error: unknown): string {
  if (codeOf(error) === DISK_FULL) return DISK_FULL_NOTE;
  if (isUnreachable(error)) return 'The database is not responding: writes wait, prepared pages are still served.';
  return `The database refuses writes: ${messageOf(error)}`;
}
