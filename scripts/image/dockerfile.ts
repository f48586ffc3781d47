import { matchesGlob } from 'node:path';

export type Instruction = { line: number; name: string; value: string };
export type Stage = { name: string; from: string; steps: Instruction[] };

/** One instruction a row: comments are left out, continued lines put together. */
function instructionsOf(text: string): Instruction[] {
  const found: Instruction[] = [];
  let open: { line: number; text: string } | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(raw)) continue;
    const begun: { line: number; text: string } = open ?? { line: index + 1, text: '' };
    const goesOn = raw.endsWith('\\');
    begun.text += ` ${goesOn ? raw.slice(0, -1).trim() : raw.trim()}`;
    open = goesOn ? begun : undefined;
    if (open) continue;
    const [, name = '', value = ''] = /^ ([A-Z]+) (.*)$/.exec(begun.text) ?? [];
    if (!name) throw new Error(`Dockerfile:${begun.line}: no instruction: ${begun.text.trim()}`);
    found.push({ line: begun.line, name, value });
  }
  return found;
}

/** The stages in their order, each with what it starts from. */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of instructionsOf(text)) {
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

export function copyOf({ value }: Instruction): Copy {
  const words = value.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? (words.shift()?.slice('--from='.length) ?? null) : null;
  const target = words.pop() ?? '';
  return { from, sources: words, target };
}

/** `A=1 B=2` of an ENV instruction. */
export const environmentOf = ({ value }: Instruction): Record<string, string> =>
  Object.fromEntries(value.split(/\s+/).map((pair) => [pair.split('=')[0], pair.split('=').slice(1).join('=')]));

/** What an instruction in JSON form runs; undefined when it is a line for the shell. */
export function argumentsOf(value: string): string[] | undefined {
  const json = value.slice(value.indexOf('['));
  return value.includes('[') ? (JSON.parse(json) as string[]) : undefined;
}

/** A star stands for hidden files too, unlike in the globs of Node. */
const unhidden = (path: string) => path.replaceAll(/(^|\/)\./g, '$1_');

/** Whether the context that a build is given has the path: the last line of .dockerignore that fits decides. */
export function contextOf(ignore: string): (path: string) => boolean {
  const rules = ignore.split('\n').filter((line) => line.trim() && !line.startsWith('#'));
  return (path) => {
    const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    let isThere = true;
    for (const rule of rules) {
      const pattern = rule.replace(/^!/, '');
      if (parents.some((each) => matchesGlob(unhidden(each), unhidden(pattern)))) isThere = rule.startsWith('!');
    }
    return isThere;
  };
}
