const MAIN = 'src/app/server/main.ts';
const BUILT_MAIN = 'dist/process/main.js';
/** Saves a third of the memory (decision 006): by default V8 lets the heap grow to several times its live size. */
const HEAP_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=100'];

/** The command of each npm script, run once packages and, where `build` is set, the built files are ready. */
export const COMMANDS = {
  start: { run: [...HEAP_FLAGS, BUILT_MAIN], build: true },
  test: { run: ['scripts/test.ts'], build: true },
  'test:full': { run: ['scripts/test.ts', '--full'], build: true },
  dev: { run: ['scripts/dev.ts'] },
  build: { build: true },
  verify: { run: ['scripts/verify.ts'], build: true },
  bench: { run: ['bench/run.ts'], build: true },
  format: { run: ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'] },
  docs: { run: ['scripts/docs.ts'] },
  job: { run: [MAIN, 'job'] },
  'ledger:verify': { run: [MAIN, 'ledger:verify'] },
  'secrets:rotate': { run: [MAIN, 'secrets:rotate'] },
  audit: { run: ['scripts/audit.ts'] },
  licences: { run: ['scripts/licences.ts'] },
  sbom: { run: ['scripts/sbom.ts'] },
  backup: { run: [MAIN, 'backup'] },
  restore: { run: [MAIN, 'restore'] },
  'move-db': { run: [MAIN, 'move-db'] },
  sandbox: { run: ['scripts/sandbox.ts'] },
  'check:live': { run: ['scripts/check-live.ts'] },
  cluster: { run: ['scripts/cluster.ts'], build: true },
  replay: { run: ['scripts/replay.ts'], build: true },
  'replay:score': { run: ['scripts/replay-score.ts'] },
  'db:stop': { run: [MAIN, 'db:stop'] },
  // It repairs a lockfile that an installation would refuse, so it must run before one.
  lock: { run: ['scripts/complete-lock.mjs'], packages: false },
  shots: { run: ['scripts/shots.ts'], build: true },
  mutants: { run: ['scripts/mutants.ts'] },
  texts: { run: ['scripts/texts.ts'] },
  'check:image': { run: ['scripts/image-check.ts'] },
  sizing: { run: ['scripts/sizing.ts'] },
  soak: { run: ['scripts/soak.ts'], build: true },
  chaos: { run: ['scripts/chaos.ts'], build: true },
  'verify:files': { run: ['scripts/verify-files.ts'] },
};

/** The plan for a command line, or undefined for an unknown command. */
export function planFor([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) return undefined;
  return {
    packages: command.packages ?? true,
    build: command.build ?? false,
    run: command.run && [...command.run, ...args],
    mergesSignals: command.run?.some((part) => part === MAIN || part === BUILT_MAIN) ?? false,
  };
}
