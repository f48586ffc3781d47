import type { FileHead, Table, Written } from './table.ts';
import { CHUNK } from './text.ts';

type Tables = Iterable<Table> | AsyncIterable<Table>;

/**
 * `{ "title", "by", "madeAt", "dataMode", "metadata"?, "notes": [text], "tables": { name: [ { column: cell } ] } }`, one
 * row a line. Moments are ISO strings, what is no number is null, half a letter is written as JSON escapes it.
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
    let between = '\n';
    for await (const batch of table.rows) {
      for (const row of batch) {
        const line: Record<string, unknown> = {};
        for (let i = 0; i < names.length; i++) line[names[i] as string] = row[i] ?? null;
        text += between + JSON.stringify(line);
        between = ',\n';
        count.rows++;
        if (text.length >= CHUNK) {
          yield text;
          text = '';
        }
      }
    }
    text += '\n]';
  }
  yield `${text}\n}}\n`;
}
