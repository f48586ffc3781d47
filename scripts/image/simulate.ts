import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, matchesGlob, relative, resolve } from 'node:path';

type Instruction = { line: number; name: string; value: string };
export type Stage = { name: string; from: string; steps: Instruction[] };

/** One instruction per row: comments are omitted, continued lines joined. */
function parseInstructions(text: string): Instruction[] {
  const instructions: Instruction[] = [];
  let pending: { line: number; text: string } | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    const current: { line: number; text: string } = pending ?? { line: index + 1, text: '' };
    const isContinued = raw.endsWith('\\');
    current.text += ` ${isContinued ? raw.slice(0, -1).trim() : raw.trim()}`;
    pending = isContinued ? current : undefined;
    if (pending) continue;
    const [, name = '', value = ''] = /^ ([A-Z]+) (.*)$/.exec(current.text) ?? [];
    if (!name) throw new Error(`Dockerfile:${current.line}: no instruction: ${current.text.trim()}`);
    instructions.push({ line: current.line, name, value });
  }
  return instructions;
}

/** The stages in order, each with its base. */
export function parseStages(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of parseInstructions(text)) {
    if (instruction.name === 'FROM') {
      const [from = '', , name = String(stages.length)] = instruction.value.split(/\s+/);
      stages.push({ name, from, steps: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`Dockerfile:${instruction.line}: ${instruction.name} before FROM`);
      stage.steps.push(instruction);
    }
  }
  return stages;
}

export type Copy = { from: string | null; sources: string[]; target: string };

export function parseCopy({ value }: Instruction): Copy {
  const words = value.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? (words.shift()?.slice('--from='.length) ?? null) : null;
  const target = words.pop() ?? '';
  return { from, sources: words, target };
}

/** `A=1 B=2` of an ENV instruction. */
export const parseEnvironment = ({ value }: Instruction): Record<string, string> =>
  Object.fromEntries(value.split(/\s+/).map((pair) => [pair.split('=')[0], pair.split('=').slice(1).join('=')]));

/** The command of an instruction in JSON form; undefined for a shell command. */
export function parseArguments(value: string): string[] | undefined {
  const json = value.slice(value.indexOf('['));
  return value.includes('[') ? (JSON.parse(json) as string[]) : undefined;
}

/** A star matches hidden files too, unlike in Node's globs. */
const withoutLeadingDots = (path: string) => path.replaceAll(/(^|\/)\./g, '$1_');

/** Whether the build context contains the path: the last matching line of .dockerignore decides. */
export function createContextFilter(ignore: string): (path: string) => boolean {
  const rules = ignore.split('\n').filter((line) => line.trim() && !line.startsWith('#'));
  return (path) => {
    const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    let isIncluded = true;
    for (const rule of rules) {
      const pattern = rule.replace(/^!/, '');
      if (parents.some((each) => matchesGlob(withoutLeadingDots(each), withoutLeadingDots(pattern))))
        isIncluded = rule.startsWith('!');
    }
    return isIncluded;
  };
}

/** A stage as a container engine sees it: the base with the files of the stage overlaid. */
type Layer = { upper: string; work: string; root: string; dir: string; env: Record<string, string>; user: string };

const USER_ID = 1000;
/** Parts of the base image that this machine may not have. */
const ACCOUNTS = {
  'etc/passwd': `root:x:0:0:root:/root:/bin/sh\nnode:x:${USER_ID}:${USER_ID}::/home/node:/bin/sh\n`,
  'etc/group': `root:x:0:\nnode:x:${USER_ID}:\n`,
};

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A Bash command that overlays the stage on this machine's files and enters it, in a separate mount namespace. */
function enterScript(
  { upper, work, root, dir, env, user }: Layer,
  command: string,
  readOnly: boolean,
  volumes: string[],
) {
  const node = dirname(process.execPath);
  const settings = Object.entries({ PATH: `${node}:/usr/local/bin:/usr/bin:/bin`, HOME: '/root', ...env });
  const assignments = settings.map(([name, value]) => quoted(`${name}=${value}`)).join(' ');
  const setUserCommand =
    user === 'root' ? '' : `setpriv --reuid=${USER_ID} --regid=${USER_ID} --clear-groups --no-new-privs`;
  return [
    'set -e',
    `mount -t overlay overlay -o ${quoted(`lowerdir=/,upperdir=${upper},workdir=${work}`)} ${quoted(root)}`,
    `mount -t proc proc ${quoted(`${root}/proc`)}`,
    `mount --rbind /dev ${quoted(`${root}/dev`)}`,
    ...volumes.flatMap((volume) => [
      `mount -t tmpfs -o uid=${USER_ID},gid=${USER_ID},mode=0700 tmpfs ${quoted(`${root}${volume}`)}`,
    ]),
    ...(readOnly
      ? [`mount -t tmpfs tmpfs ${quoted(`${root}/tmp`)}`, `mount -o remount,bind,ro ${quoted(root)} ${quoted(root)}`]
      : []),
    `exec chroot ${quoted(root)} /usr/bin/env -i ${assignments} ${setUserCommand} /bin/sh -c ${quoted(`cd ${quoted(dir)} && ${command}`)}`,
  ].join('\n');
}

/** True when this machine can simulate a container: root, and private mounts. */
export function canSimulate(): boolean {
  if (process.getuid?.() !== 0) return false;
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
}

type Options = { root: string; folder: string; log: (line: string) => void };

function copy(step: Instruction, layer: Layer, layers: Map<string, Layer>, root: string): void {
  const { from, sources, target } = parseCopy(step);
  const isInContext = createContextFilter(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const base = from === null ? root : (layers.get(from)?.upper ?? '');
  const destination = join(layer.upper, isAbsolute(target) ? target : join(layer.dir, target));
  for (const source of sources) {
    const path = join(base, source);
    const isFolder = statSync(path).isDirectory();
    const to =
      !isFolder && (target.endsWith('/') || sources.length > 1) ? join(destination, basename(source)) : destination;
    mkdirSync(dirname(to), { recursive: true });
    const filter = (file: string) => from !== null || file === path || isInContext(relative(root, file));
    cpSync(path, to, { recursive: true, filter, verbatimSymlinks: true });
  }
}

/** Executes the steps of every stage of the Dockerfile. Returns the last stage. */
export async function build(stages: Stage[], { root, folder, log }: Options): Promise<Layer> {
  const layers = new Map<string, Layer>();
  for (const { name, from, steps } of stages) {
    const layerFolder = join(folder, name);
    const parent = layers.get(from);
    const layer: Layer = {
      upper: join(layerFolder, 'files'),
      work: join(layerFolder, 'work'),
      root: join(layerFolder, 'root'),
      dir: parent?.dir ?? '/',
      env: { ...parent?.env },
      user: 'root',
    };
    for (const path of [layer.upper, layer.work, layer.root]) mkdirSync(path, { recursive: true });
    mkdirSync(join(layer.upper, 'etc'));
    for (const [file, text] of Object.entries(ACCOUNTS)) writeFileSync(join(layer.upper, file), text);
    if (parent) cpSync(parent.upper, layer.upper, { recursive: true, verbatimSymlinks: true });
    layers.set(name, layer);
    for (const step of steps) {
      const began = performance.now();
      if (step.name === 'WORKDIR') {
        layer.dir = resolve(layer.dir, step.value);
        mkdirSync(join(layer.upper, layer.dir), { recursive: true });
      } else if (step.name === 'ENV') Object.assign(layer.env, parseEnvironment(step));
      else if (step.name === 'USER') layer.user = step.value;
      else if (step.name === 'COPY') copy(step, layer, layers, root);
      else if (step.name === 'RUN') await runInside(layer, step.value);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      log(`  ${name}: ${step.name} ${step.value.slice(0, 90)} (${seconds} s)`);
    }
  }
  const last = layers.get(stages.at(-1)?.name ?? '');
  if (!last) throw new Error('The Dockerfile has no stage');
  return last;
}

/** Settings to reach the registry from this machine: a container engine's own network would not need them. */
const NETWORK = ['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
const network = () =>
  Object.fromEntries(NETWORK.flatMap((name) => (process.env[name] ? [[name, process.env[name] ?? '']] : [])));

async function runInside(layer: Layer, command: string): Promise<void> {
  const child = start(layer, command, { readOnly: false, env: network() });
  const code = await child.ended;
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}:\n${child.output()}`);
}

export type Running = { pid: number; output: () => string; ended: Promise<number | string>; stop: () => void };

/**
 * Starts a command in a stage. Read-only: the whole file system except /tmp and the volumes, which are initially empty.
 */
export function start(
  layer: Layer,
  command: string,
  { readOnly, volumes = [], env = {} }: { readOnly: boolean; volumes?: string[]; env?: Record<string, string> },
): Running {
  const runtimeLayer = { ...layer, env: { ...layer.env, ...env } };
  const script = enterScript(runtimeLayer, command, readOnly, volumes);
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'bash', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = new Promise<number | string>((done) => {
    child.once('close', (code, signal) => done(code ?? signal ?? 'nothing'));
  });
  return { pid: child.pid ?? 0, output: () => text, ended, stop: () => child.kill('SIGTERM') };
}

/** Megabytes written by a stage, by folder of the working directory. */
export function measureSizes({ upper, dir }: Layer): Record<string, number> {
  const layerFolder = join(upper, dir);
  const sizeOf = (name: string) =>
    Number(spawnSync('du', ['-sm', name], { cwd: layerFolder, encoding: 'utf8' }).stdout.split('\t')[0]);
  const parts = ['node_modules', 'dist', 'src'].filter((name) => existsSync(join(layerFolder, name)));
  return Object.fromEntries([...parts, '.'].map((name) => [name === '.' ? 'all' : name, sizeOf(name)]));
}
