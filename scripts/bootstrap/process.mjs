import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const MAX_OUTPUT = 200_000;

/** The environment with `node` first in PATH, so that child processes use the same Node. */
export function envWith(node, env = process.env) {
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...env, [name]: [dirname(node), env[name]].filter(Boolean).join(delimiter) };
}

let announceChild = () => {};

/** Passes the pid of every quiet child process to `listener` from now on. */
export function onChild(listener) {
  announceChild = listener;
}

/** Runs without output to the end and returns { code, output }. */
export function runQuietly(node, args, cwd) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(node, args, { cwd, env: envWith(node), stdio: ['ignore', 'pipe', 'pipe'] });
    const interrupt = (signal) => {
      child.kill(signal);
      process.exit(128 + constants.signals[signal]);
    };
    for (const signal of FORWARDED) process.on(signal, interrupt);
    if (child.pid) announceChild(child.pid);
    const keep = (text) => {
      output = (output + text).slice(-MAX_OUTPUT);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const finish = (result) => {
      for (const signal of FORWARDED) process.off(signal, interrupt);
      resolve(result);
    };
    child.once('error', (error) => finish({ code: 1, output: error.message }));
    child.once('close', (code) => finish({ code: code ?? 1, output }));
  });
}

/**
 * Replaces this process: the child gets our terminal and our signals, and we exit with its code. `mergesSignals`: it
 * treats repeated signals as one.
 */
export function handOver(node, args, cwd, { mergesSignals = false } = {}) {
  const env = {
    // Otherwise glibc gives each thread an arena and retains memory freed there and between small blocks.
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '65536',
    // Saves about a second per start.
    NODE_COMPILE_CACHE: join(cwd, '.runtime', 'compile-cache'),
    ...envWith(node),
  };
  // Newer versions of Node replace this process, which otherwise only waits.
  if (process.execve && process.platform !== 'win32') {
    process.chdir(cwd);
    process.execve(node, [node, ...args], env);
  }
  const child = spawn(node, args, { cwd, env, stdio: 'inherit' });
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well, and a second signal would abort its shutdown.
      if (mergesSignals || signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // For a signal that does not end this process, the exit code by shell convention.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
  });
}
