import { redacted } from '#server/platform/log.ts';

const LONGEST_PAYLOAD = 500;
const LONGEST_VALUE = 120;
const ERROR_LINES = 4;
const LONGEST_ERROR = 1_000;
const SECRET = /token|secret|password|key|code|ticket|challenge|email|address/i;

/** A payload as an administrator may read it: without what its names say is secret or personal. */
export function shownPayload(data: unknown): string | null {
  if (data === null || data === undefined || (typeof data === 'object' && Object.keys(data).length === 0)) return null;
  const text = JSON.stringify(data, (name, value: unknown) => {
    if (SECRET.test(name)) return '[redacted]';
    return typeof value === 'string' && value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
  });
  return redacted(text).slice(0, LONGEST_PAYLOAD);
}

/** The first lines of what a run that failed has left behind. */
export function shownError(output: unknown): string {
  const { message, value } = (output ?? {}) as { message?: unknown; value?: { message?: unknown } };
  const said = [message, value?.message, output].find((each) => typeof each === 'string' && each !== '');
  return firstLines(typeof said === 'string' ? said : 'It ended without saying why');
}

export const firstLines = (text: string): string =>
  redacted(text).split('\n').slice(0, ERROR_LINES).join('\n').slice(0, LONGEST_ERROR);
