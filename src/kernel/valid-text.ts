import { z } from 'zod/mini';

export type Schema = z.ZodMiniType;
type Text = string | undefined;
type SerializeSteps<T> = Generator<void, T>;

/**
 * Cached text of payload fields: payloads share some, and others stay unchanged between payloads. Rows are not cached:
 * the garbage collector would pause for thousands of weak keys.
 */
const known = new WeakMap<Schema, WeakMap<object, Text>>();

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isFree = ({ def }: Schema) => (def.checks?.length ?? 0) === 0;
const isPlainString = (schema: Schema) =>
  schema instanceof z.ZodMiniString && isFree(schema) && !('format' in schema.def);

const whole = (schema: Schema, value: unknown): Text => JSON.stringify(schema.parse(value));

const named = (name: string, text: Text) => (text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]);

/** Lists and records item by item, where the schema has no checks on the whole. */
function* parts(schema: Schema, value: object): SerializeSteps<Text> {
  const texts: string[] = [];
  if (schema instanceof z.ZodMiniArray && isFree(schema) && Array.isArray(value)) {
    for (const item of value) {
      texts.push(whole(schema.def.element as Schema, item) ?? 'null');
      yield;
    }
    return `[${texts.join(',')}]`;
  }
  const isRecord = schema instanceof z.ZodMiniRecord && isFree(schema) && isPlainString(schema.def.keyType as Schema);
  if (!isRecord || Array.isArray(value)) return whole(schema, value);
  for (const [name, item] of Object.entries(value)) {
    texts.push(...named(name, whole(schema.def.valueType as Schema, item)));
    yield;
  }
  return `{${texts.join(',')}}`;
}

function* field(schema: Schema, value: unknown): SerializeSteps<Text> {
  yield;
  if (!isObject(value)) return whole(schema, value);
  if (schema instanceof z.ZodMiniOptional) return yield* field(schema.def.innerType as Schema, value);
  const texts = known.get(schema) ?? new WeakMap<object, Text>();
  known.set(schema, texts);
  if (!texts.has(value)) texts.set(value, yield* parts(schema, value));
  return texts.get(value);
}

function* fields(schema: Schema, value: unknown): SerializeSteps<string> {
  const isDivided = schema instanceof z.ZodMiniObject && isFree(schema) && !schema.def.catchall && isObject(value);
  if (!isDivided) return whole(schema, value) as string;
  const texts: string[] = [];
  for (const [name, each] of Object.entries(schema.def.shape))
    texts.push(...named(name, yield* field(each as Schema, (value as Record<string, unknown>)[name])));
  return `{${texts.join(',')}}`;
}

/**
 * The same text as `JSON.stringify(schema.parse(value))`, in small steps. The fields of the value must not be changed
 * afterwards, because their text is cached.
 */
export function* serializeValid(schema: Schema, value: unknown): SerializeSteps<string> {
  try {
    return yield* fields(schema, value);
  } catch (error) {
    // Throws with the position of the fault in the whole.
    schema.parse(value);
    throw error;
  }
}
