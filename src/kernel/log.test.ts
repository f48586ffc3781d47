import { hostname } from 'node:os';

import { expect, test } from 'vitest';

import { createLog, redacted } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('trace', { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

test.each([
  ['a token of a link', 'GET /auth/reset?token=s3cr3t&x=1 failed', 'GET /auth/reset?token=[redacted]&x=1 failed'],
  ['a login token', '/auth/confirm-success?email=a&token=s3cr3t', '/auth/confirm-success?email=a&token=[redacted]'],
  ['a stream ticket', '/api/stream?topics=account&ticket=s3cr3t', '/api/stream?topics=account&ticket=[redacted]'],
  ['a key', 'https://x.example/a?x_cg_demo_api_key=s3cr3t', 'https://x.example/a?x_cg_demo_api_key=[redacted]'],
  ['a bearer token', 'authorization: Bearer s3cr3t.s3-cr3t', 'authorization: Bearer [redacted]'],
  ['a bot', 'https://api.telegram.org/bot123:s3cr3t-x/getMe', 'https://api.telegram.org/bot123:[redacted]/getMe'],
  ['an API key', 'GET /api/v1/x?k=mk_live_s3cr3ts3cr3t', 'GET /api/v1/x?k=mk_live_[redacted]'],
  ['a demo mail', 'GET /demo-mail/s3cr3t', 'GET /demo-mail/[redacted]'],
  ['a password in an address', 'smtps://me:s3cr3t@mail.example:465', 'smtps://me:[redacted]@mail.example:465'],
])('removes %s from text', (_what, text, expected) => {
  expect(redacted(text)).toBe(expected);
});

test('values that are not secret stay unchanged', () => {
  const text = 'GET /api/coins/bitcoin?range=7d at http://127.0.0.1:3000, tokenised @ noon, key mk_live_Y53X…6c1a';
  expect(redacted(text)).toBe(text);
});

test.each([
  ['a header', { req: { headers: { authorization: 'Bearer s3cr3t' } } }],
  ['a field of a body', { body: { currentPassword: 's3cr3t', newPassword: 's3cr3t', token: 's3cr3t' } }],
  ['an address deep inside', { a: { b: { c: { d: ['/auth/reset?token=s3cr3t', 'Bearer s3cr3t'] } } } }],
  ['the stack of an error', { err: new Error('asked https://m.example/x?token=s3cr3t') }],
])('no log line carries %s', (_what, fields) => {
  const line = logged((log) => log.warn(fields, 'asked /x?ticket=s3cr3t'));
  expect(line).not.toContain('s3cr3t');
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', msg: 'asked /x?ticket=[redacted]' });
});

test('a secret that ends at a quote removes no other field', () => {
  const line = logged((log) => log.info({ url: '/x?token=s3cr3t"', next: 'kept' }, 'done'));
  expect(JSON.parse(line)).toMatchObject({ url: '/x?token=[redacted]"', next: 'kept', msg: 'done' });
});

test('every line contains its process, role and host', () => {
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }, 'worker').info('here');
  expect(JSON.parse(lines.join(''))).toMatchObject({ process: process.pid, role: 'worker', host: hostname() });
});
