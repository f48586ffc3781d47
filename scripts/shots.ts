import { spawnSync } from 'node:child_process';

// Pictures of every state into artifacts/shots, to be looked at beside the mocks.
const { status } = spawnSync(
  process.execPath,
  ['node_modules/@playwright/test/cli.js', 'test', '--project', 'shots', '--reporter', 'list'],
  { stdio: 'inherit', env: { ...process.env, SHOTS: '1' } },
);
process.exit(status ?? 1);
