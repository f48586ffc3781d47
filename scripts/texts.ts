import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseAst } from 'vite';

// `npm run texts -- [PATH …]` prints every user-facing text with its location, for review in one sitting. `--check`
// prints only texts with banned words, and fails when there are any.
const { positionals, values } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } });

/** Phrases with plainer equivalents, and British spelling. */
const UNUSED =
  /\b(nobody|whoever|whichever|somebody|anew|told|by (itself|themselves)|as far as|mails|(colou|favou|behaviou|labou)r\w*|licen[c]es?|cancell(ed|ing)|(annual|real|recogn|normal|penal|organ|final)is(e[ds]?|ing)|labelled|grey|towards)\b/i;

type Node = { type: string; start: number; end: number; [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Never user-facing text: imports, types, styles, SQL, log lines. */
const SKIPPED_NODES = /^(Import|ExportAll|TS(?!As|Non|Satisfies))/;
const NON_TEXT_PROPERTIES = new Set([
  'className',
  'class',
  'd',
  'href',
  'id',
  'key',
  'path',
  'points',
  'rel',
  'src',
  'style',
  'to',
  'type',
]);
const STYLE_FUNCTIONS = /^(cx|tw|querySelector|matches|closest)$/;
const LOG_METHODS = /^(debug|trace|info|warn)$/;

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  const { name } = node;
  return typeof name === 'string' ? name : nameOf(name ?? node['property'] ?? node['callee'] ?? node['key']);
};

const CLASS_LIST = /^[!a-z0-9:[\]\-/.%()#,_>&*@+='"]+$/;
/** A class list has a token with a hyphen, colon or bracket, and no sentence. */
const isStyle = (text: string): boolean => {
  const tokens = text.split(/\s+/);
  return (
    tokens.every((token) => CLASS_LIST.test(token)) &&
    tokens.some((token) => /[-:[]/.test(token) && !/[.,:]$/.test(token))
  );
};
const isSql = (text: string): boolean =>
  /^\s*(select|insert|update|delete|with|create|alter|drop|truncate|lock)\s/.test(text);
const isFormat = (text: string): boolean => /^[a-z]+\/[\w.+-]+;|^(GET|POST|PUT|DELETE) \/|\{[^…}]+:[^}]+\}/.test(text);
/** Two words or more, or one that starts like a label. */
const isText = (text: string): boolean =>
  (/\p{L}{2,}[^\n]* [^\n]*\p{L}/u.test(text) || /^\p{Lu}\p{Ll}+[.?!]?$/u.test(text.trim())) &&
  ![isSql, isStyle, isFormat].some((is) => is(text));

/** The text of a node: a template with its gaps as `{…}`. */
function textOf(node: Node): string | null {
  if (node.type === 'JSXText') return String(node['value']);
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type !== 'TemplateLiteral') return null;
  return (node['quasis'] as { value: { cooked: string | null } }[]).map(({ value }) => value.cooked ?? '').join('{…}');
}

/** Not within quotes, which name something, nor in lists of columns. */
const isUnused = ({ text }: { text: string }): boolean =>
  !/[a-z]_[a-z]/.test(text) && UNUSED.test(text.replaceAll(/"[^"]*"/g, ''));

function isSkipped(node: Node): boolean {
  if (SKIPPED_NODES.test(node.type)) return true;
  if (node.type === 'JSXAttribute')
    return NON_TEXT_PROPERTIES.has(nameOf(node['name'])) || nameOf(node['name']).startsWith('data-');
  if (node.type === 'TaggedTemplateExpression') return nameOf(node['tag']) === 'sql';
  return (
    node.type === 'CallExpression' &&
    (STYLE_FUNCTIONS.test(nameOf(node['callee'])) || LOG_METHODS.test(nameOf(node['callee'])))
  );
}

function collect(node: Node, texts: { at: number; text: string }[]): void {
  if (isSkipped(node)) return;
  const text = textOf(node)?.replaceAll(/\s+/g, ' ').trim();
  if (text && isText(text)) texts.push({ at: node.start, text });
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) collect(each, texts);
  }
}

const paths = positionals.length > 0 ? positionals : ['src/features', 'src/app', 'src/shared', 'src/ui', 'src/kernel'];
const files = paths
  .flatMap((path) => (/\.tsx?$/.test(path) ? [path] : globSync(`${path}/**/*.{ts,tsx}`)))
  .filter((file) => !/\.test\.tsx?$|\/(testing|fixtures?|migrations)\/|fixtures?\.tsx?$/.test(file))
  .toSorted();
for (const file of files) {
  const code = readFileSync(file, 'utf8');
  const texts: { at: number; text: string }[] = [];
  collect(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, texts);
  for (const { at, text } of values.check ? texts.filter(isUnused) : texts) {
    console.log(`${file}:${code.slice(0, at).split('\n').length}\t${text}`);
    if (values.check) process.exitCode = 1;
  }
}
