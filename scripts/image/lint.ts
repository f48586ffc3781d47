import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

import { settings } from '#kernel/config.ts';

import {
  createContextFilter,
  parseArguments,
  parseCopy,
  parseEnvironment,
  parseStages,
  type Stage,
} from './simulate.ts';

type Service = {
  image?: string;
  user?: string;
  read_only?: boolean;
  environment?: Record<string, string>;
  ports?: string[];
  secrets?: string[];
  volumes?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  restart?: string;
  stop_grace_period?: string;
  deploy?: { resources?: { limits?: { cpus?: string; memory?: string } } };
};
type Compose = {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
};

/** Environment names of Node and its C library, not of the product. */
const UNVALIDATED_SETTINGS = new Set(['NODE_ENV', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_']);
const isKnown = (name: string) => Object.hasOwn(settings.shape, name) || UNVALIDATED_SETTINGS.has(name);
const commands = (await import(new URL('../bootstrap/commands.mjs', import.meta.url).href)) as {
  COMMANDS: { start: { run: string[] } };
};
/** The flags of `npm start`: decision 006. */
const HEAP_FLAGS = commands.COMMANDS.start.run.filter((word) => word.startsWith('--'));
const hasHeapFlags = (args: readonly string[]) => HEAP_FLAGS.every((flag) => args.includes(flag));

export function readStages(root: string): Stage[] {
  return parseStages(readFileSync(join(root, 'Dockerfile'), 'utf8'));
}

/** The path requested by the image's health check. */
export function healthCheckPath(stages: Stage[]): string | undefined {
  const check = stages.at(-1)?.steps.find(({ name }) => name === 'HEALTHCHECK');
  return /\/api\/[\w/]+/.exec(check?.value ?? '')?.[0];
}

const isCopied = (file: string, sources: string[]) =>
  sources.some((each) => file === each || file.startsWith(`${each}/`));

/** Imports of files copied individually have to be copied too, or the step that runs them fails. */
function lintImports(root: string, { steps }: Stage): string[] {
  const copies = steps.filter(({ name }) => name === 'COPY').filter((step) => parseCopy(step).from === null);
  const sources = copies.flatMap((step) => parseCopy(step).sources);
  return copies.flatMap((step) =>
    parseCopy(step)
      .sources.filter((source) => /\.m?[jt]s$/.test(source) && existsSync(join(root, source)))
      .flatMap((source) =>
        [...readFileSync(join(root, source), 'utf8').matchAll(/ from '(\.{1,2}\/[^']+)'/g)]
          .map(([, path = '']) => join(dirname(source), path))
          .filter((wanted) => !isCopied(wanted, sources))
          .map((wanted) => `Dockerfile:${step.line}: ${source} imports ${wanted}, which is not copied`),
      ),
  );
}

function lintCopies(root: string, stages: Stage[]): string[] {
  const isInContext = createContextFilter(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const errors: string[] = [];
  for (const [index, stage] of stages.entries()) {
    const { steps } = stage;
    errors.push(...lintImports(root, stage));
    for (const step of steps.filter(({ name }) => name === 'COPY')) {
      const { from, sources } = parseCopy(step);
      if (from !== null) {
        const isEarlier = stages.slice(0, index).some(({ name }) => name === from);
        if (!isEarlier) errors.push(`Dockerfile:${step.line}: there is no stage "${from}" before`);
        continue;
      }
      for (const source of sources) {
        if (!existsSync(join(root, source))) errors.push(`Dockerfile:${step.line}: ${source} does not exist`);
        else if (!isInContext(source)) errors.push(`Dockerfile:${step.line}: .dockerignore keeps ${source} out`);
      }
    }
  }
  for (const secret of ['secrets/SECRET_KEY', 'data/secret.key', '.git/config', 'ops/meridian.env', 'node_modules/pg'])
    if (isInContext(secret)) errors.push(`.dockerignore lets ${secret} into the image`);
  return errors;
}

function lintLastStage(root: string, { steps }: Stage): string[] {
  const errors: string[] = [];
  const last = (name: string) => steps.findLast((step) => step.name === name);
  const user = last('USER')?.value ?? 'root';
  if (['root', '0'].includes(user)) errors.push('Dockerfile: the product would run as root');
  const env = Object.assign({}, ...steps.filter(({ name }) => name === 'ENV').map(parseEnvironment)) as Record<
    string,
    string
  >;
  for (const name of Object.keys(env)) {
    if (!isKnown(name)) errors.push(`Dockerfile: ENV ${name} is no setting`);
    if (/SECRET|PASSWORD|TOKEN|_KEY$|DATABASE_URL/.test(name))
      errors.push(`Dockerfile: ENV ${name} lays a secret open`);
  }
  if (last('EXPOSE')?.value !== env['PORT']) errors.push(`Dockerfile: EXPOSE is not PORT (${env['PORT']})`);
  if (last('STOPSIGNAL')?.value !== 'SIGTERM') errors.push('Dockerfile: STOPSIGNAL is not SIGTERM');
  for (const name of ['CMD', 'HEALTHCHECK']) {
    const [program, ...args] = parseArguments(last(name)?.value ?? '') ?? [];
    const script = args.find((word) => !word.startsWith('--')) ?? '';
    if (program !== 'node') errors.push(`Dockerfile: ${name} must run node directly, without a shell`);
    else if (!args.includes('-e') && !existsSync(join(root, script)))
      errors.push(`Dockerfile: ${name}: ${script} does not exist`);
    if (name === 'CMD' && !hasHeapFlags(args)) errors.push(`Dockerfile: ${name}: ${HEAP_FLAGS.join(' ')} is missing`);
  }
  return errors;
}

export function lintDockerfile(root: string): string[] {
  const stages = readStages(root);
  const last = stages.at(-1);
  return [...lintCopies(root, stages), ...(last ? lintLastStage(root, last) : ['Dockerfile: no stage'])];
}

function lintService(name: string, service: Service, compose: Compose): string[] {
  const errors: string[] = [];
  const isMeridianImage = service.image?.startsWith('meridian:') ?? false;
  if (isMeridianImage)
    for (const key of Object.keys(service.environment ?? {})) if (!isKnown(key)) errors.push(`${key} is no setting`);
  if (isMeridianImage && !service.read_only) errors.push('its file system may be written to');
  if (!service.restart) errors.push('it is not started again');
  if (!service.healthcheck && !isMeridianImage) errors.push('it has no health check');
  const limits = service.deploy?.resources?.limits;
  if (!limits?.cpus || !limits.memory) errors.push('it has no limits of CPU and memory');
  if (name !== 'proxy' && service.ports) errors.push('it publishes a port');
  for (const secret of service.secrets ?? [])
    if (!Object.hasOwn(compose.secrets, secret)) errors.push(`there is no secret ${secret}`);
  for (const network of service.networks ?? [])
    if (!Object.hasOwn(compose.networks, network)) errors.push(`there is no network ${network}`);
  for (const volume of service.volumes ?? []) {
    const [source = ''] = volume.split(':');
    if (!source.startsWith('.') && !Object.hasOwn(compose.volumes, source)) errors.push(`there is no volume ${source}`);
  }
  for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
    if (!Object.hasOwn(compose.services, other)) errors.push(`there is no service ${other}`);
    if (condition !== 'service_healthy') errors.push(`it does not wait until ${other} is healthy`);
  }
  return errors.map((fault) => `compose.yaml: ${name}: ${fault}`);
}

export function lintCompose(root: string): string[] {
  const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
  const errors = Object.entries(compose.services).flatMap(([name, service]) => lintService(name, service, compose));
  const upstreams = compose.services['proxy']?.environment?.['UPSTREAMS']?.split(' ') ?? [];
  const port = parseEnvironment(
    readStages(root)
      .at(-1)
      ?.steps.find(({ name }) => name === 'ENV') ?? { line: 0, name: '', value: '' },
  )['PORT'];
  const webs = Object.keys(compose.services).filter((name) => compose.services[name]?.environment?.['ROLE'] === 'web');
  if (
    upstreams.toSorted().join() !==
    webs
      .map((name) => `${name}:${port}`)
      .toSorted()
      .join()
  )
    errors.push(`compose.yaml: the proxy leads to ${upstreams.join(', ')}, the web processes are ${webs.join(', ')}`);
  for (const name of webs)
    if (compose.services[name]?.environment?.['TRUST_PROXY'] !== '1')
      errors.push(`compose.yaml: ${name}: TRUST_PROXY is not 1, so all visitors share one network in the limits`);
  for (const { file } of Object.values(compose.secrets))
    if (!file.startsWith('./secrets/')) errors.push(`compose.yaml: the secret ${file} does not lie in ./secrets`);
  return errors;
}

/** Settings in units exist, the commands they start exist, and none runs as root. */
export function lintUnits(root: string): string[] {
  const errors: string[] = [];
  for (const file of globSync('ops/systemd/*', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^Environment=(\w+)=/gm))
      if (!isKnown(name)) errors.push(`${file}: ${name} is no setting`);
    if (!text.includes('[Service]')) continue;
    for (const line of ['User=meridian', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
      if (!text.includes(`\n${line}\n`)) errors.push(`${file}: ${line} is missing`);
    const args = /^ExecStart=\/usr\/bin\/node (.+)/m.exec(text)?.[1]?.split(' ') ?? [];
    const script = args.find((word) => !word.startsWith('--'));
    if (script && !statSync(join(root, script), { throwIfNoEntry: false }))
      errors.push(`${file}: ${script} does not exist`);
    if (text.includes('Environment=ROLE=') && !hasHeapFlags(args))
      errors.push(`${file}: ${HEAP_FLAGS.join(' ')} is missing`);
  }
  return errors;
}

/** Time a process needs to stop after its drain. */
const SHUTDOWN_SECONDS = 25;
const secondsOf = (text: string | undefined): number => Number.parseInt(text ?? '0', 10);

function lintRestart(location: string, drain: number, grace: number, interval: number): string[] {
  const errors: string[] = [];
  if (drain < 3 * interval)
    errors.push(`${location}: DRAIN_SECONDS is under ${3 * interval}, which the proxy may need`);
  if (grace < drain + SHUTDOWN_SECONDS)
    errors.push(`${location}: it is killed before ${drain + SHUTDOWN_SECONDS} s are over`);
  return errors;
}

/**
 * The proxy detects that a web process is about to stop before it does, and keeps those that only lack their database.
 */
export function lintRestarts(root: string): string[] {
  const caddyfile = readFileSync(join(root, 'ops/caddy/Caddyfile'), 'utf8');
  const interval = secondsOf(/health_interval (\d+)s/.exec(caddyfile)?.[1]);
  const errors: string[] = [];
  if (!/^\s*health_uri \/api\/health\/ready\?except=database$/m.test(caddyfile))
    errors.push('ops/caddy/Caddyfile: it takes every process out while the database is away');
  const { services } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
  for (const [name, { environment = {}, stop_grace_period: grace }] of Object.entries(services))
    if (environment['ROLE'] === 'web')
      errors.push(
        ...lintRestart(`compose.yaml: ${name}`, secondsOf(environment['DRAIN_SECONDS']), secondsOf(grace), interval),
      );
  const unit = 'ops/systemd/meridian-web@.service';
  const text = readFileSync(join(root, unit), 'utf8');
  const readSeconds = (pattern: RegExp) => secondsOf(pattern.exec(text)?.[1]);
  const drain = readSeconds(/^Environment=DRAIN_SECONDS=(\d+)$/m);
  errors.push(...lintRestart(unit, drain, readSeconds(/^TimeoutStopSec=(\d+)$/m), interval));
  return errors;
}
