import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

import { startReplay } from '#sandbox/replay.ts';

// The product in live mode on recorded real responses: actual prices, with the age they have today.
const { values } = parseArgs({
  options: {
    recordings: { type: 'string', default: process.env.RECORDINGS_DIR ?? '../shared/data' },
    port: { type: 'string', default: '3200' },
    data: { type: 'string', default: './data/replay' },
  },
});

const replay = await startReplay(values.recordings);
const child = spawn(process.execPath, ['src/app/server/main.ts'], {
  stdio: 'inherit',
  env: { ...process.env, ...replay.urls, DATA_MODE: 'live', PORT: values.port, DATA_DIR: values.data },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => void replay.close().then(() => process.exit(code ?? 0)));
