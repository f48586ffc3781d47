import { hostname } from 'node:os';

import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const SECRETS = [
  'password',
  'token',
  'authorization',
  'apiKey',
  'api_key',
  'secret',
  'cookie',
  'newPassword',
  'currentPassword',
  'ticket',
  'challenge',
  'captchaAnswer',
];

const IN_TEXT: [RegExp, string][] = [
  [/([?&][\w-]*(?:token|ticket|challenge|secret|password|api_?key)=)[^&\s"'\\#]+/gi, '$1[redacted]'],
  [/("[\w-]*(?:token|ticket|challenge|secret|password|api_?key)"\s*:\s*")(?:[^"\\]|\\.)*"/gi, '$1[redacted]"'],
  [/\b(Bearer|Basic) [\w.~+/=-]+/gi, '$1 [redacted]'],
  // An API key may be logged as its hint, which is shorter.
  [/\b(mk_live_)[0-9A-Za-z]{5,}/g, '$1[redacted]'],
  [/(\/demo-mail\/)[\w-]+/g, '$1[redacted]'],
  [/(\/bot\d+:)[\w-]+/g, '$1[redacted]'],
  [/(\b(?:smtps?|postgres(?:ql)?|https?):\/\/[^\s:/@"\\]*:)[^\s/@"\\]+@/gi, '$1[redacted]@'],
];

/** The text without tokens and passwords in URLs and headers. */
export function redacted(text: string): string {
  return IN_TEXT.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text);
}

/**
 * JSON lines on standard output, each with its process; anything that looks like a secret is replaced by '[redacted]'.
 * `role`: ROLE, or the command.
 */
export function createLog(level: string, destination: DestinationStream = pino.destination(1), role = 'all'): Log {
  const options = {
    level,
    base: { process: process.pid, role, host: hostname() },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        ...SECRETS,
        ...SECRETS.map((name) => `*.${name}`),
        ...SECRETS.map((name) => `*.*.${name}`),
        'req.headers["x-api-key"]',
      ],
      censor: '[redacted]',
    },
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redacted },
  };
  return pino(options, destination);
}
