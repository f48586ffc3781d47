import { createRequire } from 'node:module';

type Compiler = { compile: (input: string) => string; version: () => string };
type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: readonly unknown[]; evm: { bytecode: { object: string } } }>>;
};

export type Compiled = { abi: readonly unknown[]; bytecode: `0x${string}` };

/** Without PUSH0 and source hash, so that it runs on older chains and depends only on its code. */
export const SOLIDITY_SETTINGS = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'paris',
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
};

const require = createRequire(import.meta.url);
let compiler: Compiler | undefined;
/** 9 MB that only few tests need. */
const solc = () => (compiler ??= require('solc') as Compiler);

export const compilerVersion = (): string => solc().version();

/** Contracts of one source by name; throws the compiler's errors, including warnings. */
export function compileSolidity(source: string): Record<string, Compiled> {
  const input = {
    language: 'Solidity',
    sources: { source: { content: source } },
    settings: { ...SOLIDITY_SETTINGS, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const { errors = [], contracts } = JSON.parse(solc().compile(JSON.stringify(input))) as Output;
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return Object.fromEntries(
    Object.entries(contracts['source'] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` as const },
    ]),
  );
}
