import type { Cell, FileHead, Table, Written } from './table.ts';
import { PIECE } from './text.ts';

type Tables = Iterable<Table> | AsyncIterable<Table>;

/** Rows that are made into text by one call: many calls for small objects cost more than their text. */
const AT_ONCE = 64;

function objects(rows: readonly (readonly Cell[])[], names: readonly string[]): Record<string, Cell>[] {
  return rows.map((row) => {
    const line: Record<string, Cell> = {};
    for (let i = 0; i < names.length; i++) line[names[i] as string] = row[i] ?? null;
    return line;
  });
}

/**
 * `{ "title", "by", "madeAt", "dataMode", "metadata"?, "notes": [text], "tables": { name: [ { column: cell } ] } }`.
 * Moments are ISO strings, what is no number is null, half a letter is written as JSON escapes it.
 */
export async function* jsonOf(head: FileHead, tables: Tables, written: Map<string, Written>): AsyncGenerator<string> {
  const opening = {
    title: head.title,
    by: head.look.name,
    madeAt: head.madeAt.toISOString(),
    dataMode: head.dataMode,
    ...(head.metadata && { metadata: head.metadata }),
    notes: head.notes,
  };
  let text = `${JSON.stringify(opening).slice(0, -1)},\n"tables":{`;
  let first = true;
  for await (const table of tables) {
    const count: Written = { rows: 0 };
    written.set(table.name, count);
    const names = table.columns.map(({ name }) => name);
    text += `${first ? '' : ','}\n${JSON.stringify(table.name)}:[`;
    first = false;
    let before = '\n';
    for await (const batch of table.rows) {
      for (let from = 0; from < batch.length; from += AT_ONCE) {
        const lines = objects(batch.slice(from, from + AT_ONCE), names);
        text += before + JSON.stringify(lines).slice(1, -1);
        before = ',\n';
        count.rows += lines.length;
        if (text.length >= PIECE) {
          yield text;
          text = '';
        }
      }
    }
    text += '\n]';
  }
  yield `${text}\n}}\n`;
}
