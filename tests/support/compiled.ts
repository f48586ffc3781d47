import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Node keeps there what it has compiled: a start reads some hundred modules, and a run of the tests has hundreds of starts. */
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'meridian-compiled') };
