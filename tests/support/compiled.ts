import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Node's compile cache: a start loads some hundred modules, and a test run has hundreds of starts. */
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'meridian-compiled') };
