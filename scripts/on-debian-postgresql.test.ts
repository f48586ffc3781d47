import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';

const isThere = globSync('/usr/lib/postgresql/*/bin/initdb').length > 0;

test.skipIf(!isThere)('a command on a throw-away PostgreSQL gets its address and keeps the given PORT', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const env = { ...process.env, PORT: '3456', TEST_POSTGRES_PORT: String(port) };
  const told = 'console.log(process.env.PORT, process.env.TEST_DATABASE_URL)';
  const args = ['scripts/on-debian-postgresql.sh', process.execPath, '-e', told];
  const { stdout, status } = spawnSync('bash', args, { env, encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, `3456 postgres://postgres@127.0.0.1:${port}/postgres\n`]);
});
