import { spawnSync } from 'node:child_process';

// Screenshots of every state in artifacts/shots, to compare with the mocks.
const { status } = spawnSync(
  process.execPath,
  ['node_modules/@playwright/test/cli.js', 'test', '--project', 'shots', '--reporter', 'list'],
  { stdio: 'inherit', env: { ...process.env, SHOTS: '1' } },
);
process.exit(status ?? 1);
