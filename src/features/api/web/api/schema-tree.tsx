import { useState } from 'react';
import { CODE } from '#ui/code-block.tsx';

import type { OpenApi, Schema } from './document.ts';
import { type FieldRow, fieldsOf, typeOf } from './schema.ts';

/** Text of the document, with what stands between backticks as code. */
export function Words({ children }: { children: string }) {
  return children.split('`').map((piece, i) =>
    i % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text keep their places
      <code key={i} className={CODE}>
        {piece}
      </code>
    ) : (
      piece
    ),
  );
}

type Props = { document: OpenApi; schema: Schema };

/** The fields of an answer; what a field is made of opens below it. */
export function SchemaTree({ document, schema }: Props) {
  const rows = fieldsOf(document, schema);
  if (rows.length === 0) return <p className="text-ink-2">{typeOf(document, schema)}</p>;
  return (
    <ul className="border-l border-line">
      {rows.map((row) => (
        <Field key={row.name} document={document} row={row} />
      ))}
    </ul>
  );
}

function Field({ document, row: { name, type, optional, about, inner } }: { document: OpenApi; row: FieldRow }) {
  const [isOpen, setOpen] = useState(false);
  const head = (
    <>
      <code className="font-mono text-xs font-medium break-all">{name}</code>{' '}
      <span className="text-xs break-words text-ink-3">
        {type}
        {optional && ', optional'}
      </span>
    </>
  );
  return (
    <li className="py-1 pl-3">
      {inner ? (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="min-h-6 cursor-pointer">{head}</summary>
          {isOpen && <SchemaTree document={document} schema={inner} />}
        </details>
      ) : (
        <div>{head}</div>
      )}
      {about && (
        <p className="max-w-[68ch] text-xs break-words text-ink-2">
          <Words>{about}</Words>
        </p>
      )}
    </li>
  );
}
