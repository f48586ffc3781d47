import { useState } from 'react';

import { CODE } from '#ui/code-block.tsx';

import { follow, type OpenApi, type Schema } from './document.ts';

type FieldRow = {
  name: string;
  type: string;
  /** Whether it may be absent. */
  optional: boolean;
  about: string;
  /** Nested schema, if there is more to show. */
  inner: Schema | null;
};

const isNull = ({ type, const: only }: Schema) => type === 'null' || only === null;

/** The schema without null: [schema, nullable]. */
function bare(document: OpenApi, schema: Schema): readonly [Schema, boolean] {
  const own = follow<Schema>(document, schema);
  const ways = own.anyOf ?? own.oneOf;
  if (ways) {
    const others = ways.map((way) => follow<Schema>(document, way)).filter((way) => !isNull(way));
    const [only] = others;
    const nullable = others.length < ways.length;
    if (others.length === 1 && only)
      return [{ ...only, description: own.description ?? only.description ?? '' }, nullable];
    return [{ ...own, anyOf: others }, nullable];
  }
  if (Array.isArray(own.type) && own.type.includes('null')) {
    const types = own.type.filter((type) => type !== 'null');
    return [{ ...own, type: types.length === 1 ? (types[0] as string) : types }, true];
  }
  return [own, false];
}

const FORMATS: Record<string, string> = { 'date-time': 'date-time (ISO 8601, UTC)', date: 'date (YYYY-MM-DD)' };
const MAX_NAMED = 12;

function plainType(document: OpenApi, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) {
    const named = schema.enum.slice(0, MAX_NAMED).map((each) => JSON.stringify(each));
    return named.join(' | ') + (schema.enum.length > MAX_NAMED ? ' | …' : '');
  }
  const ways = schema.anyOf ?? schema.oneOf;
  if (ways) return [...new Set(ways.map((way) => typeText(document, way)))].join(' | ');
  if (schema.allOf) return 'object';
  if (schema.type === 'array')
    return typeof schema.items === 'object' ? `array of ${typeText(document, schema.items)}` : 'array';
  if (schema.type === 'object' || schema.properties) {
    return typeof schema.additionalProperties === 'object' && !schema.properties
      ? `map of ${typeText(document, schema.additionalProperties)}`
      : 'object';
  }
  if (schema.type === 'string') return (schema.format && FORMATS[schema.format]) ?? 'string';
  if (schema.type === 'integer') return 'integer';
  if (schema.type === 'boolean') return 'boolean';
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return typeof schema.type === 'string' ? schema.type : 'any';
}

/** 'integer', 'array of object', '"json" | "csv" or null' */
export function typeText(document: OpenApi, schema: Schema): string {
  const [own, nullable] = bare(document, schema);
  return plainType(document, own) + (nullable ? ' or null' : '');
}

/** A value of the document for display. */
export const plainText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** '1 to 500, default 100' */
export function limitsText(schema: Schema): string {
  const { minimum, maximum, maxLength, default: usual } = schema;
  const unbound = (value: number) => Math.abs(value) >= Number.MAX_SAFE_INTEGER;
  const low = minimum !== undefined && !unbound(minimum) ? minimum : null;
  const high = maximum !== undefined && !unbound(maximum) ? maximum : null;
  const words = [
    low !== null && high !== null && `${low} to ${high}`,
    low !== null && high === null && `at least ${low}`,
    low === null && high !== null && `at most ${high}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    usual !== undefined && `default ${plainText(usual)}`,
  ];
  return words.filter((each) => typeof each === 'string').join(', ');
}

/** A field's description and limits, as sentences. */
export function schemaText(about: string | undefined, schema: Schema): string {
  const limits = limitsText(schema);
  if (!about) return limits;
  if (!limits) return about;
  return `${about.replace(/\.$/, '')}. ${limits.charAt(0).toUpperCase()}${limits.slice(1)}`;
}

/** The item schema of a list, or the value schema of a map. */
function core(document: OpenApi, schema: Schema): Schema {
  const [own] = bare(document, schema);
  if (own.type === 'array' && typeof own.items === 'object') return core(document, own.items);
  if (typeof own.additionalProperties === 'object' && !own.properties) return core(document, own.additionalProperties);
  return own;
}

/** The fields of an object or of a list's items; of a union those of all members. */
export function listFields(document: OpenApi, schema: Schema): FieldRow[] {
  const own = core(document, schema);
  const shapes = own.allOf ?? own.anyOf ?? own.oneOf;
  if (shapes) {
    const rows = shapes.flatMap((shape) => listFields(document, shape));
    return rows.filter(({ name }, i) => rows.findIndex((row) => row.name === name) === i);
  }
  return Object.entries(own.properties ?? {}).map(([name, field]) => {
    const [plain] = bare(document, field);
    const inside = core(document, field);
    const hasMore =
      Boolean(inside.properties ?? inside.allOf) ||
      (inside.anyOf ?? []).some((way) => listFields(document, way).length > 0);
    return {
      name,
      type: typeText(document, field),
      optional: !own.required?.includes(name),
      about: schemaText(field.description ?? plain.description, plain),
      inner: hasMore ? field : null,
    };
  });
}

const STEPS = 6;

/** A sample value: the given example, else one built from its fields. */
function exampleValue(document: OpenApi, schema: Schema, steps: number): unknown {
  const [own] = bare(document, schema);
  if (own.examples?.length) return own.examples[0];
  if (own.default !== undefined) return own.default;
  if (own.const !== undefined) return own.const;
  if (own.enum) return own.enum[0];
  const shape = (own.anyOf ?? own.oneOf)?.[0];
  if (shape) return exampleValue(document, shape, steps);
  if (own.type === 'array')
    return typeof own.items === 'object' && steps > 0 ? [exampleValue(document, own.items, steps - 1)] : [];
  if (own.properties && steps > 0)
    return Object.fromEntries(
      Object.entries(own.properties)
        .filter(([name]) => own.required?.includes(name))
        .map(([name, field]) => [name, exampleValue(document, field, steps - 1)]),
    );
  if (own.type === 'boolean') return true;
  if (own.type === 'integer' || own.type === 'number') return own.minimum ?? 0;
  return own.type === 'string' ? '' : {};
}

/** Initial sample of a body. */
export const exampleJson = (document: OpenApi, { schema, example }: { schema: Schema; example: unknown }): string =>
  JSON.stringify(example ?? exampleValue(document, schema, STEPS), null, 2);

/** Text of the document, with backticks rendered as code. */
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

/** The fields of a response; nested fields expand below. */
export function SchemaTree({ document, schema }: Props) {
  const rows = listFields(document, schema);
  if (rows.length === 0) return <p className="text-ink-2">{typeText(document, schema)}</p>;
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
