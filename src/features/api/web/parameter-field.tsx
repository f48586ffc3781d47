import { SelectField, TextField } from '#web/ui/inputs.tsx';

import { follow, type OpenApi, type Parameter, type Schema } from './document.ts';
import { limitsOf, plainText } from './schema.ts';

type Props = { document: OpenApi; parameter: Parameter; value: string; onText: (value: string) => void };

/** The choices a parameter has, where it has few. */
function choicesOf(document: OpenApi, schema: Schema): readonly string[] | null {
  const own = follow<Schema>(document, schema);
  if (own.enum) return own.enum.filter((each) => each !== null).map(String);
  if (own.type === 'boolean') return ['true', 'false'];
  const listed = own.anyOf?.flatMap(({ const: only }) => (typeof only === 'string' ? [only] : [])) ?? [];
  return listed.length > 0 && listed.length === own.anyOf?.length ? listed : null;
}

/** Of a number, between which it is. */
const rangeOf = (schema: Schema) => (schema.type === 'integer' || schema.type === 'number' ? limitsOf(schema) : '');

export function ParameterField({ document, parameter, value, onText }: Props) {
  const { name, required, in: place, schema = {}, example } = parameter;
  const label = required || place === 'path' ? `${name} (needed)` : name;
  const choices = choicesOf(document, schema);
  if (choices)
    return (
      <SelectField label={label} problem={null} note={undefined} value={value} onText={onText}>
        <option value="">{schema.default === undefined ? '–' : `${plainText(schema.default)} unless chosen`}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </SelectField>
    );
  const sample = example ?? schema.examples?.[0];
  return (
    <TextField
      label={label}
      name={name}
      spellCheck={false}
      placeholder={sample === undefined ? rangeOf(schema) : plainText(sample)}
      value={value}
      onText={onText}
    />
  );
}
