import { spawn } from 'node:child_process';

// The server restarts on change; Vite serves the browser half and proxies /api.
const children = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/app/server/main.ts'], { stdio: 'inherit' }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1'], { stdio: 'inherit' }),
];

const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
