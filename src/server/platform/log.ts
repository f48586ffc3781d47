import { type Logger, pino } from 'pino';

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
  'captchaAnswer',
];

/** JSON lines on standard output; anything that looks like a secret leaves as '[redacted]'. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
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
    formatters: { level: (label) => ({ level: label }) },
  });
}
