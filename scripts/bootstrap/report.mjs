/** A start that cannot continue; the message is one sentence for the operator. */
export class BootstrapError extends Error {}

/** Prints in one line what is done and how long it took. */
export async function timed(what, action) {
  const begin = performance.now();
  process.stderr.write(`${what} … `);
  try {
    const result = await action();
    process.stderr.write(`${((performance.now() - begin) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stderr.write('failed\n');
    throw error;
  }
}

export function say(line) {
  process.stderr.write(`${line}\n`);
}
