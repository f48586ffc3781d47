import { z } from 'zod/mini';

/** JSON Schema as it is made of contracts: no references, no cycles. */
export type Shape = {
  type?: string | string[];
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
  propertyNames?: Shape;
  items?: Shape;
  prefixItems?: Shape[];
  anyOf?: Shape[];
  enum?: unknown[];
  description?: string;
  [more: string]: unknown;
};

const known = new WeakMap<z.ZodMiniType, Shape>();

/** What a value looks like that has passed its contract. */
export function shapeOf(schema: z.ZodMiniType): Shape {
  const found = known.get(schema);
  if (found) return found;
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'output' }) as Shape;
  known.set(schema, shape);
  return shape;
}

const isNull = ({ type }: Shape) => type === 'null';

/** Without the null that it may be. */
export function presentShape(shape: Shape): Shape {
  const others = shape.anyOf?.filter((each) => !isNull(each));
  return others?.length === 1 ? presentShape(others[0] as Shape) : shape;
}
