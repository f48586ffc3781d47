import { startSandbox } from '#sandbox/sandbox.ts';

const port = Number(process.env['SANDBOX_PORT'] ?? 4100);
const seed = Number(process.env['DEMO_SEED'] ?? 1);
const sandbox = await startSandbox({ seed, port });

for (const [name, url] of Object.entries(sandbox.urls)) console.log(`${name}=${url}`);
console.error(`Provider sandbox with market seed ${seed}. Controls: ${sandbox.origin}/__sandbox`);

const stop = (): void => {
  void sandbox.close().then(() => process.exit(0));
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
