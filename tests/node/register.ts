type Named = { path: string; title: string };
type Row = { line: number; requirement: string; tests: Named[] };

const cellsOf = (line: string): string[] =>
  line
    .replaceAll('\\|', '\0')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('\0', '|').trim());

function namedTests(cell: string): Named[] {
  const names = cell.split(';').map((name) => name.replaceAll('`', '').trim());
  return names.filter(Boolean).map((name) => {
    const [path = '', ...title] = name.split('›').map((part) => part.trim());
    return { path, title: title.join(' › ') };
  });
}

/** Rows of every table that has a column `test`, where `path › title` names a test and `;` separates several. */
export function rowsOfRegister(markdown: string): Row[] {
  const rows: Row[] = [];
  let column = -1;
  for (const [index, line] of markdown.split('\n').entries()) {
    const cells = line.startsWith('|') ? cellsOf(line) : [];
    if (cells.length === 0) column = -1;
    else if (column < 0) column = cells.findIndex((cell) => cell.toLowerCase() === 'test');
    else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) {
      rows.push({ line: index + 1, requirement: cells[0] ?? '', tests: namedTests(cells[column] ?? '') });
    }
  }
  return rows;
}

// A call whose first argument is a string and whose last is a function, on test, it or what .each() and .skipIf() return.
const TEST_CALL =
  /(?:\b(?:test|it)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,\s*(?:\{[^}]*\}\s*,\s*)?(?:async\b|function\b|\(|\w+ =>)/g;

/** Titles of the tests that a source text holds. */
export function titlesIn(source: string): string[] {
  return [...source.matchAll(TEST_CALL)].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'));
}
